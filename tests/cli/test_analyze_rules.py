"""`horae analyze` on rules: the bounds as numbers for a given stream."""

from __future__ import annotations

import pytest

from horae.cli.main import main
from horae.examples import example


def test_the_bounds_become_numbers(capsys, tmp_path):
    """Theorem 8 with w = 2, P = 2, A = 1, two objects, everything a multiple of 1:
    (4·((2 + 2·1)/1 + 1)² + 1)·2·2 = 404.
    """
    spec = tmp_path / "a.dmtl"
    spec.write_text("q(X) :- Boxminus[1,2] p(X).\n")
    assert main(["analyze", str(spec), "--objects", "2", "--gcd", "1", "--step", "1"]) == 0
    assert "= 404 elements for |O| = 2, g = 1, step = 1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("spec", "options", "message"),
    [
        (
            "acc_variable.lola",
            ["--objects", "2"],
            "--objects is for the bounds of DatalogMTL programs.",
        ),
        ("signals.dmtl", ["--gcd", "x"], "gcd: `x` is not a rational number"),
        ("signals.dmtl", ["--format", "svg", "--picture", "streams"], "but plan"),
        ("shop.lola", ["--format", "dot", "--picture", "rules"], "but streams, plan"),
        ("shop.lola", ["--picture", "plan"], "--picture is for --format dot and svg"),
    ],
)
def test_wrong_usage(spec, options, message, capsys):
    assert main(["analyze", str(example(spec)), *options]) == 2
    assert message in capsys.readouterr().err
