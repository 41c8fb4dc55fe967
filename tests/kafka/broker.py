"""A Kafka broker on loopback, from its jars, that ends with its block."""

from __future__ import annotations

import re
import socket
import subprocess
import time
import uuid
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from horae.spark.java import java_home

_PATIENCE = 60  # seconds


@dataclass(frozen=True)
class Broker:
    jars: Path
    folder: Path
    port: int

    def url(self, topic: str) -> str:
        return f"kafka://127.0.0.1:{self.port}/{topic}"

    def produce(self, topic: str, records: Sequence[tuple[str, str]]) -> None:
        """Records (key, value) in this order; equal keys go to one partition."""
        options = ["--bootstrap-server", f"127.0.0.1:{self.port}", "--topic", topic]
        for setting in ("parse.key=true", "key.separator=|"):
            options += ["--property", setting]
        text = "".join(f"{key}|{value}\n" for key, value in records)
        _call(java(self.jars, "kafka.tools.ConsoleProducer", *options), text)

    def values(self, topic: str) -> list[str]:
        """As they lie in the broker's files: by partition, then by offset."""
        files = sorted((self.folder / "data").glob(f"{topic}-*/*.log"))
        found: list[str] = []
        for file in files:
            options = ["--print-data-log", "--files", str(file)]
            shown = _call(java(self.jars, "kafka.tools.DumpLogSegments", *options))
            found += re.findall(r"^\| offset: .* payload: (.*)$", shown, re.MULTILINE)
        return found


def _call(command: Sequence[str], text: str = "") -> str:
    done = subprocess.run(
        command, input=text, text=True, capture_output=True, timeout=_PATIENCE, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@contextmanager
def broker(jars: Path, folder: Path) -> Iterator[Broker]:
    """One node that is broker and controller; topics of two partitions come with their first record."""
    port, control = free_ports(2)
    config = folder / "server.properties"
    config.write_text(_config(folder, port, control))
    identity = urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
    format_storage = ("format", "-t", f"k{identity[1:]}", "-c", str(config))
    _call(java(jars, "kafka.tools.StorageTool", *format_storage))
    log = folder / "broker.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            java(jars, "kafka.Kafka", str(config)), stdout=output, stderr=subprocess.STDOUT
        )
        try:
            _wait_for(port, process, log)
            yield Broker(jars, folder, port)
        finally:
            process.kill()
            process.wait(_PATIENCE)


def java(jars: Path, main: str, *arguments: str) -> list[str]:
    program = str(java_home() / "bin" / "java")
    return [program, "-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", f"{jars}/*", main, *arguments]


def free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    try:
        return [found.getsockname()[1] for found in sockets]
    finally:
        for found in sockets:
            found.close()


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"the broker did not start:\n{log.read_text()[-2000:]}")


def _config(folder: Path, port: int, control: int) -> str:
    return f"""\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{control}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{control}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
controller.listener.names=CONTROLLER
log.dirs={folder / "data"}
num.partitions=2
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
"""
