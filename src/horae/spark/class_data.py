"""Classes of Spark as the JVM has them in memory, kept from one run to the next.

A JVM spends most of a brief run on reading and checking thousands of classes. At the end of such a run
it writes those that it has to an archive, after the command is done, and later ones map that. The
archive is good for one Java and one Spark; a JVM checks that, and does without one that does not fit. A
Java that came without an archive of its own classes, as the one of the wheel, cannot make one.
"""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path
from shutil import disk_usage
from uuid import uuid4

import pyspark

from horae.spark.java import is_kept

_MAGIC = b"\xa8\xab\x0b\xf0"  # the first bytes of an archive; the JVM writes them last
_HOUR = 3600  # seconds until an archive that was not finished is tried again
_MONTH = 30 * 24 * _HOUR  # until one that nobody used is removed
_ROOM = 1 << 30  # bytes that must be free where an archive is made, which has a sixth of them
_CLASS_PATH = ("SPARK_HOME", "SPARK_CONF_DIR", "SPARK_DIST_CLASSPATH")


def class_data_options(java_home: Path, kind: str) -> str:
    """Options of a JVM: to use the archive for this kind of run, or to make it; or none."""
    folder = java_home / "classes"
    if not is_kept(java_home):
        return ""
    try:
        folder.mkdir(exist_ok=True, mode=0o700)
        return _options(folder, f"{kind}-{_key(_real_java(java_home))}")
    except OSError:
        return ""


def _options(folder: Path, name: str) -> str:
    archive = folder / f"{name}.jsa"
    drafts = sorted(folder.glob(f"{name}.*.draft"))
    for draft in drafts:
        if _is_whole(draft):
            draft.replace(archive)
    if archive.exists():
        os.utime(archive)
        return f' "-XX:SharedArchiveFile={archive}"'
    if any(_age(draft) < _HOUR for draft in drafts) or disk_usage(folder).free < _ROOM:
        return ""
    _tidy(folder)
    return f' "-XX:ArchiveClassesAtExit={_draft(folder, name)}"'


def _draft(folder: Path, name: str) -> Path:
    """It is empty until the JVM ends."""
    draft = folder / f"{name}.{uuid4().hex}.draft"
    draft.touch()
    return draft


def _is_whole(draft: Path) -> bool:
    with draft.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def _age(file: Path) -> float:
    return time.time() - file.stat().st_mtime


def _tidy(folder: Path) -> None:
    """Drafts that came to nothing, and what belongs to a Java or a Spark that is gone."""
    for file in folder.iterdir():
        if _age(file) > (_HOUR if file.suffix == ".draft" else _MONTH):
            file.unlink(missing_ok=True)


def _key(java: Path) -> str:
    """Of a Java and the classes of Spark."""
    jars = Path(pyspark.__file__).parent / "jars"
    files = [path for path in (jars, java) if path.exists()]
    times = [path.stat().st_mtime_ns for path in files]
    places = [os.environ.get(name) for name in _CLASS_PATH]
    text = f"{pyspark.__version__} {files} {times} {places}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _real_java(java_home: Path) -> Path:
    """What the script of this home calls, as far as one sees; else the script."""
    script = java_home / "bin" / "java"
    words = script.read_text(encoding="utf-8", errors="replace").split()
    return Path(words[words.index("exec") + 1]) if "exec" in words else script
