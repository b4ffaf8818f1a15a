"""Processes under measurement: started on one core, measured, and stopped by their id."""

import contextlib
import http.client
import os
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cores import LOAD_CORE, SERVER_CORE, on_core

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Answer:
    """A complete response of a server."""

    status: int
    fields: Mapping[str, str]
    content: bytes


@dataclass
class Server:
    """A server process listening on a loopback port."""

    process: "subprocess.Popen[bytes]"
    port: int

    def cpu_seconds(self) -> float:
        """Returns the user and system time of the whole process: fields 14 and 15 of proc(5), /proc/PID/stat."""
        text = Path(f"/proc/{self.process.pid}/stat").read_text()
        # The command's name, field 2, may contain spaces; it ends with the last parenthesis.
        after_name = text.rpartition(")")[2].split()
        return (int(after_name[11]) + int(after_name[12])) / TICKS_PER_SECOND

    def exact_cpu_seconds(self) -> float:
        """Returns the time in nanoseconds of all live threads: the first number of /proc/PID/task/TID/schedstat."""
        tasks = Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9

    def resident_bytes(self) -> int:
        """Returns the resident set size."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise RuntimeError("the server has ended")

    @contextlib.contextmanager
    def connected(self) -> Iterator["Client"]:
        """Opens a client with its own connection, closed at the end of the block."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            yield Client(connection)
        finally:
            connection.close()

    def ask(self, method: str, target: str, body: str | None = None) -> Answer:
        """Sends one request on a new connection."""
        with self.connected() as client:
            return client.ask(method, target, body)


@dataclass
class Client:
    """A connection for one request after the other."""

    connection: http.client.HTTPConnection

    def ask(self, method: str, target: str, body: str | None = None) -> Answer:
        """Sends a request and reads its response; any other status than 2xx is an error."""
        headers = {"Content-Type": "application/json"} if body is not None else {}
        self.connection.request(method, target, body, headers)
        response = self.connection.getresponse()
        answer = Answer(response.status, dict(response.getheaders()), response.read())
        if answer.status // 100 != 2:
            raise RuntimeError(f"{method} {target}: {answer.status} {answer.content[:300].decode(errors='replace')}")
        return answer


def free_port() -> int:
    """Returns a loopback port that is free at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def running(
    command: Sequence[str], port: int, environment: Mapping[str, str], ahead: bool = True
) -> Iterator[Server]:
    """Runs a server on its core until the block ends; the block starts when the port accepts connections.

    Its standard input is a pipe that closes with this process; its output is discarded.
    """
    with on_core(SERVER_CORE, ahead):
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment)
    try:
        wait_until_listening(process, port)
        yield Server(process, port)
    finally:
        stop(process)


def wait_until_listening(process: "subprocess.Popen[bytes]", port: int, seconds: float = 10) -> None:
    """Waits until the port accepts a connection. Raises an error if the process ends first or time is up."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode} before it listened")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.005)
    raise RuntimeError(f"nothing listened on port {port} within {seconds} s")


def stop(process: "subprocess.Popen[bytes]") -> None:
    """Terminates a process, and kills it if it has not ended within ten seconds."""
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdin is not None:
        process.stdin.close()


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
        stop(process)
