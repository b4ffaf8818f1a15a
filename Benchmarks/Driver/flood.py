"""The latency of other requests while more long computations are requested than the service accepts.

As a program (`flood.py PORT`) it is the flood: bursts of 64 different easings at once, until its input ends.
"""

import contextlib
import http.client
import json
import random
import select
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from cores import LOAD_CORE, on_core
from programs import Springbar
from servers import Server
from settings import NEW_BAR, QUIET

BURST = 64
ROUNDS = 5
SECONDS = 2


@dataclass(frozen=True)
class Latency:
    """The response times of a client, in milliseconds."""

    median: float
    p99: float

    def __str__(self) -> str:
        return f"{self.median:.2f} / {self.p99:.2f}"


@dataclass(frozen=True)
class FloodResult:
    """The response times of a client alone and during the flood, and the responses to the flood."""

    alone: Latency
    beside: Latency
    answered: int
    refused: int


def latency_beside_easings(springbar: Springbar) -> FloodResult:
    """Posts one scroll event after the other, alternately without and with the flood.

    The service has one core and normal priority, so its threads share the core as in production.
    """
    alone: list[float] = []
    beside: list[float] = []
    counts = {"answered": 0, "refused": 0}
    with springbar.running(QUIET, ahead=False) as service:
        for _ in range(ROUNDS):
            alone += waits(service)
            with flood(service, counts):
                beside += waits(service)
    if not counts["answered"] or not counts["refused"]:
        raise RuntimeError(f"the flood was too small or was refused completely: {counts}")
    return FloodResult(latency(alone), latency(beside), **counts)


def latency(waits: list[float]) -> Latency:
    return Latency(statistics.median(waits), statistics.quantiles(waits, n=100)[98])


def waits(service: Server) -> list[float]:
    """Returns the response times of one client's events in milliseconds; it sends a hundred per second, as during a
    drag.
    """
    result = []
    with service.connected() as client, on_core(LOAD_CORE):
        bar = json.loads(client.ask("POST", "/v1/bars", NEW_BAR).content)
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            event = {"type": "contentOffset", "contentOffset": {"x": 0, "y": -200 + len(result) % 100}}
            begin = time.perf_counter()
            client.ask("POST", f"/v1/bars/{bar['id']}/events", json.dumps(event))
            result.append((time.perf_counter() - begin) * 1000)
            time.sleep(0.01)
    return result


@contextlib.contextmanager
def flood(service: Server, counts: dict[str, int]) -> Iterator[None]:
    """Starts the flood as a process with a lower priority than the client, so that it does not delay the client."""
    command = [sys.executable, __file__, str(service.port)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        process.stdout.readline()  # The first burst has been sent.
        yield
        text, _ = process.communicate("", timeout=30)
        for name, number in json.loads(text).items():
            counts[name] += number
    finally:
        process.kill()
        process.wait()


def pour(port: int) -> None:
    """Requests 64 different easings at once until the input ends, and counts the responses."""
    counts = {200: 0, 503: 0}
    numbers = random.Random(port)
    connections = [http.client.HTTPConnection("127.0.0.1", port, timeout=30) for _ in range(BURST)]
    is_first = True
    while not select.select([sys.stdin], [], [], 0)[0]:
        for connection in connections:
            ratio, response = numbers.uniform(0.02, 1), numbers.uniform(0.2, 1)
            connection.request("GET", f"/v1/springs/linear?dampingRatio={ratio}&response={response}&maxError=0.001")
        if is_first:
            print(flush=True)
            is_first = False
        for connection in connections:
            answer = connection.getresponse()
            answer.read()
            if answer.status not in counts or (answer.status == 503 and not answer.getheader("Retry-After")):
                raise RuntimeError(f"the response to an easing is {answer.status}")
            counts[answer.status] += 1
    print(json.dumps({"answered": counts[200], "refused": counts[503]}))


if __name__ == "__main__":
    pour(int(sys.argv[1]))
