"""The instructions and the allocations of a POST, counted by valgrind.

They depend on the program alone, and not on the machine's other processes. Each number is a difference of two runs with
different numbers of requests, so that the start does not count.
"""

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from pipeline import answers, post
from programs import Springbar
from servers import free_port, wait_until_listening
from settings import NEW_BAR, QUIET
from yardsticks import Missing

FEW, MANY = 640, 1920

NO_REPEATED_STORES = {"GLIBC_TUNABLES": "glibc.cpu.x86_rep_stosb_threshold=1000000000"}
"""The C library clears 16 KiB for each request. valgrind counts each byte of a `rep stosb` as an instruction, so memset(3)
uses vector stores instead."""


def instructions_of_a_post(springbar: Springbar) -> float:
    """Returns the instructions in user space for each POST of one scroll event."""
    return per_post(springbar, ["--tool=callgrind", "--callgrind-out-file=/dev/null"], r"Collected\s*:\s*([\d,]+)")


def allocations_of_a_post(springbar: Springbar) -> float:
    """Returns the blocks that are allocated for each POST of one scroll event."""
    return per_post(springbar, HEAP, r"total heap usage: ([\d,]+) allocs")


def allocated_bytes_of_a_post(springbar: Springbar) -> float:
    """Returns the bytes of these blocks."""
    return per_post(springbar, HEAP, r"total heap usage: .* frees, ([\d,]+) bytes")


HEAP = ["--tool=memcheck", "--undef-value-errors=no", "--leak-check=no"]


def per_post(springbar: Springbar, tool: Sequence[str], pattern: str) -> float:
    if shutil.which("valgrind") is None:
        raise Missing("valgrind")
    with tempfile.TemporaryDirectory() as directory:
        stripped = Path(directory) / "springbar"
        subprocess.run(["strip", "-o", str(stripped), str(springbar.binary)], check=True)
        few, many = (counted(Springbar(stripped), tool, pattern, posts) for posts in (FEW, MANY))
    return (many - few) / (MANY - FEW)


def counted(springbar: Springbar, tool: Sequence[str], pattern: str, posts: int) -> int:
    """Runs the service under valgrind for a number of POSTs; returns the number that valgrind reports."""
    port = free_port()
    environment = {**springbar.environment(port, QUIET), **NO_REPEATED_STORES}
    process = subprocess.Popen(
        ["valgrind", *tool, *springbar.command], env=environment, stderr=subprocess.PIPE, text=True
    )
    try:
        wait_until_listening(process, port, seconds=60)
        scroll(port, posts)
    finally:
        process.terminate()
        try:
            _, report = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    found = re.search(pattern, report)
    if not found:
        raise RuntimeError(f"valgrind reported no number: {report[-500:]}")
    return int(found[1].replace(",", ""))


def scroll(port: int, posts: int) -> None:
    """Drags the content up and down on one connection, as wrk/drag.lua does."""
    (bar,) = answers(port, [post("/v1/bars", NEW_BAR)])
    target = f"/v1/bars/{json.loads(bar)['id']}/events"
    offsets = (-300 + 300 * (1 - abs(1 - 2 * (number % 64) / 64)) + 0.25 for number in range(posts))
    events = (post(target, f'{{"type":"contentOffset","contentOffset":{{"x":0,"y":{y:.2f}}}}}') for y in offsets)
    for _ in answers(port, events, at_once=1):
        pass
