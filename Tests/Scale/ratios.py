"""The costs of the way through Redis beside those of the store in memory, and of TLS beside a plain connection.

The processor time decides: user and system time of a process from /proc/PID/stat, for each request. The rounds of all
services alternate, and the ratio is that of adjacent rounds, so other processes disturb both alike. The service has one
core; Redis and the load share the other one. For the cost of a write Redis has its core for itself, and the load shares
that of the service: a SET is sent from there, too.

With a former version of the service, its store in memory and its creations are measured in the same rounds.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import parts
from client import Client
from counts import create
from cores import on_core
from nginx import Missing
from service import Service, free_port
from shapes import NEW_BAR
from store import Store
from table import Row

POSTS, CREATIONS = (Path(__file__).with_name(name) for name in ("posts.lua", "creations.lua"))
BARS = 1024
#: The SET with which a write is compared, for redis-benchmark. Its size is fixed, so that a smaller bar does not make
#: the comparison harder.
SET = ["-r", str(BARS), "SET", "set:__rand_int__", "v" * 500, "PX", "900000"]
#: A claim to fetch a page, each time another one.
CLAIM = ["-r", "1000000000", "SET", "claim:__rand_int__", "c" * 24, "NX", "GET", "PX", "3000"]
SERVICE_CORE, LOAD_CORE = 0, 1


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
    p99: float
    """Milliseconds."""

    @staticmethod
    def mean(*rounds: Round) -> Round:
        """Returns the means of the values of rounds of the same load."""
        return Round(
            requests=round(statistics.fmean(one.requests for one in rounds)),
            service_cpu=statistics.fmean(one.service_cpu for one in rounds),
            store_cpu=statistics.fmean(one.store_cpu for one in rounds),
            commands_read=statistics.fmean(one.commands_read for one in rounds),
            p99=statistics.fmean(one.p99 for one in rounds),
        )


def certificates(folder: Path) -> dict[str, str]:
    """Makes an authority, and a certificate of it for 127.0.0.1."""
    names = {name: str(folder / name) for name in ("ca.pem", "ca.key", "server.pem", "server.key")}
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    for arguments in (
        ["-subj", "/CN=Test", "-keyout", names["ca.key"], "-out", names["ca.pem"]],
        ["-subj", "/CN=Redis", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", names["server.key"],
         "-out", names["server.pem"], "-CA", names["ca.pem"], "-CAkey", names["ca.key"]],
    ):  # fmt: skip
        subprocess.run(["openssl", "req", "-x509", *arguments, *curve], check=True, capture_output=True)
    return names


class Measurement:
    """A Redis and services: in memory, with Redis over TCP, and with Redis over TLS; two more of a former version.

    Creations have a service of their own: after fifty thousand of them the heap is scattered, and a POST costs a quarter
    more. The services whose POSTs are compared have the same bars.
    """

    def __init__(
        self, folder: Path, stack: contextlib.ExitStack, server: str | None, seconds: int, former: str | None
    ) -> None:
        self.seconds = seconds
        self.creations = 0
        names = certificates(folder)
        plain, encrypted = free_port(), free_port()
        self.port = plain
        settings = [
            "--bind", "127.0.0.1", "--port", str(plain), "--tls-port", str(encrypted), "--tls-auth-clients", "no",
            "--tls-cert-file", names["server.pem"], "--tls-key-file", names["server.key"],
            "--tls-ca-cert-file", names["ca.pem"],
        ]  # fmt: skip
        with on_core(LOAD_CORE, False):
            self.store = stack.enter_context(Store(folder, server, settings))
        self.services: dict[str, Service] = {}
        self.paths: dict[str, Path] = {}
        services = {
            "memory": {},
            "redis": {"SPRINGBAR_REDIS_URL": f"redis://127.0.0.1:{plain}", "SPRINGBAR_REDIS_PREFIX": "plain"},
            "tls": {
                "SPRINGBAR_REDIS_URL": f"rediss://127.0.0.1:{encrypted}", "SPRINGBAR_REDIS_CA": names["ca.pem"],
                "SPRINGBAR_REDIS_PREFIX": "tls",
            },
        }  # fmt: skip
        services["creations"] = services["redis"] | {"SPRINGBAR_REDIS_PREFIX": "creations"}
        if former:
            services["former memory"] = {}
            services["former creations"] = services["redis"] | {
                "SPRINGBAR_REDIS_PREFIX": "former", "SPRINGBAR_MAX_SESSIONS": "10000000"
            }  # fmt: skip
        common = {"SPRINGBAR_LOG_LEVEL": "warning", "SPRINGBAR_TRUSTED_PROXIES": "127.0.0.1"}
        for number, (name, environment) in enumerate(services.items()):
            program = former if name.startswith("former") else None
            with on_core(SERVICE_CORE, False):
                replica = stack.enter_context(parts.replica(number, folder, environment | common, program))
            self.services[name] = replica
            #: The files with the paths of the bars.
            self.paths[name] = folder / f"{name}.txt"
            self.paths[name].write_text("\n".join(asyncio.run(bars(replica.port))))

    def load(self, name: str, connections: int, core: int = LOAD_CORE) -> Round:
        """Loads a service with POSTs of one event each, from a core."""
        return self.wrk(name, connections, core, POSTS, str(self.paths[name]))

    def create(self, names: Sequence[str]) -> list[Round]:
        """Loads services with creations that have keys and shares; Redis has its core for itself.

        Their order is reversed in a second pass, so the state of Redis, which grows, disturbs all alike.
        """
        rounds: dict[str, list[Round]] = {name: [] for name in names}
        half = (self.seconds + 1) // 2
        for name in (*names, *reversed(names)):
            self.creations += 1
            start = f"key-{self.creations}-"
            rounds[name].append(
                self.wrk(name, 64, SERVICE_CORE, CREATIONS, start, json.dumps(NEW_BAR), seconds=half)
            )
        return [Round.mean(*rounds[name]) for name in names]

    def wrk(
        self, name: str, connections: int, core: int, script: Path, *arguments: str, seconds: int | None = None
    ) -> Round:
        service = self.services[name]
        seconds = seconds or self.seconds
        command = [
            "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "--latency",
            "-s", str(script), f"http://127.0.0.1:{service.port}", "--", *arguments,
        ]  # fmt: skip
        self.store.ask("CONFIG", "RESETSTAT")
        before, store_before = service.cpu_seconds(), self.store.cpu_seconds()
        with on_core(core, False):
            done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 30, check=True)
        cpu, store_cpu = service.cpu_seconds() - before, self.store.cpu_seconds() - store_before
        figures = self.store.figures("stats")
        requests = re.search(r"(\d+) requests in", done.stdout)
        p99 = re.search(r"99%\s+([\d.]+)(us|ms|s)", done.stdout)
        if requests is None or p99 is None or "Non-2xx" in done.stdout or "Socket errors" in done.stdout:
            raise RuntimeError(f"wrk: {done.stdout}{done.stderr}")
        count = int(requests[1])
        reads = max(1, int(figures["total_reads_processed"]))
        return Round(
            requests=count,
            service_cpu=cpu / count * 1e6,
            store_cpu=store_cpu / count * 1e6,
            commands_read=count / reads,
            p99=float(p99[1]) * {"us": 0.001, "ms": 1, "s": 1000}[p99[2]],
        )

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
        with on_core(SERVICE_CORE, False):
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


def run(server: str | None, rounds: int, seconds: int, former: str | None = None) -> list[Row]:
    """Measures all ratios in alternating rounds."""
    # Otherwise each wake-up can wait for other processes, and the 99th percentile is theirs.
    with contextlib.suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, -10)
    if shutil.which("wrk") is None:
        raise Missing("wrk is not installed; `script/bootstrap --bench` installs it")
    with tempfile.TemporaryDirectory(prefix="scale-", dir="/tmp") as name, contextlib.ExitStack() as stack:
        measurement = Measurement(Path(name), stack, server, seconds, former)
        measured = Rounds()
        for name in measurement.services:
            measurement.load(name, 64)
        for number in range(rounds):
            measured.memory.append(measurement.load("memory", 64))
            measured.redis.append(measurement.load("redis", 64))
            if former:
                measured.former_memory.append(measurement.load("former memory", 64))
            measured.tls.append(measurement.load("tls", 64))
            measured.calm_memory.append(measurement.load("memory", 16))
            measured.calm_redis.append(measurement.load("redis", 16))
            # Redis has its core for itself in both.
            measured.writes.append(measurement.load("redis", 64, SERVICE_CORE))
            measured.sets.append(measurement.command_cpu(measured.writes[-1], SET))
            measured.claims.append(measurement.command_cpu(measured.writes[-1], CLAIM))
            created = measurement.create(["creations", "former creations"] if former else ["creations"])
            measured.creations.append(created[0])
            measured.creation_sets.append(measurement.command_cpu(created[0], SET))
            measured.former_creations += created[1:]
            print(f"  round {number + 1} of {rounds}", flush=True)
        return rows(measured)


@dataclass
class Rounds:
    """The results of all rounds."""

    memory: list[Round] = field(default_factory=list)
    redis: list[Round] = field(default_factory=list)
    tls: list[Round] = field(default_factory=list)
    calm_memory: list[Round] = field(default_factory=list)
    """With 16 connections, as the next one."""
    calm_redis: list[Round] = field(default_factory=list)
    writes: list[Round] = field(default_factory=list)
    """With the load on the core of the service."""
    sets: list[float] = field(default_factory=list)
    """The microseconds of a SET, after each of the writes."""
    claims: list[float] = field(default_factory=list)
    creation_sets: list[float] = field(default_factory=list)
    """The microseconds of a SET, after each of the creations."""
    creations: list[Round] = field(default_factory=list)
    """With the load on the core of the service, as the former ones."""
    former_memory: list[Round] = field(default_factory=list)
    former_creations: list[Round] = field(default_factory=list)


def rows(measured: Rounds) -> list[Row]:
    def cpu(rounds: list[Round]) -> list[float]:
        return [one.service_cpu for one in rounds]

    def store_cpu(rounds: list[Round]) -> list[float]:
        return [one.store_cpu for one in rounds]

    depth = statistics.median(one.commands_read for one in measured.writes)
    found = [
        compared("CPU of a POST, Redis / memory, 64 connections", cpu(measured.redis), cpu(measured.memory), 2.4),
        compared("CPU of a POST, TLS / plain, 64 connections", cpu(measured.tls), cpu(measured.redis), 1.15),
        compared("CPU of Redis, a write / a SET", store_cpu(measured.writes), measured.sets, 4,
                 f"; {depth:.0f} commands a read"),
        compared("CPU of Redis, a claim of a page / a SET", measured.claims, measured.sets, 1.4),
        compared("CPU of Redis, a keyed creation / a SET", store_cpu(measured.creations), measured.creation_sets, 3.5),
        compared(
            "p99 at 16 connections, Redis - memory",
            [one.p99 for one in measured.calm_redis], [one.p99 for one in measured.calm_memory], 1,
            unit="ms", combine=lambda one, other: one - other,
        ),
    ]  # fmt: skip
    if measured.former_memory:
        found += [
            compared("CPU of a POST, Redis / former memory", cpu(measured.redis), cpu(measured.former_memory), 2.4),
            compared("CPU of Redis, a keyed creation / a former one", store_cpu(measured.creations),
                     store_cpu(measured.former_creations), 0.65),
        ]  # fmt: skip
    return found


def compared(
    name: str, ones: list[float], others: list[float], limit: float, note: str = "", unit: str = "",
    combine: Callable[[float, float], float] = lambda one, other: one / other,
) -> Row:  # fmt: skip
    """Returns the median of the results of adjacent rounds, with their range and both medians."""
    results = [combine(one, other) for one, other in zip(ones, others, strict=True)]
    middle = statistics.median
    measure = unit or "us"
    parts_of_it = f"{middle(ones):.2f} and {middle(others):.2f} {measure}; {min(results):.2f} to {max(results):.2f}"
    return Row(name, middle(results), limit, unit, parts_of_it + note)
