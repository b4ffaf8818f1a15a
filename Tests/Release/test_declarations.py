"""An app that was written for a released version of the Swift libraries compiles with this one (docs/compatibility.md)."""

import re
from pathlib import Path

import pytest

from checkout import BINARY, ROOT
from declarations import declarations

RELEASED = ROOT / "Tests/Contract/released"
#: Released declarations, each with one that accepts all its uses; the file says why.
REPLACED: dict[str, str] = dict(
    re.findall(r"^# .+\n- (.+)\n\+ (.+)$", (RELEASED / "replaced-swift.txt").read_text(), re.MULTILINE)
)


@pytest.fixture(scope="module")
def present() -> set[str]:
    return set(declarations(BINARY.resolve().parent / "Modules"))


@pytest.mark.parametrize("path", sorted(RELEASED.glob("swift-*.txt")), ids=lambda path: path.stem)
def test_every_declaration_of_a_release_is_declared(path: Path, present: set[str]) -> None:
    released = path.read_text().splitlines()
    assert len(released) > 500
    assert [each for each in released if REPLACED.get(each, each) not in present] == []


def test_only_what_has_changed_is_replaced(present: set[str]) -> None:
    assert len(REPLACED) == (RELEASED / "replaced-swift.txt").read_text().count("\n- ")
    assert REPLACED.keys() & present == set()
