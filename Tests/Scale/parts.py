"""The processes of a run: replicas of the service, and nginx, on private ports and in a temporary folder."""

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


class Missing(Exception):
    """A program that is not installed."""


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


def listens(port: int) -> bool:
    """Returns whether a connection to the port is accepted."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def replica(
    number: int, folder: Path, environment: dict[str, str], program: str | None = None
) -> tuple[Part, int]:
    """Starts a replica of the service; returns it with its port."""
    port = free_port()
    command = [program or binary(), "serve", "--port", str(port)]
    return Part(f"replica-{number}", command, folder, lambda: listens(port), environment), port


#: All requests of a bar go to one replica while it is up.
HASH = "hash"
#: The replicas take turns.
TURNS = "round-robin"


def nginx(folder: Path, ports: Sequence[int], balancing: str) -> tuple[Part, int]:
    """Starts nginx before the replicas; returns it with its port."""
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


#: Debian's folder of nginx, which is not on the path of every user.
SYSTEM_PROGRAMS = "/usr/sbin"


def nginx_program() -> str:
    """Returns the path of nginx."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:{SYSTEM_PROGRAMS}")
    if program is None:
        raise Missing("nginx is not installed; `script/bootstrap` installs it (nginx-light)")
    return program


def nginx_with(groups: str, target: str, folder: Path) -> tuple[Part, int]:
    """Starts nginx with groups of replicas, and the name of the one that gets a request; returns it with its port."""
    port = free_port()
    # One process: a worker would survive its killed master.
    text = f"""
daemon off;
master_process off;
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
    {groups}
    server {{
        listen 127.0.0.1:{port};
        keepalive_requests 1000000;
        location / {{
            proxy_pass http://{target};
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_connect_timeout 1s;
            proxy_buffering off;
        }}
    }}
}}
"""
    path = folder / "nginx.conf"
    path.write_text(text)
    command = [nginx_program(), "-e", str(folder / "nginx-error.log"), "-c", str(path)]
    return Part("nginx", command, folder, lambda: listens(port)), port
