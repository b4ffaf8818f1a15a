"""The servers under measurement, each on its core, and a client for which any other status than 2xx is an error."""

import contextlib
import socket
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import service
from cores import LOAD_CORE, SERVER_CORE, on_core
from wire import Answer, Connection


class Client(Connection):
    """A connection for one request after the other."""

    def read_answer(self, method: str = "GET") -> Answer:
        answer = super().read_answer(method)
        if answer.status // 100 != 2:
            raise RuntimeError(f"a request failed: {answer}")
        return answer


class Server(service.Server):
    """A server process listening on a loopback port."""

    def connected(self) -> Client:
        return Client(self.port, timeout=30)

    def ask(self, method: str, target: str, body: Any = None, fields: Any = None, **_: Any) -> Answer:
        """Sends one request on a new connection."""
        with self.connected() as client:
            return client.ask(method, target, body, fields)

    def exact_cpu_seconds(self) -> float:
        """Returns the time in nanoseconds of all live threads: the first number of /proc/PID/task/TID/schedstat."""
        return sum(int((task / "schedstat").read_text().split()[0]) for task in self._proc("task").iterdir()) / 1e9


def answers(port: int, requests: Iterable[bytes], at_once: int = 200) -> Iterator[bytes]:
    """Sends requests on one connection, some hundred at a time; returns the content of each response."""
    waiting = iter(requests)
    with Client(port, timeout=60) as connection:
        while batch := list(islice(waiting, at_once)):
            connection.send(b"".join(batch))
            for _ in batch:
                yield connection.read_answer().content


@contextlib.contextmanager
def running(
    command: Sequence[str], port: int, environment: Mapping[str, str], ahead: bool = True
) -> Iterator[Server]:
    """Runs a server on its core until the block ends; the block starts when the port accepts connections."""
    with on_core(SERVER_CORE, ahead):
        server = Server(command, dict(environment), port=port)
    with server:
        yield server


def seconds_to_first_answer(command: Sequence[str], port: int, environment: Mapping[str, str], target: str) -> float:
    """Returns the time from the start of the process to a 200 response, requested continuously from the other core."""
    request = f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode()
    with on_core(SERVER_CORE):
        begin = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    try:
        with on_core(LOAD_CORE):
            while time.monotonic() - begin < 10:
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as client:
                    client.sendall(request)
                    if client.recv(12) == b"HTTP/1.1 200":
                        return time.monotonic() - begin
        raise RuntimeError("no response within 10 s of the start")
    finally:
        process.kill()
        process.wait()
