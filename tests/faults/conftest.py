"""The table of all kills, at the end of a run."""

from __future__ import annotations

import pytest
from tests.faults.table import REPORTS, show


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not REPORTS:
        return
    terminalreporter.section("kills")
    for line in show(REPORTS):
        terminalreporter.write_line(line)
