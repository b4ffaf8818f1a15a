"""Package.swift names every target that a target imports: a build that lacks one fails only in some orders."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from checkout import ROOT, output

IMPORT = re.compile(r"^(?:@\w+ )*(?:package |public |internal )?import (?:struct |class |enum |func )?(\w+)", re.M)


@pytest.mark.parametrize("build", ["", "fuzz", "benchmarks", "address", "thread"])
def test_every_imported_target_is_a_dependency(build: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if build:
        monkeypatch.setenv("SPRINGBAR_BUILD", build)
    targets = {target["name"]: target for target in json.loads(output("swift", "package", "dump-package"))["targets"]}
    missing = {
        f"{name} imports {module}"
        for name, target in targets.items()
        for module in imports(target) & targets.keys() - named(target) - {name}
    }
    assert not missing


def named(target: dict[str, list[dict[str, list[str]]]]) -> set[str]:
    return {name for dependency in target["dependencies"] for name, *_ in dependency.values()}


def imports(target: dict[str, str]) -> set[str]:
    """The modules that the files of a target import; those that a build leaves out import no others."""
    folder = ROOT / (target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{target['name']}")
    files = [file for file in folder.rglob("*.swift") if not excluded(file, folder, target)]
    return {module for file in files for module in IMPORT.findall(file.read_text())}


def excluded(file: Path, folder: Path, target: dict[str, str]) -> bool:
    return any(file.is_relative_to(folder / name) for name in target.get("exclude", []))
