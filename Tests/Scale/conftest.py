"""Lets the tests of this folder import the modules that script/scale uses."""

import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / name) for name in ("Scale", "Attacks", "Soak")]
