"""What README.md shows of bars is what the running service answers."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass
from typing import Iterator

from contract import ROOT, Answer, same, send, without

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BAR_ID = re.compile(r"\b[0-9a-f]{32}\b")


@dataclass(frozen=True)
class Exchange:
    """A curl command about bars, and the answer that stands right below it, if any."""

    command: str
    answer: str | None

    def perform(self, port: int, ids: dict[str, str]) -> Answer:
        """Sends what the command sends, about the bars of this run."""
        words = shlex.split(BAR_ID.sub(lambda match: ids[match[0]], self.command))
        body = words[words.index("-d") + 1] if "-d" in words else None
        request = {"target": words[1].removeprefix("localhost:8080"), "method": "GET" if body is None else "POST"}
        if body is not None:
            request |= {"content": body, "headers": {"Content-Type": "application/json"}}
        return send(port, request, "get", {})


def exchanges() -> Iterator[Exchange]:
    blocks = [(match[1], match[2], match.end()) for match in BLOCK.finditer((ROOT / "README.md").read_text())]
    for index, (language, text, _) in enumerate(blocks):
        if language == "sh" and text.startswith("curl localhost:8080/v1/bars"):
            follows = index + 1 < len(blocks) and blocks[index + 1][0] == "json"
            yield Exchange(text, blocks[index + 1][1] if follows else None)


def test_the_bars_of_the_readme_answer_as_it_says(port: int) -> None:
    ids: dict[str, str] = {}
    count = 0
    for exchange in exchanges():
        answer = exchange.perform(port, ids)
        assert answer.status in (200, 201), answer.content
        if exchange.answer is None:
            continue
        count += 1
        shown, given = json.loads(exchange.answer), answer.json()
        ids.setdefault(shown["id"], given["id"])
        assert ids[shown["id"]] == given["id"]
        volatile = ["/id", "/expiresAt"]
        assert same(without(given, volatile), without(shown, volatile)), answer.content.decode()
    assert count >= 5
