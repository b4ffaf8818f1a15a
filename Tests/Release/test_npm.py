"""The tarball of the JavaScript client has exactly its files, and works in an app."""

import json
import re
from pathlib import Path

import pytest

from checkout import ROOT, output

PACKAGE = ROOT / "Clients/js"
NPM = ("npm", "--offline", "--no-update-notifier", "--no-fund", "--no-audit")


@pytest.fixture(scope="module")
def files() -> set[str]:
    report = json.loads(output(*NPM, "pack", "--dry-run", "--json", cwd=PACKAGE))
    return {each["path"] for each in report[0]["files"]}


def test_the_tarball_has_exactly_its_files(files: set[str]) -> None:
    sources = {f"source/{path.name}" for path in (PACKAGE / "source").iterdir()}
    declarations = {"answers.d.ts", "follow.d.ts", "springbar.d.ts", "testing.d.ts"}
    declarations |= {"answers.d.cts", "follow.d.cts", "springbar.d.cts"}
    # The bundles are for pages without a bundler of their own.
    bundles = {"follow.js", "springbar.cjs", "springbar.iife.js", "springbar.js"}
    assert files == {"LICENSE", "README.md", "package.json"} | sources | declarations | bundles


def test_every_import_is_in_the_tarball(files: set[str]) -> None:
    pattern = re.compile(r"(?:from|import|import\()\s*'(\.[^']+)'")
    count = 0
    for name in files:
        if name.endswith((".js", ".ts")):
            for target in pattern.findall((PACKAGE / name).read_text()):
                count += 1
                path = (PACKAGE / name).parent.joinpath(target).resolve().relative_to(PACKAGE.resolve())
                assert {str(path), str(path).replace(".js", ".d.ts"), f"{path}.d.ts"} & files, f"{name}: {target}"
    assert count > 30


def test_an_app_installs_and_uses_the_tarball(tmp_path: Path) -> None:
    tarball = output(*NPM, "pack", "--silent", "--pack-destination", tmp_path, cwd=PACKAGE).strip()
    (tmp_path / "package.json").write_text('{"type": "module"}')
    output(*NPM, "install", f"./{tarball}", cwd=tmp_path)
    program = """
        import { Spring, VERSION } from 'springbar';
        import { MockService } from 'springbar/testing';
        await import('springbar/follow');
        const { value } = new Spring({ duration: 0.5 }).value(0, { start: 2, target: 1 });
        console.log(value, new MockService().requests.length, VERSION);
        """
    version = (ROOT / "VERSION").read_text().strip()
    assert output("node", "--input-type=module", "--eval", program, cwd=tmp_path) == f"2 0 {version}\n"

    program = "const { Spring, follow } = require('springbar'); console.log(typeof follow, new Spring({ duration: 0.5 }).mass);"
    assert output("node", "--input-type=commonjs", "--eval", program, cwd=tmp_path) == "function 1\n"

    options = ("--module", "es2022", "--moduleResolution", "node", "--target", "es2022", "--strict", "--noEmit")
    typed = tmp_path / "app.ts"
    typed.write_text("import { Springbar } from 'springbar';\nconst service: Springbar = new Springbar();\n")
    output("tsc", *options, typed, cwd=tmp_path)
    typed.write_text("import { Springbar } from 'springbar';\nconst service: string = new Springbar();\n")
    with pytest.raises(AssertionError, match="TS2322"):
        output("tsc", *options, typed, cwd=tmp_path)


@pytest.mark.parametrize("module", ["commonjs", "module"])
def test_typescript_reads_the_types_of_the_tarball_as_node_does(tmp_path: Path, module: str) -> None:
    tarball = output(*NPM, "pack", "--silent", "--pack-destination", tmp_path, cwd=PACKAGE).strip()
    (tmp_path / "package.json").write_text(json.dumps({"type": module}))
    output(*NPM, "install", f"./{tarball}", cwd=tmp_path)
    app = tmp_path / "app.ts"
    app.write_text(
        """
        import { Springbar, type Answers } from 'springbar';
        import { follow } from 'springbar/follow';
        const service: Springbar = new Springbar();
        const status: Promise<Answers.Status> = service.status();
        console.log(typeof follow, typeof status.then);
        """
    )
    options = ("--module", "node16", "--target", "es2022", "--lib", "es2022,dom,dom.iterable", "--strict")
    output("tsc", *options, "--noEmit", app, cwd=tmp_path)


def test_the_licence_is_that_of_the_repository() -> None:
    assert (ROOT / "LICENSE").read_text().startswith((PACKAGE / "LICENSE").read_text())
