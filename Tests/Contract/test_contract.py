"""The running service behaves as the examples of openapi.yaml say."""

import gzip
import json
import re

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from contract import ROOT, Document, Promise, event, perform, same, send, shortened, without
from update_json import written as written_json

DOCUMENT = Document()
PROMISES = list(DOCUMENT.promises())


def check_schema(schema: dict, value: object) -> None:
    faults = list(Draft202012Validator(DOCUMENT.schema(schema)).iter_errors(value))
    assert not faults, "\n".join(f"{fault.json_path}: {fault.message}" for fault in faults)


def test_the_document_is_valid_openapi() -> None:
    validate(DOCUMENT.raw)


def test_the_document_is_served_byte_for_byte(port: int) -> None:
    answer = send(port, {"target": "/openapi.yaml"}, "get", {})
    assert answer.status == 200
    assert answer.content == (ROOT / "openapi.yaml").read_bytes()


def test_the_json_is_made_from_the_document(port: int) -> None:
    answer = send(port, {"target": "/openapi.json"}, "get", {})
    assert (answer.status, answer.media_type) == (200, "application/json")
    assert answer.content.decode() == written_json(), "run Tests/Contract/update_json.py and build again"
    assert {"x-request", "x-steps"} <= set(re.findall(r'"(x-[a-z]+)":', answer.content.decode()))
    compressed = send(port, {"target": "/openapi.json", "headers": {"Accept-Encoding": "gzip"}}, "get", {})
    assert gzip.decompress(compressed.content) == answer.content
    assert compressed.fields["etag"] != answer.fields["etag"]


@pytest.mark.parametrize("promise", PROMISES, ids=str)
def test_the_response_is_that_of_the_example(port: int, promise: Promise) -> None:
    answer = perform(port, promise)
    assert (answer.status, answer.media_type) == (promise.status, promise.media_type), answer.content[:2000]
    # `Statuses` has checked the fields and the JSON.
    expected = promise.example["value"]
    if promise.example["x-request"].get("isOpaque"):
        check_schema(promise.schema, expected)
        return
    volatile = promise.example["x-request"].get("volatile", [])
    if promise.media_type == "text/event-stream":
        assert same(without(event(answer.content.decode()), volatile), without(event(expected), volatile)), answer.content.decode()
        return
    if not promise.media_type.endswith("json"):
        assert answer.content.decode() == expected
        return
    check_schema(promise.schema, expected)
    content = answer.json()
    if promise.example["x-request"].get("isShortened"):
        content = shortened(content, expected)
    given, wanted = without(content, volatile), without(expected, volatile)
    assert same(given, wanted), json.dumps(answer.json(), ensure_ascii=False)


@pytest.mark.parametrize(("path", "method", "operation"), DOCUMENT.operations(), ids=lambda value: str(value)[:60])
def test_every_success_has_an_example(path: str, method: str, operation: dict) -> None:
    for status, response in operation["responses"].items():
        response = DOCUMENT.follow(response)
        if status.startswith("2") and "content" in response:
            for media_type, content in response["content"].items():
                assert content.get("examples"), f"{method} {path}: {status} {media_type} has no example"


@pytest.mark.parametrize(("path", "method", "operation"), DOCUMENT.operations(), ids=lambda value: str(value)[:60])
def test_every_example_of_a_request_body_fits_its_schema(path: str, method: str, operation: dict) -> None:
    for media_type, content in DOCUMENT.follow(operation.get("requestBody", {})).get("content", {}).items():
        assert content.get("examples"), f"{method} {path}: {media_type} has no example"
        for example in content["examples"].values():
            check_schema(content["schema"], DOCUMENT.follow(example)["value"])
