"""Results of a run: responses by kind of request, failures, and the size of the process over time."""

from __future__ import annotations

import array
import collections
import itertools
import math
import statistics
import time
from dataclasses import dataclass, field

from conditions import PHOTOS, Conditions
from wire import Answer

#: The number of failures that are kept in full; others are only counted.
KEPT = 30
#: Responses that do not need the photo library and take more seconds are counted. A busy machine may have delayed them.
SLOW = 6.0


@dataclass
class Kind:
    """Requests of one kind."""

    milliseconds: array.array[float] = field(default_factory=lambda: array.array("f"))
    statuses: collections.Counter[str] = field(default_factory=collections.Counter)
    explained: int = 0
    failed: int = 0

    def percentile(self, percent: float) -> float:
        ordered = sorted(self.milliseconds)
        return ordered[min(len(ordered) - 1, math.ceil(len(ordered) * percent / 100) - 1)] if ordered else math.nan


@dataclass(frozen=True)
class Sample:
    """The size of the process at a time, in seconds since the start."""

    at: float
    resident: int
    descriptors: int
    #: True if there is no disturbance, so that the size can be compared with other such samples.
    is_quiet: bool


@dataclass(frozen=True)
class Slope:
    """A line through samples: its growth per minute, and half the width of the 95 % interval."""

    per_minute: float
    uncertainty: float
    minutes: float
    samples: int

    @property
    def growth(self) -> float:
        """The growth over the time of the samples."""
        return self.per_minute * self.minutes

    def exceeds(self, bound: float) -> bool:
        """Returns whether the growth over the time of the samples is above `bound` and is significant."""
        return self.is_long_enough and self.growth > bound and self.per_minute > self.uncertainty

    @property
    def is_long_enough(self) -> bool:
        """Whether there are ten samples: caches fill in the first minute, and five samples grow by chance in one run of forty."""
        return self.samples >= 10


#: Student's t for a two-sided interval of 95 %, by degrees of freedom; 2 beyond the table.
STUDENT = [math.inf, 12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12]


def slope(points: list[tuple[float, float]]) -> Slope:
    """Returns the least-squares line through pairs of seconds and values, with the standard error of its slope."""
    count = len(points)
    if count < 3:
        return Slope(0, math.inf, 0, count)
    times, values = [time / 60 for time, _ in points], [value for _, value in points]
    regression = statistics.linear_regression(times, values)
    residuals = sum((v - regression.intercept - regression.slope * t) ** 2 for t, v in zip(times, values, strict=True))
    middle = statistics.fmean(times)
    error = math.sqrt(residuals / (count - 2) / sum((t - middle) ** 2 for t in times))
    student = STUDENT[count - 2] if count - 2 < len(STUDENT) else 2
    return Slope(regression.slope, student * error, times[-1] - times[0], count)


class Record:
    """All results of a run."""

    def __init__(self, conditions: Conditions) -> None:
        self.conditions = conditions
        self.kinds: dict[str, Kind] = collections.defaultdict(Kind)
        self.failures: list[str] = []
        self.failure_count = 0
        #: The number of times that something was done or checked.
        self.counts: collections.Counter[str] = collections.Counter()
        self.samples: list[Sample] = []
        self.began = time.monotonic()
        #: True once the service has ended; later failures carry no information.
        self.is_over = False

    @property
    def responses(self) -> int:
        return sum(len(kind.milliseconds) for kind in self.kinds.values())

    def fail(self, text: str) -> None:
        """Records a failure, which makes the run fail."""
        if self.is_over and self.failures:
            return
        self.failure_count += 1
        if len(self.failures) < KEPT:
            during = f" during {', '.join(sorted(self.conditions.running))}" if self.conditions.running else ""
            self.failures.append(f"{time.monotonic() - self.began:.1f} s{during}: {text}")

    def note(self, kind: str, began: float, answer: Answer, expected: tuple[int, ...], what: str) -> bool:
        """Counts a response; returns whether its status is expected."""
        row = self.kinds[kind]
        took = time.monotonic() - began
        row.milliseconds.append(took * 1000)
        row.statuses[str(answer.status)] += 1
        if took > SLOW and kind not in PHOTOS:
            self.counts[f"responses after more than {SLOW:g} s"] += 1
        if answer.status in expected:
            return True
        if self.conditions.explain(kind, began, answer):
            row.explained += 1
        else:
            row.failed += 1
            self.fail(f"{kind}: {what[:120]}: {answer.status} {answer.content[:200].decode(errors='replace')}")
        return False

    def note_silence(self, kind: str, began: float, error: BaseException, what: str) -> None:
        """Counts a request without a response."""
        row = self.kinds[kind]
        row.statuses["none"] += 1
        if self.conditions.explain(kind, began, None):
            row.explained += 1
        else:
            row.failed += 1
            took = time.monotonic() - began
            self.fail(f"{kind}: {what[:120]}: no response after {took:.1f} s: {type(error).__name__} {error}")

    def slope(self, name: str) -> Slope:
        """Returns the slope over the second half.

        Each quiet period is one point, because its samples are not independent.
        """
        middle = self.samples[-1].at / 2 if self.samples else 0
        points: list[tuple[float, float]] = []
        for is_quiet, group in itertools.groupby(self.samples, key=lambda sample: sample.is_quiet):
            moment = list(group)
            if is_quiet and moment[0].at >= middle:
                values = [float(getattr(sample, name)) for sample in moment]
                points.append((moment[0].at, statistics.fmean(values)))
        return slope(points)
