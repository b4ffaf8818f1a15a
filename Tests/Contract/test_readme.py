"""What README.md shows of bars is what the running service answers to its commands, pasted as they stand."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass
from typing import Any, Iterator

from contract import ROOT, same, without

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
KEEPS = "ID=$("
"""How a command begins that keeps the id of the bar it makes, for the commands after it."""


@dataclass(frozen=True)
class Exchange:
    """A curl command about bars, and the answer that stands right below it, if any."""

    command: str
    answer: str | None

    def perform(self, port: int, id: str) -> tuple[Any, str]:
        """Runs the command in a shell where `ID` is `id`; gives the answer that it shows, and the `ID` it leaves."""
        command = self.command.replace("localhost:8080", f"localhost:{port}")
        ran = subprocess.run(
            ["bash", "-c", f"ID={id}\n{command}\necho\necho $ID"], capture_output=True, text=True, timeout=20,
        )
        shown, left = ran.stdout.rstrip().rpartition("\n")[::2]
        # What keeps the id has standard output for it, and shows the answer beside it.
        return json.loads(ran.stderr if command.startswith(KEEPS) else shown), left


def exchanges() -> Iterator[Exchange]:
    blocks = [(match[1], match[2]) for match in BLOCK.finditer((ROOT / "README.md").read_text())]
    for (language, text), (follower, answer) in zip(blocks, blocks[1:]):
        if language == "sh" and "curl " in text and "localhost:8080/v1/bars" in text:
            yield Exchange(text, answer if follower == "json" else None)


def test_the_bars_of_the_readme_answer_as_it_says(port: int) -> None:
    id = ""
    count = 0
    for exchange in exchanges():
        given, id = exchange.perform(port, id)
        assert given.get("id") == id, given
        if exchange.answer is None:
            continue
        count += 1
        volatile = ["/id", "/expiresAt"]
        assert same(without(given, volatile), without(json.loads(exchange.answer), volatile)), json.dumps(given)
    assert count >= 5
