"""The processes of a run: replicas of the service, and nginx before them, on private ports and in a temporary folder."""

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from nginx import Nginx
from service import Service


@contextlib.contextmanager
def run_folder() -> Iterator[tuple[Path, contextlib.ExitStack]]:
    """A temporary folder, and a stack for the processes of a run; the path of a Unix socket in it must be short."""
    with tempfile.TemporaryDirectory(prefix="scale-", dir="/tmp") as name, contextlib.ExitStack() as stack:
        yield Path(name), stack


def replica(number: int, folder: Path, environment: dict[str, str]) -> Service:
    name = f"replica-{number}"
    return Service(environment, name=name, output=folder / f"{name}.log")


#: All requests of a bar go to one replica while it is up.
HASH = "hash"
#: The replicas take turns.
TURNS = "round-robin"


def nginx(folder: Path, ports: Sequence[int], balancing: str) -> Nginx:
    """Starts nginx before the replicas."""
    servers = "\n".join(f"    server 127.0.0.1:{number} max_fails=0;" for number in ports)
    choice = "hash $bar consistent;" if balancing == HASH else ""
    groups = f"""
map $uri $bar {{
    ~^/v1/bars/(?<id>[^/]+) $id;
    default $request_id;
}}
upstream replicas {{
    {choice}
{servers}
    keepalive 64;
}}
"""
    return nginx_with(groups, "replicas", folder)


def nginx_with(groups: str, target: str, folder: Path) -> Nginx:
    """Starts nginx with groups of replicas, and the name of the one that gets a request."""
    return Nginx(folder, f"""
    {groups}
    server {{
        listen 127.0.0.1:PORT;
        keepalive_requests 1000000;
        location / {{
            proxy_pass http://{target};
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_connect_timeout 1s;
            proxy_buffering off;
        }}
    }}""")


def balanced(
    stack: contextlib.ExitStack, folder: Path, environment: dict[str, str], balancing: str
) -> tuple[list[Service], int]:
    """Starts two replicas and nginx before them; returns them with the port of nginx."""
    replicas = [stack.enter_context(replica(number, folder, environment)) for number in (1, 2)]
    ports = [each.port for each in replicas]
    return replicas, stack.enter_context(nginx(folder, ports, balancing)).port
