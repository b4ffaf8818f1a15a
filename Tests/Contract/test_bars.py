"""The schemas of bars are complete: the examples show all members, and every answer fits."""

import json
import secrets
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from contract import Document, send
from shapes import NEW_BAR, SCROLLABLE

DOCUMENT = Document()
EXAMPLES = [
    promise for promise in DOCUMENT.promises()
    if promise.path.startswith("/v1/bars") and promise.media_type == "application/json"
]

BLUEPRINT = NEW_BAR | {"tracks": {"alpha": {"keyframes": [{"progress": 0, "value": 0}, {"progress": 2, "value": 1}]}}}
# Every type of event, and bars that have every member in their responses.
EVENTS: list[dict[str, Any]] = [
    {"type": "contentOffset", "contentOffset": {"x": 0, "y": -200}},
    {"type": "panGesture", "state": "began"},
    {"type": "contentOffset", "contentOffset": {"x": 0, "y": -350}, "timestamp": 0.5},
    {"type": "contentOffset", "contentOffset": {"x": 0, "y": -230}},
    {"type": "panGesture", "state": "changed"},
    {"type": "panGesture", "state": "ended", "velocity": {"x": 0, "y": 400}},
    {"type": "contentOffset", "contentOffset": {"x": 0, "y": -120}, "source": "animation"},
    {"type": "contentOffset", "contentOffset": {"x": 0, "y": -60}},
    {"type": "panGesture", "state": "cancelled"},
    {"type": "frame", "frame": SCROLLABLE["frame"]},
    {"type": "contentInset", "contentInset": {"top": 200, "left": 0, "bottom": 49, "right": 0}},
    {"type": "contentSize", "contentSize": {"width": 375, "height": 400}},
    {"type": "expand", "on": True},
    {"type": "expand", "on": False},
    {"type": "set", "scrollable": {"id": "next", **SCROLLABLE}},
    {"type": "preconfigure", "scrollable": {"id": "other", **SCROLLABLE}},
]
OPTIONS: list[dict[str, Any]] = [
    {},
    {"reopen": "top", "tolerance": 8},
    {"snap": "projected", "snapOnCancel": True, "snapSequential": True, "clampTargets": True},
    {"resistance": {"dimension": 200}, "decelerationRate": "fast", "fixes": [
        "primeOnAttach", "overscroll", "clearExpandedOnCollapse", "contentSizeRatchet", "baseInset"]},
]


@pytest.mark.parametrize("name", ["Bar", "BarResult"])
def test_the_examples_show_every_member(name: str) -> None:
    values = [promise.example["value"] for promise in EXAMPLES if "state" in promise.example["value"]]
    if name == "BarResult":
        values = [result for value in values for result in value.get("results", [])]
    shown = {member for value in values for member in value}
    assert shown == set(DOCUMENT.raw["components"]["schemas"][name]["properties"])


def test_the_examples_show_a_brief_bar() -> None:
    members = DOCUMENT.raw["components"]["schemas"]["Bar"]["required"]
    assert any(list(promise.example["value"]) == members for promise in EXAMPLES)


@pytest.mark.parametrize("query", ["", "?results=all", "?results=none", "?explain=true"])
@pytest.mark.parametrize("options", OPTIONS, ids=["airbar", "moves", "snaps", "fixes"])
def test_the_answers_about_every_event_fit_their_schemas(port: int, options: dict[str, Any], query: str) -> None:
    """`Statuses` compares each answer with its schema."""
    blueprint = BLUEPRINT | {"options": options}
    bar = send(port, {"target": "/v1/bars", "body": blueprint}, "post", {}).json()["id"]
    for sequence, event in enumerate(EVENTS, start=1):
        event = {"sequence": sequence, **event}
        Draft202012Validator(DOCUMENT.schema(DOCUMENT.raw["components"]["schemas"]["BarEvent"])).validate(event)
        for _ in ("now", "once more"):
            answer = send(port, {"target": f"/v1/bars/{bar}/events{query}", "body": event}, "post", {})
            assert answer.status == 200, answer.content
    assert send(port, {"target": f"/v1/bars/{bar}/events"}, "get", {}).status == 200
    for at in range(len(EVENTS) + 1):
        assert send(port, {"target": f"/v1/bars/{bar}/states?at={at}"}, "get", {}).status == 200
    apply = {"target": "/v1/bars/apply?explain=true", "body": blueprint | {"events": EVENTS}}
    assert send(port, apply, "post", {}).status == 200


def test_a_key_belongs_to_the_bytes_of_the_content(port: int) -> None:
    content = json.dumps(BLUEPRINT)
    request = {
        "method": "POST", "target": "/v1/bars", "content": content,
        "headers": {"Content-Type": "application/json", "Idempotency-Key": secrets.token_hex(16)},
    }
    first, retry = (send(port, request, "post", {}) for _ in range(2))
    assert (first.status, retry.json()["id"]) == (201, first.json()["id"])
    other = send(port, request | {"content": content.replace(", ", ",")}, "post", {})
    assert (other.status, other.problem) == (422, "idempotency-key-reused")
