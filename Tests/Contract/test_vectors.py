"""The rules in Python give the results of Tests/Vectors/options.json and motion.json, to the last bit."""

import subprocess
import sys

import pytest

from contract import ROOT


@pytest.mark.parametrize("script", ["bar_rules.py", "motion.py"])
def test_the_rules_in_python_give_the_results(script: str) -> None:
    run = subprocess.run([sys.executable, ROOT / "Tests/Vectors" / script], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
