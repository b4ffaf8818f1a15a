"""Bars with numbered events: no event may be lost or applied twice, and every stream must get the final state."""

import asyncio
import json
import random
import time
from dataclasses import dataclass, field
from typing import Any

from client import Client, read_chunk
from record import Record
from shapes import NEW_BAR, scroll
from wire import Answer, parse_head, request_bytes

#: The number of events after which a bar is compared and deleted, and another one is created.
LIFE = 3000
#: The number of events that the service keeps in a bar's log.
KEPT_EVENTS = 512
Failure = (OSError, asyncio.IncompleteReadError, TimeoutError, ValueError)


@dataclass
class Bar:
    """A bar and the events sent to it."""

    path: str
    sent: list[dict[str, Any]] = field(default_factory=list)
    #: The final state, set when the bar's writer has stopped.
    final: dict[str, Any] | None = None
    is_deleted: bool = False


class Writer:
    """Posts numbered events to one bar after the other, and sends a batch again if there was no response."""

    def __init__(self, number: int, port: int, record: Record, pace: Any) -> None:
        self.random = random.Random(f"writer {number}")
        self.client = Client(port, f"127.0.10.{number + 1}")
        self.record = record
        self.pace = pace
        self.bar: Bar | None = None
        self.made = 0
        self.number = number

    async def run(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            await self.pace.turn()
            if self.bar is None:
                await self.create()
            elif len(self.bar.sent) >= LIFE:
                await self.compare(self.bar)
                await self.delete(self.bar)
            else:
                await self.post(self.bar)

    async def create(self) -> None:
        """Creates a bar under a key that stays the same until there is a response, so that there is one bar."""
        key = {"Idempotency-Key": f"soak-{self.number}-{self.made}"}
        if self.random.random() < 0.3:
            await self.client.abort(request_bytes("POST", "/v1/bars", json.dumps(NEW_BAR).encode(), key))
        answer = await self.ask("create", "POST", "/v1/bars", NEW_BAR, key, (201,))
        if answer is not None:
            self.made += 1
            self.bar = Bar(answer.fields["location"])

    def next_events(self, first: int) -> list[dict[str, Any]]:
        events = []
        for sequence in range(first, first + self.random.randint(1, 8)):
            event = scroll(self.random.randint(-300, 0)) if self.random.random() < 0.9 else {
                "type": "panGesture", "state": self.random.choice(["began", "changed", "ended"])
            }  # fmt: skip
            events.append(event | {"sequence": sequence})
        return events

    async def post(self, bar: Bar) -> None:
        """Sends the next batch.

        One batch in ten follows a client that disconnected. One in ten begins with events that were already sent.
        """
        batch = self.next_events(len(bar.sent) + 1)
        target = bar.path + "/events?results=none"
        overlap = bar.sent[-self.random.randint(1, 4) :] if bar.sent and self.random.random() < 0.1 else []
        content = json.dumps({"events": overlap + batch}).encode()
        if self.random.random() < 0.1:
            request = request_bytes("POST", target, content)
            await self.client.abort(request if self.random.random() < 0.7 else request[: -len(content) // 2])
            self.record.counts["batches that were left and sent again"] += 1
        while (answer := await self.ask("events", "POST", target, content, None, (200,))) is None:
            # Without a response it is unknown which events were applied; sequence numbers make it safe to send them
            # again.
            await asyncio.sleep(0.2)
        bar.sent += batch
        last = answer.json()["lastSequence"]
        if last != len(bar.sent):
            self.record.fail(f"{bar.path}: lastSequence is {last} after {len(bar.sent)} events")
            bar.sent = bar.sent[:last]

    async def compare(self, bar: Bar) -> None:
        """Compares the revision and the log with the events sent."""
        answer = await self.insist("GET", bar.path)
        state = answer.json()
        if (state["revision"], state["lastSequence"]) != (len(bar.sent), len(bar.sent)):
            self.record.fail(f"{bar.path}: {len(bar.sent)} events were sent, revision is {state['revision']}")
        log: list[dict[str, Any]] = []
        after = max(0, len(bar.sent) - KEPT_EVENTS)
        while True:
            page = (await self.insist("GET", f"{bar.path}/events?after={after}&limit=200")).json()
            log += [entry for entry in page["events"] if "sequence" in entry]
            if not page["hasMore"] or not page["events"]:
                break
            after = log[-1]["sequence"]
        expected = bar.sent[-KEPT_EVENTS:]
        if [comparable(entry) for entry in log] != [comparable(event) for event in expected]:
            self.record.fail(f"{bar.path}: the log has {len(log)} events, and not the {len(expected)} that were sent")
        self.record.counts["events compared with revision and log"] += len(bar.sent)
        bar.final = {name: state[name] for name in ("state", "scrollable", "values")}

    async def delete(self, bar: Bar) -> None:
        bar.is_deleted = True
        await self.ask("delete", "DELETE", bar.path, None, None, (204, 404))
        self.bar = None

    async def insist(self, method: str, target: str) -> Answer:
        """Repeats a request until there is a response. The time limit of the run ends requests that never get one."""
        while (answer := await self.ask("bar", method, target, None, None, (200,))) is None:
            await asyncio.sleep(0.2)
        return answer

    async def ask(
        self, kind: str, method: str, target: str, body: Any, fields: dict[str, str] | None, expected: tuple[int, ...]
    ) -> Answer | None:
        began = time.monotonic()
        try:
            answer = await self.client.ask(method, target, body, fields)
        except Failure as error:
            self.record.note_silence(kind, began, error, f"{method} {target}")
            return None
        return answer if self.record.note(kind, began, answer, expected, f"{method} {target}") else None


def comparable(event: dict[str, Any]) -> str:
    """Returns an event without the members that the service adds."""
    members = ("sequence", "type", "contentOffset", "state")
    return json.dumps({name: event[name] for name in members if name in event})


class Watcher:
    """Watches the streams of bars, some briefly and some to the end; some stop reading for a while."""

    def __init__(self, number: int, port: int, record: Record, writers: list[Writer]) -> None:
        self.random = random.Random(f"watcher {number}")
        self.port = port
        self.source = f"127.0.20.{number + 1}"
        self.record = record
        self.writer = writers[number % len(writers)]
        #: Every third watcher sometimes stops reading.
        self.stalls = number % 3 == 2
        self.bar: Bar | None = None
        self.last: dict[str, Any] | None = None
        self.last_id = -1

    async def run(self, stop: asyncio.Event) -> None:
        """Watches until the run stops, and then until the final state has arrived."""
        while True:
            if self.writer.bar is None and not stop.is_set():
                await asyncio.sleep(0.1)
                continue
            if self.bar is not self.writer.bar:
                self.bar, self.last, self.last_id = self.writer.bar, None, -1
            if self.bar is None or self.has_final:
                return
            began = time.monotonic()
            client = Client(self.port, self.source)
            try:
                await self.follow(client, self.bar, stop)
            except Failure as error:
                self.record.note_silence("stream", began, error, f"GET {self.bar.path}/stream")
                await asyncio.sleep(0.3)
            finally:
                client.close()

    @property
    def has_final(self) -> bool:
        return self.bar is not None and self.bar.final is not None and self.last == self.bar.final

    async def follow(self, client: Client, bar: Bar, stop: asyncio.Event) -> None:
        """Reads one stream of random length. Its ids must rise."""
        began = time.monotonic()
        reader, writer = await client.connected(receive_buffer=4096 if self.stalls else None)
        fields = {"Last-Event-ID": str(self.last_id)} if self.last_id >= 0 else {}
        writer.write(request_bytes("GET", bar.path + "/stream", fields=fields))
        async with asyncio.timeout(client.timeout):
            status, heads = parse_head(await reader.readuntil(b"\r\n\r\n"))
            content = b""
            if status != 200:
                content = await reader.readexactly(int(heads.get("content-length", 0)))
        gone = (404,) if bar.is_deleted else ()
        self.record.note("stream", began, Answer(status, heads, content), (200, *gone), bar.path)
        if status != 200:
            await asyncio.sleep(0.3)
            return
        end = time.monotonic() + self.random.uniform(0.5, 15)
        reading = asyncio.ensure_future(read_chunk(reader))
        try:
            while stop.is_set() or time.monotonic() < end:
                if self.has_final:
                    return
                if self.stalls and not stop.is_set() and self.random.random() < 0.05:
                    self.record.counts["streams that were not read for seconds"] += 1
                    await asyncio.sleep(self.random.uniform(1, 5))
                done, _ = await asyncio.wait({reading}, timeout=1)
                if done:
                    event = reading.result().decode()
                    if not event or not self.take(event, bar):
                        return
                    reading = asyncio.ensure_future(read_chunk(reader))
                elif bar.is_deleted:
                    return
        finally:
            reading.cancel()
            await asyncio.wait({reading})
        self.record.counts["streams that were left"] += 1

    def take(self, event: str, bar: Bar) -> bool:
        """Processes one event; returns false if it is the last one of its stream."""
        if event.startswith(":"):
            return True
        members = dict(line.partition(": ")[::2] for line in event.strip().split("\n"))
        if members.get("event") == "end":
            if not bar.is_deleted:
                self.record.fail(f"{bar.path}: its stream ended with {members.get('data')}")
            return False
        number = int(members["id"])
        if number <= self.last_id:
            self.record.fail(f"{bar.path}: its stream sent revision {number} after {self.last_id}")
        self.last_id = number
        state = json.loads(members["data"])
        self.last = {name: state[name] for name in ("state", "scrollable", "values")}
        self.record.counts["events of streams"] += 1
        return True
