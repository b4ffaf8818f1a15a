"""No thread waits for the reader of standard output."""

import contextlib
import os
import subprocess

import pytest

from service import Service, eventually, measured
from wire import request_bytes

REQUESTS = 5000
#: A drain may last up to the request time-out; without open requests it takes milliseconds.
STOP = 20


def ask_often(service: Service, count: int = REQUESTS) -> None:
    """Sends requests, a hundred at a time. The default level may log each of them."""
    with service.connect() as connection:
        for _ in range(count // 100):
            connection.send(request_bytes("GET", "/v1/springs?dampingRatio=0.8&response=0.3") * 100)
            for _ in range(100):
                assert connection.read_answer().status == 200


def test_a_blocked_standard_output_delays_no_request_and_no_stop() -> None:
    with Service({"SPRINGBAR_LOG_LEVEL": "debug"}, output=subprocess.PIPE) as service:
        with measured(service, "12,000 requests with standard output blocked") as samples:
            # More lines than the pipe and a buffer of a mebibyte can hold.
            ask_often(service, 12_000)
            assert service.is_healthy()
        dropped = service.metric("springbar_log_lines_dropped_total")
        print(f"measured: {dropped:.0f} lines dropped")
        assert dropped > 0
        assert samples.resident < 96 << 20
        assert service.terminate(STOP) == 0


def test_the_end_of_the_reader_of_standard_output_affects_no_request() -> None:
    with Service(output=subprocess.PIPE) as service:
        assert service.process.stdout is not None
        service.process.stdout.close()
        ask_often(service)
        assert service.is_healthy()
        assert service.is_running
        assert service.terminate(STOP) == 0


@pytest.mark.parametrize("format", ["json", "text"])
def test_a_pipe_that_is_full_from_the_start_delays_nothing(format: str) -> None:
    """The first lines, the welcome among them, are written before the first request."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writer, b"\n")
    os.set_blocking(writer, True)
    with Service({"SPRINGBAR_LOG_FORMAT": format}, output=writer) as service:
        ask_often(service, 200)
        assert service.terminate(STOP) == 0
    os.close(reader)
    os.close(writer)


def test_closed_descriptors_of_standard_streams_are_not_reused() -> None:
    with Service(prefix=["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh"]) as service:
        ask_often(service, 500)
        assert service.is_healthy()
        # Log lines go to descriptor 1, so it must not be a socket, a pipe or an epoll instance of the service.
        links = [os.readlink(f"/proc/{service.process.pid}/fd/{number}") for number in range(3)]
        assert links == ["/dev/null"] * 3
        assert service.metric("springbar_log_lines_dropped_total") == 0
        assert service.terminate(STOP) == 0


def test_lines_are_written_again_after_a_pause_and_dropped_ones_are_reported() -> None:
    with Service(output=subprocess.PIPE) as service:
        ask_often(service, 12_000)
        assert service.process.stdout is not None
        descriptor = service.process.stdout.fileno()
        os.set_blocking(descriptor, False)
        seen: set[bytes] = set()
        rest = b""

        def reads_a_late_line() -> bool:
            nonlocal rest
            service.get("/v1/springs?dampingRatio=0.9&response=0.3", fields={"X-Request-Id": "read-again"})
            try:
                while part := os.read(descriptor, 1 << 16):
                    lines = (rest + part).split(b"\n")
                    rest = lines.pop()
                    seen.update(word for word in (b"read-again", b'"dropped":') for line in lines if word in line)
            except BlockingIOError:
                pass
            return len(seen) == 2

        assert eventually(reads_a_late_line), seen
