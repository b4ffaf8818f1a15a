"""Single figures: memory, start time, size, and the slowest easing."""

import contextlib
import json
import random
import statistics
import subprocess
import tempfile
import time
from itertools import repeat
from pathlib import Path

from programs import Springbar
from servers import Server, answers, seconds_to_first_answer
from service import free_port
from settings import NEW_BAR, QUIET, UNSHARED
from wire import request_bytes

MEGABYTE = 1_000_000
STARTS = 15
EASINGS = 400


def idle_megabytes(springbar: Springbar) -> float:
    """Returns the resident set of a service after one health check."""
    with springbar.running() as server:
        server.ask("GET", "/healthz")
        time.sleep(1)  # Includes the threads and allocations of the start.
        return server.resident() / MEGABYTE


def settled_megabytes(springbar: Springbar) -> float:
    """Returns the resident set after a few hundred requests to each part of the service, one after the other."""
    with springbar.running() as server:
        for _ in range(300):
            server.ask("GET", "/healthz")
            server.ask("GET", "/v1/springs?dampingRatio=0.8&response=0.3")
            server.ask("GET", "/v1/photos?limit=10")
        time.sleep(1)  # As above, after the end of the traffic.
        return server.resident() / MEGABYTE


def first_answer_milliseconds(springbar: Springbar) -> float:
    """Returns the median of several starts, each from the start of the process to a 200 from /healthz."""
    times = []
    for _ in range(STARTS):
        port = free_port()
        environment = springbar.environment(port, {})
        times.append(seconds_to_first_answer(springbar.command, port, environment, "/healthz"))
    return statistics.median(times) * 1000


def bytes_for_each_bar(springbar: Springbar, events: int = 0) -> float:
    """Returns the resident memory for each of 100,000 bars with a number of events, posted one by one."""
    bars, first = 100_000, 1_000
    with springbar.running(UNSHARED) as server:
        # The first bars allocate what all share: code, tables and the allocator's arenas.
        make_bars(server, first, events)
        before = server.resident()
        make_bars(server, bars - first, events)
        return (server.resident() - before) / (bars - first)


def bytes_with_twenty_events(springbar: Springbar) -> float:
    """Returns the resident memory for each of 100,000 bars with twenty events."""
    return bytes_for_each_bar(springbar, events=20)


def million_bars_megabytes(springbar: Springbar) -> float:
    """Returns the resident memory of a service with a million bars of one event."""
    bars = 1_000_000
    room = {"SPRINGBAR_MAX_SESSIONS": str(bars), "SPRINGBAR_SESSION_BYTES": str(1 << 30)}
    with springbar.running(UNSHARED | room) as server:
        make_bars(server, bars, events=1)
        return server.resident() / MEGABYTE


def make_bars(server: Server, count: int, events: int) -> None:
    """Creates bars, and posts a number of events to each when all of them exist."""
    # Bars live for a day, so none ends before the measurement.
    content = json.dumps(json.loads(NEW_BAR) | {"ttlSeconds": 86_400}).encode()
    creation = request_bytes("POST", "/v1/bars", content)
    ids = [json.loads(answer)["id"] for answer in answers(server.port, repeat(creation, count))]
    for number in range(events):
        event = f'{{"type":"contentOffset","contentOffset":{{"x":0,"y":{-200 + 7.25 * number}}}}}'.encode()
        targets = (f"/v1/bars/{bar}/events?results=none" for bar in ids)
        for _ in answers(server.port, (request_bytes("POST", target, event) for target in targets)):
            pass


def slowest_easing_milliseconds(springbar: Springbar) -> float:
    """Returns the most processor time of one `linear()`, of many over the whole range of parameters.

    Some curves turn too fast for printable stops and are refused; the search for them counts too.
    """
    numbers = random.Random(4)
    slowest = 0.0
    with springbar.running(QUIET) as server, server.connected() as client:
        for _ in range(EASINGS):
            ratio, response = 10 ** numbers.uniform(-3, 2), 10 ** numbers.uniform(-2, 1.778)
            velocity = numbers.choice([0, numbers.uniform(-60, 60)])
            error = numbers.choice([0.0005, 0.001, 10 ** numbers.uniform(-3.3, -1)])
            spring = f"dampingRatio={ratio:.6f}&response={response:.6f}&initialVelocity={velocity:.3f}"
            before = server.exact_cpu_seconds()
            with contextlib.suppress(RuntimeError):
                client.ask("GET", f"/v1/springs/linear?{spring}&maxError={error:.5f}")
            slowest = max(slowest, server.exact_cpu_seconds() - before)
    return slowest * 1000


def binary_megabytes(springbar: Springbar) -> float:
    """Returns the size of the stripped binary, as in the container."""
    with tempfile.TemporaryDirectory() as directory:
        stripped = Path(directory) / "springbar"
        subprocess.run(["strip", "-o", str(stripped), str(springbar.binary)], check=True)
        return stripped.stat().st_size / MEGABYTE
