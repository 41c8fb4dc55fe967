"""Hadoop's own file system on loopback, from its jars: a name node and a data node in one process.

The process ends with its block. Where the tests are killed before, `timeout` ends it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from horae.spark.java import java_home

_CLUSTER = "org.apache.hadoop.test.MiniDFSClusterManager"
_SHELL = "org.apache.hadoop.fs.FsShell"
_PATIENCE = 60  # seconds
_LONGEST = 3600  # seconds
_NO_SETTINGS = "<configuration/>"  # Hadoop's shell does not start without a file of them


@dataclass(frozen=True)
class Hdfs:
    """`settings` is a folder with those of clients."""

    jars: Path
    settings: Path
    port: int

    @property
    def url(self) -> str:
        return f"hdfs://127.0.0.1:{self.port}"

    def place(self, path: str) -> str:
        return f"{self.url}/{path}"

    def put(self, folder: Path, path: str) -> str:
        """The folder with what is in it, and with its times; those above it are made."""
        place = self.place(path)
        self._shell("-mkdir", "-p", place.rpartition("/")[0])
        self._shell("-put", "-p", str(folder), place)
        return place

    def get(self, path: str, folder: Path) -> Path:
        self._shell("-get", self.place(path), str(folder))
        return folder

    def files(self, path: str) -> list[str]:
        """The names of all that is below a folder, relative to it."""
        place = f"{self.place(path)}/"
        shown = self._shell("-find", place).splitlines()
        return sorted(name.removeprefix(place) for name in shown if name.startswith(place))

    def has(self, path: str) -> bool:
        done = self._call("-test", "-e", self.place(path))
        return done.returncode == 0

    def _shell(self, *arguments: str) -> str:
        done = self._call(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def _call(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            _java((self.settings, self.jars / "*"), "64m", _SHELL, *arguments),
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )


@contextmanager
def hdfs(jars: Path, folder: Path) -> Iterator[Hdfs]:
    """A cluster whose files are kept in this folder."""
    log, details, settings = folder / "hdfs.log", folder / "details.json", folder / "settings"
    settings.mkdir()
    (settings / "core-site.xml").write_text(_NO_SETTINGS)
    with log.open("wb") as output:
        process = subprocess.Popen(
            ["timeout", str(_LONGEST), *_start(jars, folder / "data", details)],
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            _wait_for(details, process, log)
            yield Hdfs(jars, settings, int(json.loads(details.read_text())["namenode_port"]))
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(_PATIENCE)


def _start(jars: Path, data: Path, details: Path) -> list[str]:
    """The ports are free ones; it writes its own into `details` when it is ready."""
    options = ["-format", "-datanodes", "1", "-nnport", "0", "-D", "dfs.replication=1"]
    options += ["-D", f"hdfs.minidfs.basedir={data}", "-writeDetails", str(details)]
    return _java([jars / "*"], "512m", _CLUSTER, *options)


def _java(classes: Sequence[Path], memory: str, main: str, *arguments: str) -> list[str]:
    program = str(java_home() / "bin" / "java")
    options = (f"-Xmx{memory}", "-XX:TieredStopAtLevel=1")
    return [program, *options, "-cp", ":".join(map(str, classes)), main, *arguments]


def _wait_for(details: Path, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end and process.poll() is None:
        if details.exists() and details.read_text().endswith("}"):
            return
        time.sleep(0.1)
    raise AssertionError(f"the cluster did not start:\n{log.read_text()[-2000:]}")
