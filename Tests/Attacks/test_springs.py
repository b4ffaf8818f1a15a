"""Rows 1 and 2: every number has an answer, within a second of CPU."""

from __future__ import annotations

import pytest

from service import Service
from shapes import ENDLESS_PLOT, EXTREME_SPRINGS, NEW_BAR


@pytest.mark.parametrize("target", EXTREME_SPRINGS, ids=["1e-70", "1e-14", "flutter", "retarget"])
def test_a_spring_beyond_the_range_is_refused_and_ends_nothing(service: Service, target: str) -> None:
    bar = service.ask("POST", "/v1/bars", NEW_BAR).fields["location"]
    answer = service.get(target)
    assert (answer.status, answer.problem) == (422, "spring-out-of-range")
    assert service.is_running
    assert service.get(bar).status == 200


def test_a_plot_without_a_last_tick_is_refused_and_holds_no_thread(service: Service) -> None:
    before = service.cpu_seconds()
    answer = service.get(ENDLESS_PLOT)
    assert (answer.status, answer.problem) == (422, "spring-out-of-range")
    # The one thread for heavy answers is free: these are in no cache yet.
    for target in ("linear?dampingRatio=0.7&response=0.41", "plot.svg?dampingRatio=0.7&response=0.41"):
        assert service.get("/v1/springs/" + target).status == 200
    assert service.cpu_seconds() - before < 1
