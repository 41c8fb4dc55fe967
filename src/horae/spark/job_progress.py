"""How far the jobs of the running session are: stages, and tasks done of all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from py4j.protocol import Py4JError
from pyspark import SparkContext


@dataclass(frozen=True)
class JobProgress:
    """Of the jobs that are running: their stages, those that are done, and tasks of what has begun.

    `rows` are those that running stages have read from files or tables so far, by stage.
    """

    stages: int = 0
    stages_done: int = 0
    tasks: int = 0
    tasks_done: int = 0
    rows: Mapping[int, int] = field(default_factory=dict)


def job_progress() -> JobProgress | None:
    """None where no session has been started yet, or it is about to stop."""
    context = SparkContext._active_spark_context
    if getattr(context, "_jsc", None) is None:  # it is there before its JVM is
        return None
    assert context is not None
    try:
        return _progress_of(context)
    except Py4JError:
        return None


def _progress_of(context: SparkContext) -> JobProgress:
    tracker = context.statusTracker()
    jobs = [tracker.getJobInfo(job) for job in tracker.getActiveJobsIds()]
    stages = {stage for job in jobs if job is not None for stage in job.stageIds}
    infos = [info for info in map(tracker.getStageInfo, stages) if info is not None]
    return JobProgress(
        len(stages),
        sum(info.numTasks == info.numCompletedTasks for info in infos),
        sum(info.numTasks for info in infos),
        sum(info.numCompletedTasks for info in infos),
        _rows_read(context),
    )


def _rows_read(context: SparkContext) -> dict[int, int]:
    """Spark tells it when a task is done, and every ten seconds."""
    found = context._jsc.sc().statusStore().activeStages()
    stages = [found.apply(place) for place in range(found.size())]
    return {stage.stageId(): stage.inputRecords() for stage in stages}
