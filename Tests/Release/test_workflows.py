"""The shell commands of the workflows. script/test checks their schemas, pins and permissions with other tools."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any, Iterator

import pytest
import yaml

from checkout import ROOT

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def commands() -> Iterator[Any]:
    for path in WORKFLOWS:
        for job, content in yaml.safe_load(path.read_text())["jobs"].items():
            for number, step in enumerate(content["steps"]):
                if "run" in step:
                    yield pytest.param(step["run"], id=f"{path.stem}-{job}-{number}")


def findings(command: str) -> str:
    return subprocess.run(["shellcheck", "--shell", "bash", "-"], input=command, text=True, capture_output=True).stdout


@pytest.mark.parametrize("command", commands())
def test_shellcheck_accepts_a_command(command: str) -> None:
    assert findings(command) == ""


def test_shellcheck_finds_a_fault() -> None:
    assert "SC2086" in findings("rm $HOME")
