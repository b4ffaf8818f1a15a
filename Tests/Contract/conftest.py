"""Starts one service for the whole run: the built command on a free port, with its sandbox library and a file of design
tokens."""

from __future__ import annotations

import json
import os
import subprocess
from contextlib import contextmanager
from typing import Iterator

import pytest

from contract import ROOT


@pytest.fixture(scope="session")
def binary() -> str:
    return os.environ.get("SPRINGBAR_BINARY", str(ROOT / ".build/debug/springbar"))


@pytest.fixture(scope="session")
def port(binary: str) -> Iterator[int]:
    with running(binary, SPRINGBAR_DESIGN_TOKENS=str(ROOT / "Examples/motion.tokens.json")) as port:
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
