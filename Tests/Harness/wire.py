"""A client of raw bytes that can send half a request, not read, and use any address of 127.0.0.0/8."""

from __future__ import annotations

import gzip
import json
import socket
import struct
from dataclasses import dataclass
from typing import Any

#: The longest time to wait for a response, in seconds.
TIMEOUT = 20.0
#: ip(7); Python has no name for it before 3.12.
IP_BIND_ADDRESS_NO_PORT = 24


@dataclass(frozen=True)
class Answer:
    """A complete response; field names are in lower case."""

    status: int
    fields: dict[str, str]
    content: bytes

    def __str__(self) -> str:
        return f"{self.status} {self.content[:300]!r}"

    def json(self) -> Any:
        is_compressed = self.fields.get("content-encoding") == "gzip"
        return json.loads(gzip.decompress(self.content) if is_compressed else self.content)

    @property
    def media_type(self) -> str:
        return self.fields.get("content-type", "").partition(";")[0]

    @property
    def problem(self) -> str:
        """The code of a problem, such as `overloaded`; empty for any other response."""
        if self.media_type != "application/problem+json":
            return ""
        return str(self.json().get("type", "")).removeprefix("/problems/")


def request_bytes(
    method: str, target: str, body: bytes | None = None, fields: dict[str, str] | None = None
) -> bytes:
    """Returns the bytes of a request; the body is JSON unless `fields` has another type."""
    lines = {"Host": "springbar"}
    if body is not None:
        lines |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    lines |= fields or {}
    head = f"{method} {target} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return head.encode() + b"\r\n" + (body or b"")


class Connection:
    """A connection from any address of 127.0.0.0/8."""

    def __init__(
        self, port: int, source: str = "127.0.0.1", receive_buffer: int | None = None, timeout: float = TIMEOUT
    ) -> None:
        self.socket = socket.socket()
        self.rest = b""
        try:
            if receive_buffer is not None:
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
            self.socket.settimeout(timeout)
            # connect(2) chooses the port: bind(2) can choose that of a server that has ended, and connect to itself.
            self.socket.setsockopt(socket.IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1)
            self.socket.bind((source, 0))
            self.socket.connect(("127.0.0.1", port))
        except OSError:
            self.socket.close()
            raise

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.socket.close()

    def reset(self) -> None:
        """Closes with a reset: SO_LINGER with a time of 0 (socket(7))."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def send_with_end(self, data: bytes) -> None:
        """Sends data and FIN in one segment, so that the server sees both at once."""
        self.socket.sendall(data, socket.MSG_MORE)
        self.socket.close()

    def ask(
        self, method: str, target: str, body: Any = None, fields: dict[str, str] | None = None
    ) -> Answer:
        """Sends a request and reads its response; `body` is JSON text, or a value to encode as JSON."""
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        self.send(request_bytes(method, target, body.encode() if isinstance(body, str) else body, fields))
        return self.read_answer(method)

    def read_answer(self, method: str = "GET") -> Answer:
        """Reads one response: with a length, in chunks, or until the end of the connection (RFC 9112, 6.3).

        A stream of events does not end; its content is the first of them.
        """
        answer = Answer(*self.read_head(), b"")
        status, fields = answer.status, answer.fields
        if method == "HEAD" or status in (204, 304):
            return answer
        if answer.media_type == "text/event-stream":
            return Answer(status, fields, self.read_chunk())
        if fields.get("transfer-encoding", "").lower() == "chunked":
            parts = []
            while part := self.read_chunk():
                parts.append(part)
            return Answer(status, fields, b"".join(parts))
        if (length := fields.get("content-length")) is not None:
            return Answer(status, fields, self.read_exactly(int(length)))
        parts = [self.rest]
        while part := self.socket.recv(1 << 16):
            parts.append(part)
        return Answer(status, fields, b"".join(parts))

    def read_head(self) -> tuple[int, dict[str, str]]:
        """Reads the status and the fields, but not the content."""
        return parse_head(self.read_through(b"\r\n\r\n"))

    def read_chunk(self) -> bytes:
        """Reads one chunk; the last one is empty."""
        size = int(self.read_through(b"\r\n").partition(b";")[0], 16)
        return self.read_exactly(size + 2)[:-2]

    def read_through(self, end: bytes) -> bytes:
        while (at := self.rest.find(end)) < 0:
            self.receive()
        found, self.rest = self.rest[: at + len(end)], self.rest[at + len(end) :]
        return found

    def read_exactly(self, count: int) -> bytes:
        parts, have = [self.rest], len(self.rest)
        while have < count:
            part = self.socket.recv(min(1 << 20, max(1, count - have)))
            if not part:
                raise ConnectionError(f"the connection ended {count - have} bytes early")
            parts.append(part)
            have += len(part)
        data = b"".join(parts)
        self.rest = data[count:]
        return data[:count]

    def receive(self) -> None:
        part = self.socket.recv(1 << 16)
        if not part:
            raise ConnectionError("the connection ended")
        self.rest += part


def parse_head(head: bytes) -> tuple[int, dict[str, str]]:
    """Returns the status and the fields of a response; of a repeated field, the last value."""
    lines = head.decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in lines[1:] if line)
    return int(lines[0].split(" ")[1]), {name.lower(): value.strip() for name, _, value in pairs}


def ask(
    port: int,
    method: str,
    target: str,
    body: Any = None,
    fields: dict[str, str] | None = None,
    source: str = "127.0.0.1",
    timeout: float = TIMEOUT,
) -> Answer:
    """Sends one request on a new connection."""
    with Connection(port, source, timeout=timeout) as connection:
        return connection.ask(method, target, body, fields)
