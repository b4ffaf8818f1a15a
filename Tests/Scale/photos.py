"""Replicas that share pages of photos, with the fake library as the photo API."""

import asyncio
import contextlib
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import parts
from client import Client
from library import Library
from states import Wrong, run_each, within
from store import Store
from wire import ask

#: The clients that scroll at the same time, and the pages that each reads.
CLIENTS = 1000
PAGES = 5
TOKEN = {"Authorization": "Bearer a-token-of-the-scale-run"}
#: The calls of an hour that three replicas try to exceed.
FEW_CALLS = 10
#: The clients that request them.
HAMMERS = 6
#: Seconds between two disturbances, for hundreds of requests of each client.
PAUSE = 0.3


class Cluster:
    """A photo API, a Redis and replicas."""

    def __init__(
        self, folder: Path, stack: contextlib.ExitStack, server: str | None, count: int, limit: int
    ) -> None:
        self.library = stack.enter_context(Library(photos=900))
        self.store = stack.enter_context(Store(folder, server))
        environment = {
            **self.library.environment, "SPRINGBAR_REDIS_URL": self.store.url, "SPRINGBAR_RATE_LIMIT_PER_HOUR": str(limit),
            "SPRINGBAR_API_TOKENS": TOKEN["Authorization"].partition(" ")[2], "SPRINGBAR_LOG_LEVEL": "warning",
        }  # fmt: skip
        numbers = range(1, count + 1)
        self.replicas = [stack.enter_context(parts.replica(number, folder, environment)) for number in numbers]

    @property
    def ports(self) -> list[int]:
        return [replica.port for replica in self.replicas]

    def calls(self) -> int:
        """Returns the number of API calls so far; images do not count."""
        return self.library.counters["apiRequests"]

    def delay(self, milliseconds: int) -> None:
        """Delays the next call of the API."""
        self.library.break_with(kind="latency", on="api", milliseconds=milliseconds, count=1)


@contextlib.contextmanager
def running(server: str | None, count: int, limit: int = 5000) -> Iterator[Cluster]:
    with parts.run_folder() as (folder, stack):
        yield Cluster(folder, stack, server, count, limit)


async def scroll(ports: list[int]) -> None:
    """Lets all clients read the pages of one feed, each with its own cursor, over all replicas in turn."""

    async def one(number: int) -> list[str]:
        clients = [Client(port) for port in ports]
        seen: list[str] = []
        target = "/v1/photos?limit=30"
        try:
            for page in range(PAGES):
                answer = await clients[(number + page) % len(clients)].ask("GET", target, fields=TOKEN)
                if answer.status != 200:
                    raise Wrong(f"GET {target}: {answer.status} {answer.content[:200]!r}")
                document = answer.json()
                seen += [photo["id"] for photo in document["items"]]
                target = f"/v1/photos?limit=30&cursor={document['page']['nextCursor']}"
        finally:
            for client in clients:
                client.close()
        return seen

    feeds = await asyncio.gather(*(one(number) for number in range(CLIENTS)))
    if any(len(set(feed)) != len(feed) for feed in feeds):
        raise Wrong("a client saw a photo twice")
    if len({tuple(feed) for feed in feeds}) != 1:
        raise Wrong("clients saw different feeds")


def scrolling(server: str | None) -> str:
    calls = []
    for count in (1, 2):
        with running(server, count) as cluster:
            asyncio.run(scroll(cluster.ports))
            calls.append(cluster.calls())
    if calls[1] > calls[0]:
        raise Wrong(f"{calls[1]} calls over two replicas, and {calls[0]} over one")
    return f"{calls[1]} calls for {CLIENTS} clients with {PAGES} pages each, {calls[0]} over one replica"


def limited(server: str | None) -> str:
    calls = hammered(server, empties=False)
    if calls != FEW_CALLS:
        raise Wrong(f"{calls} calls with a limit of {FEW_CALLS}")
    return f"{calls} calls of {FEW_CALLS} through 4 x kill -9"


def emptied(server: str | None) -> str:
    """A replica that knows the count brings it back with its next call; the calls until then are beyond the limit."""
    calls = hammered(server, empties=True)
    if not FEW_CALLS <= calls <= FEW_CALLS + HAMMERS:
        raise Wrong(f"{calls} calls with a limit of {FEW_CALLS}")
    return f"{calls} calls of {FEW_CALLS} through 7 x FLUSHALL and 4 x kill -9"


def hammered(server: str | None, empties: bool) -> int:
    """Lets three replicas hammer for calls, while all and Redis are killed; returns the number of calls."""
    # The limit is that of an hour by the clock.
    if time.time() % 3600 > 3500:
        time.sleep(3601 - time.time() % 3600)
    with running(server, 3, FEW_CALLS) as cluster:
        ended = threading.Event()

        def hammer(port: int, number: int) -> None:
            search = 0
            while not ended.is_set():
                search += 1
                target = f"/v1/search/photos?query=reef%20{number}%20{search}"
                with contextlib.suppress(OSError):
                    ask(port, "GET", target, fields=TOKEN, timeout=30)

        def empty() -> None:
            if empties:
                cluster.store.ask("FLUSHALL")

        ports = cluster.ports * (HAMMERS // 3)
        threads = [threading.Thread(target=hammer, args=(port, number)) for number, port in enumerate(ports)]
        for thread in threads:
            thread.start()
        within(10, "some calls are made", lambda: cluster.calls() >= 3)
        empty()
        for replica in cluster.replicas:
            for _ in range(2):
                time.sleep(PAUSE)
                empty()
            time.sleep(PAUSE)
            replica.kill()
            replica.start()
        cluster.store.kill()
        cluster.store.start()
        time.sleep(3)
        ended.set()
        for thread in threads:
            thread.join()
        return cluster.calls()


def run(server: str | None) -> bool:
    print("photos of replicas")
    return run_each([scrolling, limited, emptied], server)
