"""The files and the binary that a release is made from."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("SPRINGBAR_BINARY", ROOT / ".build/release/springbar"))


def output(*command: str | Path, cwd: Path = ROOT) -> str:
    """Returns the standard output of a command, which must succeed."""
    process = subprocess.run([str(part) for part in command], cwd=cwd, text=True, capture_output=True)
    assert process.returncode == 0, f"{command}: {process.stdout}{process.stderr}"
    return process.stdout
