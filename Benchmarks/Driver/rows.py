"""All rows of the benchmark, which `script/bench` measures."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from allocations import allocations_over_glibc
from cold import cold_fetch_milliseconds
from counted import allocated_bytes_of_a_post, allocations_of_a_post, instructions_of_a_post
from figures import (
    binary_megabytes,
    bytes_for_each_bar,
    bytes_with_twenty_events,
    first_answer_milliseconds,
    idle_megabytes,
    million_bars_megabytes,
    settled_megabytes,
    slowest_easing_milliseconds,
)
from flood import FloodResult, latency_beside_easings
from load import Load
from programs import Springbar
from servers import Server
from settings import LOGGED, NEW_BAR, QUIET
from yardsticks import Yardstick, c_hello, c_same_size, nginx_proxy_cache, nginx_static


@dataclass(frozen=True)
class HTTPRow:
    """Requests per second and processor time per request, beside a yardstick measured at the same time."""

    name: str
    prepare: Callable[[Server], Load]
    """Prepares a new service for the row, and returns the requests for wrk."""
    at_most: float | None = None
    """The target: the largest processor time per request, in `unit`; None for a row without a target."""
    unit: str = "x"
    """`x` for multiples of the yardstick, `µs` for microseconds."""
    yardstick: Yardstick = c_hello
    """The server that the row is compared with."""
    settings: Mapping[str, str] = field(default_factory=lambda: QUIET)
    """Settings that override the service's defaults."""


@dataclass(frozen=True)
class FigureRow:
    """One figure of the process or its file."""

    name: str
    measure: Callable[[Springbar], float]
    unit: str
    at_most: float
    is_long: bool = False
    """Whether the row takes minutes, so that it is measured only if `--rows` names it."""


@dataclass(frozen=True)
class FanOutRow:
    """One writer and many readers of a bar: processor time per delivered event beside the C library, and the time of a
    post.
    """

    name: str
    readers: int
    at_most: float
    """The target: the largest processor time per delivered event, in multiples of the yardstick."""
    post_at_most: float
    """The target for the median of the posts, in milliseconds."""


@dataclass(frozen=True)
class LatencyRow:
    """The response times of other requests with a load and without one."""

    name: str
    measure: Callable[[Springbar], FloodResult]
    at_most: float
    """The target: the milliseconds that the load may add to the 99th percentile."""


PICTURE_BYTES = 100_000


def get(target: str) -> Callable[[Server], Load]:
    """A row with one target. The first response, which may fill a cache, precedes the measurement."""
    return lambda service: Load(target, content_bytes=len(service.ask("GET", target).content))


def new_bar(script: str) -> Callable[[Server], Load]:
    """A row that creates one bar and sends it events."""

    def prepare(service: Server) -> Load:
        bar = json.loads(service.ask("POST", "/v1/bars", NEW_BAR).content)
        return Load(f"/v1/bars/{bar['id']}/events", script)

    return prepare


def cached_picture(service: Server) -> Load:
    """Selects the picture nearest to 100 kB, of some photos in two widths. Measuring its size puts it into the cache.
    """
    page = json.loads(service.ask("GET", "/v1/photos?limit=10").content)
    targets = [f"/v1/photos/{photo['id']}/image?w={width}" for photo in page["items"] for width in (400, 640)]
    sizes = {target: len(service.ask("GET", target).content) for target in targets}
    nearest = min(sizes, key=lambda target: abs(sizes[target] - PICTURE_BYTES))
    return Load(nearest, content_bytes=sizes[nearest])


HTTP_ROWS = [
    HTTPRow("GET /healthz", get("/healthz")),
    HTTPRow("GET /healthz, each logged", get("/healthz"), 1.3, settings=LOGGED),
    HTTPRow("POST one scroll event", new_bar("drag.lua"), 1.3),
    HTTPRow("POST 500 scroll events", new_bar("batch.lua"), 1000, "µs"),
    HTTPRow("GET a spring, cached", get("/v1/springs?dampingRatio=0.8&response=0.3"), 1.5),
    HTTPRow("GET a spring, computed", lambda _: Load("/v1/springs", "springs.lua"), 1000, "µs"),
    HTTPRow("GET 1,000 points of a curve", lambda _: Load("/v1/springs/curve", "points.lua")),
    HTTPRow("GET linear(), cold", lambda _: Load("/v1/springs/linear", "easings.lua", connections=1), 100_000, "µs"),
    HTTPRow("GET linear(), cached", get("/v1/springs/linear?dampingRatio=0.2&response=0.444&maxError=0.001")),
    HTTPRow("GET a page of 30 photos", get("/v1/photos?limit=30"), 3),
    HTTPRow("GET a picture, cached", cached_picture, 1.1, yardstick=c_same_size),
    HTTPRow("GET a picture, beside an nginx file", cached_picture, 1.1, yardstick=nginx_static),
    HTTPRow("GET a picture, beside nginx proxy_cache", cached_picture, 1.1, yardstick=nginx_proxy_cache),
]

FAN_OUT_ROWS = [FanOutRow("an event to 1,000 readers", 1000, 1.5, 10)]

LATENCY_ROWS = [
    LatencyRow("POST a scroll event beside 64 linear()", latency_beside_easings, 5),
]

FIGURE_ROWS = [
    FigureRow("cold picture, over asking directly", cold_fetch_milliseconds, "ms", 1),
    FigureRow("GET linear(), cold, slowest of 400", slowest_easing_milliseconds, "ms", 100),
    FigureRow("idle RSS after start", idle_megabytes, "MB", 30),
    FigureRow("idle RSS after some traffic", settled_megabytes, "MB", 30),
    FigureRow("instructions of a POST", instructions_of_a_post, "", 36_000),
    FigureRow("allocations of a POST", allocations_of_a_post, "", 10),
    FigureRow("allocated bytes of a POST", allocated_bytes_of_a_post, "B", 2_500),
    FigureRow("blocks of a POST on one thread, over glibc", allocations_over_glibc(1), "x", 1.1),
    FigureRow("blocks of a POST on two threads, over glibc", allocations_over_glibc(2), "x", 0.8),
    FigureRow("RSS for each of 100,000 bars", bytes_for_each_bar, "B", 200),
    FigureRow("RSS for each of 100,000 bars with 20 events", bytes_with_twenty_events, "B", 700, is_long=True),
    FigureRow("RSS of a million bars with an event", million_bars_megabytes, "MB", 300, is_long=True),
    FigureRow("start to first answer", first_answer_milliseconds, "ms", 50),
    FigureRow("stripped binary", binary_megabytes, "MB", 22),
]
