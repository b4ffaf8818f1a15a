"""The allocations of a POST on one and on two threads, with the service's calloc(3) and with glibc's."""

import subprocess
from collections.abc import Callable
from pathlib import Path

from programs import ROOT, SCRATCH, Springbar, compile_c

ROUNDS = 7


def allocations_over_glibc(threads: int) -> Callable[[Springbar], float]:
    """Returns a figure: the time of the sequence on each of so many threads, in multiples of that with glibc's calloc(3).

    The programs run in turns, and the fastest round of each counts: other processes can only add to it.
    """

    def measure(_springbar: Springbar) -> float:
        source = ROOT / "Benchmarks/Yardsticks/allocations.c"
        own = compile_c(source, SCRATCH / "allocations", str(ROOT / "Sources/CAllocator/calloc.c"), "-lpthread")
        glibc = compile_c(source, SCRATCH / "allocations-glibc", "-lpthread")
        times = [(nanoseconds(own, threads), nanoseconds(glibc, threads)) for _ in range(ROUNDS)]
        return min(time for time, _ in times) / min(time for _, time in times)

    return measure


def nanoseconds(program: Path, threads: int) -> float:
    return float(subprocess.run([program, str(threads)], capture_output=True, text=True, check=True).stdout)
