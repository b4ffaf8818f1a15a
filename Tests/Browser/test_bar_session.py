"""The session of the bar: its log, time travel, second screens, and a network that fails."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Callable

import pytest
from playwright.sync_api import expect

from playground import Playground

COMPACT = 60


@pytest.fixture
def dragged(shared: Playground) -> Playground:
    """A page at the present state of a session with one drag, for all tests that only look back at it."""
    if shared.part("now").is_enabled():
        shared.part("now").click()
    if shared.settle()["state"]["height"] != COMPACT:
        shared.pull(-50)
    shared.settle(COMPACT)
    return shared


def test_the_second_screen_and_another_page_follow(playground: Playground) -> None:
    """Another client of the session's stream gets the same states."""
    watcher = playground.page.context.new_page()
    watcher.goto("/healthz")
    watcher.evaluate(
        """id => { new EventSource(`/v1/bars/${id}/stream`).addEventListener('state', event => {
            window.seen = JSON.parse(event.data).state.height; }); }""",
        playground.session,
    )
    watcher.wait_for_function("() => window.seen === 128")
    # A page in the background does not draw, and a hidden one does not follow the stream.
    playground.page.bring_to_front()
    expect(playground.part("follower-state")).to_have_text("live")
    playground.hold(dy=-50)
    height = playground.settle()["state"]["height"]
    playground.expect_value("follower-height", height)
    watcher.wait_for_function("height => window.seen === height", arg=height)
    playground.hand.let_go()
    playground.settle(COMPACT)
    playground.expect_value("follower-height", COMPACT)
    expect(playground.part("follower").locator('[data-role="bar"]')).to_have_css("height", "60px")
    watcher.wait_for_function("() => window.seen === 60")


def test_time_travel_shows_what_the_replay_says(playground: Playground) -> None:
    playground.pull(-120)
    now = playground.settle(COMPACT)
    middle = now["lastSequence"] // 2
    playground.part("moment").fill(str(middle))
    expect(playground.part("moment-text")).to_contain_text(f"Event {middle} of {now['lastSequence']}: height")
    expect(playground.part("moment-text")).to_contain_text("confirmed by replay")
    past = playground.service.read(f"/v1/bars/{playground.session}/states?at={middle}")
    drawn = playground.part("device").locator('[data-role="bar"]').evaluate("bar => parseFloat(bar.style.height)")
    assert drawn == past["state"]["height"]
    assert playground.value("height") == past["state"]["height"], "the readings are those of the moment"
    assert playground.value("progress") == past["state"]["transitionProgress"]
    assert playground.bar["revision"] == now["revision"], "looking back changes nothing"
    playground.part("step-on").click()
    expect(playground.part("moment-text")).to_contain_text(f"Event {middle + 1} of")
    playground.part("now").click()
    playground.expect_value("revision", now["revision"])
    playground.expect_readings(now)


def test_a_session_is_played_again(dragged: Playground) -> None:
    now = dragged.bar
    dragged.part("replay").click()
    expect(dragged.part("moment-text")).to_contain_text("Event")
    expect(dragged.part("replay")).to_have_text("Play", timeout=30_000)
    expect(dragged.part("moment-text")).to_have_text(f"Now, after {now['lastSequence']} events")
    dragged.expect_value("revision", now["revision"])
    dragged.expect_readings(now)


def test_events_are_grouped_by_gesture(dragged: Playground) -> None:
    now = dragged.bar
    drag = dragged.part("log").locator("button[aria-expanded]").first
    expect(drag).to_contain_text("Drag")
    expect(drag).to_contain_text("snaps to compact")
    drag.click()
    events = dragged.part("log").locator("li li button")
    assert events.count() > 5
    events.nth(3).click()
    expect(dragged.part("log").locator('[aria-current="step"]')).to_have_count(1)
    expect(dragged.part("moment-text")).to_contain_text(f"of {now['lastSequence']}")


def test_it_says_in_words_which_rule_acted(dragged: Playground) -> None:
    explanation = dragged.part("explain")
    expect(explanation).to_contain_text("The finger let go at")
    expect(explanation).to_contain_text("It snaps to compact")
    stages = explanation.locator("tr[data-stage]").evaluate_all("rows => rows.map(row => row.dataset.stage)")
    assert stages[1:] == ["ignoreTop", "ignoreBottom", "cutOut"]


def test_it_explains_the_last_event_that_changed_the_height(playground: Playground) -> None:
    """Events that change nothing follow a flick; they say nothing about it."""
    explanation = playground.part("explain")
    for dy in (-160, -160, 160):
        playground.pull(dy, rest=False, steps=5)
        bar = playground.settle()
        height = f"{bar['state']['height']:g}"
        expect(explanation.locator(".explain-rule")).not_to_contain_text("at a limit")
        expect(explanation.locator(".explain-rule")).to_contain_text(re.compile(rf"{height}\u00a0pt|snaps to"))


def test_the_phone_is_small_beside_time_travel_on_a_small_screen(open_page: Callable[..., Playground]) -> None:
    playground = open_page(viewport={"width": 390, "height": 844})
    playground.pull(-50)
    before = playground.settle(COMPACT)
    frame = playground.page.locator(".device .list:not([hidden])").evaluate("list => [list.clientWidth, list.clientHeight]")
    playground.part("moment").evaluate("slider => slider.scrollIntoView({ block: 'center', behavior: 'instant' })")
    screen = playground.page.locator(".device .screen")
    expect(playground.page.locator(".has-small-phone")).to_be_attached()
    box = screen.bounding_box()
    assert box and box["y"] >= 50 and box["y"] + box["height"] < 440 and box["x"] + box["width"] <= 390 and box["width"] < 150
    slider = playground.part("moment").bounding_box()
    assert slider and slider["y"] > box["y"] + box["height"], "it does not cover the slider"
    # The session has no event of it: the lists keep their sizes.
    assert playground.page.locator(".device .list:not([hidden])").evaluate("list => [list.clientWidth, list.clientHeight]") == frame
    playground.part("step-back").click()
    expect(playground.page.locator(".device.is-past")).to_be_attached()
    assert playground.bar["revision"] == before["revision"]
    playground.page.evaluate("document.querySelector('.device-place').scrollIntoView({ behavior: 'instant' })")
    expect(playground.page.locator(".has-small-phone")).to_have_count(0)


def test_a_session_is_exported_for_the_service(dragged: Playground) -> None:
    now = dragged.bar
    with dragged.page.expect_download() as download:
        dragged.part("export").click()
    body = json.loads(Path(download.value.path()).read_text())
    answer = dragged.service.ask("POST", "/v1/bars/apply", body)
    assert answer.status == 200, answer.content
    assert answer.json()["state"] == now["state"]
    assert answer.json()["lastSequence"] == now["lastSequence"]


def test_latency_is_shown(dragged: Playground) -> None:
    assert 0 < dragged.value("latency-last") < 60_000
    assert 0 < dragged.value("latency-median") < 60_000
    assert dragged.part("latency-chart").locator("polyline").get_attribute("points")


def test_a_session_that_has_ended_is_replaced(playground: Playground) -> None:
    before = playground.session
    assert playground.service.ask("DELETE", f"/v1/bars/{before}").status == 204
    playground.expects("404")
    playground.change_session(lambda: playground.pull(-50))
    playground.expect_readings(playground.settle(COMPACT))


def test_the_log_of_a_session_that_replaces_another_has_its_events(playground: Playground) -> None:
    playground.pull(-50)
    playground.settle(COMPACT)
    rows = playground.part("log").locator("> *")
    expect(rows).not_to_have_count(0)
    assert playground.service.ask("DELETE", f"/v1/bars/{playground.session}").status == 204
    playground.expects("404")
    playground.change_session(lambda: playground.part("expand").click())
    now = playground.settle()
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("expand")
    assert playground.part("moment").get_attribute("max") == str(now["lastSequence"])
    # The file of a session begins with its creation, which the page does not have here.
    expect(playground.part("export")).to_be_disabled()


def test_an_outage_is_said_and_over_when_it_is_over(playground: Playground) -> None:
    playground.expects("net::ERR_FAILED")
    playground.page.route("**/v1/bars/**", lambda route: route.abort())
    playground.pull(-50)
    expect(playground.part("bar-message")).to_contain_text("The bar goes on in this page")
    playground.expect_value("height", COMPACT)
    playground.page.unroute("**/v1/bars/**")
    playground.expect_readings(playground.settle(COMPACT))
    expect(playground.part("bar-message")).to_be_empty()
