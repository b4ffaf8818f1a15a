"""Writes Clients/openapi.json, the contract that is served at /openapi.json, from openapi.yaml.

    .venv/bin/python Tests/Contract/update_json.py

It has the extensions, too: the reference at /docs fills its forms with `x-request` and `x-steps`.
"""

import json

from contract import ROOT, Document

PATH = ROOT / "Clients/openapi.json"


def written() -> str:
    """Returns the content of the file."""
    return json.dumps(Document().raw, ensure_ascii=False, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    PATH.write_text(written())
