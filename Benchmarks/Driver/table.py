"""The table at the end of a run."""

import os
from dataclasses import dataclass

from cores import real_time_allowed

HEAD = ("row", "req/s", "CPU µs/req", "yardstick", "measured", "target", "verdict")
FOREIGN_LIMIT = 0.1


@dataclass(frozen=True)
class Line:
    """The result of one row; values that it does not have are empty."""

    name: str
    measured: str
    target: str
    met: bool | None
    rate: float | None = None
    cpu: float | None = None
    yardstick_cpu: float | None = None
    foreign_cores: float = 0

    def cells(self) -> tuple[str, ...]:
        verdict = {True: "met", False: "MISSED", None: ""}[self.met]
        return (
            self.name,
            f"{self.rate:,.0f}" if self.rate is not None else "",
            f"{self.cpu:.1f}" if self.cpu is not None else "",
            f"{self.yardstick_cpu:.1f}" if self.yardstick_cpu is not None else "",
            self.measured,
            self.target,
            verdict,
        )


def print_table(lines: list[Line]) -> None:
    """Prints the lines under their heads, and the notes below the table."""
    rows = [HEAD, *(line.cells() for line in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    print()
    for row in rows:
        # Names and results are left-aligned, numbers right-aligned.
        cells = [
            cell.ljust(width) if column in (0, 6) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())
    foreign = max((line.foreign_cores for line in lines), default=0)
    load, _, _ = os.getloadavg()
    print("\nThe yardstick is C libmicrohttpd with a prebuilt response, or the one that the row names. Ratios are of CPU time, with their range.")
    if not real_time_allowed():
        print("Real-time scheduling was not allowed, so wake-ups waited for other processes.")
    print(f"In the worst round, other processes kept {foreign:.2f} cores busy; the load average is {load:.2f}.")
    if foreign > FOREIGN_LIMIT:
        print("This is a high load: the ratios are more reliable than the rates. Measure again on an idle machine.")
