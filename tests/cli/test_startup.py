"""What commands load: nobody waits for what a command does not need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = {
    "m.lola": "input int a\noutput int b := a + 1\n",
    "m.dmtl": "q(X) :- Boxminus[0,1] p(X).\n",
    "m.lars": "q(X) :- win[1] [] p(X).\n",
    "m.cql": "REGISTER STREAM p(x int);\n\nSELECT x FROM p [NOW];\n",
}
INPUTS = {"m.lola": "e.csv", "m.dmtl": "f.facts", "m.lars": "f.facts", "m.cql": "f.facts"}
HEAVY = ("numba", "pandas", "pyarrow", "pyspark")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in PROGRAMS.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "e.csv").write_text("time,a\n" + "".join(f"{i},{i}\n" for i in range(10)))
    (tmp_path / "f.facts").write_text("".join(f"p({i})@{i}\n" for i in range(10)))
    return tmp_path


def loaded(code: str, *arguments: str, cwd: Path | None = None) -> tuple[int, set[str]]:
    """The exit code, and what of `HEAVY`, numpy, rich and the languages was loaded."""
    ends = "import sys, atexit; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
    run = subprocess.run(
        [sys.executable, "-c", ends + code, *arguments], capture_output=True, text=True, cwd=cwd
    )
    return run.returncode, {*run.stderr.splitlines()[-1].split()}


def command(*arguments: str, cwd: Path | None = None) -> set[str]:
    code, modules = loaded("from horae.cli.main import main; sys.exit(main())", *arguments, cwd=cwd)
    assert code == 0
    return modules


def test_the_package_is_light():
    code, modules = loaded("import horae; horae.InputError")
    assert code == 0
    assert not {*HEAVY, "numpy", "lark", "typer"} & modules


def test_help_loads_no_columns():
    code = (
        "from horae.cli.main import main\n"
        "sys.exit(any(main([*words, '--help']) for words in ([], ['run'], ['analyze'])))"
    )
    exit_code, modules = loaded(code)
    assert exit_code == 0
    assert not {*HEAVY, "numpy", "lark", "rich"} & modules


@pytest.mark.parametrize("spec", PROGRAMS)
def test_checking_loads_one_language(folder, spec):
    code = (
        "from horae.cli.main import main\n"
        "sys.exit(main(['check', sys.argv[1]]) or main(['fmt', '--check', sys.argv[1]]))"
    )
    exit_code, modules = loaded(code, spec, cwd=folder)
    assert exit_code == 0
    assert not {*HEAVY, "numpy", "rich"} & modules
    checks = {name for name in modules if name.endswith((".syntax.parse", ".check.check"))}
    assert len({name.split(".")[2] for name in checks}) == 1


@pytest.mark.parametrize("spec", PROGRAMS)
def test_a_small_run_needs_neither_numba_nor_pandas(folder, spec):
    modules = command("run", spec, "--input", INPUTS[spec], "--engine", "local", cwd=folder)
    assert not {"numba", "pandas", "pyspark", "rich"} & modules


def test_pandas_is_found_by_those_who_call_the_command(folder):
    """Only a process of the command's own goes without it."""
    code = (
        "from horae.cli.main import main\n"
        "main(['run', 'm.lola', '--input', 'e.csv', '--engine', 'local'])\n"
        "import pandas, pyarrow\n"
        "assert pyarrow.array(pandas.Series([1.0, None])).null_count == 1\n"
    )
    assert loaded(code, cwd=folder)[0] == 0
