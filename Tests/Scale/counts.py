"""The calls of Redis for a POST, and the bytes of a bar: numbers that do not depend on the speed of the machine."""

import asyncio

import parts
from client import Client
from shapes import NEW_BAR, scroll
from store import Store
from table import Row

#: The writers, each with a bar of its own.
WRITERS = 32
#: The POSTs of each writer.
POSTS = 125
#: The most script calls for a POST: one, and a second one after a write of the other replica.
LIMITS = {parts.HASH: 1.01, parts.TURNS: 1.55}
#: Names and keyframes of typical tracks.
TRACKS = {
    name: {"keyframes": [{"progress": 0, "value": 0}, {"progress": 1, "value": 1}]}
    for name in ("title", "background", "shadow")
}


def run(server: str | None) -> list[Row]:
    """Returns the calls for a POST with each balancing, and the bytes of a bar."""
    rows = []
    for balancing in (parts.HASH, parts.TURNS):
        with parts.run_folder() as (folder, stack):
            store = stack.enter_context(Store(folder, server))
            _, port = parts.balanced(stack, folder, {"SPRINGBAR_REDIS_URL": store.url}, balancing)
            calls = asyncio.run(script_calls(store, port)) / (WRITERS * POSTS)
            rows.append(Row(f"script calls for a POST, {balancing}", calls, LIMITS[balancing], digits=4))
            if balancing == parts.HASH:
                size = asyncio.run(bytes_of_a_bar(store, port))
                rows.append(Row("a bar with 20 events and 3 tracks", size, 1200, "bytes", digits=0))
    return rows


async def script_calls(store: Store, port: int) -> int:
    """Posts single events to all bars at once; returns the script calls that they took."""
    writers = [Client(port) for _ in range(WRITERS)]
    try:
        paths = await asyncio.gather(*(create(writer, {}) for writer in writers))
        # The first POST of a bar reads it, if another replica has created it.
        await asyncio.gather(*(post(writer, path, 1) for writer, path in zip(writers, paths)))
        store.ask("CONFIG", "RESETSTAT")
        await asyncio.gather(*(post(writer, path, POSTS) for writer, path in zip(writers, paths)))
        return store.calls("evalsha")
    finally:
        for writer in writers:
            writer.close()


async def bytes_of_a_bar(store: Store, port: int) -> int:
    """Returns the memory of a bar in Redis, with its key."""
    client = Client(port)
    try:
        path = await create(client, {"tracks": TRACKS})
        await post(client, path, 20)
        return int(store.ask("MEMORY", "USAGE", f"sb:b:{path.rsplit('/', 1)[1]}", "SAMPLES", "0"))
    finally:
        client.close()


async def create(client: Client, members: dict[str, object]) -> str:
    answer = await client.ask("POST", "/v1/bars", NEW_BAR | members)
    if answer.status != 201:
        raise RuntimeError(f"POST /v1/bars: {answer.status} {answer.content[:200]!r}")
    return str(answer.fields["location"])


async def post(client: Client, path: str, count: int) -> None:
    for number in range(count):
        answer = await client.ask("POST", f"{path}/events", {"events": [scroll(-199 + number % 150)]})
        if answer.status != 200:
            raise RuntimeError(f"POST {path}/events: {answer.status} {answer.content[:200]!r}")
