"""The commands of README.md and docs/bars.md print what the pages say."""

import json
import re
import subprocess
from dataclasses import dataclass
from typing import Any, Iterator

from contract import ROOT, same, without

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
KEEPS = "ID=$("
"""The beginning of a command that stores the id of the new bar."""


@dataclass(frozen=True)
class Exchange:
    """A curl command about bars, and the response shown below it, if any."""

    command: str
    answer: str | None

    def perform(self, port: int, id: str) -> tuple[Any, str]:
        """Runs the command in a shell where `ID` is `id`; returns the response, and `ID` afterwards."""
        command = self.command.replace("localhost:8080", f"localhost:{port}")
        ran = subprocess.run(
            ["bash", "-c", f"ID={id}\n{command}\necho\necho $ID"], capture_output=True, text=True, timeout=20, cwd=ROOT,
        )
        shown, left = ran.stdout.rstrip().rpartition("\n")[::2]
        # A command that stores the id reads it from standard output and prints the response to standard error.
        return json.loads(ran.stderr if command.startswith(KEEPS) else shown), left


def exchanges(page: str) -> Iterator[Exchange]:
    blocks = [(match[1], match[2]) for match in BLOCK.finditer((ROOT / page).read_text())]
    for (language, text), (follower, answer) in zip(blocks, blocks[1:]):
        if language == "sh" and "curl " in text and "localhost:8080/v1/bars" in text:
            yield Exchange(text, answer if follower == "json" else None)


def test_the_commands_of_the_readme_print_what_it_says(port: int) -> None:
    blocks = [(match[1], match[2]) for match in BLOCK.finditer((ROOT / "README.md").read_text())]
    count = 0
    for (language, command), (follower, printed) in zip(blocks, blocks[1:]):
        if language != "sh":
            continue
        count += 1
        assert follower == "text", command
        command = command.replace("localhost:8080", f"localhost:{port}")
        ran = subprocess.run(["bash", "-ec", command], cwd=ROOT, capture_output=True, text=True, timeout=20, check=True)
        assert ran.stdout == printed
    assert count == 3


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 100


def test_the_responses_about_bars_are_those_of_the_service(port: int) -> None:
    id = ""
    count = 0
    for exchange in exchanges("docs/bars.md"):
        given, id = exchange.perform(port, id)
        assert given.get("id") == id, given
        if exchange.answer is None:
            continue
        count += 1
        volatile = ["/id", "/expiresAt"]
        assert same(without(given, volatile), without(json.loads(exchange.answer), volatile)), json.dumps(given)
    assert count >= 5
