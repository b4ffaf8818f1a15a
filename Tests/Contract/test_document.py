"""openapi.yaml has only what generators of clients understand."""

from __future__ import annotations

import yaml

from contract import ROOT, Document

DOCUMENT = Document()


def test_there_are_no_aliases() -> None:
    """Many tools allow few."""
    events = yaml.parse((ROOT / "openapi.yaml").read_text())
    found = [event for event in events if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None)]
    assert not found
