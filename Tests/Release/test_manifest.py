"""Package.swift names every target that a target imports, and no target imports what its place in the sources forbids."""

import json
import re
from pathlib import Path

import pytest

from checkout import ROOT, output

IMPORT = re.compile(r"^(?:@\w+ )*(?:package |public |internal )?import (?:struct |class |enum |func )?(\w+)", re.M)


def manifest() -> dict[str, dict]:
    """The targets by their names."""
    return {target["name"]: target for target in json.loads(output("swift", "package", "dump-package"))["targets"]}


@pytest.mark.parametrize("build", ["", "fuzz", "benchmarks", "address", "thread"])
def test_every_imported_target_is_a_dependency(build: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build that lacks one fails only in some orders."""
    if build:
        monkeypatch.setenv("SPRINGBAR_BUILD", build)
    targets = manifest()
    missing = {
        f"{name} imports {module}"
        for name, target in targets.items()
        for module in imports(target) & targets.keys() - named(target) - {name}
    }
    assert not missing


FEATURES = {"BarFeature", "MotionFeature", "Photos"}
ADAPTERS = {"MicroHTTPServer", "UnsplashClient", "RedisClient", "SharedBars", "MessageAuthentication", "BuiltInLibrary"}
#: The targets that use each library of C.
C_USERS = {
    "CMicroHTTPD": {"MicroHTTPServer"}, "CCurl": {"UnsplashClient"}, "CHiredis": {"RedisClient"},
    "COpenSSL": {"RedisClient", "MessageAuthentication"}, "CZlib": {"PictureCoding"}, "CEpoll": {"Network"},
    "CMathematics": {"Motion", "SpringConventions"}, "CAssets": {"SpringbarService"}, "CAllocator": {"springbar"},
}  # fmt: skip
#: The modules of the system that a target imports. Most import `USUAL` ones; the domain and HTTP do no I/O.
SYSTEM: dict[str, set[str]] = {
    **dict.fromkeys(["BarLayout", "Motion", "SpringConventions", "MessageAuthentication"], set()),
    **dict.fromkeys(["JSON", "PictureCoding"], {"Glibc"}),
    **dict.fromkeys(["SharedState", "HTTPExchange"], {"Synchronization"}),
    **dict.fromkeys(["Primitives", "SpringbarService", "springbar"], {"Dispatch", "Glibc", "Synchronization"}),
    # The client is linked to apps, and never to the service.
    "ClientJSON": {"Foundation"},
    "SpringbarClient": {"Foundation", "FoundationNetworking", "UIKit", "SwiftUI", "Combine"},
}
USUAL = {"Glibc", "Synchronization"}
#: Only the folders for replicas import the operations that replicas share. `SharedStatus`, the state of the connection,
#: is passed on by the protocol of the stores and by the service.
REPLICAS = (
    "SharedBars/", "BarFeature/Store/BarStore.swift", "PhotoLibrary/Shared/",
    "SpringbarService/Operations/", "springbar/", "RedisClient/", "SharedState/",
)  # fmt: skip


def test_a_target_imports_what_its_place_allows() -> None:
    """The rules of docs/architecture.md."""
    sources = {name: each for name, each in manifest().items() if (ROOT / "Sources" / name).is_dir()}
    assert sources.keys() == {folder.name for folder in (ROOT / "Sources").iterdir()}
    uses = {name: named(target) for name, target in sources.items()}
    assert {c: {name for name in uses if c in uses[name]} for c in sources if c in C_USERS} == C_USERS
    for feature in FEATURES:
        assert not uses[feature] & (FEATURES | ADAPTERS | {"SpringbarService"}), feature
    assert not uses["SpringbarService"] & (ADAPTERS | {"ClientJSON", "SpringbarClient"})
    for name in ("UnsplashClient", "BuiltInLibrary", "PhotoLibrary"):
        assert not uses[name] & (FEATURES | {"SpringbarService"}), name
    for name, most in (
        ("Primitives", set()), ("StoredBytes", set()), ("Network", {"Primitives"}), ("Motion", {"Primitives"}),
        ("SpringConventions", {"Primitives", "Motion"}),
        ("BarLayout", {"Motion"}), ("SharedState", {"Primitives"}), ("JSON", {"Primitives"}),
        ("PictureCoding", {"Primitives"}),
        ("ClientJSON", {"BarLayout"}), ("SpringbarClient", {"ClientJSON", "BarLayout", "Motion"}), ("MessageAuthentication", set()),
        ("HTTPExchange", {"Primitives", "Network", "JSON", "HTTPTypes", "Logging"}),
        ("MicroHTTPServer", {"Primitives", "Network", "HTTPExchange", "HTTPTypes", "Logging"}),
        ("RedisClient", {"Primitives", "StoredBytes", "Network", "SharedState", "Logging"}),
        ("PhotoLibrary", {"Primitives", "StoredBytes", "SharedState", "JSON", "Logging"}),
    ):  # fmt: skip
        assert uses[name] - C_USERS.keys() <= most, name
    for name, target in sources.items():
        assert imports(target) - uses[name] <= SYSTEM.get(name, USUAL), name
    for file in (ROOT / "Sources").rglob("*.swift"):
        if "SharedState" in IMPORT.findall(file.read_text()):
            assert str(file.relative_to(ROOT / "Sources")).startswith(REPLICAS), file


def named(target: dict[str, list[dict[str, list[str]]]]) -> set[str]:
    return {name for dependency in target["dependencies"] for name, *_ in dependency.values()}


def imports(target: dict[str, str]) -> set[str]:
    """The modules that the files of a target import; those that a build leaves out import no others."""
    folder = ROOT / (target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{target['name']}")
    files = [file for file in folder.rglob("*.swift") if not excluded(file, folder, target)]
    return {module for file in files for module in IMPORT.findall(file.read_text())}


def excluded(file: Path, folder: Path, target: dict[str, str]) -> bool:
    return any(file.is_relative_to(folder / name) for name in target.get("exclude", []))
