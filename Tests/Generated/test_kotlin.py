"""The port in Kotlin, which follows docs/rules.md, gives the results of all vectors."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PORT = ROOT / "Examples/kotlin"
# The vectors that the port reads.
FILES = ("bar.json", "options.json", "session.json")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("kotlinc") is None or shutil.which("java") is None:
        pytest.skip("there is no Kotlin: apt-get install kotlin")
    jar = tmp_path_factory.mktemp("kotlin") / "vectors.jar"
    build = subprocess.run(["kotlinc", PORT / "src", PORT / "test", "-include-runtime", "-d", jar], capture_output=True, text=True)
    assert build.returncode == 0, build.stderr
    return jar


def run(program: Path, vectors: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["java", "-jar", program, vectors], capture_output=True, text=True)


def test_the_port_gives_the_results_of_all_vectors(program: Path) -> None:
    result = run(program, ROOT / "Tests/Vectors")
    assert (result.returncode, result.stdout) == (0, all_passed()), result.stdout + result.stderr


def test_the_readme_shows_the_output() -> None:
    output = re.findall(r"^```text\n(.*?)^```$", (PORT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert output == [all_passed()]


def all_passed() -> str:
    """Returns the output of the program if no case differs."""
    cases = [case for file in FILES for case in json.loads((ROOT / "Tests/Vectors" / file).read_text())["cases"]]
    return f"{len(cases)} cases, 0 failed\n"


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("bar.json", '"height":140', '"height":141'),
        ("options.json", '"direction":"expanding"', '"direction":"collapsing"'),
        ("session.json", '"lastSequence":1,"connection"', '"lastSequence":2,"connection"'),
    ],
)
def test_a_vector_that_is_wrong_fails(program: Path, tmp_path: Path, name: str, before: str, after: str) -> None:
    for file in FILES:
        (tmp_path / file).write_text((ROOT / "Tests/Vectors" / file).read_text())
    text = (tmp_path / name).read_text()
    assert before in text
    (tmp_path / name).write_text(text.replace(before, after, 1))
    result = run(program, tmp_path)
    assert result.returncode == 1 and re.search(rf"^FAILED {name}: ", result.stdout, re.MULTILINE), result.stdout
