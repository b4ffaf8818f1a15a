"""Many requests on one connection, some hundred at a time without waiting for their responses."""

import re
import socket
from collections.abc import Iterable, Iterator
from itertools import islice

LENGTH = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)


def post(target: str, body: str) -> bytes:
    """Returns the bytes of a POST with JSON."""
    content = body.encode()
    head = f"POST {target} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    return head.encode() + content


def answers(port: int, requests: Iterable[bytes], at_once: int = 200) -> Iterator[bytes]:
    """Sends requests; returns the content of each response. Any other status than 2xx is an error."""
    waiting = iter(requests)
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        rest = b""
        while batch := list(islice(waiting, at_once)):
            connection.sendall(b"".join(batch))
            for _ in batch:
                while (end := rest.find(b"\r\n\r\n") + 4) < 4:
                    rest += received(connection)
                head, rest = rest[:end], rest[end:]
                length = LENGTH.search(head)
                if not head.startswith(b"HTTP/1.1 2") or not length:
                    raise RuntimeError(f"a request failed: {head.decode(errors='replace')}")
                while len(rest) < int(length[1]):
                    rest += received(connection)
                yield rest[: int(length[1])]
                rest = rest[int(length[1]) :]


def received(connection: socket.socket) -> bytes:
    data = connection.recv(1 << 16)
    if not data:
        raise RuntimeError("the service closed the connection")
    return data
