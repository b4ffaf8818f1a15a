"""The contract breaks no client of a released one of the same major version (docs/compatibility.md)."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from compatibility import RELEASED, bare, breaks
from contract import ROOT, Document

MAJOR = (ROOT / "VERSION").read_text().split(".")[0]


# The clients of the library read only errors in its own format.
MENDED = re.compile(r"GET /unsplash/\S+ (401|default) has no application/problem\+json")


@pytest.mark.parametrize("path", sorted(RELEASED.glob(f"{MAJOR}.*.json")), ids=lambda path: path.stem)
def test_a_client_of_a_release_works(path: Path) -> None:
    found = breaks(json.loads(path.read_text()), Document().raw)
    assert [each for each in found if not MENDED.fullmatch(each)] == []


def test_the_version_has_its_contract() -> None:
    released = RELEASED / ((ROOT / "VERSION").read_text().rsplit(".", 1)[0] + ".json")
    assert json.loads(released.read_text())["info"]["version"].startswith(released.stem)


CONTRACT = yaml.safe_load("""
security: [{}]
paths:
  /shapes:
    post:
      operationId: draw
      parameters:
        - {name: scale, in: query, schema: {type: number, minimum: 0, maximum: 10, default: 1}}
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "#/components/schemas/Shape"}}}
      responses:
        "200":
          headers: {ETag: {schema: {type: string}}}
          content:
            application/json: {schema: {$ref: "#/components/schemas/Drawing"}}
            image/png: {}
        "404": {content: {application/problem+json: {schema: {type: object}}}}
components:
  schemas:
    Shape:
      type: object
      additionalProperties: false
      required: [kind]
      properties:
        kind: {type: string, enum: [circle, square]}
        width: {type: integer, minimum: 1}
        name: {type: string, maxLength: 8, pattern: "^[a-z]*$"}
        parts: {type: array, maxItems: 3, items: {$ref: "#/components/schemas/Shape"}}
      allOf:
        - if: {properties: {kind: {const: square}}}
          then: {required: [width]}
    Drawing:
      type: object
      additionalProperties: false
      required: [area, state]
      properties:
        area: {type: number}
        state: {type: string, enum: [drawn, cached]}
        warning: {type: string, x-mayGrow: true, enum: [small]}
        at: {type: string, format: date-time}
        note: {oneOf: [{type: string}, {type: integer}]}
        shapes: {type: array, items: {$ref: "#/components/schemas/Drawing"}}
""")

OPERATION = "/paths/~1shapes/post"
SCALE = f"{OPERATION}/parameters/0"
ANSWERS = f"{OPERATION}/responses"
SENT = "/components/schemas/Shape"
RECEIVED = "/components/schemas/Drawing"
GONE = object()

BREAKING = [
    ("/paths/~1shapes", GONE, "is gone"),
    (OPERATION, GONE, "is gone"),
    (f"{OPERATION}/operationId", "paint", "operationId"),
    (f"{OPERATION}/security", [{"bearer": []}], "security"),
    (SCALE, GONE, "no parameter scale"),
    (f"{SCALE}/required", True, "needs the parameter scale"),
    (f"{SCALE}/schema/maximum", 9, "narrower maximum"),
    (f"{SCALE}/schema/exclusiveMinimum", 0, "narrower exclusiveMinimum"),
    (f"{SCALE}/schema/default", 2, "default"),
    (f"{SCALE}/schema/type", "integer", "another type"),
    (f"{OPERATION}/parameters/1", {"name": "ink", "in": "query", "required": True}, "needs the parameter ink"),
    (f"{SENT}/properties/width", GONE, "has no width"),
    (f"{SENT}/required/1", "width", "needs width"),
    (f"{SENT}/properties/kind/enum/1", GONE, "accepts fewer"),
    (f"{SENT}/properties/name/pattern", "^[a-z]+$", "another pattern"),
    (f"{SENT}/properties/parts/maxItems", 2, "narrower maxItems"),
    (f"{SENT}/allOf/1", {"required": ["name"]}, "new condition"),
    (f"{SENT}/allOf/0/then/required/1", "name", "needs name"),
    (f"{ANSWERS}/200", GONE, "200 is gone"),
    (f"{ANSWERS}/202", {}, "202 is new"),
    (f"{ANSWERS}/200/headers/ETag", GONE, "no header ETag"),
    (f"{ANSWERS}/200/content/image~1png", GONE, "no image/png"),
    (f"{RECEIVED}/properties/area", GONE, "has no area"),
    (f"{RECEIVED}/required/0", GONE, "may have no area"),
    (f"{RECEIVED}/properties/area/type", ["number", "null"], "another type"),
    (f"{RECEIVED}/properties/state/enum/2", "lost", "has other values"),
    (f"{RECEIVED}/properties/at/format", GONE, "another format"),
    (f"{RECEIVED}/properties/note/oneOf/2", {"type": "null"}, "more alternatives"),
    (f"{RECEIVED}/properties/shapes/items", GONE, "another type"),
]

KEEPING = [
    ("/paths/~1lines", {"get": {"operationId": "line", "responses": {}}}),
    (f"{OPERATION}/description", "Draws a shape."),
    (f"{OPERATION}/parameters/1", {"name": "ink", "in": "query"}),
    (f"{SCALE}/schema/maximum", 20),
    (f"{OPERATION}/requestBody/required", False),
    (f"{SENT}/properties/colour", {"type": "string"}),
    (f"{SENT}/properties/kind/enum/2", "star"),
    (f"{SENT}/properties/width/type", "number"),
    (f"{SENT}/properties/name/pattern", GONE),
    (f"{SENT}/allOf/1", {"if": {"properties": {"kind": {"const": "star"}}}, "then": {"required": ["points"]}}),
    (f"{SENT}/allOf/0", GONE),
    (f"{ANSWERS}/404", GONE),
    (f"{ANSWERS}/503", {}),
    (f"{ANSWERS}/304", {}),
    (f"{ANSWERS}/200/content/image~1webp", {}),
    (f"{RECEIVED}/properties/perimeter", {"type": "number"}),
    (f"{RECEIVED}/required/2", "at"),
    (f"{RECEIVED}/properties/area/type", "integer"),
    (f"{RECEIVED}/properties/warning/enum/1", "large"),
    (f"{RECEIVED}/properties/state/enum/1", GONE),
    (f"{RECEIVED}/properties/note/oneOf/1", GONE),
]


def edited(pointer: str, value: Any) -> dict[str, Any]:
    """Returns the contract with another value at a JSON Pointer; at the end of an array it is added."""
    document = copy.deepcopy(CONTRACT)
    *parts, last = (part.replace("~1", "/") for part in pointer.split("/")[1:])
    node: Any = document
    for part in parts:
        node = node[int(part)] if isinstance(node, list) else node[part]
    if isinstance(node, list):
        index = int(last)
        node[index : index + 1] = [] if value is GONE else [value]
    elif value is GONE:
        del node[last]
    else:
        node[last] = value
    return document


def test_a_contract_keeps_its_own_promises() -> None:
    assert breaks(CONTRACT, CONTRACT) == []


@pytest.mark.parametrize(("pointer", "value", "told"), BREAKING, ids=[each[0] for each in BREAKING])
def test_a_break_is_found(pointer: str, value: Any, told: str) -> None:
    assert any(told in each for each in breaks(CONTRACT, edited(pointer, value)))


@pytest.mark.parametrize(("pointer", "value"), KEEPING, ids=[each[0] for each in KEEPING])
def test_an_addition_breaks_nothing(pointer: str, value: Any) -> None:
    assert breaks(CONTRACT, edited(pointer, value)) == []


def test_the_prose_is_not_released() -> None:
    noted = edited(f"{SENT}/properties/description", {"type": "string", "description": "What is seen.", "x-note": 1})
    left = bare(noted)["components"]["schemas"]["Shape"]["properties"]
    assert left["description"] == {"type": "string"}
