"""Writes Clients/openapi.json, the contract that is served at /openapi.json, from openapi.yaml.

    .venv/bin/python Tests/Contract/update_json.py

The JSON has no YAML aliases, of which many tools allow few, and no `x-request`, which only the contract tests read.
"""

from __future__ import annotations

import json
from typing import Any

from contract import ROOT, Document

PATH = ROOT / "Clients/openapi.json"


def without_requests(node: Any) -> Any:
    """Returns a copy of a node of the contract without `x-request`."""
    if isinstance(node, dict):
        return {key: without_requests(value) for key, value in node.items() if key != "x-request"}
    if isinstance(node, list):
        return [without_requests(element) for element in node]
    return node


def written() -> str:
    """Returns the content of the file."""
    return json.dumps(without_requests(Document().raw), ensure_ascii=False, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    PATH.write_text(written())
