"""Writes Clients/openapi.json, the contract that is served at /openapi.json, from openapi.yaml.

    .venv/bin/python Tests/Contract/update_json.py

The JSON has no members with names that begin with `x-`, which only the contract tests read.
"""

from __future__ import annotations

import json
from typing import Any

from contract import ROOT, Document

PATH = ROOT / "Clients/openapi.json"


def without_extensions(node: Any) -> Any:
    """Returns a copy of a node of the contract without extensions, such as `x-request`."""
    if isinstance(node, dict):
        return {key: without_extensions(value) for key, value in node.items() if not key.startswith("x-")}
    if isinstance(node, list):
        return [without_extensions(element) for element in node]
    return node


def written() -> str:
    """Returns the content of the file."""
    return json.dumps(without_extensions(Document().raw), ensure_ascii=False, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    PATH.write_text(written())
