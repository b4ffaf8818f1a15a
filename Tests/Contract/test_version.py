"""Everything that names the version names that of the file VERSION (script/version)."""

import json
import re
import subprocess
from urllib.request import urlopen

import pytest

from contract import ROOT, Document
from service import binary

VERSION = (ROOT / "VERSION").read_text().strip()
NUMBER = r"(\d+\.\d+\.\d+)"


def test_the_version_is_semantic() -> None:
    assert re.fullmatch(NUMBER, VERSION)


def test_the_command_has_the_version() -> None:
    assert subprocess.check_output([binary(), "--version"], text=True) == f"{VERSION}\n"


def test_the_status_has_the_version(port: int) -> None:
    assert json.load(urlopen(f"http://127.0.0.1:{port}/v1/status"))["version"] == VERSION


def test_the_contract_has_the_version() -> None:
    assert Document().raw["info"]["version"] == VERSION
    text = (ROOT / "openapi.yaml").read_text()
    assert set(re.findall(rf"\bversion: {NUMBER}", text)) == {VERSION}


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        # The newest release.
        ("CHANGELOG.md", rf"(?s)^.*?## \[{NUMBER}\] - \d{{4}}-\d\d-\d\d\n"),
        # The label of the image.
        ("Dockerfile", rf"\nARG VERSION={NUMBER}\n(?s:.*)image.version=\"\$\{{VERSION\}}\""),
        ("docs/clients.md", rf'springbar\.git", from: "{NUMBER}"'),
        ("docs/kubernetes.yaml", rf"image: springbar:{NUMBER}\n"),
        # `X-Client` of the Swift client.
        ("Sources/SpringbarClient/Springbar.swift", rf'static let version = "{NUMBER}"\n'),
        ("Clients/js/package.json", rf'"version": "{NUMBER}",\n'),
        ("Clients/js/source/springbar.js", rf"export const VERSION = '{NUMBER}';\n"),
        # The first lines of the modules that the service serves.
        ("Clients/js/springbar.js", rf"^// springbar\.js {NUMBER},"),
        ("Clients/js/follow.js", rf"^// follow\.js {NUMBER},"),
    ],
)  # fmt: skip
def test_a_file_has_the_version(path: str, pattern: str) -> None:
    found = re.search(pattern, (ROOT / path).read_text())
    assert found and found[1] == VERSION
