"""Reads openapi.yaml as a list of requests and their exact responses.

Every example of a response has an `x-request` with the request that produces it:

    x-request:
      target: /v1/bars/{id}/events       # the target; `{name}` is a value kept from an earlier step
      method: POST                       # default: the method of the operation
      headers: {If-Match: '"0"'}
      body: {...}                        # sent as JSON; `content` is sent unchanged
      before:                            # requests to send first
        - {method: POST, target: /v1/bars, body: {...}, keep: {id: /id}}
      flood: 64                          # number of concurrent requests; the first with the right status counts
      volatile: [/id, /expiresAt]        # members with values that differ from run to run
      isShortened: true                  # the objects of the value have only some members of those in the response
      isOpaque: true                     # the value only shows the form: it is not compared, and update_examples.py keeps it

A node of `x-request` may be a reference, such as `{$ref: "#/components/examples/Feed/value"}`; requests that several
examples send first are in `x-steps`. `{any}` is a number that was never sent before, for a response that is not cached.
"""

import json
import secrets
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Callable, Iterator

import yaml

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/Harness"))
from wire import Answer, ask  # noqa: E402

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


@dataclass(frozen=True)
class Promise:
    """One example of one response."""

    path: str
    method: str
    status: int
    media_type: str
    name: str
    example: dict[str, Any]
    schema: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.method.upper()} {self.path} {self.status} {self.name}"


@cache
def loaded() -> dict[str, Any]:
    return yaml.load((ROOT / "openapi.yaml").read_text(), yaml.CSafeLoader)


class Document:
    """openapi.yaml with its references resolved."""

    def __init__(self) -> None:
        self.raw = loaded()

    def follow(self, node: Any) -> Any:
        while isinstance(node, dict) and "$ref" in node:
            target = self.raw
            for part in node["$ref"].removeprefix("#/").split("/"):
                target = target[part.replace("~1", "/").replace("~0", "~")]
            node = target
        return node

    def resolved(self, node: Any) -> Any:
        """Returns a copy of a node with all references replaced."""
        node = self.follow(node)
        if isinstance(node, dict):
            return {key: self.resolved(value) for key, value in node.items()}
        return [self.resolved(element) for element in node] if isinstance(node, list) else node

    def operations(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        for path, item in self.raw["paths"].items():
            for method in METHODS:
                if method in item:
                    yield path, method, item[method]

    def parameters(self, operation: dict[str, Any]) -> list[dict[str, Any]]:
        """Returns the parameters of an operation."""
        return [self.follow(parameter) for parameter in operation.get("parameters", [])]

    def promises(self) -> Iterator[Promise]:
        """Yields every example. An example that several operations share and that names its own method is yielded once.
        """
        seen: set[int] = set()
        for path, method, operation in self.operations():
            for status, response in operation["responses"].items():
                response = self.follow(response)
                for media_type, content in response.get("content", {}).items():
                    # The response that stands for all other statuses has no examples.
                    for name, example in content.get("examples", {}).items():
                        example = self.follow(example)
                        if id(example) in seen:
                            continue
                        if "method" in example.get("x-request", {}):
                            seen.add(id(example))
                        if "x-request" in example:
                            example = {**example, "x-request": self.resolved(example["x-request"])}
                        yield Promise(
                            path, method, int(status), media_type, name, example, content.get("schema", {})
                        )

    def schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Returns a schema together with the components, so that a validator needs nothing else."""
        return {**schema, "components": self.raw["components"]}


#: Called with the method, the target and the answer of each request.
OBSERVERS: list[Callable[[str, str, Answer], None]] = []


def send(port: int, request: dict[str, Any], default_method: str, kept: dict[str, str]) -> Answer:
    """Sends one request on a new connection."""
    method, target = request.get("method", default_method).upper(), filled(request["target"], kept)
    answer = exchange(port, method, target, request, kept)
    for observe in OBSERVERS:
        observe(method, target, answer)
    return answer


def filled(text: str, kept: dict[str, str]) -> str:
    """Returns a text of an example with the values that were kept, and a new number for each `{any}`."""
    for name, value in kept.items():
        text = text.replace("{" + name + "}", value)
    return text.replace("{any}", f"0.{secrets.randbelow(10**12):012}1")


def exchange(port: int, method: str, target: str, request: dict[str, Any], kept: dict[str, str]) -> Answer:
    fields = {"Host": f"127.0.0.1:{port}"}
    fields |= {name: filled(str(value), kept) for name, value in request.get("headers", {}).items()}
    content = filled(json.dumps(request["body"]), kept) if "body" in request else request.get("content")
    return ask(port, method, target, content, fields, timeout=60)


def prepared(port: int, request: dict[str, Any]) -> dict[str, str]:
    """Sends the requests before a request, and returns the values that they keep."""
    kept: dict[str, str] = {}
    for step in request.get("before", []):
        answer = send(port, step, "get", kept)
        assert answer.status < 400, f"an earlier step failed: {step}: {answer.status} {answer.content!r}"
        for name, place in step.get("keep", {}).items():
            kept[name] = str(value_at(answer.json(), place) if place.startswith("/") else answer.fields[place.lower()])
    return kept


def perform(port: int, promise: Promise) -> Answer:
    """Sends the requests before the example and then its own. Links to the service have the server of the document."""
    request = promise.example["x-request"]
    kept = prepared(port, request)
    times = request.get("flood", 1)
    with ThreadPoolExecutor(times) as senders:
        answers = list(senders.map(lambda _: send(port, request, promise.method, kept), range(times)))
    answer = next((answer for answer in answers if answer.status == promise.status), answers[0])
    server = loaded()["servers"][0]["url"]
    return replace(answer, content=answer.content.replace(f"http://127.0.0.1:{port}".encode(), server.encode()))


def event(text: str) -> dict[str, Any]:
    """Returns a server-sent event as an object of its fields, with the data decoded as JSON."""
    fields = dict(line.split(": ", 1) for line in text.splitlines() if line)
    return {**fields, "data": json.loads(fields["data"])}


def value_at(value: Any, pointer: str) -> Any:
    """Returns the value at a JSON Pointer (RFC 6901)."""
    for part in pointer.split("/")[1:]:
        part = part.replace("~1", "/").replace("~0", "~")
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def shortened(value: Any, other: Any) -> Any:
    """Returns `value` with only those members of its objects that `other` has, in the order of `other`."""
    if isinstance(value, dict) and isinstance(other, dict):
        return {key: shortened(value[key], other[key]) for key in other if key in value}
    if isinstance(value, list) and isinstance(other, list) and len(value) == len(other):
        return [shortened(*each) for each in zip(value, other)]
    return value


def without(value: Any, pointers: list[str]) -> Any:
    """Returns `value` with the values at `pointers` replaced; `*` matches every element or member."""
    value = json.loads(json.dumps(value))

    def blank(node: Any, parts: list[str]) -> None:
        keys = range(len(node)) if isinstance(node, list) else list(node)
        for key in keys:
            if parts[0] in ("*", str(key)):
                if len(parts) == 1:
                    node[key] = "(volatile)"
                elif isinstance(node[key], (dict, list)):
                    blank(node[key], parts[1:])

    for pointer in pointers:
        if isinstance(value, (dict, list)):
            blank(value, pointer.split("/")[1:])
    return value


def same(left: Any, right: Any) -> bool:
    """Returns whether two values are equal; numbers are compared with a relative error of 1e-9."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return abs(left - right) <= 1e-9 * max(1, abs(left), abs(right))
    if isinstance(left, dict) and isinstance(right, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right
