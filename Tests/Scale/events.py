"""Numbered events through the balancer while replicas and Redis are killed: none may be lost or applied twice."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from client import Client
from parts import Part
from shapes import NEW_BAR, scroll

#: The number of events that the service keeps in a bar's log.
KEPT_EVENTS = 512
#: The bars, each with one writer.
BARS = 32
#: A request that gets no usable response for so many seconds is a failure of the run.
PATIENCE = 30.0
Silence = (OSError, asyncio.IncompleteReadError, TimeoutError, ValueError)


@dataclass
class Result:
    """The counts and the failures of a run."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    longest_retry: float = 0.0


class Writer:
    """Posts numbered events to one bar, and sends a batch again until it is acknowledged."""

    def __init__(self, number: int, port: int, events: int, result: Result) -> None:
        self.random = random.Random(f"scale {number}")
        self.number = number
        self.client = Client(port, patience=10.0)
        self.events = events
        self.result = result
        self.path = ""
        self.sent: list[dict[str, Any]] = []

    async def run(self) -> None:
        key = {"Idempotency-Key": f"scale-{self.number}-{self.random.getrandbits(64)}"}
        answer = await self.insist("POST", "/v1/bars", NEW_BAR, (201,), key)
        self.path = answer["location"]
        while len(self.sent) < self.events:
            first = len(self.sent) + 1
            count = min(self.random.randint(1, 8), self.events - len(self.sent))
            batch = [scroll(self.random.randint(-300, 0), sequence=first + index) for index in range(count)]
            answer = await self.insist("POST", f"{self.path}/events?results=none", {"events": batch}, (200,))
            self.sent += batch
            if answer["lastSequence"] != len(self.sent):
                raise Wrong(f"{self.path}: lastSequence is {answer['lastSequence']} after {len(self.sent)} events")

    async def check(self) -> None:
        """Compares the revision and the log with the events that were sent."""
        state = await self.insist("GET", self.path, None, (200,))
        if (state["revision"], state["lastSequence"]) != (len(self.sent), len(self.sent)):
            raise Wrong(f"{self.path}: revision {state['revision']} after {len(self.sent)} events")
        log: list[dict[str, Any]] = []
        after = max(0, len(self.sent) - KEPT_EVENTS)
        while True:
            page = await self.insist("GET", f"{self.path}/events?after={after}&limit=200", None, (200,))
            log += page["events"]
            if not page["hasMore"] or not page["events"]:
                break
            after = log[-1]["sequence"]
        expected = self.sent[-KEPT_EVENTS:]
        members = ("sequence", "type", "contentOffset")
        if [[entry.get(name) for name in members] for entry in log] != [
            [event.get(name) for name in members] for event in expected
        ]:
            raise Wrong(f"{self.path}: the log has {len(log)} events, and not the {len(expected)} that were sent")
        self.result.counts["events compared"] += len(self.sent)

    async def insist(
        self, method: str, target: str, body: Any, expected: tuple[int, ...], fields: dict[str, str] | None = None
    ) -> dict[str, Any]:
        """Repeats a request until it has an expected status; only 5xx and lost connections are repeated."""
        began = time.monotonic()
        content = None if body is None else json.dumps(body).encode()
        while True:
            try:
                answer = await self.client.ask(method, target, content, fields)
                if answer.status in expected:
                    self.result.counts[f"{method} {answer.status}"] += 1
                    location = {"location": answer.fields["location"]} if "location" in answer.fields else {}
                    return answer.json() | location
                if answer.status not in (502, 503, 504):
                    raise Wrong(f"{method} {target}: {answer.status} {answer.content[:300]!r}")
                self.result.counts[f"{method} {answer.status}"] += 1
            except Silence:
                self.result.counts[f"{method} without a response"] += 1
            if time.monotonic() - began > PATIENCE:
                raise Wrong(f"{method} {target}: no usable response within {PATIENCE:g} s")
            self.result.longest_retry = max(self.result.longest_retry, time.monotonic() - began)
            await asyncio.sleep(0.02)


class Wrong(Exception):
    """A response that no failure of a part explains."""


async def run(port: int, events: int, victims: list[Part]) -> Result:
    """Sends the events, and kills one part after the other meanwhile, evenly over the events."""
    result = Result()
    # The first bars get the events that are left over.
    shares = [events // BARS + (number < events % BARS) for number in range(BARS)]
    writers = [Writer(number, port, share, result) for number, share in enumerate(shares)]
    tasks = [asyncio.create_task(writer.run()) for writer in writers]
    try:
        for index, part in enumerate(victims):
            goal = events * (index + 1) // (len(victims) + 1)
            while sum(len(writer.sent) for writer in writers) < goal and not any(task.done() for task in tasks):
                await asyncio.sleep(0.01)
            await asyncio.to_thread(part.kill)
            await asyncio.to_thread(part.start)
            result.counts[f"{part.name} was killed"] += 1
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        outcomes += await asyncio.gather(*(writer.check() for writer in writers), return_exceptions=True)
        result.failures += [f"{type(error).__name__}: {error}" for error in outcomes if error is not None]
    finally:
        for task in tasks:
            task.cancel()
        for writer in writers:
            writer.client.close()
    return result
