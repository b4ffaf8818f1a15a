"""Bytes that wait for a reader are reserved: no route puts more into memory than the gauge shows.

Every operation of the contract is called over connections that do not read, with several requests each. A new route is
included by its example. `LARGE` has requests with larger answers than the examples. Operations whose answers are too
short to exceed the constant are called together.
"""

import json
import sys
from typing import Any

import pytest

from service import MEBIBYTE, ROOT, Service, eventually, settled
from shapes import ALLOWED_APPLY, NEW_BAR, scroll, tracks
from wire import request_bytes

sys.path.append(str(ROOT / "Tests/Contract"))
from contract import Document, Promise, filled, prepared  # noqa: E402

#: The memory budget; a client has half of it.
BUDGET = 16 * MEBIBYTE
#: Connections that do not read, from several addresses, and requests on each.
CONNECTIONS = 200
PIPELINED = 4
SOURCES = [f"127.0.0.{number}" for number in range(2, 6)]
#: Bars, which have a limit of their own; with Redis, copies of them.
BARS = 8 * MEBIBYTE
#: Memory that is in no reservation: bars, what malloc keeps, small answers, the caches of answers, and requests in
#: progress.
CONSTANT = BARS + 16 * MEBIBYTE
SETTINGS = {
    "SPRINGBAR_MEMORY_BYTES": str(BUDGET),
    "SPRINGBAR_SESSION_BYTES": str(BARS),
    "SPRINGBAR_MAX_CONNECTIONS_PER_CLIENT": "0",
    "SPRINGBAR_MAX_STREAMS_PER_CLIENT": "0",
    "SPRINGBAR_LOG_LEVEL": "error",
    # For the example of `getDesignToken`.
    "SPRINGBAR_DESIGN_TOKENS": str(ROOT / "Examples/motion.tokens.json"),
}
#: Operations whose work is done in the shared store if there is one.
STORED = "/v1/bars/{id}"

DOCUMENT = Document()


def operations() -> dict[str, Promise]:
    """Returns an example of success for each operation of the contract."""
    found: dict[str, Promise] = {}
    for promise in DOCUMENT.promises():
        if promise.status < 300 and "x-request" in promise.example:
            found.setdefault(f"{promise.method.upper()} {promise.path}", promise)
    return found


OPERATIONS = operations()


def large_bar(service: Service) -> str:
    """Creates a bar with long tracks and a full log, and returns its id."""
    bar: str = service.ask("POST", "/v1/bars", NEW_BAR | {"tracks": tracks(128, '"' * 128)}).json()["id"]
    for start in range(1, 501, 100):
        events = [{"sequence": start + index} | scroll(-200 + index) for index in range(100)]
        answer = service.ask("POST", f"/v1/bars/{bar}/events?results=none", {"events": events})
        assert answer.status == 200, answer.content
    return bar


def repeated(count: int) -> dict[str, Any]:
    return {"events": [{"sequence": 1 + index} | scroll(-200 + index) for index in range(count)]}


def large_file(number: int) -> dict[str, Any]:
    """Returns design tokens with nearly the most CSS that is allowed."""
    springs = {f"s{each}": {"$value": {"dampingRatio": 0.2 + number / 1e6, "response": 0.5}} for each in range(550)}
    return {"$type": "spring"} | springs


#: Requests with large answers: from the number of the request and the id of a large bar to method, target and content.
LARGE: dict[str, Any] = {
    "POST /v1/bars/apply": lambda number, bar: ("POST", "/v1/bars/apply", json.loads(ALLOWED_APPLY)),
    "GET /v1/bars/{id}": lambda number, bar: ("GET", f"/v1/bars/{bar}", None),
    "POST /v1/bars/{id}/fork": lambda number, bar: ("POST", f"/v1/bars/{bar}/fork", {}),
    "POST /v1/bars/{id}/events": lambda number, bar: ("POST", f"/v1/bars/{bar}/events?results=all", repeated(100)),
    "GET /v1/bars/{id}/events": lambda number, bar: ("GET", f"/v1/bars/{bar}/events?limit=500", None),
    "GET /v1/bars/{id}/states": lambda number, bar: ("GET", f"/v1/bars/{bar}/states?at={1 + number % 500}", None),
    "GET /v1/springs/curve": lambda number, bar: (
        "GET", f"/v1/springs/curve?dampingRatio=0.5&response={1 + number / 1e4}&fps=60&curveDuration=33", None,
    ),
    "POST /v1/design-tokens": lambda number, bar: ("POST", "/v1/design-tokens?platform=css", large_file(number)),
    "GET /v1/photos": lambda number, bar: ("GET", "/v1/photos?limit=100", None),
    "GET /unsplash/photos": lambda number, bar: ("GET", "/unsplash/photos?per_page=30", None),
}  # fmt: skip


def requests(service: Service, name: str, host: bool, connections: int = CONNECTIONS) -> list[bytes]:
    """Returns the bytes that each connection sends."""
    promise = OPERATIONS[name]
    example = promise.example["x-request"]
    bar = large_bar(service) if name in LARGE and "/bars/{id}" in name else ""
    kept = prepared(service.port, example)

    def one(number: int) -> bytes:
        # Each Host gets a page of its own, because the links have it.
        fields = {"Host": f"h{number % 100}"} if host else {}
        if name in LARGE:
            method, target, body = LARGE[name](number, bar)
        else:
            method, target = example.get("method", promise.method).upper(), filled(example["target"], kept)
            fields |= {key: filled(str(value), kept) for key, value in example.get("headers", {}).items()}
            body = example.get("body")
        content = None if body is None else filled(json.dumps(body, separators=(",", ":")), kept).encode()
        if content is None and "content" in example and name not in LARGE:
            content = example["content"].encode()
        return request_bytes(method, target, content, fields)

    return [b"".join(one(number * PIPELINED + part) for part in range(PIPELINED)) for number in range(connections)]


#: Operations with answers that exceed `CONSTANT` if they are not reserved.
LONG = LARGE.keys() | {
    "GET /metrics", "GET /openapi.json", "GET /openapi.yaml", "GET /v1/bars/{id}/stream", "GET /v1/photos/{id}/image",
    "GET /v1/photos/{id}/image/{variant}", "GET /v1/springs/presets",
}  # fmt: skip
ALL_OTHERS = "all others"
RUNS = [(name, "memory") for name in [*sorted(LONG), ALL_OTHERS]]
RUNS += [(name, "redis") for name, _ in RUNS if STORED in name or name == ALL_OTHERS]


def requests_and_probes(service: Service, name: str) -> tuple[list[bytes], list[bytes]]:
    """Returns what each connection sends, and the different requests among it."""
    if name != ALL_OTHERS:
        sent = requests(service, name, host="photos" in name)
        return sent, sent[:1]
    short = [each for each in OPERATIONS if each not in LONG]
    probes = [requests(service, each, host="photos" in each, connections=1)[0] for each in short]
    return [probes[number % len(probes)] for number in range(CONNECTIONS)], probes


@pytest.mark.parametrize(("name", "store"), RUNS)
def test_unread_answers_are_reserved(name: str, store: str, request: pytest.FixtureRequest) -> None:
    shared = {"SPRINGBAR_REDIS_URL": request.getfixturevalue("redis")} if store == "redis" else {}
    with Service(SETTINGS | shared) as service:
        sent, probes = requests_and_probes(service, name)
        connections = [
            service.connect(SOURCES[number % len(SOURCES)], receive_buffer=4096) for number in range(CONNECTIONS)
        ]
        for probe in probes:
            with service.connect() as connection:
                connection.send(probe)
                status, fields = connection.read_head()
            assert status < 300, "the request is not hostile but wrong"
            if name == ALL_OTHERS:
                all_of_it = CONNECTIONS * PIPELINED * int(fields["content-length"])
                assert all_of_it < CONSTANT, f"{probe[:60]!r} belongs to LONG"
        settled(service)
        idle = service.resident()
        for connection, data in zip(connections, sent):
            connection.socket.setblocking(False)
            # A server that does not read any more takes only a part.
            connection.socket.send(data)
        settled(service, seconds=20)
        measured: list[tuple[float, float]] = []

        def is_reserved() -> bool:
            gauge = service.metric("springbar_memory_bytes", is_alone=name != "GET /metrics")
            measured.append((service.resident() - idle, gauge))
            return measured[-1][0] <= gauge + CONSTANT

        # A slow machine ends some of the readers before all have asked, and the heap is trimmed every ten seconds.
        assert eventually(is_reserved), measured[-1]
        grown, gauge = measured[-1]
        print(f"measured: {name}: {grown / MEBIBYTE:.1f} MiB for a gauge of {gauge / MEBIBYTE:.1f}")
        assert gauge <= BUDGET
        for connection in connections:
            connection.close()
        # A gauge of 0 has nothing to release.
        assert gauge == 0 or eventually(lambda: service.metric("springbar_memory_bytes") == 0), "it was not released"


def test_every_operation_has_an_example() -> None:
    missing = {f"{method.upper()} {path}" for path, method, _ in DOCUMENT.operations()} - set(OPERATIONS)
    # Its answer has no content.
    assert missing == {"DELETE /v1/bars/{id}"}, "no example of success"
