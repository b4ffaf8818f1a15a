"""Hostile requests and ordinary ones, shared by the tests, the combined run and script/soak."""

import json
from typing import Any

SCROLLABLE = {
    "contentOffset": {"x": 0, "y": -200},
    "contentSize": {"width": 375, "height": 4800},
    "frame": {"x": 0, "y": 0, "width": 375, "height": 667},
}
NEW_BAR: dict[str, Any] = {
    "configuration": {"compactStateHeight": 100, "normalStateHeight": 200, "expandedStateHeight": 300},
    "scrollable": SCROLLABLE,
}

#: Springs that are slower, faster or longer than on any display. Unchecked conversions of their numbers end a process.
EXTREME_SPRINGS = [
    "/v1/springs/linear?dampingRatio=0.8&response=1e-70",
    "/v1/springs/linear?dampingRatio=0.8&response=1e-14",
    "/v1/springs/linear?convention=flutter.dampingRatio&mass=1e-09&stiffness=1e12&ratio=1e-09&maxError=0.05"
    "&curveDuration=60",
    "/v1/springs/retarget?convention=swiftui.response&response=1e-100&dampingRatio=0.8"
    "&start=0&target=100&velocity=0&time=0.1&newTarget=50",
]
#: A plot with an axis that has no last tick.
ENDLESS_PLOT = "/v1/springs/plot.svg?dampingRatio=3.77e-307&response=60"

#: Paths with names that the upstream cannot have, as in a request line.
ODD_PATHS = [
    "/unsplash/photos/..#x",
    "/unsplash/photos/%2e%2e",
    "/unsplash/photos/a%2Fb",
    "/unsplash/topics/%2e%2e/photos",
    "/v1/photos/%2e%2e",
    "/v1/photos/a%2Fb",
    "/v1/photos/x%23y",
    "/v1/photos/%3Cscript%3E",
    "/v1/topics/%2e%2e/photos",
    "/v1/collections/a%2Fb/photos",
]


def scroll(y: float, **members: Any) -> dict[str, Any]:
    """Returns an event that reports a content offset."""
    return {"type": "contentOffset", "contentOffset": {"x": 0, "y": y}} | members


def tracks(count: int, name: str, keyframes: int = 2) -> dict[str, Any]:
    """Returns tracks. Their names differ in the first three characters and otherwise end like `name`."""
    points = [{"progress": index / (keyframes - 1), "value": index} for index in range(keyframes)]
    return {f"{number:03}{name[3:]}": {"keyframes": points} for number in range(count)}


#: The longest name that is allowed, with four bytes for each character.
EMOJI = "\N{GRINNING FACE}" * 128


def apply_body(events: int) -> str:
    """Returns the content of a `POST /v1/bars/apply`. Its response repeats the names of 128 tracks in every result."""
    batch = [scroll(-200 + index % 150) for index in range(events)]
    body = NEW_BAR | {"tracks": tracks(128, EMOJI), "events": batch}
    return json.dumps(body, separators=(",", ":"), ensure_ascii=False)


#: 103 kB whose response would have 34 MB. It is valid, and refused for the size of its response.
HUGE_APPLY = apply_body(500)
#: A response of 8,343,248 bytes, which is as large as is allowed.
LARGEST_APPLY = apply_body(125)
#: A response of 6.7 MB, which is allowed.
ALLOWED_APPLY = apply_body(100)
APPLY = "/v1/bars/apply"


def long_search(number: int, length: int = 10_850) -> str:
    """Returns a drop-in search with a different text for each number."""
    text = f"q{number}" + "x" * length
    return f"/unsplash/search/photos?query={text[:length]}"
