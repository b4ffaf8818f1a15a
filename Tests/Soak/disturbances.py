"""Disturbances of the running service: one at a time, with a pause between them."""

import asyncio
import contextlib
import itertools
import json
import os
import resource
from collections.abc import Awaitable, Callable
from typing import Any

from client import Client
from conditions import BLOCKED, DESCRIPTORS, FAULT, STALLED, Conditions
from library import Library
from record import Record
from service import Service
from shapes import ALLOWED_APPLY, APPLY
from wire import request_bytes

#: Seconds for which standard output is not read.
PAUSE = 8.0
#: Faults of the library (Tests/FakeLibrary/Fault.swift), one per turn. A hanging fault affects only a few requests, because
#: each takes its client half a minute.
FAULTS: list[dict[str, Any]] = [
    {"kind": "serverError", "on": "api", "status": 500},
    {"kind": "serverError", "on": "images", "status": 503},
    {"kind": "latency", "on": "api", "milliseconds": 300},
    {"kind": "truncate", "on": "images"},
    {"kind": "reset", "on": "api"},
    {"kind": "hangInside", "on": "images", "count": 3},
    {"kind": "malformed", "on": "api"},
    {"kind": "tooManyRequests", "on": "api", "retryAfter": 2},
    {"kind": "drip", "on": "images", "bytes": 2048},
    {"kind": "hangBefore", "on": "api", "count": 3},
    {"kind": "endlessBody", "on": "images", "count": 3},
    {"kind": "wrongType", "on": "images"},
    {"kind": "gzipBomb", "on": "api", "count": 3},
    {"kind": "pixelBomb", "on": "images"},
    {"kind": "empty", "on": "api"},
    {"kind": "forbiddenText", "on": "api", "count": 3},
    {"kind": "redirect", "on": "images", "location": "http://169.254.169.254/latest"},
]


class LogReader:
    """Reads the service's standard output, can stop reading, and counts incomplete lines."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.transport: asyncio.ReadTransport | None = None
        self.rest = b""

    async def start(self, pipe: Any) -> None:
        reader = self

        class Protocol(asyncio.Protocol):
            def data_received(self, data: bytes) -> None:
                reader.take(data)

        self.transport, _ = await asyncio.get_running_loop().connect_read_pipe(Protocol, pipe)

    def take(self, data: bytes) -> None:
        lines = (self.rest + data).split(b"\n")
        self.rest = lines.pop()
        self.record.counts["log lines read"] += len(lines)
        for line in lines:
            if b'"dropped":' in line:
                self.record.counts["log lines reported as dropped"] += json.loads(line)["dropped"]
        torn = [line for line in lines if not (line.startswith(b"{") and line.endswith(b"}"))]
        if torn:
            self.record.fail(f"a log line is not whole: {torn[0][:200]!r}")


class Disturbances:
    """The disturbances of a run; each lasts `step` seconds."""

    def __init__(
        self,
        service: Service,
        library: Library,
        log: LogReader,
        record: Record,
        conditions: Conditions,
        step: float,
        left_out: set[str],
    ) -> None:
        self.service = service
        self.library = library
        self.log = log
        self.record = record
        self.conditions = conditions
        self.step = step
        self.left_out = left_out
        self.faults = itertools.cycle(FAULTS)
        self.kinds: set[str] = set()
        #: True if there is no disturbance now, nor has there been one for some time.
        self.is_quiet = False

    async def run(self, stop: asyncio.Event) -> None:
        turns = [self.stalled, self.fault, self.blocked, self.fault, self.descriptors, self.fault]
        for turn in itertools.cycle(turn for turn in turns if turn.__name__ not in self.left_out):
            await wait(stop, self.step / 3)
            self.is_quiet = True
            await wait(stop, self.step / 3)
            self.is_quiet = False
            if stop.is_set():
                return
            seconds = PAUSE if turn == self.blocked else self.step
            await turn(lambda: wait(stop, seconds))
        await stop.wait()

    Turn = Callable[[], Awaitable[None]]

    async def stalled(self, turn: Turn) -> None:
        """Leaves responses of 6.7 MB unread, and sends contents that never end."""
        whole = request_bytes("POST", APPLY, ALLOWED_APPLY.encode())
        fields = {"Content-Type": "application/json", "Content-Length": "262144"}
        part = request_bytes("POST", APPLY, None, fields) + b" " * 200_000
        requests = [whole] * 10 + [part] * 60
        clients = [Client(self.service.port, "127.0.40.1") for _ in requests]
        with self.conditions.during(STALLED):
            try:
                for client, request in zip(clients, requests, strict=True):
                    with contextlib.suppress(OSError):
                        _, writer = await client.connected(receive_buffer=4096)
                        writer.transport.pause_reading()
                        writer.write(request)
                await turn()
            finally:
                for client in clients:
                    client.close()
        self.record.counts["turns: " + STALLED] += 1

    async def blocked(self, turn: Turn) -> None:
        """Stops reading standard output; responses go on."""
        assert self.log.transport
        before = self.record.responses
        with self.conditions.during(BLOCKED):
            self.log.transport.pause_reading()
            try:
                await turn()
            finally:
                self.log.transport.resume_reading()
        if self.record.responses == before:
            self.record.fail("no response while standard output was blocked")
        self.record.counts["turns: " + BLOCKED] += 1

    async def descriptors(self, turn: Turn) -> None:
        """Removes the free descriptors: prlimit(2) lowers the limit, and connections use up the rest."""
        process = self.service.process.pid
        before = resource.prlimit(process, resource.RLIMIT_NOFILE)
        clients = [Client(self.service.port, "127.0.40.2", timeout=1) for _ in range(60)]
        with self.conditions.during(DESCRIPTORS):
            try:
                resource.prlimit(process, resource.RLIMIT_NOFILE, (highest_descriptor(process) + 10, before[1]))
                for client in clients:
                    with contextlib.suppress(OSError):
                        await client.connected()
                await turn()
            finally:
                resource.prlimit(process, resource.RLIMIT_NOFILE, before)
                for client in clients:
                    client.close()
        self.record.counts["turns: " + DESCRIPTORS] += 1

    async def fault(self, turn: Turn) -> None:
        """Sets the next fault of the photo library."""
        fault = next(self.faults)
        with self.conditions.during(FAULT):
            try:
                await self.tell("POST", fault, 201)
                await turn()
            finally:
                await self.tell("DELETE", None, 204)
        self.record.counts["turns: " + FAULT] += 1
        self.kinds.add(fault["kind"])
        self.record.counts[f"kinds of {FAULT}"] = len(self.kinds)

    async def tell(self, method: str, body: Any, expected: int) -> None:
        client = Client(self.library.port)
        answer = await client.ask(method, "/fake/faults", body)
        client.close()
        if answer.status != expected:
            self.record.fail(f"the library refuses {body}: {answer.status} {answer.content[:200]!r}")


async def wait(stop: asyncio.Event, seconds: float) -> None:
    """Waits for the time or until the run stops."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stop.wait()


def highest_descriptor(process: int) -> int:
    return max(map(int, os.listdir(f"/proc/{process}/fd")))
