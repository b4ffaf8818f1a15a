"""A running service and its use of memory, descriptors and processor time, from Linux."""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

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
    """Returns a loopback port that is free at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Service:
    """`springbar serve`, or another server, on a free port; stopped by its process id."""

    def __init__(
        self,
        environment: dict[str, str] | None = None,
        *,
        program: str | None = None,
        command: Sequence[str] = ("serve",),
        prefix: Sequence[str] = (),
        output: Any = subprocess.DEVNULL,
        errors: Any = subprocess.DEVNULL,
    ) -> None:
        self.port = free_port()
        self._metrics_read = -math.inf
        # The kernel kills the service if this process ends in any way (prctl(2), PR_SET_PDEATHSIG).
        guard = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
        self.process = subprocess.Popen(
            [*guard, *prefix, program or binary(), *command, "--port", str(self.port)],
            env={"PATH": os.environ["PATH"]} | (environment or {}),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
        )
        try:
            self._wait_until_listening()
        except BaseException:
            self.stop()
            raise

    def _wait_until_listening(self) -> None:
        deadline = time.monotonic() + START
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise RuntimeError(f"the service ended with {self.process.returncode} before it listened")
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            time.sleep(0.01)
        raise RuntimeError(f"nothing listened on port {self.port} within {START:g} s")

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    def terminate(self, seconds: float) -> int:
        """Sends SIGTERM and returns the exit status. Raises `TimeoutExpired` if the process does not end in time."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=seconds)

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    # Requests

    def connect(self, source: str = "127.0.0.1", **options: Any) -> Connection:
        return Connection(self.port, source, **options)

    def ask(self, method: str, target: str, body: Any = None, fields: Any = None, **options: Any) -> Answer:
        return wire.ask(self.port, method, target, body, fields, **options)

    def get(self, target: str, **options: Any) -> Answer:
        return self.ask("GET", target, **options)

    def is_healthy(self, seconds: float = wire.TIMEOUT, source: str = "127.0.0.1") -> bool:
        """Returns whether `/healthz` responds with 200 in time."""
        with contextlib.suppress(OSError):
            return self.get("/healthz", timeout=seconds, source=source).status == 200
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

    def _status(self, name: str) -> int:
        """Returns a value of /proc/PID/status (proc(5)), in bytes."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) << 10 for line in text.splitlines() if line.startswith(name + ":"))

    def resident(self) -> int:
        """Returns the resident memory, in bytes."""
        return self._status("VmRSS")

    def highest_resident(self) -> int:
        """Returns the peak resident memory since the start or the last `forget_highest`, in bytes."""
        return self._status("VmHWM")

    def forget_highest(self) -> None:
        """Resets `highest_resident`: 5 in /proc/PID/clear_refs (proc(5))."""
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def cpu_seconds(self) -> float:
        """Returns the user and system time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def eventually(condition: Callable[[], bool], seconds: float = 20) -> bool:
    """Returns whether a condition becomes true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def settled(service: Service, seconds: float = 10) -> bool:
    """Returns whether resident memory becomes stable, which shows that everything sent has been read."""
    deadline = time.monotonic() + seconds
    last, since = service.resident(), time.monotonic()
    while time.monotonic() < deadline:
        now = service.resident()
        if abs(now - last) > MEBIBYTE // 2:
            last, since = now, time.monotonic()
        if time.monotonic() - since > 0.5:
            return True
        time.sleep(0.02)
    return False


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
