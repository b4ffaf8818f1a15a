"""Shares of clients, detection of clients that have disconnected, and idempotency keys of tokens."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from library import Library
from service import Service, eventually, measured
from shapes import ALLOWED_APPLY, APPLY, NEW_BAR
from wire import Answer, Connection, request_bytes

GREEDY, OTHER = "127.0.0.2", "127.0.0.3"
#: Seconds that end a wait in vain. Without detection, a connection lasts for the 30 s of the request time-out.
NOTICED = 20.0


def test_one_address_cannot_take_all_bars() -> None:
    settings = {"SPRINGBAR_MAX_SESSIONS": "200", "SPRINGBAR_MAX_SESSIONS_PER_CLIENT": "150"}
    with Service(settings) as service:
        body = NEW_BAR | {"ttlSeconds": 86400}
        with service.connect(GREEDY) as greedy:
            answers = [greedy.ask("POST", "/v1/bars", body) for _ in range(200)]
        made = [answer for answer in answers if answer.status == 201]
        assert len(made) == 150
        for answer in answers[150:]:
            assert (answer.status, answer.problem) == (429, "client-share")
        assert service.ask("POST", "/v1/bars", body, source=OTHER).status == 201


def test_one_address_cannot_take_all_connections_with_streams() -> None:
    settings = {
        "SPRINGBAR_MAX_CONNECTIONS": "60",
        "SPRINGBAR_MAX_CONNECTIONS_PER_CLIENT": "40",
        "SPRINGBAR_MAX_STREAMS_PER_CLIENT": "30",
    }
    with Service(settings) as service:
        bar = service.ask("POST", "/v1/bars", NEW_BAR, source=OTHER).fields["location"]
        streams, refused = [], 0
        with measured(service, "60 streams of one address, share 30") as samples:
            for _ in range(60):
                try:
                    connection = service.connect(GREEDY)
                    connection.send(request_bytes("GET", bar + "/stream"))
                    status, _ = connection.read_head()
                except (ConnectionError, TimeoutError):
                    continue
                streams.append(connection)
                # A client above its share of connections may get a few of the reserve, which serves only Operations.
                refused += status in (429, 503)
                assert status in (200, 429, 503)
            assert service.get(bar, source=OTHER).status == 200
            assert service.is_healthy(source=OTHER)
        assert len(streams) - refused == 30
        assert samples.descriptors < 60 + 60
        for connection in streams:
            connection.close()


def test_health_checks_have_connections_when_all_others_are_taken() -> None:
    settings = {"SPRINGBAR_MAX_CONNECTIONS": "60", "SPRINGBAR_MAX_CONNECTIONS_PER_CLIENT": "0"}
    with Service(settings) as service:
        idle: list[Connection] = []
        for number in range(1, 101):
            try:
                idle.append(service.connect(f"127.0.1.{number}", timeout=2))
                # The connection is open and waits for the other half of the request.
                idle[-1].send(b"GET /v1/springs HTTP/1.1\r\nHost")
            except OSError:
                continue
        # Many addresses at once can also fill the reserve, but for at most a second.
        def status(target: str) -> int:
            try:
                return service.get(target, source=OTHER).status
            except OSError:
                return 0

        for target in ("/healthz", "/readyz"):
            assert eventually(lambda: status(target) == 200, NOTICED)
        assert status("/v1/springs/presets") in (0, 503), "there was a connection for everything"
        for connection in idle:
            connection.close()


def test_requests_that_end_with_their_connection_leave_no_descriptor(service: Service) -> None:
    """Data and FIN arrive in one segment, 140 times a second. Without detection each keeps its descriptor for 30 s."""
    assert service.is_healthy()
    before = service.descriptors()
    with measured(service, "700 half requests with their FIN, 140 a second") as samples:
        for number in range(700):
            begin = time.monotonic()
            service.connect(GREEDY).send_with_end(b"GET /v1/springs?dampingRatio=0.8 HTTP/1.1\r\nHost: x\r\nX-Half")
            time.sleep(max(0.0, 1 / 140 - (time.monotonic() - begin)))
        assert eventually(lambda: service.descriptors() <= before + 2, NOTICED)
    # Without detection all 700 are open at the end.
    assert samples.descriptors <= before + 500


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


def test_tokens_share_no_idempotency_keys() -> None:
    tokens = {name: f"token-of-client-{name}-0123456789" for name in "AB"}
    with Service({"SPRINGBAR_API_TOKENS": ",".join(tokens.values())}) as service:

        def create(name: str) -> Answer:
            fields = {"Authorization": f"Bearer {tokens[name]}", "Idempotency-Key": "the-same-key"}
            return service.ask("POST", "/v1/bars", NEW_BAR, fields)

        first, second, again = create("A"), create("B"), create("A")
        assert [first.status, second.status, again.status] == [201, 201, 201]
        assert first.json()["id"] == again.json()["id"]
        assert first.json()["id"] != second.json()["id"]


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
        for client in refused:
            client.close()


def test_an_idempotency_key_is_a_capability() -> None:
    key = {"Idempotency-Key": "9f86d081884c7d659a2feaa0c55ad015"}
    with Service() as service:

        def create(source: str, body: object) -> Answer:
            return service.ask("POST", "/v1/bars", body, key, source=source)

        # A phone sends its retry from another address, after it has changed networks.
        first, again = create(GREEDY, NEW_BAR), create(OTHER, NEW_BAR)
        assert [first.status, again.status] == [201, 201]
        assert first.json()["id"] == again.json()["id"]
        other = create(OTHER, NEW_BAR | {"ttlSeconds": 60})
        assert (other.status, other.problem) == (422, "idempotency-key-reused")


def test_one_address_cannot_take_all_connections_by_default() -> None:
    with Service({"SPRINGBAR_MAX_CONNECTIONS": "60"}) as service:
        greedy = [service.connect(GREEDY) for _ in range(80)]
        assert eventually(lambda: service.metric("springbar_connections_open") >= 30)
        others = [service.connect(OTHER) for _ in range(20)]
        assert all(connection.ask("GET", "/v1/springs/presets").status == 200 for connection in others)
        for connection in greedy + others:
            connection.close()
