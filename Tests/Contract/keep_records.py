"""Keeps what a release has written for later versions: a bar in Redis, its idempotency key, and the cursor of a page.

    PYTHONPATH=Tests/Harness .venv/bin/python Tests/Contract/keep_records.py BINARY

writes `released/records-VERSION.json` with the version of the binary, which must be that of the release.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from contract import ROOT, Document, send
from service import Service
from store import Store

EXAMPLES = Document().raw["components"]["examples"]
CREATION = {
    "target": "/v1/bars",
    "body": EXAMPLES["Feed"]["value"] | {"ttlSeconds": 86_400},
    "headers": {"Idempotency-Key": "the-key-of-a-client"},
}
DRAG = {"target": "/v1/bars/{id}/events?results=all", "body": EXAMPLES["Drag"]["value"]}
#: What a later version must answer.
QUESTIONS = ["/v1/bars/{id}", "/v1/bars/{id}/events", "/v1/bars/{id}/states?at=3"]
PAGE = "/v1/photos?limit=3"


def stored(store: Store) -> dict[str, str | list[str]]:
    """Returns the bars and the idempotency keys, in hexadecimal digits."""
    keys = [key.decode() for key in store.ask("KEYS", "sb:[bk]:*")]
    return {
        key: [value.hex() for value in store.ask("LRANGE", key, "0", "-1")]
        if store.ask("TYPE", key) == "list" else store.ask("GET", key).hex()
        for key in sorted(keys)
    }


def main(binary: str) -> None:
    version = subprocess.check_output([binary, "--version"], text=True).strip()
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder)) as store:
        with Service({"SPRINGBAR_REDIS_URL": store.url}, program=binary) as service:
            port = service.port
            id = send(port, CREATION, "post", {}).json()["id"]
            assert send(port, DRAG, "post", {"id": id}).status == 200
            answers = {each: send(port, {"target": each}, "get", {"id": id}).json() for each in QUESTIONS}
            cursor = send(port, {"target": PAGE}, "get", {}).json()["page"]["nextCursor"]
            page = send(port, {"target": f"{PAGE}&cursor={cursor}"}, "get", {}).json()
            records: dict[str, Any] = {
                "id": id, "redis": stored(store), "answers": answers,
                "cursor": cursor, "photos": [photo["id"] for photo in page["items"]],
            }  # fmt: skip
    path = ROOT / f"Tests/Contract/released/records-{version.rpartition('.')[0]}.json"
    path.write_text(json.dumps(records, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
