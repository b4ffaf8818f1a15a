"""What one number says: memory, time to start, size."""

import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from programs import Springbar
from servers import free_port, seconds_to_first_answer

MEGABYTE = 1_000_000
STARTS = 15


def idle_megabytes(springbar: Springbar) -> float:
    """Resident set of a service that was asked nothing but once whether it is there."""
    with springbar.running() as server:
        server.ask("GET", "/healthz")
        time.sleep(1)  # What starts with the service, its threads and first allocations, is to count.
        return server.resident_bytes() / MEGABYTE


def settled_megabytes(springbar: Springbar) -> float:
    """Resident set after each part of the service was asked a few hundred times, one request after the other."""
    with springbar.running() as server:
        for _ in range(300):
            server.ask("GET", "/healthz")
            server.ask("GET", "/v1/springs?dampingRatio=0.8&response=0.3")
            server.ask("GET", "/v1/photos?limit=10")
        time.sleep(1)  # As above; the traffic has ended.
        return server.resident_bytes() / MEGABYTE


def first_answer_milliseconds(springbar: Springbar) -> float:
    """Median of several starts, each from the start of the process to a 200 from /healthz."""
    times = []
    for _ in range(STARTS):
        port = free_port()
        environment = springbar.environment(port, {})
        times.append(seconds_to_first_answer(springbar.command, port, environment, "/healthz"))
    return statistics.median(times) * 1000


def binary_megabytes(springbar: Springbar) -> float:
    """Size of the command's file without its symbols, as the container holds it."""
    with tempfile.TemporaryDirectory() as directory:
        stripped = Path(directory) / "springbar"
        subprocess.run(["strip", "-o", str(stripped), str(springbar.binary)], check=True)
        return stripped.stat().st_size / MEGABYTE
