"""The choice of the server: Redis or Valkey, by name, by path, or the first that is installed."""

import sys
from pathlib import Path

import pytest

import nginx
import scale
from store import find


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the only one with programs."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def install(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)


@pytest.mark.parametrize(
    ("installed", "wanted", "name", "program"),
    [
        (["redis-server", "valkey-server"], None, "redis-server", "redis-server"),
        (["redis-check-rdb", "valkey-server"], None, "redis-server", "redis-check-rdb"),
        (["valkey-check-rdb"], None, "valkey-server", "valkey-check-rdb"),
        (["redis-server", "valkey-server"], "valkey-server", "valkey-server", "valkey-server"),
        (["redis-server", "keydb-server"], "keydb-server", "keydb-server", "keydb-server"),
    ],
)
def test_the_server_that_is_installed(
    programs: Path, installed: list[str], wanted: str | None, name: str, program: str
) -> None:
    install(programs, *installed)
    assert find(wanted) == (name, str(programs / program))


def test_the_script_names_what_is_missing(
    programs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    system = programs / "system"
    system.mkdir()
    monkeypatch.setattr(nginx, "SYSTEM_PROGRAMS", str(system))
    monkeypatch.setattr(sys, "argv", ["script/scale"])

    def missing() -> str:
        assert scale.main() == 1
        output, errors = capsys.readouterr()
        assert output == ""
        return errors

    assert missing().startswith("script/scale: redis-server or valkey-server is not installed")
    install(programs, "redis-server")
    assert missing().startswith("script/scale: nginx is not installed")
    install(system, "nginx")
    assert nginx.nginx_program() == str(system / "nginx")
