"""Bars, idempotency keys and cursors that a release has written are read by this version (docs/compatibility.md)."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from compatibility import RELEASED
from conftest import running
from contract import same, send, without
from keep_records import CREATION, DRAG, PAGE
from store import Store

#: The place of the bar's end in its record: after the revision and the version (8 bytes each) and the format.
END = slice(17, 23)
HOUR = 3600


@pytest.fixture(scope="module", params=sorted(RELEASED.glob("records-*.json")), ids=lambda path: path.stem)
def records(request: pytest.FixtureRequest) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(request.param.read_text())
    return kept


@pytest.fixture(scope="module")
def service(records: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a service on a Redis with the records of the release; the bar has an hour left."""
    end = int((time.time() + HOUR) * 1000).to_bytes(6, "big")
    with Store(tmp_path_factory.mktemp("redis")) as store:
        for key, value in records["redis"].items():
            if isinstance(value, list):
                record = bytearray.fromhex(value[0])
                record[END] = end
                for part in (bytes(record), *map(bytes.fromhex, value[1:])):
                    store.ask("RPUSH", key, part)
            else:
                store.ask("SET", key, bytes.fromhex(value))
            store.ask("EXPIRE", key, str(HOUR))
        with running(SPRINGBAR_REDIS_URL=store.url) as port:
            yield port


def test_a_bar_of_the_release_has_its_answers(service: int, records: dict[str, Any]) -> None:
    assert len(records["answers"]) == 3
    for target, expected in records["answers"].items():
        answer = send(service, {"target": target}, "get", {"id": records["id"]})
        assert answer.status == 200, answer.content
        assert same(without(answer.json(), ["/expiresAt"]), without(expected, ["/expiresAt"])), target


def test_its_creation_and_its_events_are_repeated_and_it_goes_on(service: int, records: dict[str, Any]) -> None:
    id = records["id"]
    again = send(service, CREATION, "post", {})
    assert (again.status, again.json()["id"]) == (201, id)
    repeated = send(service, DRAG, "post", {"id": id}).json()
    assert [result["replayed"] for result in repeated["results"]] == [True] * 5
    last = repeated["lastSequence"]
    event = {"sequence": last + 1, "type": "contentOffset", "contentOffset": {"x": 0, "y": -150}}
    answer = send(service, {"target": f"/v1/bars/{id}/events", "body": event}, "post", {})
    assert (answer.status, answer.json()["lastSequence"]) == (200, last + 1)


def test_a_cursor_of_the_release_continues_its_page(port: int, records: dict[str, Any]) -> None:
    answer = send(port, {"target": f"{PAGE}&cursor={records['cursor']}"}, "get", {})
    assert answer.status == 200, answer.content
    assert [photo["id"] for photo in answer.json()["items"]] == records["photos"]
