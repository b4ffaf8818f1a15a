"""Fixtures for the attacks. Each test starts its own processes; measurements are printed at the end."""

import re
import resource
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from container import Container
from library import Library
from service import MEBIBYTE, ROOT, Service
from store import Store


def pytest_configure() -> None:
    # The test process needs descriptors for many clients too.
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Shows the measurements of all tests, passed or failed."""
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    for report in reports:
        for line in getattr(report, "capstdout", "").splitlines():
            if line.startswith("measured: "):
                terminalreporter.write_line(f"{report.nodeid.rpartition('::')[2]}: {line.removeprefix('measured: ')}")


@pytest.fixture
def service() -> Iterator[Service]:
    """A service with default settings and its built-in sandbox library."""
    with Service() as service:
        yield service


@pytest.fixture
def library() -> Iterator[Library]:
    """A photo library; a service that uses it must be started with its `environment`."""
    with Library() as library:
        yield library


@pytest.fixture(scope="module")
def redis() -> Iterator[str]:
    """The address of a Redis server."""
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder)) as store:
        yield store.url


@pytest.fixture
def container() -> Iterator[Container]:
    """The memory limit of compose.yaml."""
    found = re.search(r"mem_limit: (\d+)m\n", (ROOT / "compose.yaml").read_text())
    assert found
    container = Container(int(found[1]) * MEBIBYTE)
    yield container
    container.close()
