"""Memory that clients make the service hold stays under one budget; requests beyond it get 503 or 4xx."""

from __future__ import annotations

import contextlib
import json
import resource

import pytest

from container import Container
from library import Library
from service import MEBIBYTE, Service, eventually, measured, settled
from shapes import ALLOWED_APPLY, APPLY, HUGE_APPLY, LARGE_APPLY, LARGEST_APPLY, NEW_BAR, scroll, tracks
from test_reservations import large_bar
from wire import Connection, request_bytes

#: The default of SPRINGBAR_MEMORY_BYTES outside a container.
BUDGET = 128 * MEBIBYTE
#: Memory that malloc keeps, that a request needs while it is processed, and that a few hundred connections need.
SLACK = 40 * MEBIBYTE


def stalled(service: Service, request: bytes, count: int) -> list[tuple[Connection, int, dict[str, str]]]:
    """Opens connections that send a request each and read only the head of the response; returns status and fields too.
    """
    connections = [service.connect(receive_buffer=4096) for _ in range(count)]
    for connection in connections:
        connection.send(request)
    return [(connection, *connection.read_head()) for connection in connections]


def assert_overloaded(status: int, fields: dict[str, str]) -> None:
    """Checks that a refusal because of memory has Retry-After."""
    assert status == 503
    assert int(fields["retry-after"]) >= 1


@pytest.mark.parametrize("body", [HUGE_APPLY, LARGE_APPLY], ids=["emoji", "quotes"])
def test_an_answer_beyond_8_mib_is_refused(service: Service, body: str) -> None:
    before = service.resident()
    with measured(service, "one apply with a large answer") as samples:
        answer = service.ask("POST", APPLY, body)
    assert (answer.status, answer.problem) == (422, "answer-too-large")
    assert samples.resident - before < SLACK


def test_twelve_answers_beyond_8_mib_at_once_are_refused(service: Service) -> None:
    before = service.resident()
    with measured(service, "12 applies with an answer of 34 MB") as samples:
        connections = [service.connect() for _ in range(12)]
        for connection in connections:
            connection.send(request_bytes("POST", APPLY, HUGE_APPLY.encode()))
        answers = [connection.read_answer() for connection in connections]
        assert service.is_healthy()
        for connection in connections:
            connection.close()
    # Above the budget one is refused for that, before its size is known.
    assert {(answer.status, answer.problem) for answer in answers} <= {(422, "answer-too-large"), (503, "overloaded")}
    assert (422, "answer-too-large") in {(answer.status, answer.problem) for answer in answers}
    # Each is made up to the limit.
    assert samples.resident - before < BUDGET / 2 + SLACK


def test_twelve_large_answers_that_are_not_read(service: Service) -> None:
    """Each is as large as is allowed. One address gets half of the budget for them."""
    before = service.resident()
    with measured(service, "12 answers of 8.3 MB that are not read") as samples:
        answers = stalled(service, request_bytes("POST", APPLY, LARGEST_APPLY.encode()), 12)
        assert service.is_healthy()
        for connection, _, _ in answers:
            connection.close()
    sizes = [int(fields["content-length"]) for _, status, fields in answers if status == 200]
    assert min(sizes) > 0.99 * 8 * MEBIBYTE
    assert sum(sizes) > BUDGET / 2 - 2 * 8 * MEBIBYTE
    for _, status, fields in answers:
        if status != 200:
            assert_overloaded(status, fields)
    assert samples.resident - before < BUDGET / 2 + SLACK


def test_forty_allowed_answers_that_are_not_read_stay_under_the_budget(service: Service) -> None:
    before = service.resident()
    request = request_bytes("POST", APPLY, ALLOWED_APPLY.encode())
    with measured(service, "40 allowed answers of 6.7 MB that are not read") as samples:
        answers = stalled(service, request, 40)
        assert service.is_healthy()
        assert any(status == 200 for _, status, _ in answers)
        for _, status, fields in answers:
            if status != 200:
                assert_overloaded(status, fields)
        for connection, _, _ in answers:
            connection.close()
    assert samples.resident - before < BUDGET + SLACK
    # Their memory is free again.
    assert eventually(lambda: service.ask("POST", APPLY, ALLOWED_APPLY).status == 200)


def test_forty_stalled_readers_of_8_mb_pictures() -> None:
    cache = 64 * MEBIBYTE
    with Library(picture_bytes=8_000_000) as library, Service(library.environment) as service:
        for page in (1, 2):
            assert service.get(f"/v1/photos?page={page}&perPage=30").status == 200
        before = service.resident()
        with measured(service, "40 stalled readers of pictures of 8 MB") as samples:
            readers, unread = [service.connect(receive_buffer=4096) for _ in range(40)], 0
            for number, reader in enumerate(readers):
                reader.send(request_bytes("GET", f"/v1/photos/{library.ids[number]}/image/full"))
                status, fields = reader.read_head()
                unread += status == 200
                if status != 200:
                    assert_overloaded(status, fields)
            print(f"measured: {unread} of 40 pictures are held")
            # Half of the budget is that of one client.
            assert 4 <= unread <= BUDGET / 2 / 8_000_000
            assert service.is_healthy()
            for reader in readers:
                reader.close()
        assert samples.resident - before < BUDGET / 2 + cache + SLACK
        assert eventually(lambda: service.get(f"/v1/photos/{library.ids[45]}/image/full").status == 200)


def test_heights_are_rounded_so_that_a_picture_is_fetched_in_few_sizes(library: Library) -> None:
    with Service(library.environment) as service, service.connect() as connection:
        assert connection.ask("GET", "/v1/photos?page=1&perPage=30").status == 200
        for height in range(201, 501):
            assert connection.ask("GET", f"/v1/photos/{library.ids[0]}/image?w=400&h={height}").status == 200
    print(f"measured: 300 heights: {library.pictures_asked()} pictures fetched")
    assert 1 <= library.pictures_asked() <= 12


def test_one_client_cannot_use_up_the_memory_of_others(service: Service) -> None:
    """40 unread answers of one address, 268 MB in all, leave half of the budget to another address."""
    bar = service.ask("POST", "/v1/bars", NEW_BAR, source="127.0.0.2").json()["id"]
    answers = stalled(service, request_bytes("POST", APPLY, ALLOWED_APPLY.encode()), 40)
    assert {status for _, status, _ in answers} == {200, 503}
    statuses = []
    for sequence in range(1, 21):
        body = {"sequence": sequence} | scroll(-200 + sequence)
        statuses.append(service.ask("POST", f"/v1/bars/{bar}/events", body, source="127.0.0.2").status)
    # An answer of 6.7 MB fits into what is left.
    statuses.append(service.ask("POST", APPLY, ALLOWED_APPLY, source="127.0.0.2").status)
    assert statuses == [200] * 21
    for connection, _, _ in answers:
        connection.close()


def test_the_kernel_holds_little_of_unread_answers() -> None:
    """Bytes that the service has written but no client reads are in no budget: the send buffer bounds them."""
    request = request_bytes("POST", APPLY, ALLOWED_APPLY.encode())
    with Service({"SPRINGBAR_REQUEST_TIMEOUT": "2"}) as service:
        before = socket_memory()
        connections = [connection for connection, _, _ in stalled(service, request, 20)]
        grown = socket_memory() - before
        print(f"measured: the kernel holds {grown / MEBIBYTE:.1f} MiB of 20 unread answers of 6.7 MB")
        assert grown < 20 * MEBIBYTE
        # The connections have ended for the service after 2 s, and for the kernel some time later.
        assert eventually(lambda: socket_memory() - before < 2 * MEBIBYTE, seconds=15)
        for connection in connections:
            connection.close()


def test_the_kernels_buffers_fit_into_the_limit_of_a_container(container: Container) -> None:
    """A control group counts the buffers of sockets: 1,000 connections of four addresses once held 250 MiB."""
    request = request_bytes("GET", "/openapi.json", None)
    with Service(container.environment, prefix=container.prefix) as service:
        before, connections = socket_memory(), []
        for number in range(1000):
            with contextlib.suppress(OSError):
                connection = service.connect(f"127.0.4.{number % 4 + 1}", receive_buffer=4096)
                connections.append(connection)
                connection.send(request * 3)
        settled(service)
        grown = socket_memory() - before
        print(f"measured: the kernel holds {grown / MEBIBYTE:.1f} MiB for {len(connections)} clients that do not read")
        # They have the reserve, too, for a moment.
        assert eventually(lambda: service.is_healthy(source="127.0.4.9"))
        assert grown < container.limit // 16 * 3
        for connection in connections:
            connection.close()


def test_an_idle_stream_keeps_nothing_of_its_bar() -> None:
    """A stream that has read everything kept the visible part of the state: 65 kB for long names of tracks."""

    def growth(service: Service, bar: str) -> int:
        before, streams = service.resident(), []
        for _ in range(200):
            stream = service.connect()
            streams.append(stream)
            stream.send(request_bytes("GET", f"/v1/bars/{bar}/stream", None))
            assert stream.read_head()[0] == 200
            while len(stream.read_chunk()) == 1018:
                pass
        assert settled(service)
        grown = service.resident() - before
        for stream in streams:
            stream.close()
        return grown

    with Service({"SPRINGBAR_MAX_STREAMS_PER_CLIENT": "0"}) as service:
        small = service.ask("POST", "/v1/bars", NEW_BAR).json()["id"]
        large = large_bar(service)
        # The first streams of each kind allocate what all others use again.
        growth(service, large)
        plain, long = growth(service, small), growth(service, large)
        print(f"measured: 200 idle streams: {plain >> 10} kB, of a bar with long tracks {long >> 10} kB")
        assert long - plain < 200 * 20_000


def test_memory_goes_back_to_the_system_after_the_end_of_many_bars() -> None:
    with Service({"SPRINGBAR_MAX_SESSIONS_PER_CLIENT": "0"}) as service, service.connect() as connection:
        before = service.resident()
        large = NEW_BAR | {"tracks": tracks(20, "t" * 100)}
        bars = [connection.ask("POST", "/v1/bars", large).json()["id"] for _ in range(10_000)]
        grown = service.resident() - before
        for bar in bars:
            assert connection.ask("DELETE", f"/v1/bars/{bar}").status == 204
        assert eventually(lambda: service.resident() - before < grown // 2, seconds=30)
        print(f"measured: 10,000 bars take {grown >> 10} kB, after their end {service.resident() - before >> 10} kB")


def socket_memory() -> int:
    """Returns the bytes that the kernel holds for all TCP connections (/proc/net/sockstat)."""
    with open("/proc/net/sockstat") as lines:
        pages = next(line.split()[-1] for line in lines if line.startswith("TCP:"))
    return int(pages) * resource.getpagesize()


def test_four_hundred_unfinished_bodies_stay_under_the_budget() -> None:
    budget = 32 * MEBIBYTE
    with Service({"SPRINGBAR_MEMORY_BYTES": str(budget)}) as service:
        before = service.resident()
        head = request_bytes("POST", APPLY, fields={"Content-Type": "application/json", "Content-Length": "262144"})
        refused = 0
        with measured(service, "400 unfinished bodies of 256 kB, budget 32 MiB") as samples:
            connections = [service.connect(timeout=5) for _ in range(400)]
            for connection in connections:
                try:
                    connection.send(head + b" " * 262_000)
                except (ConnectionError, TimeoutError):
                    pass  # The service has refused the request or stopped reading it.
            assert service.is_healthy()
            assert settled(service)
            for connection in connections:
                connection.socket.settimeout(0)
                try:
                    assert_overloaded(*connection.read_head())
                    refused += 1
                except (ConnectionError, BlockingIOError):
                    pass
                connection.close()
        assert samples.resident - before < budget * 1.3 + SLACK / 2
        assert refused > 0
        assert eventually(lambda: service.ask("POST", APPLY, NEW_BAR | {"events": [scroll(-200)]}).status == 200)
        assert service.metric("springbar_memory_refused_total") >= refused
        assert eventually(lambda: service.metric("springbar_memory_bytes") == 0)


def test_memory_goes_back_to_the_system_after_a_peak() -> None:
    with Service({"SPRINGBAR_MAX_CONNECTIONS_PER_CLIENT": "0"}) as service:
        before = service.resident()
        head = request_bytes("POST", APPLY, fields={"Content-Type": "application/json", "Content-Length": "262144"})
        with measured(service, "400 unfinished bodies of 130 kB"):
            # From twenty addresses, because one address has only a share of the budget; in turn, so that they interleave.
            connections = [service.connect(f"127.0.7.{number % 20 + 1}") for number in range(400)]
            for part in [head] + [b" " * 32_000] * 4:
                for connection in connections:
                    connection.send(part)
            assert eventually(lambda: service.resident() - before > 32 * MEBIBYTE)
            for connection in connections:
                connection.close()
        # At most every ten seconds.
        assert eventually(lambda: service.resident() - before < 10 * MEBIBYTE, 25), service.resident() - before


def test_session_bytes_count_the_memory_of_bars() -> None:
    limit = 16 * MEBIBYTE
    with Service({"SPRINGBAR_SESSION_BYTES": str(limit), "SPRINGBAR_LOG_LEVEL": "warning"}) as service:
        before = service.resident()
        with measured(service, "600 bars with changing tracks, 16 MiB for sessions") as samples:
            # From ten addresses, because one address has only a share of these bytes.
            for number in range(1, 11):
                with service.connect(f"127.0.4.{number}") as connection:
                    for _ in range(60):
                        change_tracks_between_events(connection)
        grown = samples.resident - before
        counted = service.metric("springbar_bar_bytes")
        print(f"measured: sessions count {counted / MEBIBYTE:.1f} MiB, RSS grew by {grown / MEBIBYTE:.1f} MiB")
        assert counted <= limit
        assert counted > limit / 4
        # 8 MiB are for the requests themselves and for trimmed memory that malloc keeps.
        assert grown < 1.3 * counted + 8 * MEBIBYTE


def change_tracks_between_events(connection: Connection) -> None:
    """Creates a bar with 128 tracks, one of which changes every 64 events. Each part of its log then has its own
    tracks.
    """
    created = connection.ask("POST", "/v1/bars", NEW_BAR | {"tracks": tracks(128, "-" * 16)})
    assert created.status in (201, 429, 503)
    if created.status != 201:
        return
    bar = created.fields["location"]
    events = json.dumps({"events": [scroll(-200 + step % 100) for step in range(64)]}).encode()
    for value in range(8):
        track = {"compactNormalRange": {"value": 0}, "normalExpandedRange": {"value": value}}
        change = json.dumps({"000" + "-" * 13: track}).encode()
        connection.send(
            request_bytes("PUT", bar + "/tracks", change, {"If-Match": "*"})
            + request_bytes("POST", bar + "/events?results=none", events)
        )
        for _ in range(2):
            assert connection.read_answer().status in (200, 429, 503)


def test_forty_thousand_downloads_without_budget_take_little_memory(library: Library) -> None:
    settings = library.environment | {"SPRINGBAR_RATE_LIMIT_PER_HOUR": "2", "SPRINGBAR_LOG_LEVEL": "warning"}
    with Service(settings) as service, service.connect() as connection:
        assert connection.ask("GET", "/v1/photos?page=1&perPage=30").status == 200
        before = service.resident()
        statuses: dict[int, int] = {}
        with measured(service, "40,000 downloads without budget") as samples:
            for first in range(0, 40_000, 100):
                numbers = range(first, first + 100)
                connection.send(
                    b"".join(request_bytes("POST", f"/v1/photos/{library.ids[n % 30]}/download", b"") for n in numbers)
                )
                for _ in numbers:
                    status = connection.read_answer().status
                    statuses[status] = statuses.get(status, 0) + 1
        print(f"measured: answers {statuses}")
        # As many as may wait, and those that are being sent.
        assert set(statuses) == {202, 503} and 1024 <= statuses[202] < 1100
        # Forty thousand that wait have 16 MB or more.
        assert samples.resident - before < 8 * MEBIBYTE


def test_waiting_downloads_do_not_delay_prefetching(library: Library) -> None:
    library.break_with(kind="hangBefore", on="api", containing="/download")
    with Service(library.environment) as service, service.connect() as connection:
        assert connection.ask("GET", "/v1/photos?page=1&perPage=30").status == 200
        for number in range(3000):
            answer = connection.ask("POST", f"/v1/photos/{library.ids[number % 30]}/download", b"")
            assert answer.status in (202, 429, 503)
        assert library.pictures_asked() == 0
        answer = connection.ask("POST", "/v1/photos/prefetch", {"ids": [library.ids[7]], "variant": "thumb"})
        assert answer.status == 202
        assert eventually(lambda: library.pictures_asked() == 1)
