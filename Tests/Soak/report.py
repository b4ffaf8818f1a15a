"""The final tables of a run."""

import os
from pathlib import Path

from conditions import RULES
from record import Record, Slope

MEBIBYTE = 1 << 20
#: The number of rows of the table over time.
ROWS = 6


def tables(record: Record, bounds: dict[str, float]) -> str:
    """Returns the tables of requests, size over time, slopes, and counts, in Markdown."""
    seconds = record.samples[-1].at
    total = sum(len(kind.milliseconds) for kind in record.kinds.values())
    parts = [
        f"On {machine()}: {total:,} responses in {seconds / 60:.1f} min, {total / seconds:,.0f} per second; "
        f"{record.failure_count} failures, {sum(kind.explained for kind in record.kinds.values()):,} explained errors."
    ]
    rows = [
        [
            name, f"{len(kind.milliseconds):,}",
            *(f"{kind.percentile(percent):.1f}" for percent in (50, 90, 99, 100)),
            " ".join(f"{status}: {count:,}" for status, count in sorted(kind.statuses.items())),
            f"{kind.explained:,}", f"{kind.failed:,}",
        ]
        for name, kind in sorted(record.kinds.items())
    ]  # fmt: skip
    head = ["request", "responses", "p50 ms", "p90", "p99", "most", "statuses", "explained", "failed"]
    parts.append(table(head, rows))

    step = max(1, len(record.samples) // ROWS)
    rows = [
        [f"{sample.at / 60:.1f}", f"{sample.resident / MEBIBYTE:.1f}", f"{sample.descriptors}"]
        for sample in [*record.samples[::step], record.samples[-1]]
    ]
    parts.append(table(["minute", "RSS MiB", "descriptors"], rows))

    rows = [
        slope_row("RSS, MiB", record.slope("resident"), MEBIBYTE, bounds["resident"]),
        slope_row("descriptors", record.slope("descriptors"), 1, bounds["descriptors"]),
    ]
    head = ["second half, quiet periods", "samples", "growth per minute", "total growth", "fails above", "result"]
    parts.append(table(head, rows))

    rows = [[name, f"{count:,}"] for name, count in sorted(record.counts.items())]
    parts.append(table(["done and checked", "times"], rows))
    parts.append("Errors are explained only by these rules:\n\n" + "\n".join(f"- {rule}" for rule in RULES))
    if record.failures:
        parts.append("Failures:\n\n" + "\n".join(f"- {failure}" for failure in record.failures))
    return "\n\n".join(parts)


def machine() -> str:
    """Returns the number and the name of the processors."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    name = next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "unknown processors")
    return f"{os.cpu_count()} cores ({name})"


def slope_row(name: str, slope: Slope, unit: float, bound: float) -> list[str]:
    return [
        name,
        f"{slope.samples}",
        f"{slope.per_minute / unit:+.2f} ± {slope.uncertainty / unit:.2f}",
        f"{slope.growth / unit:+.1f}",
        f"{bound / unit:g}, if significant at 95 %",
        "GROWS" if slope.exceeds(bound) else "bounded" if slope.is_long_enough else "not judged: too few samples",
    ]


def table(head: list[str], rows: list[list[str]]) -> str:
    """Returns a table with names on the left and numbers on the right."""
    lines = [head, ["---", *("--:" for _ in head[1:])], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
