"""A rolling upgrade: a former version and this one on one Redis, and one after the other in memory.

Either version uses its own bars. It finds a bar of the other one whole, or not at all, and damages nothing.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import parts
from service import Service, binary
from shapes import NEW_BAR, scroll
from states import Wrong, run_each
from store import Store

#: The bars that each replica makes, and the events of each.
BARS, EVENTS = 20, 30


class Replica:
    """A replica of one version, with the bars that its clients have made on it."""

    def __init__(self, program: str, folder: Path, name: str, environment: dict[str, str]) -> None:
        self.part = Service(environment, program=program, name=name, output=folder / f"{name}.log")
        self.bars = [f"/v1/bars/{self.ask('POST', '/v1/bars', NEW_BAR, 201)['id']}" for _ in range(BARS)]
        self.sent = 0

    def ask(self, method: str, path: str, body: Any, *expected: int) -> Any:
        answer = self.part.ask(method, path, body)
        if answer.status not in expected:
            raise Wrong(f"{self.part.name}: {method} {path}: {answer}")
        return answer.json() if answer.status < 300 else None

    def post(self) -> None:
        """Posts the next numbered event to each bar."""
        self.sent += 1
        for bar in self.bars:
            self.ask("POST", f"{bar}/events", {"events": [scroll(-199 + self.sent, sequence=self.sent)]}, 200)

    def check(self) -> None:
        """Compares each bar and its log with what was sent."""
        for bar in self.bars:
            state = self.ask("GET", bar, None, 200)
            log = self.ask("GET", f"{bar}/events?limit=500", None, 200)["events"]
            offsets = [event["contentOffset"]["y"] for event in log]
            if state["lastSequence"] != self.sent or offsets != [-199 + 1 + index for index in range(self.sent)]:
                raise Wrong(f"{self.part.name}: {bar} has {state['lastSequence']} events and a log of {len(log)}")

    def unreadable(self) -> int:
        return int(self.part.metric("springbar_store_unreadable_total"))


@contextlib.contextmanager
def both(former: str, server: str | None) -> Iterator[tuple[Store, Replica, Replica]]:
    with parts.run_folder() as (folder, stack):
        store = stack.enter_context(Store(folder, server))
        environment = {"SPRINGBAR_REDIS_URL": store.url, "SPRINGBAR_LOG_LEVEL": "warning"}
        replicas = []
        for label, program in (("former", former), ("present", binary())):
            replica = Replica(program, folder, label, environment)
            stack.enter_context(replica.part)
            replicas.append(replica)
        yield store, replicas[0], replicas[1]


def side_by_side(former: str, server: str | None) -> str:
    with both(former, server) as (_, old, new):
        found = 0
        for number in range(EVENTS):
            for one, other in ((old, new), (new, old)):
                one.post()
                # A client that the balancer sends to the other version.
                bar = one.bars[number % BARS]
                state = other.ask("GET", bar, None, 200, 404)
                found += state is not None
                if state is not None and state["lastSequence"] != one.sent:
                    raise Wrong(f"{bar} has {state['lastSequence']} events on the other version")
        for replica in (old, new):
            replica.check()
            if replica.unreadable():
                raise Wrong(f"{replica.part.name} has read {replica.unreadable()} values that it does not know")
        return "each version has its own bars" if found == 0 else "the versions share their bars"


def replaced(former: str, server: str | None) -> str:
    """Ends the former version under its clients: its bars go on, or are 404 and are created anew."""
    with both(former, server) as (_, old, new):
        old.post()
        new.post()
        old.part.kill()
        for bar in old.bars:
            new.ask("POST", f"{bar}/events", {"events": [scroll(-100, sequence=2)]}, 200, 404)
        new.ask("POST", "/v1/bars", NEW_BAR, 201)
        new.check()
        return "clients of the former version go on or create their bars anew"


def run(former: str, server: str | None) -> bool:
    print("upgrade")
    return run_each([side_by_side, replaced], former, server)
