"""Every number gets a response within a second of processor time."""

import json

import pytest

from service import MEBIBYTE, Service
from shapes import APPLY, ENDLESS_PLOT, NEW_BAR


NUMBERS = [
    "0", "5e-324", "3.77e-307", "1e-100", "1e-70", "1e-14", "1e-9", "6.2e-5", "1e-4", "0.001", "0.1", "0.5", "1", "10", "60",
    "100", "1e3", "3600", "1e5", "1e6", "1e9", "1e12", "1e100", "1.7976931348623157e308", "-0.5", "-10", "-1e6", "-1e300",
]
SEARCHES = [
    "linear?dampingRatio=0.8&response=0.3&initialVelocity=0&epsilon=0.001&maxError=0.05&curveDuration=2.5",
    "linear?dampingRatio=0.1&response=1&maxError=0.001",
    "linear?convention=physical&mass=1&stiffness=100&damping=10&initialVelocity=2&maxError=0.005",
    "linear?convention=swiftui.settlingDuration&settlingDuration=1&dampingRatio=0.5&maxError=0.05",
    "linear?convention=flutter.dampingRatio&mass=1&stiffness=100&ratio=0.5&initialVelocity=-1&maxError=0.05",
    "linear?convention=reanimated.durationRatio&durationMs=550&dampingRatio=1&maxError=0.05",
    "retarget?dampingRatio=0.8&response=0.3&start=0&target=300&velocity=10&time=0.1&newTarget=100&maxError=0.01",
    "retarget?dampingRatio=1&response=0.4&target=300&time=0.1&newTarget=0&cap=30&maxError=0.1&runningDuration=0.6",
]


@pytest.mark.parametrize("query", SEARCHES)
def test_an_easing_is_found_or_refused_within_a_second(service: Service, query: str) -> None:
    """Sends every number for every parameter. Each response takes at most a second of processor time."""
    path, parameters = query.split("?")
    pairs = [pair.split("=") for pair in parameters.split("&")]
    slowest, found = (0.0, ""), 0
    for index, (name, _) in enumerate(pairs):
        if name == "convention":
            continue
        for number in NUMBERS:
            values = [[key, number if at == index else value] for at, (key, value) in enumerate(pairs)]
            target = f"/v1/springs/{path}?" + "&".join("=".join(pair) for pair in values)
            before = service.cpu_seconds()
            answer = service.get(target)
            assert answer.status in (200, 400, 422), target
            found += answer.status == 200
            slowest = max(slowest, (service.cpu_seconds() - before, target))
    print(f"measured: at most {slowest[0]:.2f} s of CPU, for {slowest[1]}; {found} easings found")
    assert found >= 3
    assert slowest[0] < 1.0, slowest


def test_the_most_expensive_request_for_a_bar_takes_a_second(service: Service) -> None:
    """The largest number of keyframes in the fewest bytes, with 500 events that each move the bar, fills a request."""
    points = ",".join(f'{{"progress":{number}e-2,"value":0}}' for number in range(64))
    tracks = ",".join(f'"{number}":{{"keyframes":[{points}]}}' for number in range(128))
    events = [{"type": "expand", "on": number % 2 == 0} for number in range(500)]
    bar = json.dumps(NEW_BAR | {"events": events}, separators=(",", ":"))
    body = f'{bar[:-1]},"tracks":{{{tracks}}}}}'
    assert len(body) < 262_144
    before = service.cpu_seconds()
    for _ in range(10):
        assert service.ask("POST", APPLY, body).status == 200
    assert service.cpu_seconds() - before < 10


@pytest.mark.parametrize(("platform", "ratio"), [("css", 0.003), ("css", 0.0003), ("css", 1e-5), ("swiftui", 0), ("swiftui", 0.01)])
def test_a_file_of_lightly_damped_springs_is_refused_within_a_second(service: Service, platform: str, ratio: float) -> None:
    """Their CSS would have 58 MB and more; SwiftUI draws each of the others slower, at a distance that is searched for."""
    response = 0.5 if platform == "css" else 0.0123
    springs = {f"s{number}": {"$value": {"dampingRatio": ratio + number * 1e-9, "response": response}} for number in range(1000)}
    before, resident = service.cpu_seconds(), service.resident()
    answer = service.ask("POST", f"/v1/design-tokens?platform={platform}", {"$type": "spring"} | springs)
    if ratio != 0.01:
        assert (answer.status, answer.problem) == (422, "invalid-content")
    assert service.cpu_seconds() - before < 1
    assert service.resident() - resident < 16 * MEBIBYTE


def test_a_plot_without_a_last_tick_is_refused_and_blocks_no_thread(service: Service) -> None:
    before = service.cpu_seconds()
    answer = service.get(ENDLESS_PLOT)
    assert (answer.status, answer.problem) == (422, "spring-out-of-range")
    # These responses are not cached, so they show that the one thread for long computations is free.
    for target in ("linear?dampingRatio=0.7&response=0.41", "plot.svg?dampingRatio=0.7&response=0.41"):
        assert service.get("/v1/springs/" + target).status == 200
    assert service.cpu_seconds() - before < 1
