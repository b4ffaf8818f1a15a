"""The costs of the way through Redis beside those of the store in memory, and those in Redis beside a SET.

The processor time decides: user and system time of a process from /proc/PID/stat, for each request. The rounds of all
services alternate, and the ratio is that of adjacent rounds, so other processes disturb both alike. The service has one
core; Redis and the load share the other one. For the cost of a write Redis has its core for itself, and the load shares
that of the service: a SET is sent from there, too.
"""

import asyncio
import contextlib
import json
import os
import re
import shutil
import statistics
import subprocess
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import parts
from client import Client
from cores import LOAD_CORE, SERVER_CORE, on_core
from counts import create
from nginx import Missing
from service import Service, free_port
from shapes import NEW_BAR
from store import Store
from table import Row

POSTS, CREATIONS = (Path(__file__).with_name(name) for name in ("posts.lua", "creations.lua"))
BARS = 1024
#: The rounds, and the seconds of each load.
ROUNDS, SECONDS = 5, 4
#: The SET with which a write is compared, for redis-benchmark. Its size is fixed, so that a smaller bar does not make
#: the comparison harder.
SET = ["-r", str(BARS), "SET", "set:__rand_int__", "v" * 500, "PX", "900000"]
#: A claim to fetch a page, each time another one.
CLAIM = ["-r", "1000000000", "SET", "claim:__rand_int__", "c" * 24, "NX", "GET", "PX", "3000"]


@dataclass(frozen=True)
class Round:
    """The results of one load on a service."""

    requests: int
    service_cpu: float
    """Microseconds for each request."""
    store_cpu: float
    """Microseconds for each request, of the Redis process."""
    commands_read: float
    """The commands that Redis got with one read of a socket: calls that are made at the same time leave together."""


class Measurement:
    """A Redis, and services: in memory, with Redis, and for creations.

    Creations have a service of their own: after fifty thousand of them the heap is scattered, and a POST costs a quarter
    more. The services whose POSTs are compared have the same bars.
    """

    def __init__(self, folder: Path, stack: contextlib.ExitStack, server: str | None) -> None:
        self.creations = 0
        self.port = free_port()
        with on_core(LOAD_CORE, False):
            self.store = stack.enter_context(Store(folder, server, ["--bind", "127.0.0.1", "--port", str(self.port)]))
        self.services: dict[str, Service] = {}
        #: The files with the paths of the bars.
        self.paths = {name: folder / f"{name}.txt" for name in ("memory", "redis", "creations")}
        for number, (name, path) in enumerate(self.paths.items()):
            settings = {"SPRINGBAR_LOG_LEVEL": "warning", "SPRINGBAR_TRUSTED_PROXIES": "127.0.0.1"}
            if name != "memory":
                settings |= {"SPRINGBAR_REDIS_URL": f"redis://127.0.0.1:{self.port}", "SPRINGBAR_REDIS_PREFIX": name}
            with on_core(SERVER_CORE, False):
                self.services[name] = stack.enter_context(parts.replica(number, folder, settings))
            path.write_text("\n".join(asyncio.run(bars(self.services[name].port))))

    def load(self, name: str, core: int = LOAD_CORE) -> Round:
        """Loads a service with POSTs of one event each, from a core."""
        return self.wrk(name, core, POSTS, str(self.paths[name]))

    def create(self) -> Round:
        """Loads a service with creations that have keys and shares; Redis has its core for itself."""
        self.creations += 1
        return self.wrk("creations", SERVER_CORE, CREATIONS, f"key-{self.creations}-", json.dumps(NEW_BAR))

    def wrk(self, name: str, core: int, script: Path, *arguments: str) -> Round:
        service = self.services[name]
        command = [
            "wrk", "-t1", "-c64", f"-d{SECONDS}s", "--timeout", "10s", "-s", str(script),
            f"http://127.0.0.1:{service.port}", "--", *arguments,
        ]  # fmt: skip
        self.store.ask("CONFIG", "RESETSTAT")
        before, store_before = service.cpu_seconds(), self.store.cpu_seconds()
        with on_core(core, False):
            done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS + 30, check=True)
        cpu, store_cpu = service.cpu_seconds() - before, self.store.cpu_seconds() - store_before
        requests = re.search(r"(\d+) requests in", done.stdout)
        if requests is None or "Non-2xx" in done.stdout or "Socket errors" in done.stdout:
            raise RuntimeError(f"wrk: {done.stdout}{done.stderr}")
        count = int(requests[1])
        reads = max(1, int(self.store.figures("stats")["total_reads_processed"]))
        return Round(count, cpu / count * 1e6, store_cpu / count * 1e6, count / reads)

    def command_cpu(self, like: Round, command: Sequence[str]) -> float:
        """Returns the processor time of Redis for a command, in microseconds.

        One connection has as many outstanding commands as arrived with one read of a socket in the given round.
        """
        program = shutil.which("redis-benchmark") or shutil.which("valkey-benchmark")
        if program is None:
            raise Missing("redis-benchmark is not installed; `script/bootstrap` installs it (redis-tools)")
        depth = max(1, min(64, round(like.commands_read)))
        count = max(200_000, like.requests)
        before = self.store.cpu_seconds()
        with on_core(SERVER_CORE, False):
            subprocess.run(
                [program, "-p", str(self.port), "-c", "1", "-P", str(depth), "-q", "-n", str(count), *command],
                check=True, capture_output=True, timeout=60,
            )  # fmt: skip
        return (self.store.cpu_seconds() - before) / count * 1e6


async def bars(port: int) -> list[str]:
    """Creates the bars of a service; returns their paths."""
    clients = [Client(port) for _ in range(16)]

    async def some(client: Client) -> list[str]:
        return [await create(client, {}) for _ in range(BARS // len(clients))]

    try:
        return [path for paths in await asyncio.gather(*map(some, clients)) for path in paths]
    finally:
        for client in clients:
            client.close()


def run(server: str | None) -> list[Row]:
    """Measures all ratios in alternating rounds."""
    # Otherwise each wake-up can wait for other processes.
    with contextlib.suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, -10)
    if shutil.which("wrk") is None:
        raise Missing("wrk is not installed; `script/bootstrap --bench` installs it")
    cpu: defaultdict[str, list[float]] = defaultdict(list)
    with parts.run_folder() as (folder, stack):
        measurement = Measurement(folder, stack, server)
        for name in ("memory", "redis"):
            measurement.load(name)
        for number in range(ROUNDS):
            for name in ("memory", "redis"):
                cpu[name].append(measurement.load(name).service_cpu)
            # Redis has its core for itself in these.
            write = measurement.load("redis", SERVER_CORE)
            cpu["writes"].append(write.store_cpu)
            cpu["sets"].append(measurement.command_cpu(write, SET))
            cpu["claims"].append(measurement.command_cpu(write, CLAIM))
            created = measurement.create()
            cpu["creations"].append(created.store_cpu)
            cpu["sets beside creations"].append(measurement.command_cpu(created, SET))
            print(f"  round {number + 1} of {ROUNDS}", flush=True)
    return [
        compared("CPU of a POST, Redis / memory, 64 connections", cpu["redis"], cpu["memory"], 2.4),
        compared("CPU of Redis, a write / a SET", cpu["writes"], cpu["sets"], 4),
        compared("CPU of Redis, a claim of a page / a SET", cpu["claims"], cpu["sets"], 1.4),
        compared("CPU of Redis, a keyed creation / a SET", cpu["creations"], cpu["sets beside creations"], 3.5),
    ]


def compared(name: str, ones: list[float], others: list[float], limit: float) -> Row:
    """Returns the median of the ratios of adjacent rounds, with their range and both medians."""
    ratios = [one / other for one, other in zip(ones, others, strict=True)]
    middle = statistics.median
    note = f"{middle(ones):.2f} and {middle(others):.2f} us; {min(ratios):.2f} to {max(ratios):.2f}"
    return Row(name, middle(ratios), limit, note=note)
