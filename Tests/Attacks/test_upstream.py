"""Only upstream failures open the breaker, malformed names cost no upstream call, and drawing delays no other request.
"""

from __future__ import annotations

import collections
import contextlib
import select
import time
from pathlib import Path

import pytest

from library import Library
from service import Service, eventually
from shapes import ODD_PATHS, long_search
from wire import Connection, request_bytes


def upstream_state(service: Service) -> str:
    state: str = service.get("/v1/status").json()["photos"]["upstream"]
    return state


def test_long_searches_do_not_open_the_breaker(library: Library) -> None:
    with Service(library.environment) as service:
        assert service.get("/v1/photos?page=1&perPage=30").status == 200
        statuses = [service.get(long_search(number)).status for number in range(8)]
        assert all(400 <= status < 500 for status in statuses), statuses
        assert upstream_state(service) == "ok"
        assert service.get("/v1/search/photos?query=fresh").status == 200


def test_odd_download_locations_do_not_open_the_breaker(library: Library) -> None:
    odd = ["ftp://example.com/photos/x", "http://169.254.169.254/latest", "nothing", "//photos", "https://[::1", "/.."]
    library.break_with(kind="downloadLocations", on="api", locations=odd)
    with Service(library.environment) as service:
        assert service.get("/v1/photos?page=1&perPage=30").status == 200
        for number in range(12):
            assert service.ask("POST", f"/v1/photos/{library.ids[number]}/download", b"").status in (202, 404, 422)
        # Reports are sent after the responses. A breaker stays open for at least two seconds.
        assert not eventually(lambda: upstream_state(service) != "ok", seconds=1.5)
        assert service.get("/v1/search/photos?query=fresh").status == 200


def test_odd_download_locations_are_not_requested(library: Library) -> None:
    odd = ["/photos/%2e%2e/download", "/photos/%2e%2e/%2e%2e/me", '/photos/"><b>/download', '/photos/x/download?"><b>']
    library.break_with(kind="downloadLocations", on="api", locations=[library.base + path for path in odd])
    with Service(library.environment) as service:
        assert service.get("/v1/photos?page=1&perPage=30").status == 200
        for number in range(4):
            assert service.ask("POST", f"/v1/photos/{library.ids[number]}/download", b"").status == 202
        # The report is sent to the photo's own path instead.
        reports = [f"/photos/{library.ids[number]}/download" for number in range(4)]
        assert eventually(lambda: set(reports) <= set(library.asked))
        assert not any("%2e" in target or "<" in target or "me" in target.split("/") for target in library.asked)


@pytest.mark.parametrize(
    "status, head, tail", [(200, "[", "]"), (422, '{"errors":[', "]}"), (200, '{"total":1,"results":[', "]}")]
)
def test_a_long_list_of_the_library_takes_little_processor_time(
    library: Library, tmp_path: Path, status: int, head: str, tail: str
) -> None:
    """A list of numbers where photos, messages or results belong. SIGTERM ends the service while one of them is read."""
    targets = ["/v1/topics/{}/photos", "/v1/search/photos?query={}", "/v1/photos/photo{}", "/unsplash/topics/{}/photos"]
    log = tmp_path / "log"

    def answer_with(count: int) -> None:
        library.repair()
        library.break_with(kind="answer", on="api", status=status, content=head + ",".join(["0"] * count) + tail)

    def cost(service: Service, count: int) -> float:
        answer_with(count)
        before, calls = service.cpu_seconds(), len(library.asked)
        answers = [service.get(target.format(count)) for target in targets]
        assert all(answer.status in (200, 400, 422, 502) for answer in answers), answers
        assert len(library.asked) == calls + len(targets)
        return service.cpu_seconds() - before

    with log.open("w") as output, Service(library.environment, output=output) as service:
        short, long = cost(service, 50_000), cost(service, 100_000)
        print(f"measured: {status} with 50,000 numbers {short:.2f} s of CPU, with 100,000 {long:.2f} s")
        assert long < 1 and long < 3.5 * short + 0.2
        answer_with(2_000_000)
        with contextlib.ExitStack() as stack:
            for number in range(4):
                asker = stack.enter_context(Connection(service.port))
                asker.send(request_bytes("GET", f"/v1/search/photos?query=last{number}"))
            assert eventually(lambda: any("last3" in target for target in library.asked))
            assert service.terminate(30) == 0
    assert len(log.read_text().splitlines()) < 50


def test_a_refused_key_of_the_service_is_not_the_clients(library: Library) -> None:
    library.break_with(kind="unauthorized", on="api")
    with Service(library.environment) as service:
        for target in ["/unsplash/photos", f"/unsplash/photos/{library.ids[1]}", "/unsplash/search/photos?query=x"]:
            answer = service.get(target)
            assert answer.status == 502
            assert list(answer.json()) == ["errors"] and b"OAuth" not in answer.content


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


@pytest.mark.parametrize("target", ODD_PATHS)
def test_a_malformed_name_costs_no_upstream_call(library: Library, target: str) -> None:
    with Service(library.environment) as service:
        answer = service.get(target)
        assert answer.status in (400, 404)
        assert library.asked == []


@pytest.mark.parametrize("id", ["..", ".", "a/b", "x#y", "a b", "", "x" * 257])
def test_a_malformed_id_in_a_body_costs_no_upstream_call(library: Library, id: str) -> None:
    with Service(library.environment) as service:
        answer = service.ask("POST", "/v1/photos/prefetch", {"ids": [id], "variant": "thumb"})
        assert answer.status == 422
        assert library.asked == []


@pytest.mark.parametrize(
    ("status", "target"),
    [
        (400, '/unsplash/topics/x">;rel="evil/photos'),
        (404, "/unsplash/topics/x%22%3E%3Brel=%22evil/photos"),
        (400, '/unsplash/photos?order_by="><https://evil.example/>;rel="evil'),
        (200, "/unsplash/photos?order_by=%22%3E;rel=%22evil"),
        (200, "/unsplash/photos?order_by=a%22%3E%2C%3Cb%3E%3Brel%3D%22evil"),
    ],
)
def test_a_request_cannot_add_a_relation_to_link(library: Library, status: int, target: str) -> None:
    with Service(library.environment) as service:
        answer = service.get(target)
        assert answer.status == status
        # Outside <…> there are only relations, and only those of the service.
        link = answer.fields.get("link", "")
        relations = [part.rpartition(">")[2].strip("; ") for part in link.split(", ") if part]
        assert relations == (['rel="last"', 'rel="next"'] if status == 200 else []), link
        assert '"' not in link.replace('rel="', "").replace('",', "").removesuffix('"'), link


@pytest.mark.parametrize("name", ["client_id", "%63lient_id", "client%5Fid"])
def test_a_clients_key_is_not_forwarded(library: Library, name: str) -> None:
    with Service(library.environment) as service:
        service.get(f"/unsplash/photos/{library.ids[1]}/download?ixid=M3w&{name}=secret")
        assert library.asked == [f"/photos/{library.ids[1]}/download?ixid=M3w"]


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
    for painter in painters:
        painter.close()
    assert answer.status == 200
    assert drawing > 0
