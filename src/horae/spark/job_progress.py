"""How far the jobs of the running session are: stages, and tasks done of all."""

from __future__ import annotations

from dataclasses import dataclass

from py4j.protocol import Py4JError
from pyspark import SparkContext


@dataclass(frozen=True)
class JobProgress:
    """Of the jobs that are running: their stages, those that are done, and tasks of what has begun."""

    stages: int = 0
    stages_done: int = 0
    tasks: int = 0
    tasks_done: int = 0


def job_progress() -> JobProgress | None:
    """None where no session has been started yet, or it is about to stop."""
    context = SparkContext._active_spark_context
    if context is None:
        return None
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
    )
