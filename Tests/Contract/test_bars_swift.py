"""The Swift code of docs/bars.md compiles against stubs of the declarations of UIKit that it uses."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from contract import ROOT
from test_readme import BLOCK

STAND_IN = Path(__file__).parent / "UIKit.swift"


def snippet() -> str:
    [text] = [match[2] for match in BLOCK.finditer((ROOT / "docs/bars.md").read_text()) if match[1] == "swift"]
    # Only Apple's platforms have Objective-C; the rest of the code does not depend on the attribute.
    return "import Foundation\n\n" + text.replace("@objc ", "")


@pytest.mark.parametrize("language", ["5", "6"])
def test_the_swift_of_the_page_compiles(tmp_path: Path, language: str) -> None:
    source = tmp_path / "BarFollower.swift"
    source.write_text(snippet())
    ran = subprocess.run(
        ["swiftc", "-typecheck", "-warnings-as-errors", "-swift-version", language, str(source), str(STAND_IN)],
        capture_output=True, text=True, timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
