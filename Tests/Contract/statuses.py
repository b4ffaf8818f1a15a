"""Checks every answer against openapi.yaml, and records which status of which operation the tests have seen."""

import os
import re
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from jsonschema import Draft202012Validator

from contract import Answer, Document


FIELDS = {
    "accept-ranges", "age", "cache-status", "content-range", "etag", "link", "location", "x-per-page", "x-ratelimit-limit",
    "x-ratelimit-remaining", "x-total",
}
"""Fields that the contract names wherever they are sent."""


class Pair(NamedTuple):
    """A documented status of an operation."""

    operation: str
    status: str


class Statuses:
    """The documented pairs, and those of the answers so far; `default`, which stands for other statuses, is no pair."""

    def __init__(self, document: Document) -> None:
        self.document = document
        #: The first test that has seen a status.
        self.seen: dict[Pair, str] = {}
        self.documented: set[Pair] = set()
        templates = []
        for path, method, operation in document.operations():
            pattern = re.compile(re.sub(r"{\w+}", "[^/]+", path).replace(".", r"\."))
            templates.append((path.count("{"), pattern, method.upper(), operation))
            name = operation["operationId"]
            self.documented |= {Pair(name, status) for status in operation["responses"] if status != "default"}
        # A path without parameters comes before one that they would match, too.
        self.templates = sorted(templates, key=lambda template: template[0])
        self.validator = cache(self._validator)

    def operation(self, method: str, target: str) -> dict[str, Any] | None:
        """Returns the operation of a request; nil for a page that the contract does not have."""
        path = urlsplit(target).path
        matches = (each for _, pattern, name, each in self.templates if name == method and pattern.fullmatch(path))
        return next(matches, None)

    def record(self, method: str, target: str, answer: Answer) -> None:
        """Checks an answer: its media type, its fields and its JSON. A correct one counts as seen."""
        operation = self.operation(method, target)
        if operation is None:
            return
        name, status = operation["operationId"], str(answer.status)
        place = f"{name} {status} of {method} {target}"
        response = self.document.follow(operation["responses"].get(status, operation["responses"]["default"]))
        for field, header in response.get("headers", {}).items():
            is_required = self.document.follow(header).get("required")
            assert field.lower() in answer.fields or not is_required, f"{place} has no {field}"
        others = FIELDS & answer.fields.keys() - {field.lower() for field in response.get("headers", {})}
        assert not others or status not in operation["responses"], f"{place} has {sorted(others)}, undocumented"
        if "content" not in response:
            assert answer.content == b"", f"{place} has content"
        else:
            assert answer.media_type in response["content"], f"{place} is {answer.media_type}"
            if answer.media_type.endswith("json"):
                where = status if status in operation["responses"] else "default"
                faults = list(self.validator(name, where, answer.media_type).iter_errors(answer.json()))
                assert not faults, f"{place}: " + "\n".join(f"{fault.json_path}: {fault.message}" for fault in faults)
        self.seen.setdefault(Pair(name, status), os.environ.get("PYTEST_CURRENT_TEST", "").removesuffix(" (call)"))

    def _validator(self, name: str, status: str, media_type: str) -> Draft202012Validator:
        operation = next(each for *_, each in self.templates if each["operationId"] == name)
        content = self.document.follow(operation["responses"][status])["content"][media_type]
        return Draft202012Validator(self.document.schema(content["schema"]))
