"""openapi.yaml has only what generators of clients understand."""

from __future__ import annotations

from typing import Any, Iterator

import yaml

from contract import ROOT, Document

DOCUMENT = Document()


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


def test_there_are_no_aliases() -> None:
    """Many tools allow few."""
    events = yaml.parse((ROOT / "openapi.yaml").read_text())
    found = [event for event in events if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None)]
    assert not found


def test_every_example_has_a_value() -> None:
    found = [
        f"{place}/{name}"
        for place, node in nodes(DOCUMENT.raw) if isinstance(node.get("examples"), dict)
        for name, example in node["examples"].items() if "value" not in DOCUMENT.follow(example)
    ]
    assert not found
