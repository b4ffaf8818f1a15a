"""docs/nginx.conf in a real nginx, with other addresses only: what it hides, limits, forwards and holds in memory."""

import contextlib
import os
import re
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from library import Library
from nginx import Nginx
from service import MEBIBYTE, ROOT, Service, eventually
from shapes import NEW_BAR, scroll
from wire import request_bytes

CONFIGURATION = (ROOT / "docs/nginx.conf").read_text()
OTHER = "127.0.9.2"
#: The service closes a connection that is idle for so many seconds.
IDLE = 75


def number(pattern: str) -> int:
    found = re.search(pattern, CONFIGURATION, re.MULTILINE)
    assert found, pattern
    return int(found[1])


class Proxy(Nginx):
    """nginx with the configuration, before one upstream that has the addresses of both replicas."""

    def __init__(self, folder: Path, upstream: int) -> None:
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        text = CONFIGURATION.replace(" /tmp/", f" {self.temporary}/")
        for old, new in [("listen 8080;", "listen 127.0.0.1:PORT;"),
                         ("server replica-1:8080 ", f"server 127.0.0.1:{upstream} "),
                         ("server replica-2:8080 ", f"server 127.0.0.1:{upstream} ")]:  # fmt: skip
            assert text.count(old) == 1
            text = text.replace(old, new)
        super().__init__(folder, text)

    def files(self) -> set[str]:
        """Returns the temporary files: those with a name, and those that are open."""
        named = {str(path) for path in self.temporary.rglob("*") if path.is_file() and path.name != "nginx.pid"}
        opened = set()
        for descriptor in Path(f"/proc/{self.process.pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):
                opened.add(os.readlink(descriptor))
        return named | {path for path in opened if path.startswith(str(self.temporary))}


class Upstream:
    """Records the heads of requests; a request of /held gets no answer."""

    def __init__(self) -> None:
        self.heads: list[tuple[str, dict[str, str]]] = []
        self.connections = 0
        self.server = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port: int = self.server.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.server.accept()
                self.connections += 1
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        data = b""
        with connection, contextlib.suppress(OSError):
            while part := connection.recv(1 << 16):
                data += part
                while (end := data.find(b"\r\n\r\n")) >= 0:
                    lines = data[:end].decode("latin-1").split("\r\n")
                    data = data[end + 4 :]
                    fields = (line.partition(":") for line in lines[1:])
                    self.heads.append((lines[0], {name.lower(): value.strip() for name, _, value in fields}))
                    if "/held" not in lines[0]:
                        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    upstream = Upstream()
    yield upstream
    upstream.server.close()


@pytest.mark.parametrize("path", ["/metrics", "/readyz", "/v1/status"])
def test_operations_are_not_passed_on(service: Service, tmp_path: Path, path: str) -> None:
    assert service.get(path).status == 200
    first, rest = path[1], path[2:]
    spellings = [path, f"{path}?x", f"/%{ord(first):x}{rest}", f"/{path}", f"/v1/..{path}", f"/.{path}", f"{path}/",
                 f"{path}//", path.upper(), f"http://springbar.test{path}"]  # fmt: skip
    with Proxy(tmp_path, service.port) as nginx:
        for spelling in spellings:
            assert (nginx.get(spelling).status, spelling) == (404, spelling)
        assert [nginx.get(other).status for other in ("/healthz", "/openapi.json")] == [200, 200]


def test_the_fields_of_the_proxy_replace_those_of_a_client(upstream: Upstream, tmp_path: Path) -> None:
    forged = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https",
              "Forwarded": "for=203.0.113.9;host=evil.example;proto=https"}  # fmt: skip
    with Proxy(tmp_path, upstream.port) as nginx, nginx.connect(OTHER) as connection:
        for target in ("/v1/springs", f"/v1/bars/{'0' * 32}/stream"):
            for fields in ({}, forged):
                assert connection.ask("GET", target, fields={"Host": "right.example:8443"} | fields).status == 200
    assert len(upstream.heads) == 4
    for _, head in upstream.heads:
        assert head["x-forwarded-for"] == OTHER
        assert head["x-forwarded-host"] == head["host"] == "right.example:8443"
        assert head["x-forwarded-proto"] == "http"
        assert "forwarded" not in head


def test_an_address_has_a_number_of_requests_at_the_same_time(upstream: Upstream, tmp_path: Path) -> None:
    limit = number(r"^ +limit_conn clients (\d+);$")
    with Proxy(tmp_path, upstream.port) as nginx, contextlib.ExitStack() as stack:
        for _ in range(limit):
            stack.enter_context(nginx.connect()).send(request_bytes("GET", "/held"))
        assert eventually(lambda: len(upstream.heads) == limit, 30), len(upstream.heads)
        with nginx.connect() as greedy, nginx.connect(OTHER) as other:
            assert greedy.ask("GET", "/v1/springs").status == 429
            assert other.ask("GET", "/v1/springs").status == 200
        stack.close()
        assert eventually(lambda: status(nginx) == 200, 30)


def status(nginx: Proxy) -> int:
    return nginx.get("/healthz").status


def test_a_connection_to_the_service_is_used_again(upstream: Upstream, tmp_path: Path) -> None:
    with Proxy(tmp_path, upstream.port) as nginx:
        assert [status(nginx) for _ in range(20)] == [200] * 20
    assert upstream.connections <= 2
    assert not any("connection" in head for _, head in upstream.heads)
    assert number(r"^ +keepalive_timeout (\d+)s;$") < IDLE


def test_answers_that_are_not_read_stay_with_the_service(tmp_path: Path) -> None:
    readers = 48
    with (
        Library(picture_bytes=8_000_000) as library,
        Service(library.environment | {"SPRINGBAR_TRUSTED_PROXIES": "127.0.0.1"}) as service,
        Proxy(tmp_path, service.port) as nginx,
        contextlib.ExitStack() as stack,
    ):
        assert service.get("/v1/photos?page=1&perPage=30").status == 200
        picture = f"/v1/photos/{library.ids[1]}/image/full"
        assert len(service.get(picture).content) >= 8_000_000
        assert status(nginx) == 200
        resident, unread = nginx.resident(), 0
        for index in range(readers):
            connection = stack.enter_context(nginx.connect(f"127.0.8.{index + 1}", receive_buffer=4096))
            connection.send(request_bytes("GET", picture))
            code, fields = connection.read_head()
            if code == 200:
                assert int(fields["content-length"]) >= 8_000_000
                unread += 1
            else:
                # The service counts what nginx does not hold.
                assert (code, int(fields["retry-after"]) >= 1) == (503, True)
        # nginx takes at once what it takes at all: another answer passes it meanwhile.
        assert [status(nginx) for _ in range(20)] == [200] * 20
        grown = nginx.resident() - resident
        print(f"measured: {unread} of {readers} unread pictures of 8 MB: nginx grows by {grown / MEBIBYTE:.1f} MiB, "
              f"{len(nginx.files())} temporary files")  # fmt: skip
        assert unread >= 8
        assert nginx.files() == set()
        assert grown < 16 * MEBIBYTE


def test_content_gets_into_no_file(upstream: Upstream, tmp_path: Path) -> None:
    size = number(r"^ +client_max_body_size (\d+)k;$") << 10
    with Proxy(tmp_path, upstream.port) as nginx:
        with nginx.connect() as connection:
            fields = {"Content-Length": str(size), "Content-Type": "application/json"}
            connection.send(request_bytes("POST", "/v1/bars/apply", None, fields) + b" " * (size - 1))
            assert status(nginx) == 200
            assert nginx.files() == set()
            connection.send(b" ")
            assert connection.read_answer().status == 200
            assert connection.ask("POST", "/v1/bars/apply", b" " * (size + 1)).status == 413


def test_the_events_of_a_stream_are_passed_on_at_once(service: Service, tmp_path: Path) -> None:
    """Nothing follows an event before the client has it, so a proxy that collects bytes would send nothing."""
    with Proxy(tmp_path, service.port) as nginx, nginx.connect() as connection:
        bar = connection.ask("POST", "/v1/bars", NEW_BAR).fields["location"]
        connection.send(request_bytes("GET", f"{bar}/stream", fields={"Accept": "text/event-stream"}))
        code, fields = connection.read_head()
        assert (code, fields["content-type"].partition(";")[0]) == (200, "text/event-stream")
        assert b"\ndata:" in connection.read_through(b"\n\n")
        assert service.ask("POST", f"{bar}/events", {"events": [scroll(-190), scroll(-100)]}).status == 200
        assert b"\ndata:" in connection.read_through(b"\n\n")
