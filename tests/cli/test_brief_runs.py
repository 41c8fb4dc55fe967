"""Small runs on Spark in a process of their own, which ask less of it: the answers are the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from horae.examples import example

_HORAE = "import sys; from horae.cli.main import main; sys.exit(main())"


def run(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", _HORAE, "run", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd)


def lines_of(*arguments: str, cwd: Path | None = None) -> list[str]:
    done = run(*arguments, cwd=cwd)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.fixture
def sales(tmp_path: Path) -> Path:
    rows = example("shop.csv").read_text().splitlines(keepends=True)[:200]
    (tmp_path / "shop.csv").write_text("".join(rows))
    return tmp_path


SHOP = (str(example("shop.lola")), "--input", "shop.csv", "--time", "ts")
SIGNALS = (str(example("signals.dmtl")), "--input", str(example("signals.facts")))


@pytest.mark.long
@pytest.mark.spark
@pytest.mark.parametrize("inputs", [SHOP, SIGNALS], ids=["two stages", "one stage"])
def test_a_stream_is_finished_with_its_rows(sales, inputs):
    found = lines_of(*inputs, "--stream", "--finish", cwd=sales)
    assert found == lines_of(*inputs, "--engine", "local", cwd=sales)
    assert found


@pytest.mark.spark
def test_a_batch(sales):
    found = lines_of(*SHOP, cwd=sales)
    assert found == lines_of(*SHOP, "--engine", "local", cwd=sales)
    assert len(found) >= 199


@pytest.mark.long
@pytest.mark.spark
def test_a_cell_that_cannot_be_read(tmp_path):
    (tmp_path / "shop.csv").write_text(
        "ts,prod_id\n2024-11-29T08:00:02Z,7\n2024-11-29T08:00:03Z,seven\n"
    )
    on_spark, here = run(*SHOP, cwd=tmp_path), run(*SHOP, "--engine", "local", cwd=tmp_path)
    assert on_spark.returncode == 3
    assert on_spark.stderr == here.stderr
