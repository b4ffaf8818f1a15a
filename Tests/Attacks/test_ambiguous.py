"""Heads and chunks that servers read in different ways, through docs/nginx.conf in a real nginx.

If nginx sees one request where the service sees two, the second has no fields of the proxy and takes the answer of
another client (request smuggling, CWE-444). So the service must count as many requests as it has answered through nginx.
"""

import contextlib
import json
import time
from collections.abc import Iterator
from pathlib import Path

from service import Service
from test_nginx import Proxy
from wire import Connection

#: How long answers are waited for, in seconds.
WAIT = 3
#: A request that only one of two readers would see.
HIDDEN = b"GET /hid... HTTP/1.1\r\nHost: springbar\r\n\r\n"
CHUNKS = b"0\r\n\r\n"
LENGTH = f"Content-Length: {len(CHUNKS + HIDDEN)}"
#: Fields that one reader takes for chunks and another one for a length, or for no content.
FIELDS = [
    f"{LENGTH}\r\nTransfer-Encoding: chunked", f"Transfer-Encoding: chunked\r\n{LENGTH}",
    f"{LENGTH}\r\nTransfer-Encoding: identity, chunked", f"{LENGTH}\r\nTransfer-Encoding: chunked, identity",
    f"{LENGTH}\r\nTransfer-Encoding: xchunked", f"{LENGTH}\r\nTransfer-Encoding: \tchunked",
    f"{LENGTH}\r\nTransfer-Encoding: \x0bchunked", f"{LENGTH}\r\nTransfer-Encoding : chunked",
    f"{LENGTH}\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity", f"{LENGTH}\r\n Transfer-Encoding: chunked",
    f"{LENGTH}\r\nX: y\r\n\tTransfer-Encoding: chunked", f"{LENGTH}\r\nTransfer-Encoding:\r\n chunked",
    f"{LENGTH}\r\nTransfer-Encoding: \"chunked\"", f"{LENGTH}\r\nTransfer_Encoding: chunked",
    f"{LENGTH}\r\nX: y\rTransfer-Encoding: chunked", f"{LENGTH}\nTransfer-Encoding: chunked",
    f"{LENGTH}\r\nContent-Length: 5", f"Content-Length: 5\r\n{LENGTH}", "Content-Length: 5, 5", "Content-Length: +5",
    "Content-Length: 05", "Content-Length: 0x5", "Content-Length: 5 ", "Content-Length: -5", "Content-Length: ",
    "Content-Length: 18446744073709551621", "Content-Length : 5", "Content-Length\r\n: 5", "Transfer-Encoding: chunked",
]  # fmt: skip
#: Chunks, which one reader ends before the hidden request and another one after it.
SIZES = [b"0;x=\n\r\n\r\n", b"0\n\n", b"0\r\r\n\r\n", b"00000000000000000\r\n\r\n", b"-0\r\n\r\n", b"0x0\r\n\r\n",
         b" 0\r\n\r\n", b"0 \r\n\r\n", b"100000000\r\n\r\n", b"10000000000000000\r\n\r\n", b"0\r\nX: y\r\n\r\n",
         b"0\r\n" + LENGTH.encode() + b"\r\n\r\n", b"1\r\nxx0\r\n\r\n", b"2\r\nx\r\n0\r\n\r\n"]  # fmt: skip


def messages() -> Iterator[bytes]:
    """Yields messages to `/seen`, whose content may hide a request to `/hid...`."""
    for fields in FIELDS:
        for start in ("POST /seen HTTP/1.1", "GET /seen HTTP/1.1", "POST /seen HTTP/1.0"):
            head = f"{start}\r\nHost: springbar\r\nConnection: keep-alive\r\n{fields}\r\n\r\n"
            yield head.encode("latin-1") + CHUNKS + HIDDEN
    for size in SIZES:
        yield b"POST /seen HTTP/1.1\r\nHost: springbar\r\nTransfer-Encoding: chunked\r\n\r\n" + size + HIDDEN
    for hosts in ("Host: a\r\nHost: b", "Host: a, b", "Host: a b", "Host:"):
        yield f"GET /seen HTTP/1.1\r\n{hosts}\r\n\r\n".encode() + HIDDEN
    yield b"GET /seen HTTP/1.1\r\nHost: springbar\r\nX: \0\r\n\r\n" + HIDDEN
    yield b"GET http://other/seen HTTP/1.1\r\nHost: springbar\r\n\r\n" + HIDDEN


def answers(connection: Connection, deadline: float) -> int:
    """Reads responses until the connection ends, or until the deadline; returns how many are of the service."""
    count = 0
    with contextlib.suppress(OSError):
        while True:
            connection.socket.settimeout(max(0.01, deadline - time.monotonic()))
            count += b"<center>nginx" not in connection.read_answer().content
    return count


def test_nginx_and_the_service_see_the_same_requests(tmp_path: Path) -> None:
    sent = list(messages())
    log = tmp_path / "log"
    with (
        Service(output=log) as service, Proxy(tmp_path, service.port) as nginx,
        contextlib.ExitStack() as stack,
    ):  # fmt: skip
        connections = [stack.enter_context(nginx.connect()) for _ in sent]
        for index, (connection, message) in enumerate(zip(connections, sent, strict=True)):
            # Numbers of the same length, because the content has its length in the head.
            connection.send(message.replace(b"/seen", f"/seen{index:03}".encode()).replace(b"/hid...", b"/hid%03d" % index))
        deadline = time.monotonic() + WAIT
        answered = [answers(connection, deadline) for connection in connections]
        # Another client gets its own answers on the connections that nginx keeps to the service.
        with nginx.connect("127.0.9.3") as other:
            assert [other.ask("GET", f"/v1/springs/{name}").status for name in ("presets", "none")] == [200, 404]
        assert service.is_healthy()
    paths = [json.loads(line).get("path", "") for line in log.read_text().splitlines()]
    seen = [sum(path in (f"/seen{index:03}", f"/hid{index:03}") for path in paths) for index in range(len(sent))]
    different = {sent[i]: (answered[i], seen[i]) for i in range(len(sent)) if answered[i] != seen[i]}
    assert not different, "answers to the client, and requests to the service"
    # The messages are read, and some as two requests, by both.
    assert {0, 1, 2} == set(seen)
