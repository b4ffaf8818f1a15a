"""Only upstream failures open the breaker, odd locations cost no upstream call, and drawing delays no other request."""

import collections
import contextlib
import select
import time
from pathlib import Path

import pytest

from library import Library
from service import Service, eventually
from wire import Connection, request_bytes


def upstream_state(service: Service) -> str:
    state: str = service.get("/v1/status").json()["photos"]["upstream"]
    return state


def test_odd_download_locations_are_not_requested(library: Library) -> None:
    odd = ["/photos/%2e%2e/download", "/photos/%2e%2e/%2e%2e/me", '/photos/"><b>/download', '/photos/x/download?"><b>']
    locations = [library.base + path for path in odd]
    locations += ["ftp://example.com/photos/x", "http://169.254.169.254/latest", "nothing", "//photos", "https://[::1", "/.."]
    library.break_with(kind="downloadLocations", on="api", locations=locations)
    with Service(library.environment) as service:
        assert service.get("/v1/photos?page=1&perPage=30").status == 200
        photos = library.ids[: len(locations)]
        for photo in photos:
            assert service.ask("POST", f"/v1/photos/{photo}/download", b"").status == 202
        # The report is sent to the photo's own path instead.
        assert eventually(lambda: {f"/photos/{photo}/download" for photo in photos} <= set(library.asked))
        assert not any("%2e" in target or "<" in target or "me" in target.split("/") for target in library.asked)
        assert upstream_state(service) == "ok"


@pytest.mark.parametrize(
    "status, head, tail", [(200, "[", "]"), (422, '{"errors":[', "]}"), (200, '{"total":1,"results":[', "]}")]
)
def test_a_long_list_of_the_library_takes_little_processor_time(
    library: Library, tmp_path: Path, status: int, head: str, tail: str
) -> None:
    """A list of numbers where photos, messages or results belong. SIGTERM ends the service while one of them is read."""
    targets = ["/v1/topics/{}/photos", "/v1/search/photos?query={}", "/v1/photos/photo{}"]
    # In another order, which is another list of the library.
    targets += ["/unsplash/topics/{}/photos?order_by=popular"]
    log = tmp_path / "log"

    def answer_with(count: int) -> None:
        library.repair()
        library.break_with(kind="answer", on="api", status=status, content=head + ",".join(["0"] * count) + tail)

    def cost(count: int) -> float:
        answer_with(count)
        # After a few more such answers the breaker would open.
        with Service(library.environment) as service:
            before, calls = service.cpu_seconds(), len(library.asked)
            answers = [service.get(target.format(count)) for target in targets]
            assert all(answer.status in (400, 422, 502) for answer in answers), answers
            assert len(library.asked) == calls + len(targets)
            return service.cpu_seconds() - before

    short, long = cost(50_000), cost(100_000)
    print(f"measured: {status} with 50,000 numbers {short:.2f} s of CPU, with 100,000 {long:.2f} s")
    assert long < 1 and long < 3.5 * short + 0.2
    with log.open("w") as output, Service(library.environment, output=output) as service:
        answer_with(2_000_000)
        with contextlib.ExitStack() as stack:
            for number in range(4):
                asker = stack.enter_context(Connection(service.port))
                asker.send(request_bytes("GET", f"/v1/search/photos?query=last{number}"))
            assert eventually(lambda: any("last3" in target for target in library.asked))
            assert service.terminate(30) == 0
    assert len(log.read_text().splitlines()) < 50


def test_slow_images_delay_no_call_of_the_api(library: Library) -> None:
    with Service(library.environment) as service:
        assert service.get("/v1/photos?page=1&perPage=100").status == 200
        library.break_with(kind="latency", on="images", milliseconds=60_000)
        with contextlib.ExitStack() as stack:
            for number in range(60):
                loader = stack.enter_context(Connection(service.port))
                loader.send(request_bytes("GET", f"/v1/photos/{library.ids[number]}/image/thumb"))
            assert eventually(lambda: library.pictures_asked() >= 16, seconds=20)
            answers = [service.get(f"/v1/search/photos?query=fresh{number}").status for number in range(8)]
            assert answers == [200] * 8
            # The images are still not there.
            assert library.pictures_asked() < 60
            assert upstream_state(service) == "ok"


def test_calls_that_wait_for_their_turn_do_not_open_the_breaker(library: Library) -> None:
    """The library answers each call in a second; 300 of them do not fit into the 5 seconds that a call may take."""
    library.break_with(kind="latency", on="api", milliseconds=1000)
    with Service(library.environment | {"SPRINGBAR_REQUEST_TIMEOUT": "6"}) as service:
        with contextlib.ExitStack() as stack:
            askers = [stack.enter_context(Connection(service.port)) for _ in range(300)]
            for number, asker in enumerate(askers):
                asker.send(request_bytes("GET", f"/v1/photos/unknown{number:06}"))
            statuses = collections.Counter(asker.read_answer().status for asker in askers)
        print(f"measured: 300 calls of a library that answers each in a second: {dict(sorted(statuses.items()))}")
        assert set(statuses) <= {404, 503} and statuses[404] >= 16 and statuses[503] >= 100
        assert upstream_state(service) == "ok"
        assert service.get("/v1/search/photos?query=fresh").status == 200


def test_drawing_large_pictures_delays_no_search(service: Service) -> None:
    """The search is answered before the drawings that were asked for earlier."""
    photos = service.get("/v1/photos?limit=24").json()["items"]
    painters = [service.connect() for _ in photos]
    for painter, photo in zip(painters, photos, strict=True):
        painter.send(request_bytes("GET", f"/v1/photos/{photo['id']}/image/full"))
    # One more request has been answered after them, so all of them are being drawn or are queued.
    assert service.is_healthy()
    begin = time.monotonic()
    answer = service.get("/v1/search/photos?query=forest")
    took = time.monotonic() - begin
    drawing = sum(not select.select([painter.socket], [], [], 0)[0] for painter in painters)
    print(f"measured: an uncached search took {took * 1000:.0f} ms, and {drawing} of 24 pictures were not drawn after it")
    assert answer.status == 200
    assert drawing > 0
