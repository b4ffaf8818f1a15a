"""The shell commands of the workflows. script/test checks their schemas, pins and permissions with other tools."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any, Iterator

import pytest
import yaml

from checkout import ROOT

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def commands() -> Iterator[Any]:
    for path in WORKFLOWS:
        for job, content in yaml.safe_load(path.read_text())["jobs"].items():
            for number, step in enumerate(content["steps"]):
                if "run" in step:
                    yield pytest.param(step["run"], id=f"{path.stem}-{job}-{number}")


def findings(command: str) -> str:
    return subprocess.run(["shellcheck", "--shell", "bash", "-"], input=command, text=True, capture_output=True).stdout


@pytest.mark.parametrize("command", commands())
def test_shellcheck_accepts_a_command(command: str) -> None:
    assert findings(command) == ""


RELEASE = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())["jobs"]
BASES = ("SWIFT_IMAGE", "DEBIAN_IMAGE")
DOCKER = """#!/bin/sh
[ "$1 $2 $3" = "buildx imagetools inspect" ] && [ "$5 $6" = "--format {{.Manifest.Digest}}" ] || exit 1
echo "$FAKE_DIGEST"
"""


def pinned(folder: Path, digest: str) -> tuple[int, list[str]]:
    """Runs the step that finds the digests, with a stand-in for docker; returns its status and outputs."""
    (folder / "docker").write_text(DOCKER)
    (folder / "docker").chmod(0o755)
    result = folder / "output"
    result.write_text("")
    command = next(step["run"] for step in RELEASE["version"]["steps"] if step.get("id") == "bases")
    environment = {"PATH": f"{folder}:{os.environ['PATH']}", "GITHUB_OUTPUT": str(result), "FAKE_DIGEST": digest}
    status = subprocess.run(["bash", "-e", "-c", command], cwd=ROOT, env=environment).returncode
    return status, result.read_text().splitlines()


def test_a_release_is_built_from_the_digests_of_its_base_images(tmp_path: Path) -> None:
    text = (ROOT / "Dockerfile").read_text()
    digest = "sha256:" + "0123456789abcdef" * 4
    images = {name: re.findall(rf"^ARG {name}=(\S+)$", text, re.MULTILINE) for name in BASES}
    assert all(len(values) == 1 for values in images.values())
    assert pinned(tmp_path, digest) == (0, [f"{name}={images[name][0]}@{digest}" for name in BASES])
    for wrong in ("", "sha256:0123", digest[7:]):
        assert pinned(tmp_path, wrong) == (1, [])
    builds = [step["run"] for step in RELEASE["build"]["steps"] if "buildx build" in step.get("run", "")]
    assert len(builds) == 2
    for name in BASES:
        assert RELEASE["build"]["env"][name] == f"${{{{ needs.version.outputs.{name.split('_')[0].lower()} }}}}"
        assert all(f"--build-arg {name} " in build for build in builds)


def test_the_base_images_are_arguments_and_labels() -> None:
    text = (ROOT / "Dockerfile").read_text()
    bases = re.findall(r"^FROM (\S+)", text, re.MULTILINE)
    assert bases == ["${SWIFT_IMAGE}", "scratch", "${DEBIAN_IMAGE}"]
    last = text.split("\nFROM ")[-1]
    for name in BASES:
        assert f"\nARG {name}\n" in last
        assert re.search(rf'^    \S+="\$\{{{name}\}}"', last, re.MULTILINE)


def test_shellcheck_finds_a_fault() -> None:
    assert "SC2086" in findings("rm $HOME")
