"""The worst cases that were found one by one, with default settings under the memory limit of compose.yaml.

Each was once more than the container has, or shut out other clients. Each runs with bars in memory and in Redis.
"""

import contextlib
import json
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from container import Container
from service import MEBIBYTE, Samples, Service, settled
from shapes import NEW_BAR, scroll
from test_reservations import LARGE, large_bar, requests
from wire import Connection, request_bytes

#: The attacker's address, and another client's.
ATTACKER, OTHER = "127.0.3.2", "127.0.3.1"
#: More connections than an address may have.
MOST = 1000


def unread(
    service: Service, data: list[bytes], complete: bool = True, source: str = ATTACKER
) -> list[Connection]:
    """Sends bytes on a connection each, which does not read."""
    if complete:
        with service.connect(source) as connection:
            connection.send(data[0])
            assert connection.read_head()[0] < 300, "the request is not hostile but wrong"
    connections = []
    for part in data:
        # Connections beyond the share of the address are refused, and a server that does not read takes only a part.
        with contextlib.suppress(OSError):
            connection = service.connect(source, receive_buffer=4096)
            connections.append(connection)
            connection.socket.setblocking(False)
            connection.socket.send(part)
    return connections


def repetitions(service: Service) -> list[Connection]:
    """Repetitions of 110 numbered events of a bar with 128 tracks: 7 MB each."""
    bar = large_bar(service)
    events = [{"sequence": 1 + index} | scroll(-200 + index % 100) for index in range(110)]
    return unread(service, [request_bytes("POST", f"/v1/bars/{bar}/events?results=all", encoded(events))] * 100)


def encoded(events: list[dict[str, Any]]) -> bytes:
    return json.dumps({"events": events}).encode()


def streams(service: Service) -> list[Connection]:
    """Streams of one bar with all commands, and two batches of 500 events."""
    bar = large_bar(service)
    opened = unread(service, [request_bytes("GET", f"/v1/bars/{bar}/stream?commands=true", None)] * 256)
    settled(service)
    for start in (501, 1001):
        events = [{"sequence": start + index} | scroll(-200 + index % 150) for index in range(500)]
        answer = service.ask("POST", f"/v1/bars/{bar}/events?results=none", {"events": events}, source=ATTACKER)
        assert answer.status in (200, 503), answer.content
    return opened


def together(service: Service) -> list[Connection]:
    """After full caches: readers of a bar with long names of tracks, readers that take nothing of a constant document, and
    strangers who make the text of the metrics long and ask for it.
    """
    for number in range(300):
        service.get(f"/v1/springs/linear?dampingRatio=0.5&response=0.{number + 100}", source=ATTACKER)
    for photo in service.get("/v1/photos?limit=30", source=ATTACKER).json()["items"]:
        service.get(f"/v1/photos/{photo['id']}/image?w=400", source=ATTACKER)
    bar = large_bar(service)
    opened = []
    for address in ("127.0.3.4", "127.0.3.5", "127.0.3.6"):
        for _ in range(60):
            stream = service.connect(address)
            opened.append(stream)
            stream.send(request_bytes("GET", f"/v1/bars/{bar}/stream?commands=true", None))
            assert stream.read_head()[0] == 200
            assert len(stream.read_chunk()) > 500
        opened += unread(service, [request_bytes("GET", "/openapi.json", None) * 3] * 60, source=address)
    for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"):
        for path in ("/v1/springs", "/v1/bars/x", "/v1/photos", "/v1/projection", "/unsplash/photos", "/nothing"):
            service.ask(method, path, source=ATTACKER)
    for _ in range(200):
        service.get("/metrics", source=ATTACKER)
    answer = service.ask("POST", f"/v1/bars/{bar}/events?results=none", scroll(-120), source=ATTACKER)
    assert answer.status in (200, 503), answer.content
    return opened


def of(name: str) -> Callable[[Service], list[Connection]]:
    """Pipelined requests of an operation with large answers."""
    return lambda service: unread(service, requests(service, name, host="photos" in name, connections=MOST))


ATTACKS: dict[str, Callable[[Service], list[Connection]]] = {
    "repetitions": repetitions,
    "streams": streams,
    "streams, documents and metrics together": together,
    "metrics": lambda service: unread(service, [request_bytes("GET", "/metrics", None) * 4] * MOST),
    "contents": lambda service: unread(service, [unfinished()] * 400, complete=False),
} | {name: of(name) for name in LARGE}


def unfinished() -> bytes:
    """A request whose content does not end."""
    whole = request_bytes("POST", "/v1/bars/apply", b" " * (256 << 10))
    return whole[:-1]


#: These have nothing in a store: no bar, and no photo.
STORELESS = {"metrics", "contents", "POST /v1/bars/apply", "GET /v1/springs/curve", "POST /v1/design-tokens"}


def test_the_limit_is_enforced(container: Container) -> None:
    """Where it is not, the other tests only measure."""
    if container.group is None:
        pytest.skip("; ".join(container.remarks))
    greedy = [*container.prefix, sys.executable, "-c", f"len(b'x' * {2 * container.limit})"]
    assert subprocess.run(greedy, check=False, timeout=60).returncode == -signal.SIGKILL
    assert container.killed() == 1


@pytest.mark.parametrize(
    ("attack", "store"), [(attack, "memory") for attack in ATTACKS] + [(attack, "redis") for attack in ATTACKS if attack not in STORELESS]
)
def test_a_worst_case_ends_nothing_and_shuts_out_nobody(
    attack: str, store: str, container: Container, request: pytest.FixtureRequest
) -> None:
    redis = {"SPRINGBAR_REDIS_URL": request.getfixturevalue("redis")} if store == "redis" else {}
    settings = container.environment | redis | {"SPRINGBAR_LOG_LEVEL": "error"}
    with Service(settings, prefix=container.prefix) as service, Samples(service) as samples:
        bar = service.ask("POST", "/v1/bars", NEW_BAR, source=OTHER).json()["id"]
        connections = ATTACKS[attack](service)
        settled(service, seconds=20)
        others = {
            "bar": service.ask("POST", "/v1/bars", NEW_BAR, source=OTHER).status,
            "event": service.ask("POST", f"/v1/bars/{bar}/events", scroll(-150), source=OTHER).status,
            "photos": service.get("/v1/photos?limit=3", source=OTHER).status,
            "spring": service.get("/v1/springs?dampingRatio=0.7&response=0.4", source=OTHER).status,
            "health": service.get("/healthz", source=OTHER).status,
        }
        highest = max(samples.resident, service.highest_resident())
        # With the kernel's part, if the machine has control groups.
        whole = container.highest() or highest
        print(f"measured: {attack}: {whole / MEBIBYTE:.0f} MiB with the kernel's part, RSS at most {highest / MEBIBYTE:.0f} of {container.limit / MEBIBYTE:.0f} MiB, {others}")
        for connection in connections:
            connection.close()
        assert service.is_running
        assert container.killed() == 0
        assert highest < container.limit
        assert whole <= container.limit
        assert others == {"bar": 201, "event": 200, "photos": 200, "spring": 200, "health": 200}
