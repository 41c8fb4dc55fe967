"""The archive of classes: who makes it, who uses it, and what is left alone."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from horae.spark import java
from horae.spark.class_data import class_data_options

WHOLE = b"\xa8\xab\x0b\xf0" + b"classes"


@pytest.fixture
def home(tmp_path, monkeypatch) -> Path:
    """A home for a Java, in a cache of our own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    home = java._cache() / "of_a_java"
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "java").write_text(f'#!/bin/sh\nexec {tmp_path}/java/bin/java "$@"\n')
    return home


def the_draft(options: str) -> Path:
    assert options.startswith(' "-XX:ArchiveClassesAtExit=')
    return Path(options.partition("=")[2].rstrip('"'))


def test_the_first_run_makes_what_later_ones_use(home):
    the_draft(class_data_options(home, "batch")).write_bytes(WHOLE)
    used = class_data_options(home, "batch")
    assert used.startswith(' "-XX:SharedArchiveFile=')
    assert Path(used.partition("=")[2].rstrip('"')).read_bytes() == WHOLE
    assert class_data_options(home, "batch") == used
    assert len([*(home / "classes").iterdir()]) == 1


def test_each_kind_of_run_has_its_own(home):
    the_draft(class_data_options(home, "batch")).write_bytes(WHOLE)
    assert not the_draft(class_data_options(home, "stream")).read_bytes()


def test_runs_go_without_while_one_makes_it(home):
    draft = the_draft(class_data_options(home, "batch"))
    assert class_data_options(home, "batch") == ""
    draft.write_bytes(bytes(100))  # the JVM writes the first bytes last
    assert class_data_options(home, "batch") == ""


def test_what_was_never_finished_is_tried_again(home):
    draft = the_draft(class_data_options(home, "batch"))
    long_ago = time.time() - 7200
    os.utime(draft, (long_ago, long_ago))
    assert the_draft(class_data_options(home, "batch")) != draft
    assert not draft.exists()


def test_other_classes_have_an_archive_of_their_own(home, monkeypatch):
    the_draft(class_data_options(home, "batch")).write_bytes(WHOLE)
    monkeypatch.setenv("SPARK_CONF_DIR", "elsewhere")
    assert not the_draft(class_data_options(home, "batch")).read_bytes()


def test_a_home_that_no_other_run_finds_has_none(tmp_path):
    assert class_data_options(tmp_path / "home", "batch") == ""
