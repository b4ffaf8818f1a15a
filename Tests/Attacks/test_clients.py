"""Shares of clients, and detection of clients that have disconnected."""

import contextlib
import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from library import Library
from service import Service, eventually
from shapes import ALLOWED_APPLY, APPLY, NEW_BAR
from wire import Connection, request_bytes

GREEDY, OTHER = "127.0.0.2", "127.0.0.3"
#: Seconds that end a wait in vain. Without detection, a connection lasts for the 30 s of the request time-out.
NOTICED = 20.0


def shares(**settings: int) -> dict[str, str]:
    return {f"SPRINGBAR_MAX_{name.upper()}": str(value) for name, value in settings.items()}


@pytest.mark.parametrize("share", [0, 60])
def test_operations_have_connections_when_all_others_are_taken(share: int) -> None:
    with Service(shares(connections=60, connections_per_client=share)) as service, contextlib.ExitStack() as stack:
        bar = service.ask("POST", "/v1/bars", NEW_BAR).fields["location"]
        streams: list[Connection] = []

        def status(target: str) -> int:
            try:
                return service.get(target).status
            except OSError:
                return 0

        def takes_the_last() -> bool:
            # The connection that created the bar may still be closing.
            stream = stack.enter_context(service.connect())
            stream.send(request_bytes("GET", f"{bar}/stream"))
            streams.extend([stream] if stream.read_head()[0] == 200 else [])
            return len(streams) == 60

        assert eventually(takes_the_last)
        for target in ("/healthz", "/readyz", "/metrics", "/v1/status", "/openapi.yaml", "/problems/overloaded", "/"):
            assert eventually(lambda: status(target) == 200), target
        refused = service.get(bar)
        assert (refused.status, refused.problem) == (503, "overloaded")
        assert "retry-after" in refused.fields and refused.fields["connection"] == "close"
        # Idle connections of many addresses fill the reserve for at most a second.
        for number in range(1, 41):
            with contextlib.suppress(OSError):
                stack.enter_context(service.connect(f"127.0.1.{number}", timeout=2)).send(b"GET /healthz HTTP/1.1\r\nHost")
        assert eventually(lambda: status("/healthz") == 200, NOTICED)
        streams.pop().close()
        assert eventually(lambda: status(bar) == 200)


def test_a_connection_above_the_share_is_closed_and_counted() -> None:
    with Service(shares(connections_per_client=8)) as service, contextlib.ExitStack() as stack:

        connections = [stack.enter_context(service.connect(GREEDY)) for _ in range(8)]
        assert all(connection.ask("GET", "/v1/springs/presets").status == 200 for connection in connections)
        above = [stack.enter_context(service.connect(GREEDY)) for _ in range(20)]
        assert all(connection.socket.recv(1) == b"" for connection in above)
        # The others had the reserve of one client.
        lines = service.get("/metrics", source=OTHER).content.decode().splitlines()
        rejected = 'springbar_connections_rejected_total{reason="%s"} %d'
        assert rejected % ("share", 16) in lines and rejected % ("limit", 0) in lines
        assert service.get("/v1/springs/presets", source=OTHER).status == 200
        # A connection above the share serves only operations, and a closed one can be replaced.
        assert service.get("/v1/springs/presets", source=GREEDY).status == 503
        connections.pop().close()
        assert eventually(lambda: service.get("/v1/springs/presets", source=GREEDY).status == 200)


def test_a_stream_above_the_share_of_its_forwarded_address_is_refused() -> None:
    settings = shares(streams_per_client=3) | {"SPRINGBAR_TRUSTED_PROXIES": "127.0.0.0/8"}
    with Service(settings) as service, contextlib.ExitStack() as stack:
        bar = service.ask("POST", "/v1/bars", NEW_BAR).fields["location"]

        def stream(client: str) -> Connection | None:
            connection = stack.enter_context(service.connect())
            connection.send(request_bytes("GET", f"{bar}/stream", fields={"X-Forwarded-For": client}))
            status, fields = connection.read_head()
            assert status == 200 or (status, "retry-after" in fields) == (429, True)
            return connection if status == 200 else None

        first = [stream("192.0.2.1") for _ in range(3)]
        assert all(first) and stream("192.0.2.1") is None and stream("192.0.2.2")
        # Addresses of one /64 are one client.
        assert all(stream(f"2001:db8::{number}") for number in range(1, 4)) and stream("2001:db8::ffff") is None
        for connection, end in zip(first, (Connection.close, Connection.reset, half_close), strict=True):
            assert connection
            end(connection)
            assert eventually(lambda: stream("192.0.2.1") is not None)
        assert stream("192.0.2.1") is None


def half_close(connection: Connection) -> None:
    connection.socket.shutdown(socket.SHUT_WR)


@pytest.fixture
def slow_service(library: Library) -> Iterator[Service]:
    """A service with a library that never responds to a report."""
    library.break_with(kind="hangBefore", on="api", containing="/download")
    with Service(library.environment) as service:
        yield service


STATES = {
    "nothing sent": b"",
    "half a head": b"GET /healthz HTTP/1.1\r\nHo",
    "half a body": request_bytes("POST", APPLY, fields={"Content-Type": "text/json", "Content-Length": "1000"}) + b"{",
    "half a chunk": request_bytes("POST", APPLY, fields={"Transfer-Encoding": "chunked"}) + b"ff\r\n{",
    "waiting for an answer": request_bytes("GET", "/unsplash/photos/photo100001/download?ixid=M3w"),
    "not reading": request_bytes("POST", APPLY, ALLOWED_APPLY.encode()),
}


@pytest.mark.parametrize("ending", ["with a FIN", "with a FIN in the same segment", "with a reset"])
@pytest.mark.parametrize("state", STATES)
def test_the_end_of_a_client_is_noticed(slow_service: Service, state: str, ending: str) -> None:
    service, request = slow_service, STATES[state]
    assert service.is_healthy()
    before = service.descriptors()
    clients = [service.connect(GREEDY, receive_buffer=4096) for _ in range(20)]
    for client in clients:
        if ending == "with a FIN in the same segment" and request:
            client.send_with_end(request)
            continue
        client.send(request)
        if state == "not reading":
            client.read_head()
    if ending != "with a FIN in the same segment" or not request:
        # A response to a later request shows that the requests have been read.
        assert service.is_healthy()
        for client in clients:
            client.reset() if ending == "with a reset" else client.close()
    begin = time.monotonic()
    # The connections to the library stay open: a report does not end with its client.
    spare = 20 if state == "waiting for an answer" else 2
    assert eventually(lambda: service.descriptors() <= before + spare, NOTICED), service.descriptors() - before
    assert eventually(lambda: service.metric("springbar_connections_open") <= 2, NOTICED)
    print(f"measured: noticed within {(time.monotonic() - begin) * 1000:.0f} ms")


def test_refused_clients_leave_descriptors_to_others() -> None:
    with Service(prefix=["prlimit", "--nofile=256:256"]) as service:
        before = service.descriptors()
        refused = []
        for _ in range(150):
            client = service.connect(GREEDY)
            # Without a Host the request is refused; the client reads the refusal, but does not close.
            client.send(b"GET / HTTP/1.1\r\n\r\n")
            assert client.read_answer().status == 400
            refused.append(client)
            assert service.descriptors() - before <= 256 // 16 + 8
        assert service.is_healthy(source=OTHER)


def test_one_address_cannot_take_all_connections_by_default() -> None:
    with Service({"SPRINGBAR_MAX_CONNECTIONS": "60"}) as service:
        _open = [service.connect(GREEDY) for _ in range(80)]
        assert eventually(lambda: service.metric("springbar_connections_open") >= 30)
        others = [service.connect(OTHER) for _ in range(20)]
        assert all(connection.ask("GET", "/v1/springs/presets").status == 200 for connection in others)


@pytest.mark.parametrize("count", [127, 128, 129, 256])
def test_a_burst_of_requests_after_a_pause_is_answered_at_once(tmp_path: Path, count: int) -> None:
    """libmicrohttpd polls 128 events at a time; it must not sleep while a full batch leaves more events behind."""
    one_worker = ["taskset", "--cpu-list", str(min(os.sched_getaffinity(0)))]
    with Service(prefix=one_worker, output=tmp_path / "log") as service, contextlib.ExitStack() as stack:
        connections = [stack.enter_context(service.connect()) for _ in range(count)]
        assert all(connection.ask("GET", "/healthz").status == 200 for connection in connections)
        service.process.send_signal(signal.SIGSTOP)
        for connection in connections:
            connection.send(request_bytes("GET", "/healthz"))
        service.process.send_signal(signal.SIGCONT)
        begin = time.monotonic()
        assert all(connection.read_answer().status == 200 for connection in connections)
        assert time.monotonic() - begin < 20
        assert "warning" not in service.log
