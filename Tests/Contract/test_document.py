"""openapi.yaml has only what generators of clients understand. Tests/Generated uses clients that are generated from it."""

import re
from dataclasses import replace
from typing import Any, Callable, Iterator

import pytest
import yaml

from conftest import running
from contract import ROOT, Document, perform, send

DOCUMENT = Document()
OPERATIONS = [
    pytest.param(path, method, operation, id=operation["operationId"])
    for path, method, operation in DOCUMENT.operations()
]
each_operation = pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS)


def nodes(node: Any, place: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the objects of the document except values of examples, each with its place."""
    if isinstance(node, dict):
        yield place, node
        for name, member in node.items():
            if name not in ("value", "x-request", "x-steps"):
                yield from nodes(member, f"{place}/{name}")
    elif isinstance(node, list):
        for index, element in enumerate(node):
            yield from nodes(element, f"{place}/{index}")


def subschemas(schema: dict[str, Any], place: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields a schema and those within it."""
    yield place, schema
    for name in ("items", "additionalProperties", "propertyNames", "if", "then", "else", "not"):
        if isinstance(schema.get(name), dict):
            yield from subschemas(schema[name], f"{place}/{name}")
    for name, member in schema.get("properties", {}).items():
        if isinstance(member, dict):
            yield from subschemas(member, f"{place}/properties/{name}")
    for name in ("oneOf", "anyOf", "allOf"):
        for index, part in enumerate(schema.get(name, [])):
            yield from subschemas(part, f"{place}/{name}/{index}")


def schemas() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields every schema of the document."""
    for name, schema in DOCUMENT.raw["components"]["schemas"].items():
        yield from subschemas(schema, f"/components/schemas/{name}")
    for place, node in nodes(DOCUMENT.raw):
        if isinstance(node.get("schema"), dict) and not place.startswith("/components/schemas/"):
            yield from subschemas(node["schema"], f"{place}/schema")


def test_there_are_no_aliases() -> None:
    """Many tools allow few."""
    events = yaml.parse((ROOT / "openapi.yaml").read_text(), yaml.CSafeLoader)
    found = [event for event in events if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None)]
    assert not found


def test_texts_are_lines_or_blocks() -> None:
    """Quotes over several lines, and blanks at the end of a line, cannot be read: update_examples.py writes neither."""
    text = (ROOT / "openapi.yaml").read_text()
    folded = [
        token.start_mark.line + 1 for token in yaml.scan(text, yaml.CSafeLoader)
        if isinstance(token, yaml.ScalarToken) and token.style in ("'", '"')
        and token.start_mark.line != token.end_mark.line
    ]
    assert folded == []
    assert [number for number, line in enumerate(text.splitlines(), 1) if line != line.rstrip()] == []


def test_every_example_has_a_value() -> None:
    found = [
        f"{place}/{name}"
        for place, node in nodes(DOCUMENT.raw) if isinstance(node.get("examples"), dict)
        for name, example in node["examples"].items() if "value" not in DOCUMENT.follow(example)
    ]
    assert not found


def query_defaults(operation: dict[str, Any]) -> dict[str, Any]:
    return {
        parameter["name"]: parameter["schema"]["default"] for parameter in DOCUMENT.parameters(operation)
        if parameter["in"] == "query" and "default" in parameter["schema"]
    }


@pytest.mark.parametrize(
    ("path", "method", "operation"),
    [item for item in OPERATIONS if item.values[0].startswith("/v1/") and query_defaults(item.values[2])],
)
def test_all_defaults_can_be_sent_together(port: int, path: str, method: str, operation: dict[str, Any]) -> None:
    """Some clients send every default."""
    defaults = query_defaults(operation)
    examples = [
        promise for promise in DOCUMENT.promises()
        if (promise.path, promise.method) == (path, method) and promise.status < 300 and promise.name != "explained"
    ]
    assert examples
    request = examples[0].example["x-request"]
    given = re.findall(r"[?&]([^=]+)=", request["target"])
    added = "&".join(f"{name}={str(value).lower() if isinstance(value, bool) else value}"
                     for name, value in defaults.items() if name not in given)
    target = request["target"] + ("&" if given else "?") + added
    promise = replace(examples[0], example={**examples[0].example, "x-request": {**request, "target": target}})
    answer = perform(port, promise)
    assert answer.status == promise.status, f"{target}: {answer.content!r}"


def test_a_convention_may_be_named_by_its_alias() -> None:
    schemas = DOCUMENT.raw["components"]["schemas"]
    assert schemas["ConventionName"]["enum"] == schemas["ConventionID"]["enum"] + ["motion"]


def test_schemas_are_referenced_as_a_whole() -> None:
    found = [
        node["$ref"] for place, node in nodes(DOCUMENT.raw)
        if isinstance(node.get("$ref"), str) and not re.fullmatch(r"#/components/[a-zA-Z]+/[A-Za-z]+", node["$ref"])
    ]
    assert not found


def test_there_is_one_bar() -> None:
    named = {
        DOCUMENT.follow(response)["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        for path, method, operation in DOCUMENT.operations()
        if path.startswith("/v1/bars") and not path.endswith("/events")
        for status, response in operation["responses"].items()
        if status.startswith("2") and "application/json" in DOCUMENT.follow(response).get("content", {})
    }
    assert named == {"Bar", "AppliedBar"}


def test_query_parameters_have_names() -> None:
    """A parameter whose object is exploded has names that only its schema knows."""
    found = [
        parameter["name"]
        for path, method, operation in DOCUMENT.operations() for parameter in DOCUMENT.parameters(operation)
        if DOCUMENT.follow(parameter["schema"]).get("type") == "object"
    ]
    assert not found


UNIONS = {f"/components/schemas/{name}" for name in ("CurveAnswer", "DecelerationRate", "ParameterDefault")}
"""Schemas whose types JSON can distinguish only by their values."""
OPEN = re.compile(r"/components/schemas/(Unsplash\w+|DesignTokenFile|Problem|ProblemError|ContractDocument)")
"""Objects with members that the document does not name: those of the photo library, of standards, and of problems."""


def types(schema: dict[str, Any]) -> list[str]:
    of = schema.get("type", [])
    return of if isinstance(of, list) else [of]


def has_default(schema: dict[str, Any]) -> bool:
    return any("default" in each or "default" in DOCUMENT.follow(each) for each in schema.get("properties", {}).values())


def is_named(place: str) -> bool:
    return bool(re.fullmatch(r"/components/schemas/[A-Za-z]+", place) or re.search(r"/(if|then|else)$", place))


FAULTS: dict[str, Callable[[str, dict[str, Any]], bool]] = {
    "an enumeration without a type": lambda _, schema: ("enum" in schema or "const" in schema) and "type" not in schema,
    # Generators name other objects after their place, such as `GetEvents200ResponseEventsInner`.
    "an object without a name": lambda place, schema: "properties" in schema and not is_named(place),
    # A default that is sent with every object may not be allowed beside other members.
    "a default of an object with rules": lambda _, schema: ("if" in schema or "allOf" in schema) and has_default(schema),
    # Generators for Kotlin and Dart merge the alternatives of `oneOf` and require all members.
    "alternatives": lambda place, schema: ("oneOf" in schema or "anyOf" in schema) != (place in UNIONS),
    # It may also be null. A language with static types has none for `[number, boolean]`.
    "a value of two types": lambda _, schema: isinstance(schema.get("type"), list) and len({*types(schema)} - {"null"}) != 1,
    "null as an alternative": lambda _, schema: any(
        part.get("type") == "null" for name in ("oneOf", "anyOf") for part in schema.get(name, [])
    ),
    "an object with unknown members": lambda place, schema: (
        "object" in types(schema) and not {"additionalProperties", "unevaluatedProperties"} & schema.keys()
        and not OPEN.fullmatch(place)
    ),
    "a number that is no double": lambda _, schema: "number" in types(schema) and schema.get("format") != "double",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_no_schema_has_a_fault(fault: str) -> None:
    assert [place for place, schema in schemas() if FAULTS[fault](place, schema)] == []


@each_operation
def test_the_operation_has_its_path_parameters(path: str, method: str, operation: dict[str, Any]) -> None:
    names = {parameter["name"] for parameter in DOCUMENT.parameters(operation) if parameter["in"] == "path"}
    assert names == set(re.findall(r"{(\w+)}", path))
    assert "parameters" not in DOCUMENT.raw["paths"][path]


def test_pictures_are_binary() -> None:
    found = [
        place for place, node in nodes(DOCUMENT.raw) if isinstance(node.get("content"), dict)
        for media_type, content in node["content"].items()
        if media_type.startswith("image/") and content["schema"] != {"type": "string", "format": "binary"}
    ]
    assert not found


@pytest.mark.parametrize(("status", "header"), [("206", "Content-Range"), ("307", "Location")])
def test_parts_have_a_range_and_redirects_a_location(status: str, header: str) -> None:
    found = {
        operation["operationId"]: header in DOCUMENT.follow(operation["responses"][status])["headers"]
        for path, method, operation in DOCUMENT.operations() if status in operation["responses"]
    }
    assert found == {"getImage": True, "getImageVariant": True}


@each_operation
def test_the_fields_of_conditions_and_ranges_are_parameters(path: str, method: str, operation: dict[str, Any]) -> None:
    parameters = DOCUMENT.parameters(operation)
    fields = {parameter["name"]: parameter for parameter in parameters if parameter["in"] == "header"}
    for status, name in (("304", "If-None-Match"), ("206", "Range"), ("412", "If-Match")):
        assert (status in operation["responses"]) == (name in fields), name
    assert fields.get("If-Match", {}).get("required", False) == ("428" in operation["responses"])


def test_pages_for_browsers_are_not_operations() -> None:
    found = [
        path for path, method, operation in DOCUMENT.operations()
        if {"text/html"} == set(DOCUMENT.follow(operation["responses"].get("200", {})).get("content", {}))
        or path.startswith(("/playground", "/client"))
    ]
    assert not found


@each_operation
def test_every_status_is_described(path: str, method: str, operation: dict[str, Any]) -> None:
    responses = operation["responses"]
    is_drop_in = path.startswith("/unsplash")
    media_type, schema = ("application/json", "DropInErrors") if is_drop_in else ("application/problem+json", "Problem")
    default = DOCUMENT.follow(responses["default"])
    assert default["content"][media_type]["schema"] == {"$ref": f"#/components/schemas/{schema}"}
    if is_drop_in:
        return
    query = [parameter for parameter in DOCUMENT.parameters(operation) if parameter["in"] == "query"]
    expected = {"400"}
    if "requestBody" in operation:
        expected |= {"413", "415", "422"}
    if query:
        # Their values are not refused: a list of names, and texts that are ignored.
        takes_all = path in ("/v1/springs/conventions", "/v1/photos/{id}/image/{variant}")
        expected |= {"400"} if takes_all else {"400", "422"}
    if operation.get("security", DOCUMENT.raw["security"]) != [{}]:
        expected.add("401")
    if path.startswith("/v1/bars/{id}"):
        expected.add("404")
    if re.match("/v1/(photos|search|topics|collections)", path) and path != "/v1/photos/prefetch":
        expected |= {"502", "503", "504"} | (set() if "{" not in path else {"404"})
    types = {media_type for status, response in responses.items() if status.startswith("2")
             for media_type in DOCUMENT.follow(response).get("content", {})}
    if len(types) > 1 or any(parameter["name"] == "fm" for parameter in query):
        expected.add("406")
    assert expected <= set(responses), sorted(expected - set(responses))


def test_unauthorized_requests_are_answered_as_described() -> None:
    """Of the operations that may require a token, and only of these, the response is 401 without one."""
    with running(SPRINGBAR_API_TOKENS="0123456789abcdef") as port:
        for path, method, operation in DOCUMENT.operations():
            target = re.sub(r"{(\w+)}", lambda name: "thumb" if name[1] == "variant" else "0" * 32, path)
            answer = send(port, {"target": target, "method": method}, method, {})
            assert (answer.status == 401) == ("401" in operation["responses"]), f"{method} {path}: {answer.status}"


@each_operation
def test_everything_has_a_description(path: str, method: str, operation: dict[str, Any]) -> None:
    assert operation["summary"].endswith(".") and operation["description"]
    for parameter in DOCUMENT.parameters(operation):
        assert parameter["description"], parameter["name"]
    for status, response in operation["responses"].items():
        assert DOCUMENT.follow(response)["description"], status


def test_every_schema_has_a_description() -> None:
    components = DOCUMENT.raw["components"]
    found = [name for name, schema in components["schemas"].items() if not schema.get("description")]
    assert not found
    assert DOCUMENT.raw["info"]["contact"]["name"]

VERBS = (
    "apply|compare|create|delete|detect|fling|fork|get|list|move|plot|post|prefetch|press|put|report|search|stream"
    "|twist"
)


def test_operations_are_named_by_a_verb_and_a_noun() -> None:
    names = [operation["operationId"] for path, method, operation in DOCUMENT.operations()]
    assert len(set(names)) == len(names)
    assert [name for name in names if not re.fullmatch(rf"({VERBS})([A-Z][A-Za-z]+)", name)] == []


@each_operation
def test_every_response_has_a_type(path: str, method: str, operation: dict[str, Any]) -> None:
    for status, response in operation["responses"].items():
        for media_type, content in DOCUMENT.follow(response).get("content", {}).items():
            schema = content["schema"]
            assert "$ref" in schema or "type" in schema, f"{status} {media_type}"
            if path.startswith("/unsplash"):
                assert schema != {"type": "object"}
