"""Every test that docs/threat-model.md names must exist."""

import re

from service import ROOT

PAGE = (ROOT / "docs/threat-model.md").read_text()
PYTHON = re.findall(r"`(Tests/[\w/]+\.py)::(\w+)`", PAGE)
#: A file and the titles of its tests, which follow a colon.
SWIFT = [
    (file, text)
    for file, texts in re.findall(r'`(Tests/[\w/+]+\.swift)`: ((?:"[^"]+"(?:, )?)+)', PAGE)
    for text in re.findall(r'"([^"]+)"', texts)
]


def test_every_named_test_exists() -> None:
    missing = [f"{file}::{name}" for file, name in PYTHON if f"def {name}(" not in (ROOT / file).read_text()]
    missing += [f"{file}: {text}" for file, text in SWIFT if f'@Test("{text}"' not in _joined(file)]
    assert not missing
    assert len(PYTHON) > 20
    assert len(SWIFT) > 5


def test_every_row_of_promises_names_a_test() -> None:
    table = PAGE.partition("| promise |")[2].partition("\n\n")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ")]
    assert len(rows) > 20
    assert [row for row in rows if "`Tests/" not in row] == []


def _joined(file: str) -> str:
    """Returns a Swift file with each `@Test(` and its title on one line."""
    return re.sub(r"@Test\(\s+", "@Test(", (ROOT / file).read_text())
