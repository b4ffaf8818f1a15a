"""The processes under test: the service, and a photo library of its own that can be broken on purpose."""

from __future__ import annotations

import json
import os
import re
import subprocess
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("SPRINGBAR_BINARY", str(ROOT / ".build/debug/springbar"))


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    content: bytes

    def json(self) -> Any:
        return json.loads(self.content)


class Server:
    """A running process of ours, and a plain client for it."""

    def __init__(self, process: subprocess.Popen[str], base: str) -> None:
        self.process = process
        self.base = base

    def ask(self, path: str, method: str = "GET", body: Any = None, headers: dict[str, str] | None = None) -> Answer:
        fields = {"Content-Type": "application/json"} if body is not None else {}
        request = urllib.request.Request(
            self.base + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers=fields | (headers or {}),
        )
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return Answer(response.status, lower(response.headers), response.read())
        except urllib.error.HTTPError as error:
            return Answer(error.code, lower(error.headers), error.read())

    def get(self, path: str) -> Any:
        answer = self.ask(path)
        assert answer.status == 200, f"{path}: {answer.status} {answer.content!r}"
        return answer.json()

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=15)


class Library(Server):
    """`springbar sandbox`: invented photos in the upstream's wire format, and faults on request."""

    def break_with(self, **fault: Any) -> None:
        answer = self.ask("/sandbox/faults", "POST", fault)
        assert answer.status == 201, answer.content

    def repair(self) -> None:
        assert self.ask("/sandbox/faults", "DELETE").status == 204

    @property
    def counters(self) -> dict[str, Any]:
        return self.get("/sandbox/counters")


def start_library() -> Library:
    process = start(["sandbox", "--port", "0", "--photos", "300", "--requests-per-hour", "0"], {})
    assert process.stdout
    for line in process.stdout:
        if found := re.search(r"http://[\d.]+:\d+", line):
            return Library(process, found[0])
    raise RuntimeError("the sandbox ended before it listened")


def start_service(library: Library) -> Server:
    environment = {
        "UNSPLASH_ACCESS_KEY": "any",
        "SPRINGBAR_UNSPLASH_API_URL": library.base,
        "SPRINGBAR_UNSPLASH_IMAGE_HOSTS": library.base.removeprefix("http://"),
        "SPRINGBAR_RATE_LIMIT_PER_HOUR": "5000",
    }
    process = start(["serve", "--port", "0", "--log-format", "json", "--log-level", "notice"], environment)
    assert process.stdout
    for line in process.stdout:
        record = json.loads(line)
        if record["message"] == "listening":
            return Server(process, f"http://127.0.0.1:{record['port']}")
    raise RuntimeError("the service ended before it listened")


def start(arguments: list[str], environment: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [BINARY, *arguments],
        env={"PATH": os.environ["PATH"]} | environment,
        stdout=subprocess.PIPE,
        text=True,
    )


def lower(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}
