"""The processes under test: the service, and its photo library, which can have faults."""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
import urllib.error
import urllib.request
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

ROOT = Path(__file__).resolve().parents[2]
#: The longest wait, in seconds. It is generous because the machine may be busy.
TIMEOUT = 45
BINARY = os.environ.get("SPRINGBAR_BINARY", str(ROOT / ".build/debug/springbar"))
FAKE_LIBRARY = os.environ.get("SPRINGBAR_FAKE_LIBRARY", str(Path(BINARY).with_name("fake-library")))


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    content: bytes

    def json(self) -> Any:
        return json.loads(self.content)


class Server:
    """A running process of Springbar, and a simple client for it."""

    def __init__(self, arguments: list[str], environment: dict[str, str], base: Callable[[str], str | None]) -> None:
        """Starts the process and reads its log until `base` returns the address from a line."""
        self.process = subprocess.Popen(
            arguments,
            env={"PATH": os.environ["PATH"]} | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        #: The last lines of its log.
        self.log: deque[str] = deque(maxlen=60)
        found = self._read_until(base)
        assert found, f"{' '.join(arguments)} ended before it listened:\n" + "\n".join(self.log)
        self.base = found
        # The log must be read to its end, because a full pipe would block the process.
        threading.Thread(target=lambda: self._read_until(lambda _: None), daemon=True).start()

    def _read_until(self, found: Callable[[str], str | None]) -> str | None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.log.append(line.rstrip())
            if answer := found(line):
                return answer
        return None

    def ask(self, path: str, method: str = "GET", body: Any = None, headers: dict[str, str] | None = None) -> Answer:
        fields = {"Content-Type": "application/json"} if body is not None else {}
        request = urllib.request.Request(
            self.base + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers=fields | (headers or {}),
        )
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
                return Answer(response.status, lower(response.headers), response.read())
        except urllib.error.HTTPError as error:
            return Answer(error.code, lower(error.headers), error.read())

    def get(self, path: str) -> Any:
        answer = self.ask(path)
        assert answer.status == 200, f"{path}: {answer.status} {answer.content!r}"
        return answer.json()

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(timeout=TIMEOUT)
        finally:
            self.process.kill()


class Library(Server):
    """`fake-library`: drawn photos in the upstream's wire format, and faults on request."""

    def break_with(self, **fault: Any) -> None:
        answer = self.ask("/fake/faults", "POST", fault)
        assert answer.status == 201, answer.content

    def repair(self) -> None:
        assert self.ask("/fake/faults", "DELETE").status == 204

    @property
    def counters(self) -> dict[str, Any]:
        return self.get("/fake/counters")


def start_library() -> Library:
    def base(line: str) -> str | None:
        found = re.search(r"http://[\d.]+:\d+", line)
        return found and found[0]

    return Library([FAKE_LIBRARY, "--photos", "300"], {}, base)


def start_service(library: Library | None = None, **settings: str) -> Server:
    """Starts the service with a library; without one it has the built-in library."""
    environment = settings | ({} if library is None else {
        "UNSPLASH_ACCESS_KEY": "any",
        "SPRINGBAR_UNSPLASH_API_URL": library.base,
        "SPRINGBAR_UNSPLASH_IMAGE_HOSTS": library.base.removeprefix("http://"),
        "SPRINGBAR_RATE_LIMIT_PER_HOUR": "5000",
    })

    def base(line: str) -> str | None:
        record = json.loads(line) if line.startswith("{") else {}
        return f"http://127.0.0.1:{record['port']}" if record.get("message") == "listening" else None

    return Server([BINARY, "serve", "--port", "0", "--log-format", "json", "--log-level", "notice"], environment, base)


def lower(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}
