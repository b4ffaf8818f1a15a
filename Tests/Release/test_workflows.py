"""The shell commands of the workflows. script/test checks their schemas, pins and permissions with other tools."""

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


WHOLE: dict[str, Any] = {path.stem: yaml.safe_load(path.read_text()) for path in WORKFLOWS}
RELEASE = WHOLE["release"]["jobs"]
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
    # The layers are those of the arguments.
    assert re.findall(r"^FROM (\S+)", text, re.MULTILINE) == ["${SWIFT_IMAGE}", "scratch", "${DEBIAN_IMAGE}"]
    builds = [step["run"] for step in RELEASE["build"]["steps"] if "buildx build" in step.get("run", "")]
    assert len(builds) == 2
    for name in BASES:
        assert RELEASE["build"]["env"][name] == f"${{{{ needs.version.outputs.{name.split('_')[0].lower()} }}}}"
        assert all(f"--build-arg {name} " in build for build in builds)


def step(job: str, name: str) -> str:
    return next(step["run"] for step in RELEASE[job]["steps"] if step.get("name") == name)


# `gh run list` prints the number of passed runs, and `gh release list` the releases; other calls are recorded.
GH = """#!/bin/sh
case "$1 $2" in
"run list") [ "$3 $4 $5 $6 $7 $8 $9" = "--workflow ci.yml --branch main --event push --commit" ] && echo "$PASSED" ;;
"release list") echo "$RELEASES" ;;
*) echo "gh $*" >>calls ;;
esac
"""
# The tags are those of a file.
GIT = """#!/bin/sh
case "$1" in tag) exec sort -rV tags ;; worktree) mkdir "$3" ;; esac
echo "$0 $*" >>calls
"""
RECORD = """#!/bin/sh
echo "docker $*" >>calls
"""


def ran(folder: Path, command: str, **variables: str) -> tuple[int, str]:
    """Runs a step with stand-ins for gh and docker; returns its status and the calls that change something."""
    for name, text in (("gh", GH), ("docker", RECORD)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    (folder / "calls").write_text("")
    environment = {"PATH": f"{folder}:{os.environ['PATH']}", "GITHUB_REPOSITORY": "A/b", "GITHUB_SHA": "1"} | variables
    process = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", command], cwd=folder, env=environment)
    return process.returncode, (folder / "calls").read_text()


@pytest.mark.parametrize(("passed", "status"), [("0", 1), ("", 2), ("1", 0), ("2", 0)])
def test_a_tag_needs_a_commit_whose_ci_has_passed(tmp_path: Path, passed: str, status: int) -> None:
    assert ran(tmp_path, step("version", "CI of the commit on main has passed"), PASSED=passed) == (status, "")
    assert RELEASE["build"]["needs"] == "version" and RELEASE["publish"]["needs"] == "build"


@pytest.mark.parametrize(
    ("head", "status"),
    [("## [Unreleased]\n\n", 0), ("", 0), ("## [Unreleased]\n\n### Fixed\n\n- A fault.\n\n", 1)],
)
def test_a_tag_needs_a_changelog_without_unreleased_lines(tmp_path: Path, head: str, status: int) -> None:
    (tmp_path / "VERSION").write_text("1.2.0\n")
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{head}## [1.2.0] - 2026-11-30\n\n- A line.\n")
    command = step("version", "The tag is the version, and the changelog has it")
    assert ran(tmp_path, command, GITHUB_REF_NAME="1.2.0") == (status, "")


@pytest.mark.parametrize("tags", [[], ["1.9.0", "1.10.0"]])
def test_the_nightly_upgrade_starts_from_the_last_tag_if_there_is_one(tmp_path: Path, tags: list[str]) -> None:
    for name in ("git", "swift", "script/scale"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(GIT)
        (tmp_path / name).chmod(0o755)
    (tmp_path / "tags").write_text("".join(f"{tag}\n" for tag in tags))
    build, upgrade = [ran(tmp_path, each["run"]) for each in WHOLE["nightly"]["jobs"]["replicas"]["steps"][-2:]]
    assert (build[0], upgrade[0]) == (0, 0)
    assert ("worktree add former 1.10.0" in build[1]) == ("--former" in upgrade[1]) == bool(tags)


@pytest.mark.parametrize(
    ("tag", "moves"), [("1.10.0", True), ("1.9.1", False), ("1.2.0", False), ("0.9.9", False)]
)
def test_latest_moves_only_forwards_and_last(tmp_path: Path, tag: str, moves: bool) -> None:
    last = RELEASE["publish"]["steps"][-1]
    assert [each for each in RELEASE["publish"]["steps"] if ":latest" in each.get("run", "")] == [last]
    status, calls = ran(tmp_path, last["run"], GITHUB_REF_NAME=tag, RELEASES="1.9.0\n1.10.0\n1.2.0")
    image = "ghcr.io/a/b"
    moved = f"docker buildx imagetools create --tag {image}:latest {image}:{tag}\ngh release edit {tag} --latest\n"
    assert (status, calls) == (0, moved if moves else "")
    assert "--latest=false" in step("publish", "Create the release")
    assert WHOLE["release"]["concurrency"] == {"group": "release"}


def test_ci_has_the_platforms_and_compilers() -> None:
    manifest = (ROOT / "Package.swift").read_text()
    oldest = re.findall(r"^// swift-tools-version: ([\d.]+)$", manifest, re.MULTILINE)
    jobs = WHOLE["ci"]["jobs"]
    places = {(each["runner"], each["image"]) for each in jobs["swift"]["strategy"]["matrix"]["include"]}
    newest = re.findall(r"^ARG SWIFT_IMAGE=(\S+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)[0]
    assert places == {("ubuntu-24.04-arm", newest), ("ubuntu-24.04", f"swift:{oldest[0]}-bookworm")}
    assert jobs["test"]["container"] == newest
    assert jobs["macos"]["runs-on"].startswith("macos-")
    # A commit of main is not cancelled: a release needs its result.
    assert WHOLE["ci"]["concurrency"]["group"].endswith("${{ github.event.pull_request.number || github.sha }}")


def test_shellcheck_finds_a_fault() -> None:
    assert "SC2086" in findings("rm $HOME")
