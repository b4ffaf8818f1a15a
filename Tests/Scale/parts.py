"""The processes of a run: Redis, replicas of the service and nginx, on private ports and in a temporary folder."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import socket
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from service import START, binary, free_port

#: Debian's redis-tools has the server as redis-check-rdb; the program decides by its name.
REDIS = "/usr/bin/redis-check-rdb"


class Process:
    """A command that is stopped by its process id, and by the kernel if this process ends."""

    def __init__(self, command: Sequence[str], log: Path, environment: dict[str, str] | None = None) -> None:
        guard = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                [*guard, *command],
                env={"PATH": os.environ["PATH"]} | (environment or {}),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )

    def send(self, number: int) -> None:
        self.process.send_signal(number)

    def kill(self) -> None:
        """Ends the process with SIGKILL and waits for its end."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()


class Part:
    """A server that can be killed and started again under the same address."""

    def __init__(self, name: str, command: Sequence[str], folder: Path, is_ready: Callable[[], bool],
                 environment: dict[str, str] | None = None) -> None:  # fmt: skip
        self.name = name
        self.command = command
        self.log = folder / f"{name}.log"
        self.is_ready = is_ready
        self.environment = environment
        self.process: Process | None = None
        self.start()

    def __enter__(self) -> Part:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def start(self) -> None:
        self.process = Process(self.command, self.log, self.environment)
        deadline = time.monotonic() + START
        while not self.is_ready():
            if self.process.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"{self.name} does not start:\n{self.log.read_text(errors='replace')[-2000:]}")
            time.sleep(0.01)

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.process.poll() is None

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()

    def send(self, number: int) -> None:
        if self.process is not None:
            self.process.send(number)


def redis(folder: Path) -> tuple[Part, str]:
    """Starts Redis with a log of writes on a Unix socket; returns it with its URL."""
    program = folder / "redis-server"
    program.symlink_to(REDIS)
    path = folder / "redis.sock"
    command = [
        str(program), "--port", "0", "--unixsocket", str(path), "--dir", str(folder), "--save", "",
        "--appendonly", "yes", "--appendfsync", "everysec", "--maxmemory-policy", "noeviction",
    ]  # fmt: skip
    return Part("redis", command, folder, lambda: answers_ping(path)), f"unix://{path}"


def listens(port: int) -> bool:
    """Returns whether a connection to the port is accepted."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def answers_ping(path: Path) -> bool:
    """Returns whether Redis has read its files and replies to commands."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1)
        probe.connect(str(path))
        probe.sendall(b"PING\r\n")
        return probe.recv(64).startswith(b"+PONG")
    return False


def replica(number: int, folder: Path, redis_url: str) -> tuple[Part, int]:
    """Starts a replica of the service; returns it with its port."""
    port = free_port()
    command = [binary(), "serve", "--port", str(port)]
    environment = {"SPRINGBAR_REDIS_URL": redis_url}
    return Part(f"replica-{number}", command, folder, lambda: listens(port), environment), port


def nginx(folder: Path, ports: Sequence[int], balancing: str) -> tuple[Part, int]:
    """Starts nginx before the replicas; returns it with its port.

    With `hash`, all requests of a bar go to one replica while it is up; otherwise the replicas take turns.
    """
    port = free_port()
    servers = "\n".join(f"        server 127.0.0.1:{number} max_fails=0;" for number in ports)
    choice = "hash $bar consistent;" if balancing == "hash" else ""
    text = f"""
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/nginx-error.log;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    map $uri $bar {{
        ~^/v1/bars/(?<id>[^/]+) $id;
        default $request_id;
    }}
    upstream replicas {{
        {choice}
{servers}
        keepalive 64;
    }}
    server {{
        listen 127.0.0.1:{port};
        keepalive_requests 1000000;
        location / {{
            proxy_pass http://replicas;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_connect_timeout 1s;
            proxy_buffering off;
        }}
    }}
}}
"""
    path = folder / "nginx.conf"
    path.write_text(text)
    command = ["/usr/sbin/nginx", "-e", str(folder / "nginx-error.log"), "-c", str(path)]
    return Part("nginx", command, folder, lambda: listens(port)), port
