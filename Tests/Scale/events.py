"""Numbered events through the balancer while parts are killed: none may be lost or applied twice."""

import asyncio
import json
import random
import subprocess
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from client import Client
from shapes import NEW_BAR, scroll
from states import Wrong
from store import Refused

#: The number of events that the service keeps in a bar's log.
KEPT_EVENTS = 512
#: The bars, each with one writer.
BARS = 32
#: A request that gets no usable response for so many seconds is a failure of the run.
TIMEOUT = 30.0
Silence = (OSError, asyncio.IncompleteReadError, TimeoutError, ValueError)


@dataclass
class Result:
    """The counts and the failures of a run."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    @property
    def errors(self) -> int:
        """The number of requests that were repeated."""
        return sum(self.counts[label] for label in self.counts if label.endswith(("502", "503", "504", "response")))

    def print(self) -> bool:
        """Prints the counts; returns whether there is no failure."""
        for label, number in sorted(self.counts.items()):
            print(f"  {label:40} {number:>8}")
        for failure in self.failures[:20]:
            print(f"  FAILURE: {failure}")
        return not self.failures


class Caller:
    """Sends requests, each again until it has its response."""

    def __init__(self, client: Client, result: Result) -> None:
        self.client = client
        self.result = result
        #: The longest time until a usable response in seconds.
        self.longest = 0.0
        #: The number of acknowledged events.
        self.count = 0

    async def run(self, events: int, stop: asyncio.Event) -> None:
        """Works until it has sent the events, and further until `stop` is set."""

    async def check(self) -> None:
        """Compares what is stored with what was sent, when all callers have stopped."""

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
                    self.longest = max(self.longest, time.monotonic() - began)
                    self.result.counts[f"{method} {answer.status}"] += 1
                    location = {"location": answer.fields["location"]} if "location" in answer.fields else {}
                    return answer.json() | location
                if answer.status not in (502, 503, 504):
                    raise Wrong(f"{method} {target}: {answer.status} {answer.content[:300]!r}")
                self.result.counts[f"{method} {answer.status}"] += 1
            except Silence:
                self.result.counts[f"{method} without a response"] += 1
            if time.monotonic() - began > TIMEOUT:
                raise Wrong(f"{method} {target}: no usable response within {TIMEOUT:g} s")
            await asyncio.sleep(0.02)


class Writer(Caller):
    """Posts numbered events to one bar, and sends a batch again until it is acknowledged."""

    def __init__(self, number: int, client: Client, result: Result) -> None:
        super().__init__(client, result)
        self.random = random.Random(f"scale {number}")
        self.number = number
        self.path = ""
        #: The last events that were sent.
        self.sent: deque[dict[str, Any]] = deque(maxlen=KEPT_EVENTS)

    async def run(self, events: int, stop: asyncio.Event) -> None:
        await self.create()
        while self.count < events or not stop.is_set():
            await self.post(events - self.count if self.count < events else 8)

    async def create(self) -> None:
        key = {"Idempotency-Key": f"scale-{self.number}-{self.random.getrandbits(64)}"}
        answer = await self.insist("POST", "/v1/bars", NEW_BAR, (201,), key)
        self.path = answer["location"]

    async def post(self, most: int, status: int = 200) -> None:
        """Posts the next events; one batch in ten begins with events that were sent before."""
        repeated = list(self.sent)[-self.random.randint(1, 4) :] if self.random.random() < 0.1 else []
        batch = [
            scroll(self.random.randint(-300, 0), sequence=self.count + index)
            for index in range(1, min(self.random.randint(1, 8), most) + 1)
        ]
        target = f"{self.path}/events?results=none"
        answer = await self.insist("POST", target, {"events": repeated + batch}, (status,))
        if status == 200:
            self.sent += batch
            self.count += len(batch)
            if answer["lastSequence"] != self.count:
                raise Wrong(f"{self.path}: lastSequence is {answer['lastSequence']} after {self.count} events")

    async def check(self) -> None:
        """Compares the revision and the log with the events that were sent."""
        state = await self.insist("GET", self.path, None, (200,))
        if (state["revision"], state["lastSequence"]) != (self.count, self.count):
            raise Wrong(f"{self.path}: revision {state['revision']} after {self.count} events")
        log: list[dict[str, Any]] = []
        after = max(0, self.count - KEPT_EVENTS)
        while True:
            page = await self.insist("GET", f"{self.path}/events?after={after}&limit=200", None, (200,))
            log += page["events"]
            if not page["hasMore"] or not page["events"]:
                break
            after = log[-1]["sequence"]
        members = ("sequence", "type", "contentOffset")
        if [[entry.get(name) for name in members] for entry in log] != [
            [event.get(name) for name in members] for event in self.sent
        ]:
            raise Wrong(f"{self.path}: the log has {len(log)} events, and not the {len(self.sent)} that were sent")
        self.result.counts["events compared"] += self.count


def writers(port: int, numbers: range, result: Result) -> list[Writer]:
    """Returns writers that are clients of their own."""
    return [Writer(number, Client(port, f"127.0.1.{number + 1}", timeout=10.0), result) for number in numbers]


async def run(callers: Sequence[Caller], events: int, steps: Sequence[Callable[[], None]], result: Result) -> None:
    """Sends the events, and takes one step after the other meanwhile, evenly over them; then checks everything."""
    stop = asyncio.Event()
    # Some of the callers are no writers; the first writers get the events that are left over.
    busy = [caller for caller in callers if isinstance(caller, Writer)]
    shares = {caller: events // len(busy) + (index < events % len(busy)) for index, caller in enumerate(busy)}
    tasks = [asyncio.create_task(caller.run(shares.get(caller, 0), stop)) for caller in callers]
    try:
        for index, step in enumerate(steps):
            goal = events * (index + 1) // (len(steps) + 1)
            while sum(caller.count for caller in callers) < goal and not any(task.done() for task in tasks):
                await asyncio.sleep(0.01)
            await asyncio.to_thread(step)
    except (Wrong, Refused, OSError, RuntimeError, subprocess.SubprocessError) as error:
        result.failures.append(f"{type(error).__name__}: {error}")
    stop.set()
    try:
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        outcomes += await asyncio.gather(*(caller.check() for caller in callers), return_exceptions=True)
        result.counts["longest time until a usable response, ms"] = round(
            1000 * max(caller.longest for caller in callers)
        )
        result.failures += [f"{type(error).__name__}: {error}" for error in outcomes if error is not None]
    finally:
        for task in tasks:
            task.cancel()
        for caller in callers:
            caller.client.close()
