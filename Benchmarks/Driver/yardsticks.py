"""The servers that rows are compared with: the C library's own server, and nginx. Responses have the row's size."""

import contextlib
import functools
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from load import Load
from programs import build_yardstick
from cores import SERVER_CORE, on_core
from nginx import Nginx
from servers import Server, running
from service import free_port

Yardstick = Callable[[Server, Load], AbstractContextManager[tuple[Server, Load]]]
"""A function of the service and its load that runs a server to compare with and returns the load for it."""

build_once = functools.cache(build_yardstick)


@contextlib.contextmanager
def prebuilt(load: Load, content_bytes: int) -> Iterator[tuple[Server, Load]]:
    """Yardsticks/prebuilt.c with responses of a given size; one thread for its core, like the service."""
    port = free_port()
    with running([str(build_once("prebuilt")), str(port), "1", str(content_bytes)], port, os.environ) as server:
        yield server, Load("/", connections=load.connections)


def c_hello(_service: Server, load: Load) -> AbstractContextManager[tuple[Server, Load]]:
    """The smallest cost of a request in the C library."""
    return prebuilt(load, 2)


def c_same_size(_service: Server, load: Load) -> AbstractContextManager[tuple[Server, Load]]:
    """A picture server of the C library alone."""
    return prebuilt(load, load.content_bytes)


@contextlib.contextmanager
def c_fan_out(event_bytes: int) -> Iterator[Server]:
    """Event streams of the C library alone, Yardsticks/fanout.c, with events of a given size."""
    port = free_port()
    with running([str(build_once("fanout")), str(port), str(event_bytes)], port, os.environ) as server:
        yield server


@contextlib.contextmanager
def nginx_static(service: Server, load: Load) -> Iterator[tuple[Server, Load]]:
    """nginx with the row's response as a file: sendfile(2), and the file kept open."""
    content = service.ask("GET", load.target).content
    with nginx("root files;") as (server, folder):
        (folder / "files/picture").write_bytes(content)
        yield server, Load("/picture", connections=load.connections)


@contextlib.contextmanager
def nginx_proxy_cache(service: Server, load: Load) -> Iterator[tuple[Server, Load]]:
    """nginx in front of the service, which it requests once."""
    rules = f"""
        proxy_pass http://127.0.0.1:{service.port};
        proxy_cache answers;
        proxy_cache_lock on;
        add_header X-Cache $upstream_cache_status;"""
    with nginx(rules, "proxy_cache_path cache levels=1 keys_zone=answers:1m;") as (server, _):
        server.ask("GET", load.target)
        if server.ask("GET", load.target).fields.get("x-cache") != "HIT":
            raise RuntimeError("nginx does not cache the response")
        yield server, load


@contextlib.contextmanager
def nginx(location: str, http: str = "") -> Iterator[tuple[Nginx, Path]]:
    """Runs nginx in its own folder, without the features that the row does not measure."""
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "files").mkdir()
        with on_core(SERVER_CORE):
            server = Nginx(Path(name), CONFIGURATION % {"http": http, "location": location})
        with server:
            yield server, Path(name)


CONFIGURATION = """
default_type image/png;
sendfile on;
tcp_nopush on;
open_file_cache max=100 inactive=1h;
open_file_cache_valid 1h;
keepalive_requests 1000000000;
%(http)s
server {
    listen 127.0.0.1:PORT;
    location / { %(location)s }
}
"""
