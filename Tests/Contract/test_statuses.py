"""Every operation answers with each status that openapi.yaml documents; those of its examples are in test_contract.py.

test_every_status.py compares what these tests have seen with the document.
"""

import re
from typing import Any

import pytest

from contract import Answer, Document, prepared, send

DOCUMENT = Document()
PROMISES = list(DOCUMENT.promises())
STEPS: dict[str, dict[str, Any]] = DOCUMENT.resolved(DOCUMENT.raw["x-steps"])
BAR = {"before": [STEPS["createBar"]]}
PHOTO = {"before": [STEPS["firstPhoto"]]}
# No example has content, or it is another operation's.
REQUESTS: dict[str, dict[str, Any]] = {
    "deleteBar": BAR | {"target": "/v1/bars/{id}"},
    "getImageVariant": PHOTO | {"target": "/v1/photos/{photo}/image/thumb"},
}


def operations(*statuses: str) -> list[Any]:
    """Returns the operations that document a status, each with the status and a request that succeeds."""
    return [
        pytest.param(status, method, success(path, method, operation), id=f"{operation['operationId']} {status}")
        for path, method, operation in DOCUMENT.operations()
        for status in statuses if status in operation["responses"]
    ]


def success(path: str, method: str, operation: dict[str, Any]) -> dict[str, Any]:
    """Returns a request whose answer is no failure, with the path of its operation as `path`."""
    examples = (each for each in PROMISES if (each.path, each.method) == (path, method) and each.status < 300)
    request = REQUESTS.get(operation["operationId"]) or next(examples).example["x-request"]
    return request | {"path": path}


def ask(port: int, method: str, request: dict[str, Any], **changes: Any) -> tuple[int, str]:
    """Sends a request with changes, after those before it; returns the status and the code of the problem."""
    request = request | changes
    if "content" in changes:
        request.pop("body", None)
    answer: Answer = send(port, request, method, prepared(port, request))
    return answer.status, answer.problem


@pytest.mark.parametrize(("status", "method", "request_"), operations("304"))
def test_an_unchanged_answer_is_not_sent_again(port: int, status: str, method: str, request_: dict[str, Any]) -> None:
    kept = prepared(port, request_)
    # A picture has its tag once it is complete.
    tag = next(tag for _ in range(100) if (tag := send(port, request_, method, kept).fields.get("etag")))
    headers = request_.get("headers", {}) | {"If-None-Match": tag}
    same = send(port, request_ | {"headers": headers}, method, kept)
    assert (same.status, same.content, same.fields["etag"]) == (304, b"", tag)


CONTENT = {
    "413": ("content-too-large", "application/json", " " * 262_145),
    "415": ("unsupported-media-type", "application/x-www-form-urlencoded", "a=1"),
}


@pytest.mark.parametrize(("status", "method", "request_"), operations(*CONTENT))
def test_long_content_and_forms_are_refused(port: int, status: str, method: str, request_: dict[str, Any]) -> None:
    problem, media_type, content = CONTENT[status]
    headers = request_.get("headers", {}) | {"Content-Type": media_type}
    assert ask(port, method, request_, headers=headers, content=content) == (int(status), problem)


PROBLEMS = {"bars": "bar-not-found", "design-tokens": "not-found", "{code}": "not-found"}


@pytest.mark.parametrize(("status", "method", "request_"), operations("404"))
def test_an_unknown_name_is_not_found(port: int, status: str, method: str, request_: dict[str, Any]) -> None:
    problem = PROBLEMS.get(request_["path"].split("/")[2], "photo-not-found")
    name = "0" * 32 if problem == "bar-not-found" else "none"
    target = re.sub(r"{\w+}", name, request_["path"].replace("{variant}", "thumb"))
    target += "?at=0" if target.endswith("/states") else ""
    assert ask(port, method, request_, target=target, before=[]) == (404, problem)


@pytest.mark.parametrize(("status", "method", "request_"), operations("406"))
def test_a_type_that_is_not_offered_is_refused(port: int, status: str, method: str, request_: dict[str, Any]) -> None:
    # Only `auto` chooses the format of a picture by Accept.
    target = request_["target"] + ("&fm=auto" if request_["path"].endswith("/image") else "")
    assert ask(port, method, request_, target=target, headers={"Accept": "audio/ogg"}) == (406, "unacceptable")


@pytest.mark.parametrize(("status", "method", "request_"), operations("412"))
def test_a_change_of_another_version_is_refused(port: int, status: str, method: str, request_: dict[str, Any]) -> None:
    changed = {"headers": {"If-Match": '"7"'}, "before": BAR["before"]}
    assert ask(port, method, request_, **changed) == (412, "precondition-failed")


EVENTS = {"events": [{"type": "contentOffset", "contentOffset": {"x": 0, "y": number}} for number in range(500)]}
LONG = {"before": [STEPS["createBar"], *[{"method": "POST", "target": "/v1/bars/{id}/events", "body": EVENTS}] * 2]}
NUMBERED = {"events": [{"sequence": 1} | EVENTS["events"][0]]}
DOWNLOAD = {"method": "POST", "target": "/v1/photos/{first}/download", "headers": {"Idempotency-Key": "1"}}
TWO_PHOTOS = {"target": "/v1/photos?limit=2", "keep": {"first": "/items/0/id", "second": "/items/1/id"}}


@pytest.mark.parametrize(
    ("status", "problem", "method", "target", "members"),
    [
        (204, "", "delete", "/v1/bars/{id}", BAR),
        (410, "sequence-trimmed", "get", "/v1/bars/{id}/states?at=1", LONG),
        (410, "sequence-trimmed", "post", "/v1/bars/{id}/events", LONG | {"body": NUMBERED}),
        (422, "invalid-parameter", "get", "/v1/bars/{id}/events?limit=0", BAR),
        (422, "invalid-parameter", "get", "/v1/bars/{id}/stream?commands=2", BAR),
        (422, "invalid-parameter", "get", "/v1/photos/{photo}?detail=all", PHOTO),
        (422, "invalid-parameter", "get", "/v1/photos/{photo}/image?w=0", PHOTO),
        (422, "invalid-parameter", "get", "/v1/photos/{photo}/placeholder.png?w=0", PHOTO),
        (422, "invalid-parameter", "get", "/v1/search/photos?query=dune&limit=0", {}),
        (422, "invalid-parameter", "get", "/v1/topics/drylands/photos?limit=0", {}),
        (422, "invalid-parameter", "get", "/v1/collections/1201/photos?limit=0", {}),
        (422, "invalid-content", "post", "/v1/photos/prefetch", {"body": {"ids": []}}),
        (422, "idempotency-key-reused", "post", "/v1/photos/{second}/download",
         {"headers": DOWNLOAD["headers"], "before": [TWO_PHOTOS, DOWNLOAD]}),
        (200, "", "get", "/v1/photos/{photo}/image/thumb", PHOTO),
        (206, "", "get", "/v1/photos/{photo}/image/thumb", PHOTO | {"headers": {"Range": "bytes=0-9"}}),
        (416, "range-not-satisfiable", "get", "/v1/photos/{photo}/image/thumb",
         PHOTO | {"headers": {"Range": "bytes=9999999-"}}),
    ],
)  # fmt: skip
def test_a_request_has_the_status_of_the_contract(
    port: int, status: int, problem: str, method: str, target: str, members: dict[str, Any]
) -> None:
    assert ask(port, method, {"target": target}, **members) == (status, problem)
