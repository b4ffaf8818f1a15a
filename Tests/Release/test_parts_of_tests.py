"""script/test with other parts: a part that fails does not keep others from running, and the result says so."""

from __future__ import annotations

import subprocess
from pathlib import Path

from checkout import ROOT

SCRIPT = (ROOT / "script/test").read_text()
#: The mechanism, which ends where the real parts begin.
HEAD = SCRIPT[: SCRIPT.index("# Runs Swift tests one after the other")]
PARTS = """
two_steps() { false; echo "not reached"; }
python() { echo "= short test summary info ="; echo "FAILED a::b - reason"; echo "1 failed, 3 passed in 2.0s"; return 3; }
swift() { echo "noise"; echo "✘ Test c() failed after 1 s"; echo "== failures"; echo "c recorded an issue"; return 1; }
passing() { echo "5 passed in 1.0s"; }
beside_both() { run "python" python; run "after python" passing; }
beside_exit() { run "swift" swift; unknown-command; }
"""
FAILING = """
run "two steps" two_steps
run_beside beside_both
run_beside beside_exit
finish_beside beside_both
run "last" passing
"""


def result(tmp_path: Path, parts: str) -> tuple[int, str]:
    (tmp_path / "script").mkdir()
    script = tmp_path / "script/test"
    script.write_text(HEAD + PARTS + parts)
    process = subprocess.run(["bash", script], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    return process.returncode, process.stdout


def test_every_part_runs_and_failures_are_repeated(tmp_path: Path) -> None:
    status, output = result(tmp_path, FAILING)
    assert status == 1
    assert "not reached" not in output
    log, _, end = output.partition(" all parts\n")
    for part in ("two steps", "python", "after python", "swift", "last"):
        assert f"\n== {part}\n" in log
    assert "== failed with status 1: two steps\n" in end
    assert "== failed with status 3: python\n= short test summary info =\nFAILED a::b - reason\n" in end
    assert "== failed with status 1: swift\n== failures\nc recorded an issue\n" in end
    assert "== failed with status 127: beside_exit\n" in end
    assert "noise" not in end.partition("beside_exit")[0]
    assert output.endswith("\n12 passed, 2 failed\n")


def test_the_result_of_passed_parts_is_0(tmp_path: Path) -> None:
    status, output = result(tmp_path, 'run "one" passing\nrun "last" passing\n')
    assert (status, "failed with" in output) == (0, False)
    assert output.endswith("\n10 passed, 0 failed\n")
