"""Ways in which a checkpoint is not what it was."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

Damage = Callable[[Path], None]
"""Of a checkpoint of four micro-batches in two shards."""

_LAST = 3


def _garble(file: Path) -> None:
    """Some bytes in the middle are others."""
    data = bytearray(file.read_bytes())
    middle = len(data) // 2
    for place in range(middle, min(middle + 8, len(data))):
        data[place] ^= 0x5A
    file.write_bytes(data)


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def _no_checksums(checkpoint: Path) -> None:
    """As after a copy that leaves out files with a dot."""
    for file in list(checkpoint.rglob(".*.crc")):
        file.unlink()


def _state(checkpoint: Path, ending: str) -> list[Path]:
    """The latest ones of each shard."""
    shards = [folder for folder in (checkpoint / "state" / "0").iterdir() if folder.name.isdigit()]
    found = [max(shard.glob(f"[0-9]*.{ending}"), key=_version) for shard in shards]
    assert found
    return found


def _version(file: Path) -> int:
    return int(file.name.split(".")[0].split("_")[0])


def _each(change: Damage, ending: str = "changelog", *, checksums: bool = True) -> Damage:
    """Of the latest state of each shard."""

    def apply(checkpoint: Path) -> None:
        if not checksums:
            _no_checksums(checkpoint)
        for file in _state(checkpoint, ending):
            change(file)

    return apply


def _at(place: str, change: Damage, *, checksums: bool = True) -> Damage:
    def apply(checkpoint: Path) -> None:
        if not checksums:
            _no_checksums(checkpoint)
        change(checkpoint / place)

    return apply


def _write_noise(file: Path) -> None:
    file.write_text("\x07 not what it was")


def _empty(file: Path) -> None:
    file.write_bytes(b"")


def _to_layout_1(file: Path) -> None:
    started = json.loads(file.read_text())
    file.write_text(json.dumps(started | {"layout": 1}))


DAMAGES: dict[str, Damage] = {
    "state cut off": _each(_cut),
    "state cut off, no checksums": _each(_cut, checksums=False),
    "state garbled": _each(_garble),
    "state garbled, no checksums": _each(_garble, checksums=False),
    "state emptied, no checksums": _each(_empty, checksums=False),
    "state of a micro-batch missing": _each(Path.unlink),
    "snapshot garbled": _each(_garble, "zip", checksums=False),
    "snapshot missing": _each(Path.unlink, "zip"),
    "all state missing": _at("state", shutil.rmtree),
    "state of a shard missing": _at("state/0/1", shutil.rmtree),
    "offset log garbled": _at(f"offsets/{_LAST}", _garble),
    "offset log cut off, no checksums": _at(f"offsets/{_LAST}", _cut, checksums=False),
    "offset log emptied": _at(f"offsets/{_LAST}", _empty, checksums=False),
    "offset log without its last entry": _at(f"offsets/{_LAST}", Path.unlink),
    "offset log without an entry": _at("offsets/1", Path.unlink),
    "all offsets missing": _at("offsets", shutil.rmtree),
    "commit log garbled": _at(f"commits/{_LAST}", _write_noise, checksums=False),
    "commit log without an entry": _at("commits/1", Path.unlink),
    "all commits missing": _at("commits", shutil.rmtree),
    "source log garbled": _at(f"sources/0/{_LAST}", _write_noise, checksums=False),
    "source log without an entry": _at("sources/0/1", Path.unlink),
    "source log without its last entry": _at(f"sources/0/{_LAST}", Path.unlink),
    "metadata garbled": _at("metadata", _write_noise, checksums=False),
    "metadata missing": _at("metadata", Path.unlink),
    "start.json garbled": _at("horae/start.json", _write_noise),
    "start.json emptied": _at("horae/start.json", _empty),
    "start.json missing": _at("horae/start.json", Path.unlink),
    "given.arrow garbled": _at("horae/given.arrow", _write_noise),
    "given.arrow cut off": _at("horae/given.arrow", _cut),
    "given.arrow missing": _at("horae/given.arrow", Path.unlink),
    "an older layout": _at("horae/start.json", _to_layout_1),
}
