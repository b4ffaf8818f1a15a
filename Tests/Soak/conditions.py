"""The current disturbances of the service, and the failures that they explain."""

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass

from wire import Answer

STALLED = "stalled readers"
BLOCKED = "stdout blocked"
DESCRIPTORS = "no descriptors"
FAULT = "upstream fault"

#: Kinds of requests that need the photo library.
PHOTOS = ("feed", "search", "photo", "picture", "range", "placeholder", "download", "prefetch", "drop-in")
#: The photo library's own API, where errors have the library's own status.
DROP_IN = ("drop-in",)
#: Kinds of requests that are computed by one thread with a short queue.
HEAVY = ("linear", "plot", "compare", "presets")


@dataclass(frozen=True)
class Rule:
    """Failures that are expected during a disturbance and for some seconds after it."""

    statuses: tuple[int, ...]
    #: Codes of problems; empty for any response.
    codes: tuple[str, ...]
    #: Kinds of requests; empty for all.
    kinds: tuple[str, ...]
    #: The disturbance; None for a rule that always applies.
    during: str | None
    seconds_after: float = 0

    def __str__(self) -> str:
        what = ", ".join(map(str, self.statuses)) if self.statuses else "no response or a part of one"
        codes = f" `{'`, `'.join(self.codes)}`" if self.codes else ""
        kinds = f" for {', '.join(self.kinds)}" if self.kinds else ""
        when = f" during {self.during} and {self.seconds_after:g} s after" if self.during else ""
        return f"{what}{codes}{kinds}{when}"


RULES = [
    # Responses that are not read use up the memory budget.
    Rule((503,), ("overloaded",), (), STALLED, 2),
    # Meanwhile, a client that reads its stream too slowly is cut off.
    Rule((), (), ("stream",), STALLED, 2),
    # So it is while pictures with large lengths, or slow ones, hold the budget.
    Rule((), (), ("stream",), FAULT, 2),
    # The queue for long computations is short, so that other requests stay fast.
    Rule((503,), ("busy",), HEAVY, None),
    # The breaker stays open for at most 30 s after the last failure, and a failure is remembered for some time.
    Rule((502, 503, 504), (), PHOTOS, FAULT, 45),
    Rule((500,), (), DROP_IN, FAULT, 45),
    # A picture is forwarded while it arrives. If it is cut off, the connections that receive it are closed
    # (docs/http.md).
    Rule((), (), ("picture", "range"), FAULT, 45),
    # Without descriptors there are no new connections from clients or to the photo library.
    Rule((502, 503, 504), (), PHOTOS, DESCRIPTORS, 45),
    Rule((), (), (), DESCRIPTORS, 3),
]


class Conditions:
    """The disturbances, and the times of their ends."""

    def __init__(self) -> None:
        self.last: dict[str, float] = {}
        self.running: set[str] = set()

    @contextlib.contextmanager
    def during(self, name: str) -> Iterator[None]:
        self.running.add(name)
        try:
            yield
        finally:
            self.running.discard(name)
            self.last[name] = time.monotonic()

    def explain(self, kind: str, began: float, answer: Answer | None) -> bool:
        """Returns whether a rule explains a failure; `answer` is None if there was no response."""
        return any(self._fits(rule, kind, began, answer) for rule in RULES)

    def _fits(self, rule: Rule, kind: str, began: float, answer: Answer | None) -> bool:
        if (answer.status not in rule.statuses) if answer else bool(rule.statuses):
            return False
        if answer and rule.codes and answer.problem not in rule.codes:
            return False
        if rule.kinds and kind not in rule.kinds:
            return False
        if rule.during is None or rule.during in self.running:
            return True
        return began <= self.last.get(rule.during, -1e9) + rule.seconds_after
