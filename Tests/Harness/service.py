"""Processes that listen: the service and others, with their use of memory, descriptors and processor time from Linux."""

from __future__ import annotations

import contextlib
import math
import os
import random
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import wire
from wire import Answer, Connection

ROOT = Path(__file__).resolve().parents[2]
MEBIBYTE = 1 << 20
#: The longest time from the start to the first response on a busy machine, in seconds.
START = 20.0
#: The service makes the text of /metrics once a second at most, and sends it until then. A tenth is a margin.
METRICS_AGE = 1.1


def binary() -> str:
    return os.environ.get("SPRINGBAR_BINARY", str(ROOT / ".build/debug/springbar"))


def free_port() -> int:
    """Returns a loopback port that is free at this moment.

    It lies below those that the system gives to sockets without a port, or another test would get it before the server
    binds it (32768 to 60999, `ip_local_port_range` in ip(7)).
    """
    while True:
        port = random.randrange(10_000, 32_768)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def listens(port: int) -> bool:
    """Returns whether a connection to the port is accepted."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


class Server:
    """A process that listens, stopped by its process id, which can be started again under the same address."""

    process: subprocess.Popen[bytes]

    def __init__(
        self,
        command: Sequence[str],
        environment: dict[str, str] | None = None,
        *,
        port: int = 0,
        name: str = "the service",
        output: Any = subprocess.DEVNULL,
        errors: Any = subprocess.DEVNULL,
        is_ready: Callable[[], bool] | None = None,
    ) -> None:
        """Starts the process, and waits until `is_ready`, by default until the port accepts a connection.

        `output` may be the path of a log, which gets the errors, too.
        """
        # The kernel kills the process if this one ends in any way (prctl(2), PR_SET_PDEATHSIG).
        guard = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
        self._command = [*guard, *command]
        self._environment = {"PATH": os.environ["PATH"]} | (environment or {})
        self.port = port
        self.name = name
        self._output, self._errors = output, errors
        self._is_ready = is_ready or (lambda: listens(port))
        self._metrics_read = -math.inf
        self.start()

    def start(self) -> None:
        with contextlib.ExitStack() as stack:
            streams = {"stdout": self._output, "stderr": self._errors}
            if isinstance(self._output, Path):
                streams = {"stdout": stack.enter_context(self._output.open("ab")), "stderr": subprocess.STDOUT}
            self.process = subprocess.Popen(self._command, env=self._environment, stdin=subprocess.PIPE, **streams)
        try:
            if not eventually(lambda: not self.is_running or self._is_ready(), START) or not self.is_running:
                raise RuntimeError(f"{self.name} does not start: status {self.process.returncode}\n{self.log[-2000:]}")
        except BaseException:
            self.kill()
            raise

    @property
    def log(self) -> str:
        return self._output.read_text(errors="replace") if isinstance(self._output, Path) else ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        """Ends the process with SIGKILL and waits for its end."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()

    def terminate(self, seconds: float) -> int:
        """Sends SIGTERM and returns the exit status. Raises `TimeoutExpired` if the process does not end in time."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=seconds)

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    # Requests

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def connect(self, source: str = "127.0.0.1", **options: Any) -> Connection:
        return Connection(self.port, source, **options)

    def ask(self, method: str, target: str, body: Any = None, fields: Any = None, **options: Any) -> Answer:
        return wire.ask(self.port, method, target, body, fields, **options)

    def get(self, target: str, fields: Any = None, **options: Any) -> Answer:
        return self.ask("GET", target, None, fields, **options)

    def read(self, target: str) -> Any:
        """Returns the JSON at a target, which must be there."""
        answer = self.get(target)
        assert answer.status == 200, f"{target}: {answer}"
        return answer.json()

    def is_healthy(self, source: str = "127.0.0.1") -> bool:
        """Returns whether `/healthz` responds with 200 in time."""
        with contextlib.suppress(OSError):
            return self.get("/healthz", source=source).status == 200
        return False

    def metric(self, name: str, is_alone: bool = True) -> float:
        """Returns the sum of a metric over its labels; 0 if there is no such metric.

        Waits until the service makes a text that is newer than the one that was read before. If other clients have read
        one meanwhile, `is_alone` must be false.
        """
        read = self._metrics_read if is_alone else time.monotonic()
        time.sleep(max(0.0, read + METRICS_AGE - time.monotonic()))
        lines = self.get("/metrics").content.decode().splitlines()
        self._metrics_read = time.monotonic()
        return sum(float(line.rpartition(" ")[2]) for line in lines if line.split("{")[0].split(" ")[0] == name)

    # Measurements

    def _proc(self, name: str) -> Path:
        return Path(f"/proc/{self.process.pid}/{name}")

    def _status(self, name: str) -> int:
        """Returns a value of /proc/PID/status (proc(5)), in bytes."""
        lines = self._proc("status").read_text().splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith(name + ":"))

    def resident(self) -> int:
        """Returns the resident memory, in bytes."""
        return self._status("VmRSS")

    def highest_resident(self) -> int:
        """Returns the peak resident memory since the start, in bytes."""
        return self._status("VmHWM")

    def descriptors(self) -> int:
        return len(os.listdir(self._proc("fd")))

    def cpu_seconds(self) -> float:
        """Returns the user and system time so far: fields 14 and 15 of /proc/PID/stat (proc(5))."""
        # The command's name, field 2, may contain spaces; it ends with the last parenthesis.
        fields = self._proc("stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Service(Server):
    """`springbar serve`, or another command, on a free port."""

    def __init__(
        self,
        environment: dict[str, str] | None = None,
        *,
        program: str | None = None,
        command: Sequence[str] = ("serve",),
        prefix: Sequence[str] = (),
        **options: Any,
    ) -> None:
        port = free_port()
        words = [*prefix, program or binary(), *command, "--port", str(port)]
        super().__init__(words, environment, port=port, **options)


def eventually(condition: Callable[[], bool], seconds: float = 20) -> bool:
    """Returns whether a condition becomes true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def settled(service: Service, seconds: float = 10) -> bool:
    """Returns whether resident memory becomes stable, which shows that everything sent has been read."""
    last, since = service.resident(), time.monotonic()

    def is_stable() -> bool:
        nonlocal last, since
        now = service.resident()
        if abs(now - last) > MEBIBYTE // 2:
            last, since = now, time.monotonic()
        return time.monotonic() - since > 0.5

    return eventually(is_stable, seconds)


class Samples:
    """The peaks of resident memory and descriptors, sampled every 50 ms by a thread."""

    def __init__(self, service: Service) -> None:
        self.resident = 0
        self.descriptors = 0
        self._service = service
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        while True:
            with contextlib.suppress(OSError, StopIteration):
                self.resident = max(self.resident, self._service.resident())
                self.descriptors = max(self.descriptors, self._service.descriptors())
            if self._ended.wait(0.05):
                return

    def __enter__(self) -> Samples:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()


@contextlib.contextmanager
def measured(service: Service, what: str) -> Iterator[Samples]:
    """Samples a service during the block, and prints the result."""
    before = service.resident()
    with Samples(service) as samples:
        yield samples
    print(
        f"measured: {what}: RSS {before / MEBIBYTE:.0f} -> at most {samples.resident / MEBIBYTE:.0f} MiB, "
        f"at most {samples.descriptors} descriptors"
    )
