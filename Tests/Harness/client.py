"""An asyncio client that sends one request after the other on a persistent connection."""

import asyncio
import contextlib
import json
import socket
from typing import Any

from wire import Answer, parse_head, request_bytes

#: Seconds; longer than the service's own limit for a response, 30 s.
TIMEOUT = 40.0
#: Half a mebibyte is more than the fields or a line of any response.
LIMIT = 1 << 19


class Client:
    """One connection at a time to the service, opened when it is needed."""

    def __init__(self, port: int, source: str = "127.0.0.1", timeout: float = TIMEOUT) -> None:
        self.port = port
        self.source = source
        self.timeout = timeout
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def connected(self, receive_buffer: int | None = None) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self.streams is None:
            plain = socket.socket()
            try:
                if receive_buffer is not None:
                    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
                plain.setblocking(False)
                plain.bind((self.source, 0))
                await asyncio.get_running_loop().sock_connect(plain, ("127.0.0.1", self.port))
                self.streams = await asyncio.open_connection(sock=plain, limit=receive_buffer or LIMIT)
            except BaseException:
                plain.close()
                raise
        return self.streams

    def close(self) -> None:
        """Closes the connection, with any request in progress."""
        if self.streams is not None:
            self.streams[1].transport.abort()
            self.streams = None

    async def ask(
        self, method: str, target: str, body: Any = None, fields: dict[str, str] | None = None
    ) -> Answer:
        """Sends a request and reads its response; an error closes the connection."""
        content = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        try:
            async with asyncio.timeout(self.timeout):
                # The service may have closed an idle connection, which is noticed only now; RFC 9112, 9.3.1 allows a
                # retry.
                for attempt in (1, 2):
                    is_new = self.streams is None
                    reader, writer = await self.connected()
                    try:
                        writer.write(request_bytes(method, target, content, fields))
                        await writer.drain()
                        answer = await read_answer(reader, method)
                        break
                    except (ConnectionError, asyncio.IncompleteReadError) as error:
                        self.close()
                        partial = isinstance(error, asyncio.IncompleteReadError) and error.partial
                        if is_new or attempt == 2 or partial:
                            raise ConnectionError("the connection ended before its answer") from error
        except BaseException:
            self.close()
            raise
        if answer.fields.get("connection", "").lower() == "close":
            self.close()
        return answer

    async def abort(self, data: bytes) -> None:
        """Sends bytes on a new connection and closes it, so that data and FIN usually arrive together."""
        self.close()
        with contextlib.suppress(OSError):
            async with asyncio.timeout(self.timeout):
                _, writer = await self.connected()
                writer.write(data)
                # Bytes that do not fit into the kernel's buffer are not sent.
                writer.close()
        self.streams = None


async def read_answer(reader: asyncio.StreamReader, method: str) -> Answer:
    """Reads one response with a length or in chunks; the service sends no others to a client of HTTP/1.1."""
    status, fields = parse_head(await reader.readuntil(b"\r\n\r\n"))
    if method == "HEAD" or status in (204, 304):
        return Answer(status, fields, b"")
    if "content-length" in fields:
        return Answer(status, fields, await reader.readexactly(int(fields["content-length"])))
    parts = []
    while part := await read_chunk(reader):
        parts.append(part)
    return Answer(status, fields, b"".join(parts))


async def read_chunk(reader: asyncio.StreamReader) -> bytes:
    """Reads one chunk; the last one is empty."""
    size = int((await reader.readuntil(b"\r\n")).partition(b";")[0], 16)
    return (await reader.readexactly(size + 2))[:-2]
