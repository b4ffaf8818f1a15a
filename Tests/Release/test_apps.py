"""An app takes the libraries by URL and version: it fetches and builds nothing of the service."""

import json
import shutil
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from checkout import ROOT, output

VERSION = (ROOT / "VERSION").read_text().strip()
UNCACHED = "--disable-dependency-cache"

MANIFEST = """
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "App",
    dependencies: [.package(url: "{url}", from: "{version}"{traits})],
    targets: [
        .executableTarget(
            name: "App",
            dependencies: [
                .product(name: "SpringbarClient", package: "springbar"),
                .product(name: "BarLayout", package: "springbar"),
                .product(name: "Motion", package: "springbar"),
            ]
        )
    ]
)
"""

# Every product is used, and a request is sent.
SOURCE = """
import BarLayout
import Foundation
import Motion
import SpringbarClient

print(try Point(x: 1, y: 2), Springbar.version)
do {
    _ = try await Springbar(URL(string: CommandLine.arguments[1])!).photos.photo("1")
} catch {
    print(error)
}
"""


def released(folder: Path, *, manifest: str) -> Path:
    """Makes a repository of the package with a tag."""
    shutil.copytree(ROOT / "Sources", folder / "Sources")
    (folder / "Package.swift").write_text(manifest)
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "Release"], ["tag", VERSION]):
        output(*git, *command, cwd=folder)
    return folder


def app(folder: Path, package: Path, *, traits: str) -> Path:
    (folder / "Sources/App").mkdir(parents=True)
    (folder / "Sources/App/main.swift").write_text(SOURCE)
    text = MANIFEST.format(url=package.as_uri(), version=VERSION, traits=traits)
    (folder / "Package.swift").write_text(text.lstrip())
    return folder


def fetched(folder: Path, *options: str) -> set[str]:
    output("swift", "package", *options, "resolve", cwd=folder)
    return {path.name for path in (folder / ".build/checkouts").iterdir()}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return released(tmp_path_factory.mktemp("release") / "springbar", manifest=(ROOT / "Package.swift").read_text())


def test_an_app_fetches_and_builds_only_the_libraries(package: Path, tmp_path: Path) -> None:
    folder = app(tmp_path / "app", package, traits=", traits: []")
    assert fetched(folder, UNCACHED) == {"springbar"}

    output("swift", "build", cwd=folder)
    built = {path.parent.stem for path in (folder / ".build/debug").glob("*.build/**/*.o")}
    assert built == {"App", "BarLayout", "ClientJSON", "Motion", "Primitives", "SpringbarClient"}

    class Handler(BaseHTTPRequestHandler):
        clients: list[str | None] = []

        def do_GET(self) -> None:
            self.clients.append(self.headers["X-Client"])
            self.send_error(404)

    server = HTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        assert VERSION in output(folder / ".build/debug/App", f"http://127.0.0.1:{server.server_port}")
    finally:
        server.shutdown()
    assert set(Handler.clients) == {f"springbar-swift/{VERSION}"}


def test_without_the_word_the_packages_of_the_service_are_fetched(package: Path, tmp_path: Path) -> None:
    assert {"springbar", "swift-log"} < fetched(app(tmp_path / "app", package, traits=""))


def test_an_app_on_a_mac_needs_no_word(tmp_path: Path) -> None:
    # The manifest as it is read there.
    manifest = (ROOT / "Package.swift").read_text().replace("os(Linux)", "os(macOS)")
    package = released(tmp_path / "springbar", manifest=manifest)
    for traits in ("", ", traits: []"):
        assert fetched(app(tmp_path / f"app{len(traits)}", package, traits=traits), UNCACHED) == {"springbar"}
    described = json.loads(output("swift", "package", "describe", "--type", "json", cwd=package))
    assert {each["name"] for each in described["products"]} == {"SpringbarClient", "BarLayout", "Motion"}
    assert "MicroHTTPServer" not in {each["name"] for each in described["targets"]}
