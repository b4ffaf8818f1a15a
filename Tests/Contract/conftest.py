"""Starts one service for the whole run: the built command on a free port, with its sandbox library and a file of design
tokens."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from typing import Iterator

import pytest

import contract
from contract import ROOT, Document
from statuses import Statuses

# For the fake photo library and for Redis.
sys.path += [str(ROOT / "Tests" / name) for name in ("Attacks", "Scale")]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Compares the statuses after all other tests, and only if none of them is left out."""
    last = [item for item in items if item.path.name == "test_every_status.py"]
    others = [item for item in items if item not in last]
    options = config.option
    is_part = any("::" in argument for argument in config.args) or any(
        (options.keyword, options.markexpr, options.deselect, options.ignore, options.lf)
    )
    if is_part or {item.path for item in items} < set((ROOT / "Tests/Contract").glob("test_*.py")):
        config.hook.pytest_deselected(items=last)
        last = []
    items[:] = others + last


@pytest.fixture(scope="session")
def binary() -> str:
    return os.environ.get("SPRINGBAR_BINARY", str(ROOT / ".build/debug/springbar"))


@pytest.fixture(scope="session", autouse=True)
def statuses() -> Statuses:
    """The statuses that the tests have seen."""
    statuses = Statuses(Document())
    contract.OBSERVERS.append(statuses.record)
    return statuses


@pytest.fixture(scope="session")
def port(binary: str) -> Iterator[int]:
    with running(binary, SPRINGBAR_DESIGN_TOKENS=str(ROOT / "Examples/motion.tokens.json")) as port:
        yield port


@pytest.fixture(scope="session")
def port_without_store(binary: str) -> Iterator[int]:
    """The port of a service whose Redis is away; it waits some seconds for Redis when it starts."""
    # The photos of a library with a key are in Redis, too.
    library = {"UNSPLASH_ACCESS_KEY": "none", "SPRINGBAR_UNSPLASH_API_URL": "http://127.0.0.1:1"}
    with running(binary, SPRINGBAR_REDIS_URL="unix:///nonexistent/redis.sock", **library) as port:
        yield port


@contextmanager
def running(binary: str, **settings: str) -> Iterator[int]:
    """Runs a service with the settings; the value is its port."""
    environment = {"PATH": os.environ["PATH"], **settings}
    process = subprocess.Popen(
        [binary, "serve", "--port", "0", "--log-format", "json", "--log-level", "notice"],
        env=environment, stdout=subprocess.PIPE, text=True,
    )
    try:
        yield listening_port(process)
    finally:
        process.terminate()
        process.wait(timeout=30)


def listening_port(process: subprocess.Popen[str]) -> int:
    assert process.stdout
    for line in process.stdout:
        record = json.loads(line)
        if record["message"] == "listening":
            return record["port"]
    raise RuntimeError("the service ended before it listened")
