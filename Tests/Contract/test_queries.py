"""The queries that the service accepts, beyond the examples of openapi.yaml."""

import re
from typing import Any

import pytest

from contract import Document, prepared, send
from test_statuses import PHOTO, operations

DOCUMENT = Document()


def ask(port: int, target: str) -> tuple[int, str]:
    """Returns the status of a GET and the code of its problem."""
    answer = send(port, {"target": target}, "get", {})
    return answer.status, answer.problem


@pytest.mark.parametrize("name", ["v", "_"])
@pytest.mark.parametrize("picture", ["image/thumb?", "image?w=200&", "placeholder.png?"])
def test_a_picture_has_many_addresses(port: int, picture: str, name: str) -> None:
    kept = prepared(port, PHOTO)
    assert ask(port, f"/v1/photos/{kept['photo']}/{picture}{name}=1") == (200, "")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("fps=60&curveDuration=0.1", (200, "")),
        ("time=0.1&curveDuration=abc", (400, "invalid-query")),
        ("times=0.1&curveDuration=", (400, "invalid-query")),
        ("time=0.1&curveDuration=-1", (422, "invalid-parameter")),
        ("times=0,0.1&curveDuration=2000", (422, "invalid-parameter")),
        ("time=0.1&curveDuration=1", (200, "")),
        ("times=0,0.1&curveDuration=1", (200, "")),
    ],
)
def test_the_end_of_a_curve_is_checked(port: int, query: str, expected: tuple[int, str]) -> None:
    assert ask(port, f"/v1/springs/curve?dampingRatio=0.8&response=0.3&{query}") == expected


def test_the_drop_in_reads_numbers_as_the_library_does(port: int) -> None:
    plain, padded = (
        send(port, {"target": f"/unsplash/photos?page={page}&per_page={size}"}, "get", {})
        for page, size in (("2", "3"), ("02", "03"))
    )
    assert (plain.status, len(plain.json())) == (200, 3)
    assert padded.json() == plain.json()


@pytest.mark.parametrize(("status", "method", "request_"), operations("400"))
def test_the_service_has_the_documented_parameters(
    port: int, status: str, method: str, request_: dict[str, Any]
) -> None:
    operation = DOCUMENT.raw["paths"][request_["path"]][method]
    documented = {each["name"] for each in DOCUMENT.parameters(operation) if each["in"] == "query"}
    path = request_["target"].split("?")[0]
    answer = send(port, request_ | {"target": f"{path}?nonsense=1"}, method, prepared(port, request_))
    assert (answer.status, answer.problem) == (400, "invalid-query")
    rule = answer.json()["errors"][0]["detail"].removeprefix("is unknown; ")
    # Generated clients cannot name `_`; a motion in points has `velocity` for `initialVelocity`, and the answer says so.
    others = {"_"} | ({"initialVelocity"} if path == "/v1/springs/retarget" else set())
    assert set(re.findall("`(.+?)`", rule)) - others == documented, rule


@pytest.mark.parametrize("prefix", ["", "a.", "b."])
def test_a_documented_range_is_the_widest_of_all_conventions(port: int, prefix: str) -> None:
    documented = {
        each["name"]: each["schema"]
        for path, _, operation in DOCUMENT.operations() if path.startswith("/v1/springs")
        for each in DOCUMENT.parameters(operation)
    }
    conventions = send(port, {"target": "/v1/springs/conventions"}, "get", {}).json()["conventions"]
    numbers = [each for convention in conventions for each in convention["parameters"] if each["type"] == "number"]
    assert len(numbers) > 60
    for name in {name for number in numbers for name in (number["name"], *number["aliases"])}:
        ranges = [number for number in numbers if name in (number["name"], *number["aliases"])]
        # An end that is included is wider than the same one that is not.
        least = min((each.get("minimum", each.get("exclusiveMinimum")), "minimum" not in each) for each in ranges)
        most = max((each.get("maximum", each.get("exclusiveMaximum")), "maximum" in each) for each in ranges)
        schema = documented[prefix + name]
        assert schema.get("exclusiveMinimum" if least[1] else "minimum") == least[0], name
        assert schema.get("maximum" if most[1] else "exclusiveMaximum") == most[0], name


def test_an_epsilon_has_one_range(port: int) -> None:
    for prefix in ("", "convention=swiftui.response&"):
        assert ask(port, f"/v1/springs?{prefix}dampingRatio=0.8&response=0.3&epsilon=1e-12") == (200, "")
        assert ask(port, f"/v1/springs?{prefix}dampingRatio=0.8&response=0.3&epsilon=9e-13") == (422, "invalid-parameter")
