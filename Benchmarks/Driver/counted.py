"""The instructions and the allocations of a POST, counted by valgrind.

They depend on the program alone, and not on the machine's other processes. Each number is a difference of two runs with
different numbers of requests, so that the start does not count.
"""

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from programs import Springbar
from nginx import Missing
from servers import answers
from service import eventually, free_port, listens
from settings import NEW_BAR, QUIET
from wire import request_bytes

FEW, MANY = 640, 1920


def instructions_of_a_post(springbar: Springbar) -> float:
    """Returns the instructions in user space for each POST of one scroll event, without those of memset(3).

    The C library clears 16 KiB for each request, and valgrind counts each byte of a `rep stosb` as an instruction. Work of
    other threads during one of the runs counts, too, so this is the median of three differences.
    """
    tool = ["--tool=callgrind", "--dump-line=no"]
    return median(per_post(springbar, tool, instructions_without_clearing) for _ in range(3))


def allocations_of_a_post(springbar: Springbar) -> float:
    """Returns the blocks that are allocated for each POST of one scroll event."""
    return per_post(springbar, HEAP, lambda report, _: number(r"total heap usage: ([\d,]+) allocs", report))


def allocated_bytes_of_a_post(springbar: Springbar) -> float:
    """Returns the bytes of these blocks."""
    return per_post(springbar, HEAP, lambda report, _: number(r"total heap usage: .* frees, ([\d,]+) bytes", report))


HEAP = ["--tool=memcheck", "--undef-value-errors=no", "--leak-check=no"]


def instructions_without_clearing(report: str, directory: Path) -> int:
    """Returns the instructions that callgrind counted, without those of memset(3)."""
    (file,) = directory.glob("callgrind.out.*")
    table = subprocess.run(
        ["callgrind_annotate", "--threshold=100", "--show-percs=no", file], stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    file.unlink()
    return number(r"Collected\s*:\s*([\d,]+)", report) - number(r"([\d,]+)\s+\S*:__memset_", table)


def number(pattern: str, text: str) -> int:
    """Returns the sum of the numbers that a pattern finds in valgrind's output."""
    found = re.findall(pattern, text)
    if not found:
        raise RuntimeError(f"valgrind reported no number: {text[-500:]}")
    return sum(int(digits.replace(",", "")) for digits in found)


def per_post(springbar: Springbar, tool: Sequence[str], figure: Callable[[str, Path], int]) -> float:
    """Returns the difference for each POST of a figure, which is read from valgrind's report and its directory."""
    if shutil.which("valgrind") is None:
        raise Missing("valgrind is not installed; `script/bootstrap --bench` installs it")
    with tempfile.TemporaryDirectory() as directory:
        stripped = Path(directory) / "springbar"
        subprocess.run(["strip", "-o", str(stripped), str(springbar.binary)], check=True)
        few, many = (
            figure(report(Springbar(stripped), tool, posts, Path(directory)), Path(directory)) for posts in (FEW, MANY)
        )
    return (many - few) / (MANY - FEW)


def report(springbar: Springbar, tool: Sequence[str], posts: int, directory: Path) -> str:
    """Runs the service under valgrind for a number of POSTs; returns what valgrind reports."""
    port = free_port()
    process = subprocess.Popen(
        ["valgrind", *tool, *springbar.command],
        env=springbar.environment(port, QUIET),
        cwd=directory,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        if not eventually(lambda: listens(port) or process.poll() is not None, 60) or process.poll() is not None:
            raise RuntimeError("the service under valgrind does not listen")
        scroll(port, posts)
    finally:
        process.terminate()
        try:
            _, text = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    return text


def scroll(port: int, posts: int) -> None:
    """Drags the content up and down on one connection, as wrk/drag.lua does."""
    (bar,) = answers(port, [request_bytes("POST", "/v1/bars", NEW_BAR.encode())])
    target = f"/v1/bars/{json.loads(bar)['id']}/events"
    offsets = (-300 + 300 * (1 - abs(1 - 2 * (number % 64) / 64)) + 0.25 for number in range(posts))
    contents = (f'{{"type":"contentOffset","contentOffset":{{"x":0,"y":{y:.2f}}}}}' for y in offsets)
    events = (request_bytes("POST", target, content.encode()) for content in contents)
    for _ in answers(port, events, at_once=1):
        pass
