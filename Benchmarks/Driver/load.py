"""One round of wrk against a server, and the server's cost."""

import os
import re
import resource
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from cores import LOAD_CORE, on_core
from programs import build_polling
from servers import Server

SCRIPTS = Path(__file__).resolve().parent.parent / "wrk"


@dataclass(frozen=True)
class Load:
    """The requests that wrk sends."""

    target: str
    script: str | None = None
    """The name of a file in Benchmarks/wrk that creates the requests; empty for plain GETs."""
    content_bytes: int = 2
    """The length of the response's content, for a yardstick that sends as much."""
    connections: int = 64


@dataclass(frozen=True)
class Round:
    """The results of one round."""

    requests_per_second: float
    cpu_microseconds: float
    """The server's processor time, user and system, per request."""
    foreign_cores: float
    """The number of cores that other processes kept busy; 0 on an idle machine."""


def run_wrk(server: Server, load: Load, seconds: int) -> Round:
    """Loads the server from the other core. Raises an error if a request failed, because failures are cheap to answer.
    """
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
        raise RuntimeError(f"{load.target} had failed requests:\n{text}")
    # About a dozen sleeps belong to the start and the end of wrk, for any number of requests.
    if sleeps > 50 + int(counted[1]) / 100:
        raise RuntimeError(f"wrk slept {sleeps} times in {counted[1]} requests: waking it counts as the server's time")
    return Round(float(rate[1]), cpu / int(counted[1]) * 1e6, max(0.0, foreign / elapsed))


def busy_seconds() -> float:
    """Returns the busy time of all cores since the machine started, including the time taken by the host."""
    fields = Path("/proc/stat").read_text().splitlines()[0].split()[1:]
    user, nice, system, _idle, _wait, interrupts, soft_interrupts, stolen = (int(field) for field in fields[:8])
    return (user + nice + system + interrupts + soft_interrupts + stolen) / os.sysconf("SC_CLK_TCK")


def children_seconds() -> float:
    """Returns the processor time of this process's ended children."""
    times = os.times()
    return times.children_user + times.children_system


def children_sleeps() -> int:
    """Returns the number of times that the ended children waited for something."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_nvcsw
