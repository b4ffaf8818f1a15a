"""The memory that is counted for bars is the resident one, for every kind of bar, and its limit is kept under pressure."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from service import Service
from shapes import NEW_BAR, SCROLLABLE, scroll
from wire import Answer, Connection, request_bytes

SETTINGS = {
    "SPRINGBAR_SESSION_BYTES": "4294967296", "SPRINGBAR_MAX_SESSIONS": "1000000", "SPRINGBAR_MAX_SESSIONS_PER_CLIENT": "0",
    "SPRINGBAR_LOG_LEVEL": "notice",
}  # fmt: skip
#: The bytes that are sent before their answers are read, so that neither side waits for the other one.
UNREAD = 60_000

# The requests of a bar: its creation, and those after it, in which BAR is its path.


def create(tracks: Any = None, view: str = "feed", key: str | None = None) -> bytes:
    scrollable = SCROLLABLE | {"contentOffset": {"x": 0, "y": 500}, "id": view}
    bar = NEW_BAR | {"scrollable": scrollable, "ttlSeconds": 86400} | ({"tracks": tracks} if tracks else {})
    return request_bytes("POST", "/v1/bars", json.dumps(bar).encode(), {"Idempotency-Key": key} if key else None)


def post(events: Any) -> bytes:
    return request_bytes("POST", "BAR/events?results=none", json.dumps(events, ensure_ascii=False).encode())


@cache
def scrolls(count: int, start: int = 0) -> bytes:
    return post({"events": [scroll(number % 300) for number in range(start, start + count)]})


@cache
def put(count: int, value: int) -> bytes:
    return request_bytes("PUT", "BAR/tracks", json.dumps(tracks(count, 4, value=value)).encode(), {"If-Match": "*"})


def tracks(count: int, points: int, name: str = "", value: int = 0) -> dict[str, Any]:
    keyframes = [{"progress": point / 64, "value": value + point} for point in range(points)]
    return {f"{number}{name}": {"keyframes": keyframes} for number in range(count)}


Requests = list[bytes]
SIMPLE = create()
MANY, LONG, SIXTEEN, SIXTY_FOUR = (create(each) for each in (tracks(128, 8), tracks(20, 2, "n" * 120), tracks(16, 4), tracks(64, 4)))
RANGES = create({f"{number}{'n' * 120}": {"compactNormalRange": {"value": 0}, "normalExpandedRange": {"value": 1}} for number in range(128)})


def views(number: int) -> Requests:
    other = SCROLLABLE | {"id": "本" * (100 + number % 28)}
    return [create(view="日" * 128), scrolls(65), post({"type": "set", "scrollable": other})]


#: Kinds of bars, each with a count that takes about ten megabytes, and the requests of a number.
SHAPES: dict[str, tuple[int, Callable[[int], Requests]]] = {
    "minimal": (40_000, lambda _: [SIMPLE]),
    "20 events": (12_000, lambda _: [SIMPLE, scrolls(20)]),
    "8 events, posted one by one": (12_000, lambda _: [SIMPLE, *(scrolls(1, each) for each in range(8))]),
    "512 events": (1500, lambda _: [SIMPLE, scrolls(500), scrolls(12, 500)]),
    "128 tracks with keyframes": (1000, lambda _: [MANY]),
    "long names of tracks": (1200, lambda _: [LONG]),
    "long names of tracks with a value each state": (300, lambda _: [RANGES]),
    "tracks set repeatedly": (1000, lambda _: [SIXTEEN, *(put(16, each) for each in range(1, 11))]),
    "tracks changed between events": (
        1000, lambda _: [SIXTY_FOUR, *(part for each in range(1, 9) for part in (put(1, each), scrolls(64, each)))]
    ),
    "long names of views": (3000, views),
    "idempotency keys": (6000, lambda number: [create(key=f"{number}" + "k" * 200)]),
}  # fmt: skip


def answers(connection: Connection, requests: Requests) -> Iterator[Answer]:
    """Sends requests together, and reads their answers."""
    connection.send(b"".join(requests))
    return (connection.read_answer() for _ in requests)


def make(connections: list[Connection], requests: Callable[[int], Requests], numbers: range) -> None:
    """Makes bars on several connections in turn, so that more than one worker allocates memory."""
    together = max(1, UNREAD // max(map(len, requests(0))))
    for turn, first in enumerate(range(0, len(numbers), together)):
        connection = connections[turn % len(connections)]
        creations, *others = zip(*map(requests, numbers[first : first + together]), strict=True)
        paths = [answer.fields["location"].encode() for answer in answers(connection, list(creations))]
        for step in others:
            sent = [part.replace(b"BAR", path, 1) for part, path in zip(step, paths, strict=True)]
            assert {answer.status for answer in answers(connection, sent)} == {200}


@pytest.mark.parametrize("shape", SHAPES)
def test_counted_and_resident_memory_agree_within_a_factor_of_1_3(shape: str) -> None:
    count, requests = SHAPES[shape]
    with Service(SETTINGS) as service, service.connect() as one, service.connect() as other:
        # The first bars fill free memory of the allocator and load code.
        make([one, other], requests, range(-count // 10, 0))
        before, resident = service.metric("springbar_bar_bytes"), service.resident()
        make([one, other], requests, range(count))
        grown, counted = service.resident() - resident, service.metric("springbar_bar_bytes") - before
        print(f"measured: {count} bars: {counted / 1e6:.1f} MB counted, {grown / 1e6:.1f} MB resident")
        assert grown > 3_000_000, "too little to measure"
        assert grown / 1.3 < counted < grown * 1.3


def test_under_pressure_new_bars_are_refused_and_writes_go_on_without_their_logs() -> None:
    limit = 24_000_000
    with Service(SETTINGS | {"SPRINGBAR_SESSION_BYTES": str(limit)}) as service, service.connect() as connection:

        def write(count: int, *paths: str) -> None:
            for path in paths:
                (answer,) = answers(connection, [scrolls(count).replace(b"BAR", path.encode(), 1)])
                assert answer.status == 200, answer

        before, bars, refused = service.resident(), list[str](), 0
        for number in range(40_000):
            (answer,) = answers(connection, [create(tracks(number % 60, 3) if number % 3 == 0 else None)])
            if answer.status == 201:
                bars.append(answer.fields["location"])
                write(100, bars[-1])
            else:
                assert (answer.status, answer.problem) == (429, "session-limit") and "retry-after" in answer.fields
                refused += 1
                if refused == 50:
                    break
        assert refused == 50 and service.metric("springbar_bar_bytes") <= limit
        # Every bar still exists and accepts events, more than there is memory for their logs.
        assert service.get(f"{bars[0]}/states?at=100").status == 200
        for _ in range(3):
            write(150, *bars)
        assert 410 in {connection.ask("GET", f"{path}/states?at=550").status for path in bars}
        assert service.metric("springbar_bar_bytes") <= limit
        assert service.resident() - before < limit * 1.3
