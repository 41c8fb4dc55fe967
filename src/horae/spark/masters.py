"""Whether a master answers, asked before Spark starts.

Spark would try for a minute, and then fail with a message about a session that is already stopped.
"""

from __future__ import annotations

import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

from horae.source.errors import InputError
from horae.spark import catalogue

_PATIENCE = 5  # seconds for each address
_STANDALONE = "spark://"
_OTHERS = ("local", "yarn", "k8s://")

Address = tuple[str, int]


def check_master(url: str) -> None:
    """Of the forms that Spark knows; of several standalone masters one answers."""
    if url.startswith(_STANDALONE):
        addresses = read_addresses(url)
        problems = [_problem(address) for address in addresses]
        if all(problems):
            raise _no_answer(url, str(problems[0]))
    elif not url.startswith(_OTHERS):
        raise _no_master(url)


def is_here(url: str) -> bool:
    """Whether all of the work is on this machine: only its own processes reach a loopback address."""
    if url.startswith("local"):
        return True
    return url.startswith(_STANDALONE) and all(
        _is_loopback(host) for host, _ in read_addresses(url)
    )


def read_addresses(url: str) -> list[Address]:
    """`spark://HOST:PORT`, or `spark://HOST:PORT,HOST:PORT` of masters that stand in for each other."""
    return [_read_address(part, url) for part in url.removeprefix(_STANDALONE).split(",")]


def _read_address(text: str, url: str) -> Address:
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise _no_master(url) from None
    if not host or not port or parts.path or parts.username is not None:
        raise _no_master(url)
    return host, port


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _problem(address: Address) -> str | None:
    """None if something listens there."""
    try:
        socket.create_connection(address, _PATIENCE).close()
    except OSError as error:
        return (
            "it took too long" if isinstance(error, TimeoutError) else error.strerror or str(error)
        )
    return None


def _no_master(url: str) -> InputError:
    return catalogue.NOT_A_MASTER(url=url)


def _no_answer(url: str, reason: str) -> InputError:
    return catalogue.NO_MASTER_ANSWERS(url=url, reason=reason)
