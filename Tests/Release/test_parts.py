"""script/sbom lists the parts of the binary as built, and NOTICE names those of the binary itself and its libraries."""

import json
import re
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from checkout import BINARY, ROOT, output


@pytest.fixture(scope="module")
def document() -> str:
    return output("script/sbom", BINARY)


@pytest.fixture(scope="module")
def parts(document: str) -> dict[str, dict[str, Any]]:
    return {part["name"]: part for part in json.loads(document)["components"]}


def linking(part: dict[str, Any]) -> str:
    return part["properties"][0]["value"]


def test_the_document_is_valid(document: str) -> None:
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(document) is None
    broken = document.replace('"type": "library"', '"type": "book"')
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(broken) is not None


def test_every_linked_module_belongs_to_a_part(parts: dict[str, Any]) -> None:
    build = BINARY.resolve().parent
    objects = (build / "springbar.product/Objects.LinkFileList").read_text()
    modules = set(re.findall(r"/(\w+)\.build/", objects))
    own = {path.name for path in (ROOT / "Sources").iterdir()}
    checkouts = build.parents[1] / "checkouts"
    owners = {
        module: {path.parents[len(path.relative_to(checkouts).parts) - 2].name
                 for depth in ("Sources", "Sources/*") for path in checkouts.glob(f"*/{depth}/{module}")}
        for module in modules - own
    }  # fmt: skip
    assert {"Logging", "HTTPTypes"} <= owners.keys()
    assert all(owners.values())
    static = {name for name, part in parts.items() if linking(part) == "static"}
    assert static == set().union(*owners.values()) | {"swift"}


def test_every_loaded_library_belongs_to_a_part(parts: dict[str, Any]) -> None:
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", output("readelf", "--dynamic", BINARY)))
    assert len(needed) > 5
    dynamic = {name for name, part in parts.items() if linking(part) == "dynamic"}
    for library in needed:
        path = next(line.split()[-2] for line in output("ldd", BINARY).splitlines() if library in line)
        owner = output("sh", "-c", f"dpkg-query -S {path} 2>/dev/null || dpkg-query -S $(realpath {path})")
        assert owner.split(":")[0] in dynamic, library


def test_the_notice_names_each_static_part_and_each_library(parts: dict[str, Any]) -> None:
    notice = (ROOT / "NOTICE").read_text()
    static, dynamic = notice.split("2. Linked dynamically")
    for name, part in parts.items():
        if linking(part) == "static":
            assert re.search(rf"^  {re.escape(name)} ", static, re.MULTILINE), name
    packages = set(re.findall(r"(?:^  |, )(lib[\w+.-]+|zlib1g)(?=,| {2})", dynamic, re.MULTILINE))
    assert len(packages) == 8
    assert packages <= parts.keys()


def test_the_image_has_the_notice() -> None:
    last = (ROOT / "Dockerfile").read_text().split("\nFROM ")[-1]
    assert "COPY LICENSE NOTICE /usr/share/doc/springbar/" in last
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert {"!LICENSE", "!NOTICE", "!script/sbom"} <= set(ignored)


def test_the_image_is_built_without_the_tests() -> None:
    assert "Tests" not in (ROOT / "Dockerfile").read_text()
    assert "!Tests" not in (ROOT / ".dockerignore").read_text()
