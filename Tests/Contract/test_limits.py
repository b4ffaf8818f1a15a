"""A limit of the service, a store that is away and a queue that is full have the statuses of the contract."""

import json
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from threading import Event
from typing import Any

import pytest

from conftest import running
from contract import ROOT, Answer, Document, prepared, send

DOCUMENT = Document()
STEPS: dict[str, dict[str, Any]] = DOCUMENT.resolved(DOCUMENT.raw["x-steps"])
CREATION, PHOTO = STEPS["createBar"], STEPS["firstPhoto"]
EVENT = {"events": [{"type": "contentOffset", "contentOffset": {"x": 0, "y": 1}}]}
TRACKS = {
    f"track{number}": {"keyframes": [{"progress": each, "value": each} for each in range(3)]} for number in range(100)
}
DELETE = {"method": "DELETE", "target": "/v1/bars/{id}"}
FORK = {"method": "POST", "target": "/v1/bars/{id}/fork"}
POST = {"method": "POST", "target": "/v1/bars/{id}/events", "body": EVENT}
PUT = {"method": "PUT", "target": "/v1/bars/{id}/tracks", "headers": {"If-Match": "*"}, "body": TRACKS}


def told(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.problem


def test_a_full_store_refuses_bars() -> None:
    with running(SPRINGBAR_MAX_SESSIONS="1") as port:
        kept = prepared(port, {"before": [CREATION]})
        assert told(send(port, CREATION, "post", {})) == (429, "session-limit")
        assert told(send(port, FORK, "post", kept)) == (429, "session-limit")


def test_a_client_without_memory_left_cannot_enlarge_its_bars() -> None:
    """An eighth of the smallest memory is 128 KiB."""
    with running(SPRINGBAR_SESSION_BYTES=str(1 << 20)) as port:
        bars = []
        for body in (CREATION["body"] | {"tracks": TRACKS}, CREATION["body"]):
            while (answer := send(port, CREATION | {"body": body}, "post", {})).status == 201:
                bars.append(answer.json()["id"])
            assert told(answer) == (429, "client-share")
        assert told(send(port, PUT, "put", {"id": bars[-1]})) == (429, "client-share")
        # The id of a view is a part of the bar.
        view = CREATION["body"]["scrollable"] | {"id": "v" * 128}
        event = POST | {"body": {"events": [{"type": "set", "scrollable": view}]}}
        assert (429, "client-share") in {told(send(port, event, "post", {"id": bar})) for bar in bars}


def test_a_client_has_its_share_of_streams() -> None:
    with running(SPRINGBAR_MAX_STREAMS_PER_CLIENT="1") as port:
        kept = prepared(port, {"before": [CREATION]})
        stream = HTTPConnection("127.0.0.1", port, timeout=60)
        stream.request("GET", f"/v1/bars/{kept['id']}/stream")
        assert stream.getresponse().status == 200
        assert told(send(port, {"target": "/v1/bars/{id}/stream"}, "get", kept)) == (429, "client-share")
        stream.close()


def test_the_last_calls_of_the_hour_are_not_for_prefetches() -> None:
    with running(SPRINGBAR_RATE_LIMIT_PER_HOUR="5") as port:
        kept = prepared(port, {"before": [PHOTO]})
        request = {"target": "/v1/photos/prefetch", "body": {"ids": [kept["photo"]]}}
        assert told(send(port, request, "post", {})) == (429, "budget-low")


@pytest.mark.parametrize("request_", [DELETE, POST, PUT], ids=["delete", "events", "tracks"])
def test_a_bar_whose_store_is_away_cannot_be_changed(port_without_store: int, request_: dict[str, Any]) -> None:
    assert told(send(port_without_store, request_, "get", {"id": "0" * 32})) == (503, "store-unavailable")


def test_a_service_without_its_store_is_not_ready(port_without_store: int) -> None:
    assert told(send(port_without_store, {"target": "/readyz"}, "get", {})) == (503, "store-unavailable")


SPRING = "dampingRatio={any}&response=1"
TWO_SPRINGS = "a.dampingRatio={any}&a.response=1&b.dampingRatio=1&b.response=1"
EASING = {"target": "/v1/springs/linear?dampingRatio=0.1&response=1&maxError=0.001&initialVelocity={any}"}
TOKENS = json.loads((ROOT / "Examples/motion.tokens.json").read_text())
COMPUTATIONS = [
    EASING,
    {"target": f"/v1/springs/export?format=waapi&{SPRING}"},
    {"target": f"/v1/springs/retarget?{SPRING}&start=0&target=300&time=0.1&newTarget=0"},
    {"target": f"/v1/springs/compare?{TWO_SPRINGS}"},
    {"target": f"/v1/springs/plot.svg?{SPRING}"},
    {"target": f"/v1/springs/plot.png?{SPRING}"},
    {"target": f"/v1/springs/presets?{SPRING}"},
    {"method": "POST", "target": "/v1/design-tokens?platform=compose", "body": TOKENS | {"$description": "{any}"}},
]


def test_a_full_queue_refuses_computations(port: int) -> None:
    """The half of the queue that is for one client has eight places."""
    is_over = Event()

    def compute() -> None:
        while not is_over.is_set():
            send(port, EASING, "get", {})

    with ThreadPoolExecutor(9) as senders:
        computing = [senders.submit(compute) for _ in range(9)]
        try:
            for request in COMPUTATIONS:
                answers = (told(send(port, request, "get", {})) for _ in range(50))
                assert (503, "busy") in answers, request["target"]
        finally:
            is_over.set()
    for future in computing:
        future.result()
