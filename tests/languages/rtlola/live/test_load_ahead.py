"""Code that is loaded while the input is read: for large files only, and never in anybody's way."""

from __future__ import annotations

import threading

import pytest

import horae
from horae.languages.rtlola.kernel.kernel import RTLolaKernel
from horae.languages.rtlola.live import load_ahead

SPEC = "input int a\noutput int b := a + 1\ntrigger b > 2\n"


class Watched(RTLolaKernel):
    made = 0
    is_broken = False

    def __init__(self, program, options, *, compiled=None):
        type(self).made += 1
        assert compiled
        assert threading.current_thread() is not threading.main_thread()
        if self.is_broken:
            raise MemoryError
        super().__init__(program, options, compiled=False)


@pytest.fixture
def watched(monkeypatch, tmp_path):
    class Own(Watched):
        pass

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(load_ahead, "RTLolaKernel", Own)
    (tmp_path / "e.csv").write_text("time,a\n1,1\n2,5\n")
    return Own


def values(path="e.csv"):
    return [answer.get("value") for answer in horae.compile(SPEC, language="rtlola").evaluate(path)]


@pytest.mark.parametrize("is_broken", [False, True])
def test_loops_of_large_files_are_there_when_their_rows_are(watched, monkeypatch, is_broken):
    monkeypatch.setattr(load_ahead, "_LARGE", 10)
    watched.is_broken = is_broken
    assert values() == [2, 6, None]
    assert watched.made == 1


def test_small_files_load_nothing(watched):
    assert values() == [2, 6, None]
    assert not watched.made


def test_what_is_wrong_with_a_large_file_is_said_as_ever(watched, monkeypatch, tmp_path):
    monkeypatch.setattr(load_ahead, "_LARGE", 10)
    (tmp_path / "e.csv").write_text("time,a\n1,1\n2,x\n")
    with pytest.raises(horae.InputError) as caught:
        values()
    assert "row 2" in str(caught.value)
    with pytest.raises(horae.InputError):
        values("none.csv")
