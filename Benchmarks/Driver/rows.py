"""The rows of the benchmark: everything that `script/bench` measures stands here, once."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from figures import binary_megabytes, first_answer_milliseconds, idle_megabytes, settled_megabytes
from load import Load
from programs import Springbar
from servers import Server


@dataclass(frozen=True)
class HTTPRow:
    """Requests a second and CPU a request, beside the C library in the same minutes."""

    name: str
    prepare: Callable[[Server], Load]
    """Brings a fresh service to where the row begins, and says what wrk is to ask for."""
    target: float | None = None
    """Highest CPU a request, in yardsticks; None when the row is there to be seen only."""
    same_size: bool = False
    """The yardstick sends as many bytes as the service does, instead of the two of a hello."""


@dataclass(frozen=True)
class FigureRow:
    """One number of the process or of its file."""

    name: str
    measure: Callable[[Springbar], float]
    unit: str
    target: float


BAR = {
    "configuration": {"compactStateHeight": 100, "normalStateHeight": 200, "expandedStateHeight": 300},
    "scrollable": {
        "contentOffset": {"x": 0, "y": -200},
        "contentSize": {"width": 375, "height": 4800},
        "frame": {"x": 0, "y": 0, "width": 375, "height": 667},
    },
}
PICTURE_BYTES = 100_000


def get(target: str) -> Callable[[Server], Load]:
    """A row that asks for one target; the first answer, which may fill a cache, comes before the measurement."""
    return lambda service: Load(target, content_bytes=len(service.ask("GET", target).content))


def drag_one_bar(service: Server) -> Load:
    """One bar, and every request one scroll event for it."""
    bar = json.loads(service.ask("POST", "/v1/bars", json.dumps(BAR)).content)
    return Load(f"/v1/bars/{bar['id']}/events", script="drag.lua")


def cached_picture(service: Server) -> Load:
    """Of the first photos' pictures, as they are offered, the one nearest to 100 kB; asking put it into the cache."""
    page = json.loads(service.ask("GET", "/v1/photos?limit=4").content)
    targets = [image["url"] for photo in page["items"] for image in photo["images"].values()]
    sizes = {target: len(service.ask("GET", target).content) for target in targets}
    nearest = min(sizes, key=lambda target: abs(sizes[target] - PICTURE_BYTES))
    return Load(nearest, content_bytes=sizes[nearest])


SPRING = "/v1/springs?dampingRatio=0.8&response=0.3"

HTTP_ROWS = [
    HTTPRow("GET /healthz", get("/healthz")),
    HTTPRow("POST one scroll event", drag_one_bar, target=1.5),
    HTTPRow("GET /v1/springs, cached", get(SPRING), target=1.5),
    HTTPRow("GET a picture, cached", cached_picture, target=1.1, same_size=True),
]

FIGURE_ROWS = [
    FigureRow("idle RSS after start", idle_megabytes, "MB", 30),
    FigureRow("idle RSS after some traffic", settled_megabytes, "MB", 30),
    FigureRow("start to first answer", first_answer_milliseconds, "ms", 50),
    FigureRow("stripped binary", binary_megabytes, "MB", 22),
]
