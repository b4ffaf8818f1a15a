"""The table that a run ends with."""

import os
from dataclasses import dataclass

from cores import real_time_allowed

HEAD = ("row", "req/s", "CPU µs/req", "yardstick", "measured", "target", "verdict")
FOREIGN_LIMIT = 0.1


@dataclass(frozen=True)
class Line:
    """What one row came to; what it does not have stays empty."""

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
    """Prints the lines under their heads, and what has to be known to read them."""
    rows = [HEAD, *(line.cells() for line in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    print()
    for row in rows:
        # Names and verdicts to the left, numbers to the right.
        cells = [
            cell.ljust(width) if column in (0, 6) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())
    foreign = max((line.foreign_cores for line in lines), default=0)
    load, _, _ = os.getloadavg()
    print("\nThe yardstick is C libmicrohttpd with prebuilt answers; ratios are of CPU, with the rounds' range.")
    if not real_time_allowed():
        print("Without the right to real-time scheduling, every wake-up queued behind others' work.")
    print(f"In the worst round, others kept {foreign:.2f} of the cores busy; load average now {load:.2f}.")
    if foreign > FOREIGN_LIMIT:
        print("That is much: believe the ratios before the rates, and measure again when the machine is quiet.")
