"""SIGTERM and SIGINT end the process in good order."""

import os
import select
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from service import Service, binary, eventually
from wire import Connection, request_bytes

both = pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with Service(output=tmp_path / "log") as service:
        yield service


def unfinished(service: Service) -> Connection:
    """Opens a connection with a request whose head is sent and whose content is not."""
    connection = service.connect()
    fields = {"Content-Type": "application/json", "Content-Length": "10", "Expect": "100-continue"}
    connection.send(request_bytes("POST", "/v1/bars", fields=fields))
    # It shows that the server has read the head.
    connection.read_through(b"100 Continue\r\n\r\n")
    return connection


def drain(service: Service) -> None:
    service.process.send_signal(signal.SIGTERM)
    assert eventually(lambda: '"message":"draining"' in service.log)


@both
def test_the_status_is_0_even_with_idle_connections(service: Service, sent: signal.Signals) -> None:
    with service.connect() as idle:
        assert idle.ask("GET", "/healthz").status == 200
        service.process.send_signal(sent)
        assert service.process.wait(20) == 0
        assert idle.socket.recv(1) == b""
    assert '"message":"stopped"' in service.log


@both
def test_a_signal_ends_a_start_that_waits_for_redis(tmp_path: Path, sent: signal.Signals) -> None:
    path = tmp_path / "silent.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        environment = {"PATH": os.environ["PATH"], "SPRINGBAR_REDIS_URL": f"unix://{path}"}
        command = [binary(), "serve", "--port", "0"]
        with subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            try:
                # The service is connected, and gets no reply.
                assert select.select([listener], [], [], 20)[0]
                process.send_signal(sent)
                assert process.wait(4) == 0
                assert process.stdout and "stopped" in process.stdout.read()
            finally:
                process.kill()


def test_an_unfinished_request_may_finish(service: Service) -> None:
    with unfinished(service) as connection:
        drain(service)
        connection.send(b'{"a":true}')
        assert connection.read_answer().status == 422
        assert service.process.wait(20) == 0


@both
def test_a_second_signal_ends_the_process_at_once(service: Service, sent: signal.Signals) -> None:
    with unfinished(service):
        drain(service)
        service.process.send_signal(sent)
        # The status after a drain is 0.
        assert service.process.wait(20) == 128 + sent
