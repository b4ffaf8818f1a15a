"""The service, and the rules in Python, give the results of Tests/Vectors/options.json, to the last bit."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from contract import ROOT, Answer, send

CASES: list[dict[str, Any]] = json.loads((ROOT / "Tests/Vectors/options.json").read_text())["cases"]


def result(answer: dict[str, Any]) -> dict[str, Any]:
    """The members of a result that a vector has."""
    members = {name: answer[name] for name in ("state", "scrollable", "preconfigured", "crossings") if name in answer}
    commands = [{name: value for name, value in command.items() if name != "sequence"} for command in answer["commands"]]
    return members | {"commands": commands} | ({"values": answer["values"]} if answer["values"] else {})


@pytest.mark.parametrize("script", ["bar_rules.py", "motion.py"])
def test_the_rules_in_python_give_the_results(script: str) -> None:
    """Those of options.json and of motion.json."""
    run = subprocess.run([sys.executable, ROOT / "Tests/Vectors" / script], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_service_gives_the_results(port: int, case: dict[str, Any]) -> None:
    def ask(target: str, method: str = "GET", body: Any = None) -> Answer:
        return send(port, {"target": target} | ({} if body is None else {"body": body}), method, {})

    created = ask("/v1/bars", "POST", case["body"])
    assert created.status == 201, created.content
    bar = created.json()
    assert result(bar) == case["created"]
    path = f"/v1/bars/{bar['id']}"
    for number, step in enumerate(case["steps"]):
        answer = ask(f"{path}/events?results=all", "POST", step["event"])
        if problem := step.get("problem"):
            assert (answer.status, answer.json()["type"]) == (problem["status"], f"/problems/{problem['code']}")
            continue
        assert answer.status == 200, answer.content
        assert result(answer.json()["results"][0]) == step["expect"], f"step {number}"
    assert ask(path).json()["snapshot"] == case["snapshot"]
