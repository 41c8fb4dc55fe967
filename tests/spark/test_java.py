"""Which Java is taken, and what the script around it does."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from horae.source.errors import InputError
from horae.spark import java


def fake_java(home: Path, version: str) -> Path:
    """A `bin/java` that knows its version and prints its arguments otherwise."""
    path = home / "bin" / "java"
    path.parent.mkdir(parents=True)
    path.write_text(
        '#!/bin/sh\nif [ "$1" = -version ]; then\n'
        f"  echo 'openjdk version \"{version}\"' >&2\nelse\n  printf '%s\\n' \"$@\"\nfi\n"
    )
    path.chmod(0o755)
    return path


@pytest.fixture(autouse=True)
def bare_machine(monkeypatch, tmp_path):
    """No Java anywhere, and a cache of our own."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr("shutil.which", lambda _: None)
    monkeypatch.setattr(java, "_packaged_java", lambda: None)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 17),
        ('java version "1.8.0_392"', 8),
        ('openjdk version "25" 2025-09-16', 25),
        ('Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version "21.0.2"', 21),
        ("command not found", None),
    ],
)
def test_the_version_is_read_from_what_java_prints(text, version):
    assert java.parse_version(text) == version


def test_java_home_comes_first(monkeypatch, tmp_path):
    chosen = fake_java(tmp_path / "home", "21.0.1")
    other = fake_java(tmp_path / "path", "17.0.1")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("shutil.which", lambda _: str(other))
    assert java.find_java() == java.Java(chosen, 21)


def test_a_java_that_is_too_old_is_passed_over(monkeypatch, tmp_path):
    fake_java(tmp_path / "old", "1.8.0_392")
    packaged = fake_java(tmp_path / "wheel", "25")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "old"))
    monkeypatch.setattr(java, "_packaged_java", lambda: packaged)
    assert java.find_java() == java.Java(packaged, 25)


def test_a_java_home_that_does_not_exist_is_passed_over(monkeypatch, tmp_path):
    on_path = fake_java(tmp_path / "path", "17.0.1")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "nowhere"))
    monkeypatch.setattr("shutil.which", lambda _: str(on_path))
    assert java.find_java() == java.Java(on_path, 17)


def test_no_java_is_one_clear_sentence():
    with pytest.raises(InputError) as caught:
        java.java_home()
    assert caught.value.message == "Spark needs Java 17 or later, and none was found"
    assert "--engine local" in caught.value.help


@pytest.mark.parametrize(
    ("version", "kept"),
    [("17.0.1", ["--add-opens=java.base/sun.security.action=ALL-UNNAMED"]), ("25", [])],
)
def test_the_script_drops_what_this_java_does_not_know(monkeypatch, tmp_path, version, kept):
    fake_java(tmp_path / "a home", version)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "a home"))
    script = java.java_home() / "bin" / "java"
    unwanted = [
        "--add-modules=jdk.incubator.vector",
        "--add-opens=java.base/sun.security.action=ALL-UNNAMED",
    ]
    printed = subprocess.run(
        [script, "-Xa", *unwanted, "two words"], capture_output=True, text=True
    )
    assert printed.stdout.splitlines() == ["-Xa", *kept, "two words"]


def test_a_script_is_not_wrapped_again(monkeypatch, tmp_path):
    fake_java(tmp_path / "home", "21")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    home = java.java_home()
    monkeypatch.setenv("JAVA_HOME", str(home))
    assert java.java_home() == home
