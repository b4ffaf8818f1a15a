"""The programs under measurement, built and started as in production."""

import contextlib
import functools
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from servers import Server, running
from service import ROOT, free_port

SCRATCH = ROOT / ".build-bench"


@dataclass(frozen=True)
class Springbar:
    """The service's command."""

    binary: Path

    @property
    def command(self) -> Sequence[str]:
        return [str(self.binary), "serve"]

    def environment(self, port: int, settings: Mapping[str, str]) -> Mapping[str, str]:
        """Returns the address and the settings of the row, without the caller's environment, which would change the
        result.
        """
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("SPRINGBAR_", "UNSPLASH_"))}
        return {**kept, "SPRINGBAR_HOST": "127.0.0.1", "SPRINGBAR_PORT": str(port), **settings}

    @contextlib.contextmanager
    def running(self, settings: Mapping[str, str] | None = None, ahead: bool = True) -> Iterator[Server]:
        """Starts a new service on its core, with settings that override its defaults."""
        port = free_port()
        with running(self.command, port, self.environment(port, settings or {}), ahead) as server:
            yield server


def build_springbar(rebuild: bool) -> Path:
    """Builds the command as the container does, and the fake library beside it; returns the path of the command."""
    arguments = ["swift", "build", "--package-path", str(ROOT), "--scratch-path", str(SCRATCH)]
    arguments += ["--configuration", "release"]
    if rebuild:
        for product in ("springbar", "fake-library"):
            subprocess.run([*arguments, "--product", product, "--quiet"], check=True)
    shown = subprocess.run([*arguments, "--show-bin-path"], check=True, capture_output=True, text=True)
    return Path(shown.stdout.strip()) / "springbar"


def build_yardstick(name: str) -> Path:
    """Compiles one of the C yardsticks."""
    return compile_c(ROOT / f"Benchmarks/Yardsticks/{name}.c", SCRATCH / name, "-lmicrohttpd")


@functools.cache
def build_polling() -> Path:
    """Compiles the library that keeps wrk from sleeping; wrk loads it with LD_PRELOAD."""
    return compile_c(ROOT / "Benchmarks/wrk/polling.c", SCRATCH / "polling.so", "-shared", "-fPIC")


def compile_c(source: Path, binary: Path, *flags: str) -> Path:
    binary.parent.mkdir(exist_ok=True)
    strict = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["gcc", *strict, "-o", str(binary), str(source), *flags], check=True)
    return binary
