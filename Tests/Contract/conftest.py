"""Starts one service for the whole run: the built command on a free port, with its sandbox library and a file of design
tokens."""

from contextlib import contextmanager
from typing import Iterator

import pytest

import contract
from contract import ROOT, Document
from service import Service
from statuses import Statuses


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Compares the statuses after all other tests, and only if none of them is left out."""
    last = [item for item in items if item.path.name == "test_every_status.py"]
    others = [item for item in items if item not in last]
    options = config.option
    # A run without a cache has no option to run the last failures.
    is_last_failed = getattr(options, "lf", False)
    is_part = any("::" in argument for argument in config.args) or any(
        (options.keyword, options.markexpr, options.deselect, options.ignore, is_last_failed)
    )
    if is_part or {item.path for item in items} < set((ROOT / "Tests/Contract").glob("test_*.py")):
        config.hook.pytest_deselected(items=last)
        last = []
    items[:] = others + last


@pytest.fixture(scope="session", autouse=True)
def statuses() -> Statuses:
    """The statuses that the tests have seen."""
    statuses = Statuses(Document())
    contract.OBSERVERS.append(statuses.record)
    return statuses


@pytest.fixture(scope="session")
def port() -> Iterator[int]:
    with running(SPRINGBAR_DESIGN_TOKENS=str(ROOT / "Examples/motion.tokens.json")) as port:
        yield port


@pytest.fixture(scope="session")
def port_without_store() -> Iterator[int]:
    """The port of a service whose Redis is away; it waits some seconds for Redis when it starts."""
    # The photos of a library with a key are in Redis, too.
    library = {"UNSPLASH_ACCESS_KEY": "none", "SPRINGBAR_UNSPLASH_API_URL": "http://127.0.0.1:1"}
    with running(SPRINGBAR_REDIS_URL="unix:///nonexistent/redis.sock", **library) as port:
        yield port


@contextmanager
def running(**settings: str) -> Iterator[int]:
    """Runs a service with the settings; the value is its port."""
    with Service(settings) as service:
        yield service.port
