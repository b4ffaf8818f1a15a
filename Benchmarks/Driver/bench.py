"""Measures every row of rows.py and prints one table. `script/bench` builds what it needs and calls it."""

import argparse
import re
import signal
import statistics
import sys
from dataclasses import dataclass

from load import Round, run_wrk
from programs import Springbar, build_springbar
from rows import FIGURE_ROWS, HTTP_ROWS, FigureRow, HTTPRow
from table import Line, print_table
from yardsticks import Missing


@dataclass(frozen=True)
class Pace:
    """How long a row is measured."""

    rounds: int
    seconds: int


def measure_http(row: HTTPRow, springbar: Springbar, pace: Pace) -> Line:
    """Alternates rounds of the service and of the yardstick, so that both see the same weather; medians."""
    with springbar.running(row.settings) as service:
        load = row.prepare(service)
        with row.yardstick(service, load) as (peer, plain):
            run_wrk(service, load, 1)  # Warms both up; not counted.
            run_wrk(peer, plain, 1)
            ours: list[Round] = []
            theirs: list[Round] = []
            for _ in range(pace.rounds):
                theirs.append(run_wrk(peer, plain, pace.seconds))
                ours.append(run_wrk(service, load, pace.seconds))
    # Each round is compared with its neighbour in time: what slows the machine down for seconds slows both.
    ratios = [our.cpu_microseconds / their.cpu_microseconds for our, their in zip(ours, theirs, strict=True)]
    ratio = statistics.median(ratios)
    cpu = statistics.median(our.cpu_microseconds for our in ours)
    judged = ratio if row.unit == "x" else cpu
    return Line(
        row.name,
        rate=statistics.median(our.requests_per_second for our in ours),
        cpu=cpu,
        yardstick_cpu=statistics.median(their.cpu_microseconds for their in theirs),
        measured=f"{ratio:.2f} x ({min(ratios):.2f}-{max(ratios):.2f})",
        target=f"{row.at_most:g} {row.unit}" if row.at_most else "",
        met=judged <= row.at_most if row.at_most else None,
        foreign_cores=max(each.foreign_cores for each in ours + theirs),
    )


def measure_figure(row: FigureRow, springbar: Springbar) -> Line:
    value = row.measure(springbar)
    return Line(
        row.name,
        measured=f"{value:.1f} {row.unit}",
        target=f"{row.at_most:g} {row.unit}",
        met=value <= row.at_most,
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="script/bench", description="Measures the service and prints one table.")
    parser.add_argument("--check", action="store_true", help="fail when a target is missed")
    parser.add_argument("--rows", default="", metavar="REGEX", help="only the rows whose names match")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each side of an HTTP row (default: 5)")
    parser.add_argument("--seconds", type=int, default=2, help="length of a round (default: 2)")
    parser.add_argument("--no-build", action="store_true", help="measure the binary that is there")
    options = parser.parse_args()
    # A terminated driver stops its servers on its way out, as an interrupted one does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    springbar = Springbar(build_springbar(rebuild=not options.no_build))
    pace = Pace(options.rounds, options.seconds)

    wanted = re.compile(options.rows, re.IGNORECASE)
    lines = []
    rows: list[HTTPRow | FigureRow] = [*HTTP_ROWS, *FIGURE_ROWS]
    for row in [row for row in rows if wanted.search(row.name)]:
        print(f"measuring: {row.name}", file=sys.stderr)
        try:
            if isinstance(row, HTTPRow):
                lines.append(measure_http(row, springbar, pace))
            else:
                lines.append(measure_figure(row, springbar))
        except Missing as program:
            # Not a failure: the other rows are as good without it. Nor is it silent.
            print(f"skipped: there is no {program} here; script/bootstrap --bench installs it", file=sys.stderr)
            lines.append(Line(row.name, measured=f"needs {program}", target="", met=None))
        except (RuntimeError, OSError) as error:
            # One row's failure is no reason to throw away the others' minutes.
            print(f"failed: {error}", file=sys.stderr)
            lines.append(Line(row.name, measured="failed", target="", met=None))
    print_table(lines)
    if any(line.measured == "failed" for line in lines):
        return 1
    return 1 if options.check and any(line.met is False for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
