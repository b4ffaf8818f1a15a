"""One round of wrk against a server, and what it cost the server."""

import os
import re
import resource
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from cores import LOAD_CORE, on_core
from programs import build_polling
from servers import TICKS_PER_SECOND, Server

SCRIPTS = Path(__file__).resolve().parent.parent / "wrk"


@dataclass(frozen=True)
class Load:
    """What wrk is to ask for."""

    target: str
    script: str | None = None
    """Name of a file in Benchmarks/wrk that makes the requests; without one, plain GETs."""
    content_bytes: int = 2
    """Length of the answers' content, for a yardstick that sends as much."""
    connections: int = 64


@dataclass(frozen=True)
class Round:
    """What one round measured."""

    requests_per_second: float
    cpu_microseconds: float
    """Server CPU, user and system, for one request."""
    foreign_cores: float
    """Cores that neither the server nor wrk kept busy, but somebody did: 0 on an idle machine."""


def run_wrk(server: Server, load: Load, seconds: int) -> Round:
    """Loads the server from the other core; an error when any request failed, since failures are cheap to answer."""
    command = ["wrk", "-t1", f"-c{load.connections}", f"-d{seconds}s", "--timeout", "10s"]
    if load.script:
        command += ["-s", str(SCRIPTS / load.script)]
    command.append(f"http://127.0.0.1:{server.port}{load.target}")

    environment = {**os.environ, "LD_PRELOAD": str(build_polling())}
    server_before, machine_before, own_before = server.cpu_seconds(), busy_seconds(), children_seconds()
    sleeps_before = children_sleeps()
    begin = time.monotonic()
    with on_core(LOAD_CORE):
        wrk = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        text, _ = wrk.communicate(timeout=seconds + 30)
    except BaseException:
        wrk.kill()
        wrk.wait()
        raise
    elapsed = time.monotonic() - begin
    sleeps = children_sleeps() - sleeps_before
    cpu = server.cpu_seconds() - server_before
    foreign = busy_seconds() - machine_before - cpu - (children_seconds() - own_before)

    counted = re.search(r"(\d+) requests in", text)
    rate = re.search(r"Requests/sec:\s+([\d.]+)", text)
    if wrk.returncode != 0 or not counted or not rate or int(counted[1]) == 0:
        raise RuntimeError(f"wrk failed: {text}")
    if "Non-2xx" in text or "Socket errors" in text:
        raise RuntimeError(f"{load.target} was not always answered well:\n{text}")
    # Its start and its end are a dozen, however few requests there are in between.
    if sleeps > 50 + int(counted[1]) / 100:
        raise RuntimeError(f"wrk slept {sleeps} times in {counted[1]} requests: the server was charged for waking it")
    return Round(float(rate[1]), cpu / int(counted[1]) * 1e6, max(0.0, foreign / elapsed))


def busy_seconds() -> float:
    """Time that all cores together did not idle, since the start of the machine; what the host took away included."""
    fields = Path("/proc/stat").read_text().splitlines()[0].split()[1:]
    user, nice, system, _idle, _wait, interrupts, soft_interrupts, stolen = (int(field) for field in fields[:8])
    return (user + nice + system + interrupts + soft_interrupts + stolen) / TICKS_PER_SECOND


def children_seconds() -> float:
    """Processor time of this process's children that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def children_sleeps() -> int:
    """How often those children gave up their core to wait for something."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_nvcsw
