"""Measures every row of rows.py and prints one table. `script/bench` checks the tools and calls it."""

import argparse
import json
import re
import signal
import statistics
import sys
from dataclasses import dataclass

from crowd import FanOut, crowd, run_fan_out
from load import Round, run_wrk
from nginx import Missing
from programs import Springbar, build_springbar
from rows import (
    FAN_OUT_ROWS,
    FIGURE_ROWS,
    HTTP_ROWS,
    LATENCY_ROWS,
    FanOutRow,
    FigureRow,
    HTTPRow,
    LatencyRow,
)
from servers import Client
from settings import NEW_BAR, UNSHARED
from table import Line, print_table
from yardsticks import c_fan_out


@dataclass(frozen=True)
class Pace:
    """The number and the length of the rounds of a row."""

    rounds: int
    seconds: int


def measure_http(row: HTTPRow, springbar: Springbar, pace: Pace) -> Line:
    """Alternates rounds of the service and of the yardstick, so that both run under the same conditions; returns
    medians.
    """
    with springbar.running(row.settings) as service:
        load = row.prepare(service)
        with row.yardstick(service, load) as (peer, plain):
            run_wrk(service, load, 1)  # Warm-up; not counted.
            run_wrk(peer, plain, 1)
            ours: list[Round] = []
            theirs: list[Round] = []
            for _ in range(pace.rounds):
                theirs.append(run_wrk(peer, plain, pace.seconds))
                ours.append(run_wrk(service, load, pace.seconds))
    # Adjacent rounds are compared, because a slow period of the machine affects both.
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


def measure_fan_out(row: FanOutRow, springbar: Springbar, pace: Pace) -> list[Line]:
    """Alternates rounds of the service and of the yardstick, each with its own readers; returns medians."""
    with springbar.running(UNSHARED) as service, service.connected() as writer:
        bar = json.loads(writer.ask("POST", "/v1/bars", NEW_BAR).content)

        def scroll(client: Client, y: float) -> None:
            event = {"type": "contentOffset", "contentOffset": {"x": 0, "y": y}}
            client.ask("POST", f"/v1/bars/{bar['id']}/events", json.dumps(event))

        def move(client: Client, number: int) -> None:
            scroll(client, -140 - number % 2)

        scroll(writer, -200)  # The first offset is only remembered.
        with crowd(service, f"/v1/bars/{bar['id']}/stream", row.readers) as readers:
            move(writer, 1)
            readers.read_until(2)
            # The yardstick sends the service's bytes, without the frame of the chunk.
            event_bytes = readers.readers[0].last_event_bytes - len("1ff\r\n\r\n")
            with c_fan_out(event_bytes) as plain, plain.connected() as plain_writer:
                with crowd(plain, "/", row.readers) as plain_readers:
                    ours: list[FanOut] = []
                    theirs: list[FanOut] = []
                    for measured in range(pace.rounds + 1):
                        their = run_fan_out(plain, plain_readers, plain_writer, tell, 100)
                        our = run_fan_out(service, readers, writer, move, 100)
                        if measured:  # The first round is a warm-up.
                            theirs.append(their)
                            ours.append(our)
    ratios = [our.cpu_microseconds / their.cpu_microseconds for our, their in zip(ours, theirs, strict=True)]
    foreign = max(each.foreign_cores for each in ours + theirs)
    posts = statistics.median(our.post_milliseconds for our in ours)
    delivered = statistics.median(our.delivery_milliseconds for our in ours)
    return [
        Line(
            f"SSE: {row.name}",
            rate=row.readers / delivered * 1000,
            cpu=statistics.median(our.cpu_microseconds for our in ours),
            yardstick_cpu=statistics.median(their.cpu_microseconds for their in theirs),
            measured=f"{statistics.median(ratios):.2f} x ({min(ratios):.2f}-{max(ratios):.2f})",
            target=f"{row.at_most:g} x",
            met=statistics.median(ratios) <= row.at_most,
            foreign_cores=foreign,
        ),
        Line(
            f"SSE: answer to the post of {row.name}",
            measured=f"{posts:.1f} ms (all delivered {delivered:.1f})",
            target=f"{row.post_at_most:g} ms",
            met=posts <= row.post_at_most,
            foreign_cores=foreign,
        ),
    ]


def tell(client: Client, _: int) -> None:
    """Returns the yardstick's processor time for an event."""
    client.ask("POST", "/")


def measure_figure(row: FigureRow, springbar: Springbar) -> Line:
    value = row.measure(springbar)
    return Line(
        row.name,
        measured=f"{value:.1f} {row.unit}",
        target=f"{row.at_most:g} {row.unit}",
        met=value <= row.at_most,
    )


def measure_latency(row: LatencyRow, springbar: Springbar) -> Line:
    result = row.measure(springbar)
    lengthened = result.beside.p99 - result.alone.p99
    return Line(
        row.name,
        measured=f"{result.alone} -> {result.beside} ms ({result.answered} answered, {result.refused} refused)",
        target=f"p99 + {row.at_most:g} ms",
        met=lengthened <= row.at_most,
    )


def is_long(row: object) -> bool:
    return isinstance(row, FigureRow) and row.is_long


def main() -> int:
    parser = argparse.ArgumentParser(prog="script/bench", description="Measures the service and prints one table.")
    parser.add_argument("--check", action="store_true", help="fail if a target is missed")
    parser.add_argument("--rows", default="", metavar="REGEX", help="only the rows whose names match, the long ones included")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each side of an HTTP row (default: 5)")
    parser.add_argument("--seconds", type=int, default=2, help="length of a round (default: 2)")
    parser.add_argument("--no-build", action="store_true", help="measure the existing binary")
    options = parser.parse_args()
    # SIGTERM must stop the servers too, as SIGINT does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    springbar = Springbar(build_springbar(rebuild=not options.no_build))
    pace = Pace(options.rounds, options.seconds)

    wanted = re.compile(options.rows, re.IGNORECASE)
    lines: list[Line] = []
    rows: list[HTTPRow | FanOutRow | LatencyRow | FigureRow] = [
        *HTTP_ROWS,
        *FAN_OUT_ROWS,
        *LATENCY_ROWS,
        *FIGURE_ROWS,
    ]
    for row in [row for row in rows if wanted.search(row.name) and (options.rows or not is_long(row))]:
        print(f"measuring: {row.name}", file=sys.stderr)
        try:
            if isinstance(row, HTTPRow):
                lines.append(measure_http(row, springbar, pace))
            elif isinstance(row, FanOutRow):
                lines += measure_fan_out(row, springbar, pace)
            elif isinstance(row, LatencyRow):
                lines.append(measure_latency(row, springbar))
            else:
                lines.append(measure_figure(row, springbar))
        except Missing as missing:
            # The other rows do not need it, so this is a message and not a failure.
            print(f"skipped: {missing}", file=sys.stderr)
            lines.append(Line(row.name, measured="skipped", target="", met=None))
        except (RuntimeError, OSError) as error:
            # If one row fails, the results of the others are still printed.
            print(f"failed: {error}", file=sys.stderr)
            lines.append(Line(row.name, measured="failed", target="", met=None))
    print_table(lines)
    if any(line.measured == "failed" for line in lines):
        return 1
    return 1 if options.check and any(line.met is False for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
