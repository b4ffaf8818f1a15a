"""Other requests' latency while more heavy answers are asked for than the service computes."""

import random
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from servers import Client, Server

EASINGS = 64
EPSILON = 0.001


@dataclass
class Latencies:
    """What one client waited for its answers, in milliseconds."""

    waits: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        return statistics.median(self.waits)

    @property
    def p99(self) -> float:
        return statistics.quantiles(self.waits, n=100)[98]

    def __str__(self) -> str:
        return f"{self.median:.2f} / {self.p99:.2f}"
