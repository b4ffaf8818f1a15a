"""Memory that clients make the service hold stays under one budget; requests beyond it get 503 or 4xx."""

import contextlib
import resource

import pytest

from container import Container
from library import Library
from service import MEBIBYTE, Service, eventually, measured, settled
from shapes import ALLOWED_APPLY, APPLY, HUGE_APPLY, LARGEST_APPLY, NEW_BAR, scroll, tracks
from test_reservations import large_bar
from wire import Connection, request_bytes

OTHER = "127.0.0.2"
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


def test_twelve_answers_beyond_8_mib_at_once_are_refused(service: Service) -> None:
    before = service.resident()
    with measured(service, "12 applies with an answer of 34 MB") as samples:
        connections = [service.connect() for _ in range(12)]
        for connection in connections:
            connection.send(request_bytes("POST", APPLY, HUGE_APPLY.encode()))
        answers = [connection.read_answer() for connection in connections]
        assert service.is_healthy()
    # Above the budget one is refused for that, before its size is known.
    assert {(answer.status, answer.problem) for answer in answers} <= {(422, "answer-too-large"), (503, "overloaded")}
    assert (422, "answer-too-large") in {(answer.status, answer.problem) for answer in answers}
    # Each is made up to the limit.
    assert samples.resident - before < BUDGET / 2 + SLACK


def test_forty_answers_that_are_not_read_leave_half_of_the_budget_to_others(service: Service) -> None:
    """Each is as large as is allowed. One address gets half of the budget for them."""
    bar = service.ask("POST", "/v1/bars", NEW_BAR, source=OTHER).json()["id"]
    before = service.resident()
    with measured(service, "40 answers of 8.3 MB that are not read") as samples:
        answers = stalled(service, request_bytes("POST", APPLY, LARGEST_APPLY.encode()), 40)
        assert service.is_healthy()
        for sequence in range(1, 21):
            event = {"sequence": sequence} | scroll(-200 + sequence)
            assert service.ask("POST", f"/v1/bars/{bar}/events", event, source=OTHER).status == 200
        # An answer of 6.7 MB fits into what is left.
        assert service.ask("POST", APPLY, ALLOWED_APPLY, source=OTHER).status == 200
        for connection, _, _ in answers:
            connection.close()
    sizes = [int(fields["content-length"]) for _, status, fields in answers if status == 200]
    assert min(sizes) > 0.99 * 8 * MEBIBYTE
    assert BUDGET / 2 - 2 * 8 * MEBIBYTE < sum(sizes) <= BUDGET / 2
    refused = [(status, fields) for _, status, fields in answers if status != 200]
    for status, fields in refused:
        assert_overloaded(status, fields)
    assert service.metric("springbar_memory_refused_total") >= len(refused)
    assert samples.resident - before < BUDGET / 2 + SLACK
    # Their memory is free again.
    assert eventually(lambda: service.ask("POST", APPLY, LARGEST_APPLY).status == 200)


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


def test_the_kernel_holds_little_of_unread_answers() -> None:
    """Bytes that the service has written but no client reads are in no budget: the send buffer bounds them."""
    request = request_bytes("POST", APPLY, ALLOWED_APPLY.encode())
    with Service({"SPRINGBAR_REQUEST_TIMEOUT": "2"}) as service:
        before = socket_memory()
        _open = [connection for connection, _, _ in stalled(service, request, 20)]
        grown = socket_memory() - before
        print(f"measured: the kernel holds {grown / MEBIBYTE:.1f} MiB of 20 unread answers of 6.7 MB")
        assert grown < 20 * MEBIBYTE
        # The connections have ended for the service after 2 s, and for the kernel some time later.
        assert eventually(lambda: socket_memory() - before < 2 * MEBIBYTE, seconds=15)


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


def test_memory_goes_back_to_the_system_after_a_peak() -> None:
    with Service({"SPRINGBAR_MAX_CONNECTIONS_PER_CLIENT": "0"}) as service:
        before = service.resident()
        head = request_bytes("POST", APPLY, fields={"Content-Type": "application/json", "Content-Length": "262144"})
        with measured(service, "400 unfinished bodies of 130 kB") as samples:
            # From twenty addresses, because one address has only a share of the budget; in turn, so that they interleave.
            connections = [service.connect(f"127.0.7.{number % 20 + 1}") for number in range(400)]
            for part in [head] + [b" " * 32_000] * 4:
                for connection in connections:
                    connection.send(part)
            assert eventually(lambda: service.resident() - before > 32 * MEBIBYTE)
            for connection in connections:
                connection.close()
        # They take what has arrived of them.
        assert samples.resident - before < 1.3 * 400 * 128_000 + SLACK / 2
        # At most every ten seconds.
        assert eventually(lambda: service.resident() - before < 10 * MEBIBYTE, 25), service.resident() - before


def test_a_cache_of_16_mb_keeps_a_home_screen_while_200_mb_of_pictures_pass() -> None:
    """The statements of docs/image-cache.md about memory."""
    cache, size, hot, photos = 16 * MEBIBYTE, 100_000, 40, 2000
    settings = {"SPRINGBAR_IMAGE_CACHE_BYTES": str(cache)}
    with Library(picture_bytes=size, photos=photos) as library, Service(library.environment | settings) as service:
        for page in range(1, photos // 100 + 1):
            assert service.get(f"/v1/photos?page={page}&perPage=100").status == 200
        with service.connect() as connection:

            def hits(number: int) -> bool:
                answer = connection.ask("GET", f"/v1/photos/{library.ids[number]}/image?w=400")
                assert (answer.status, len(answer.content)) == (200, size)
                return "hit" in answer.fields["cache-status"]

            for number in range(hot):
                hits(number)
            before = service.resident()
            with measured(service, "2,000 pictures of 100 kB") as samples:
                # Every fourth request is for a picture of the home screen.
                found = []
                for number in range(hot, photos):
                    assert not hits(number)
                    if number % 3 == 0:
                        found.append(hits(number // 3 % hot))
        kept = service.read("/v1/status")["photos"]["imageCache"]
        assert kept["bytes"] <= cache
        assert kept["entries"] > 150, "pictures of 100 kB, with 1 kB of overhead each, fill it"
        # The bound also allows for transfers in flight and for memory that malloc keeps.
        assert samples.resident - before < cache + 8 * MEBIBYTE
        assert sum(found) > 0.95 * len(found)


def test_five_thousand_streams_get_every_event_and_the_end_in_bounded_memory() -> None:
    count = 5000
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < count + 200:
        pytest.skip("this user may not open so many descriptors")
    shares = dict.fromkeys(("SPRINGBAR_MAX_CONNECTIONS_PER_CLIENT", "SPRINGBAR_MAX_STREAMS_PER_CLIENT"), "0")
    with Service(shares | {"SPRINGBAR_MAX_CONNECTIONS": str(count + 50)}) as service:
        bar = service.ask("POST", "/v1/bars", NEW_BAR).fields["location"]

        def stream() -> Connection:
            connection = service.connect()
            connection.send(request_bytes("GET", f"{bar}/stream"))
            assert connection.read_head()[0] == 200
            assert connection.read_chunk().startswith(b"event: state\nid: 0\n")
            return connection

        # The first streams allocate memory that all others share.
        streams = [stream() for _ in range(100)]
        before = service.resident()
        streams += [stream() for _ in range(100, count)]
        size = (service.resident() - before) / (count - 100)
        print(f"measured: {count} streams, {size:.0f} bytes of RSS each")
        assert size < 40_000
        assert [service.metric(f"springbar_bar_{name}") for name in ("observers", "sessions")] == [count, 1]
        # The first offset is only remembered, the second moves the bar. Streams send the change once.
        assert service.ask("POST", f"{bar}/events", {"events": [scroll(-200), scroll(-140)]}).status == 200
        for connection in streams:
            event = next_event(connection)
            assert event.startswith(b"event: state\nid: 2\ndata: {") and b'"height":140' in event
        assert service.terminate(20) == 0
        for connection in streams:
            assert next_event(connection) == b'event: end\ndata: {"reason":"shutdown"}\n\n'
            assert connection.read_chunk() == b"" and connection.socket.recv(1) == b""
            connection.close()


def next_event(connection: Connection) -> bytes:
    """Reads a chunk that is no heartbeat."""
    while (event := connection.read_chunk()).startswith(b":"):
        pass
    return event
