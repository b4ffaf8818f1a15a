"""script/test with other parts: a part that fails does not keep others from running, and the result says so."""

import shutil
import subprocess
from pathlib import Path

from checkout import ROOT

#: The first lines of the makefile, which run each recipe as a part.
HEAD = "".join((ROOT / "Tests/Makefile").read_text().splitlines(keepends=True)[:4])
PARTS = """
passing:
	echo "5 passed in 1.0s"
two-steps:
	false
	echo "not reached"
python:
	echo "= short test summary info ="; echo "FAILED a::b - reason"; echo "1 failed, 3 passed in 2.0s"; exit 3
swift:
	echo "noise"; echo "✘ Test c() failed after 1 s"; echo "== failures"; echo "c recorded an issue"; exit 1
missing:
	unknown-command
needing: python
	echo "needs a part that failed"
last:
	echo "2 passed in 1.0s"
"""


def result(tmp_path: Path, *parts: str) -> tuple[int, str]:
    for name in ("script/test", "Tests/part"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "script/bootstrap").write_text("#!/bin/sh\n")
    (tmp_path / "script/bootstrap").chmod(0o755)
    (tmp_path / "Tests/Makefile").write_text(f"{HEAD}all: {' '.join(parts)}\n{PARTS}")
    process = subprocess.run(
        ["bash", "script/test"], cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60
    )
    return process.returncode, process.stdout


def test_every_part_runs_and_failures_are_repeated(tmp_path: Path) -> None:
    status, output = result(tmp_path, "two-steps", "python", "needing", "swift", "missing", "passing")
    assert status in (1, 3, 127)
    assert "not reached" not in output and "needs a part" not in output
    log, _, end = output.partition(" all parts\n")
    for part in ("two-steps", "python", "swift", "missing", "passing", "last"):
        assert f"-- {part}\n" in log and f"\n== {part}\n" in log
    assert "== failed with status 1: two-steps\n" in end
    assert "== failed with status 3: python\n= short test summary info =\nFAILED a::b - reason\n" in end
    assert "== failed with status 1: swift\n== failures\nc recorded an issue\n" in end
    assert "== failed with status 127: missing\n" in end
    assert "noise" not in end
    assert output.endswith("\n9 passed, 2 failed\n")


def test_a_makefile_that_make_refuses_fails(tmp_path: Path) -> None:
    status, output = result(tmp_path, "unknown")
    assert status == 2
    assert "No rule to make target" in output
