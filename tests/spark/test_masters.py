"""Addresses of masters: which are none, which do not answer, and which are on this machine alone."""

from __future__ import annotations

import socket

import pytest

from horae.cli.main import main
from horae.source.errors import InputError
from horae.spark.given_settings import read_spark_settings
from horae.spark.masters import check_master, is_here, read_addresses
from horae.spark.session import settings


def test_addresses():
    assert read_addresses("spark://a:7077") == [("a", 7077)]
    assert read_addresses("spark://a:7077,10.0.0.2:7078") == [("a", 7077), ("10.0.0.2", 7078)]


@pytest.mark.parametrize(
    "url",
    [
        "spark://",
        "spark://a",
        "spark://a:x",
        "spark://a:1:2",
        "spark://a:1/b",
        "spark://u@a:1",
        "spark://a:7077,",
        "spark://a:99999",
        "http://a:7077",
        "a:7077",
        "cluster",
        "mesos://a:1",
    ],
)
def test_what_is_no_address_is_refused(url):
    with pytest.raises(InputError, match=r"ENV004.*is no address of a Spark master"):
        check_master(url)


def test_a_master_that_does_not_answer():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(InputError, match=f"ENV004: no Spark master answers at spark://.*{port}"):
        check_master(f"spark://127.0.0.1:{port}")


def test_one_of_several_masters_is_enough():
    with socket.create_server(("127.0.0.1", 0)) as dead:
        closed = dead.getsockname()[1]
    with socket.create_server(("127.0.0.1", 0)) as alive:
        check_master(f"spark://127.0.0.1:{closed},127.0.0.1:{alive.getsockname()[1]}")


def test_the_command_says_so_and_ends(tmp_path, capsys):
    (tmp_path / "a.dmtl").write_text("q(X) :- p(X).")
    (tmp_path / "a.facts").write_text("p(a)@1")
    run = ["run", str(tmp_path / "a.dmtl"), "--input", str(tmp_path / "a.facts")]
    assert main([*run, "--master", "spark://nowhere"]) == 3
    assert "error[ENV004]: `spark://nowhere` is no address" in capsys.readouterr().err


def test_only_a_cluster_on_loopback_is_on_this_machine():
    here = ("local[2]", "spark://127.0.0.1:7077", "spark://localhost:7077")
    assert all(settings(url, None)["spark.driver.host"] == "127.0.0.1" for url in here)
    assert not is_here("spark://host:7077")
    assert not is_here("spark://127.0.0.1:7077,host:7077")
    assert not is_here("yarn")


def test_settings_of_spark():
    assert read_spark_settings(["spark.jars= a.jar", "spark.a.b=c=d"]) == {
        "spark.jars": "a.jar",
        "spark.a.b": "c=d",
    }


@pytest.mark.parametrize("text", ["spark.jars", "jars=a.jar", "=a", ""])
def test_what_is_no_setting_of_spark(text, capsys):
    assert main(["run", "a.lola", "--input", "e.csv", "--spark-conf", text]) == 2
    assert "is no setting of Spark" in " ".join(capsys.readouterr().err.split())
