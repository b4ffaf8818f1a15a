"""The bar under real hands: what is seen is what the API says."""

from __future__ import annotations

from typing import Callable

import pytest
from playwright.sync_api import expect

from playground import Playground

COMPACT, NORMAL, EXPANDED = 60, 128, 272


def test_it_follows_a_drag_and_snaps_to_the_nearest_state(playground: Playground) -> None:
    playground.hold(playground.screen, dy=-50)
    bar = playground.settle()
    assert COMPACT < bar["state"]["height"] < NORMAL
    playground.expect_readings(bar)

    playground.let_go()
    bar = playground.settle()
    assert bar["state"]["height"] == COMPACT
    playground.expect_readings(bar)


def test_it_returns_when_the_list_is_pulled_back(playground: Playground) -> None:
    playground.drag(playground.screen, dy=-300)
    assert playground.settle()["state"]["height"] == COMPACT
    playground.drag(playground.screen, dy=60)
    bar = playground.settle()
    assert bar["state"]["height"] == NORMAL
    playground.expect_readings(bar)


def test_it_expands_when_it_is_pulled_at_the_top(playground: Playground) -> None:
    playground.hold(playground.screen, dy=120, at=(0.5, 0.5))
    bar = playground.settle()
    assert bar["state"]["isExpandedStateAvailable"]
    assert NORMAL < bar["state"]["height"] <= EXPANDED
    playground.expect_readings(bar)

    playground.let_go()
    bar = playground.settle()
    assert bar["state"]["height"] == EXPANDED
    assert bar["state"]["transitionProgress"] == 2
    playground.expect_readings(bar)


def test_a_wheel_is_a_pan(playground: Playground) -> None:
    playground.screen.hover()
    playground.page.mouse.wheel(0, 400)
    assert playground.settle()["state"]["height"] == COMPACT
    states = [event["state"] for event in log(playground) if event["type"] == "panGesture"]
    assert states[0] == "began" and states[-1] == "ended" and "changed" in states


def test_a_finger_is_a_pan(open_page: Callable[..., Playground]) -> None:
    playground = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    box = playground.screen.bounding_box()
    assert box
    touch = playground.page.context.new_cdp_session(playground.page)
    x, y = box["x"] + 150, box["y"] + 400

    def send(kind: str, *points: tuple[float, float]) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": px, "y": py} for px, py in points]})
        playground.page.wait_for_timeout(16)

    send("touchStart", (x, y))
    for step in range(1, 13):
        send("touchMove", (x, y - 12 * step))
    playground.page.wait_for_timeout(160)
    send("touchEnd")
    bar = playground.settle()
    assert bar["state"]["height"] == COMPACT
    playground.expect_readings(bar)


def test_a_keyboard_scrolls_it_too(playground: Playground) -> None:
    playground.part("list-photos").focus()
    playground.page.keyboard.press("PageDown")
    bar = playground.settle()
    assert bar["state"]["height"] == COMPACT
    playground.page.keyboard.press("Home")
    assert playground.settle()["state"]["height"] == NORMAL


def test_the_button_expands_and_collapses(playground: Playground) -> None:
    playground.settle()
    playground.part("expand").click()
    assert playground.settle()["state"]["height"] == EXPANDED
    expect(playground.part("expand")).to_have_attribute("aria-pressed", "true")
    playground.part("expand").click()
    bar = playground.settle()
    assert bar["state"]["height"] == NORMAL
    playground.expect_readings(bar)


def test_events_of_a_frame_leave_together(playground: Playground) -> None:
    posts = []
    playground.page.on("request", lambda request: request.url.endswith("/events?results=all") and posts.append(request))
    playground.drag(playground.screen, dy=-200, steps=24)
    bar = playground.settle()
    sizes = [len(post.post_data_json["events"]) for post in posts]
    assert sum(sizes) >= 24
    assert max(sizes) > 1
    numbers = [event["sequence"] for post in posts for event in post.post_data_json["events"]]
    assert numbers == list(range(numbers[0], bar["lastSequence"] + 1)), "numbered without a gap"


def test_the_second_screen_follows(playground: Playground) -> None:
    expect(playground.part("follower-state")).to_have_text("live")
    playground.hold(playground.screen, dy=-50)
    bar = playground.settle()
    playground.page.wait_for_function(
        "height => document.querySelector('[data-role=follower-height]').value === String(height)",
        arg=bar["state"]["height"],
    )
    playground.let_go()
    playground.settle()
    playground.page.wait_for_function("() => document.querySelector('[data-role=follower-height]').value === '60'")
    small = playground.part("follower").locator('[data-role="bar"]')
    playground.page.wait_for_function("bar => bar.style.height === '60px'", arg=small.element_handle())


def test_another_page_follows_as_well(playground: Playground) -> None:
    """The stream is the service's: whoever knows the session sees the same."""
    watcher = playground.page.context.new_page()
    watcher.goto("/healthz")
    watcher.evaluate(
        """id => { new EventSource(`/v1/bars/${id}/stream`).addEventListener('state', event => {
            window.seen = JSON.parse(event.data).state.height; }); }""",
        playground.session,
    )
    watcher.wait_for_function("() => window.seen === 128")
    playground.page.bring_to_front()
    playground.part("expand").click()
    watcher.wait_for_function("() => window.seen === 272")


def test_time_travel_shows_what_the_replay_says(playground: Playground) -> None:
    playground.drag(playground.screen, dy=-120)
    now = playground.settle()
    moment = playground.part("moment")
    middle = now["lastSequence"] // 2
    moment.fill(str(middle))
    expect(playground.part("moment-text")).to_contain_text(f"Event {middle} of {now['lastSequence']}: height")
    past = playground.service.get(f"/v1/bars/{playground.session}/states?at={middle}")
    drawn = playground.part("device").locator('[data-role="bar"]').evaluate("bar => bar.style.height")
    assert drawn == f"{past['state']['height']:g}px"
    assert playground.bar["revision"] == now["revision"], "looking back changes nothing"

    playground.part("now").click()
    playground.expect_readings(now)


def test_an_event_in_the_log_leads_to_its_moment(playground: Playground) -> None:
    playground.drag(playground.screen, dy=-60)
    bar = playground.settle()
    rows = playground.part("log").locator("button")
    assert rows.count() == bar["lastSequence"]
    rows.nth(3).click()
    expect(playground.part("log").locator('[aria-current="step"]')).to_have_count(1)
    expect(playground.part("moment-text")).to_contain_text(f"Event {bar['lastSequence'] - 3} of")


def test_explain_says_which_rule_fired_and_what_each_stage_left(playground: Playground) -> None:
    playground.part("explain-switch").check()
    playground.hold(playground.screen, dy=-50)
    explanation = playground.part("explain")
    playground.let_go()
    playground.settle()
    expect(explanation).to_contain_text("The bar was between states and goes to one.")
    stages = explanation.locator("th").all_text_contents()
    assert stages[1:] == ["ignoreTop", "ignoreBottom", "cutOut"]


def test_another_list_is_attached_and_a_short_one_filled(playground: Playground) -> None:
    playground.page.get_by_role("tab", name="Short").click()
    bar = playground.settle()
    assert bar["scrollable"]["id"] == "about"
    assert bar["scrollable"]["contentInset"]["bottom"] > 0
    playground.drag(playground.page.locator("#panel-about"), dy=-100)
    bar = playground.settle()
    assert bar["state"]["height"] == COMPACT
    playground.expect_readings(bar)


def test_heights_are_settings_of_a_new_session(playground: Playground) -> None:
    before = playground.session
    slider = playground.page.locator("#normalStateHeight")
    slider.fill("180")
    playground.page.wait_for_function("id => document.getElementById('bar').dataset.session !== id", arg=before)
    bar = playground.settle()
    assert bar["state"]["height"] == 180
    playground.expect_readings(bar)


def test_a_projected_snap_comes_with_a_spring(playground: Playground) -> None:
    before = playground.session
    playground.page.get_by_role("radio", name="Projected").check()
    playground.page.wait_for_function("id => document.getElementById('bar').dataset.session !== id", arg=before)
    with playground.page.expect_response(
        lambda response: "/events" in response.url and '"ended"' in (response.request.post_data or "")
    ) as answer:
        playground.drag(playground.screen, dy=-30, rest=False, steps=5)
    command = answer.value.json()["commands"][-1]
    assert command["spring"]["relativeVelocity"] != 0
    bar = playground.settle()
    assert bar["state"]["height"] == COMPACT
    playground.expect_readings(bar)


def test_an_echoed_session_is_told_every_step(playground: Playground) -> None:
    before = playground.session
    playground.page.get_by_role("radio", name="Echoed").check()
    playground.page.wait_for_function("id => document.getElementById('bar').dataset.session !== id", arg=before)
    playground.drag(playground.screen, dy=-50)
    bar = playground.settle()
    assert bar["state"]["height"] == COMPACT
    playground.expect_readings(bar)


def test_latency_is_shown(playground: Playground) -> None:
    playground.drag(playground.screen, dy=-60)
    playground.settle()
    assert 0 < playground.value("latency-last") < 1000
    assert 0 < playground.value("latency-median") < 1000


def test_a_session_that_has_ended_is_replaced(playground: Playground) -> None:
    before = playground.session
    assert playground.service.ask(f"/v1/bars/{before}", "DELETE").status == 204
    with playground.expecting("404"):
        playground.drag(playground.screen, dy=-50)
        playground.page.wait_for_function("id => document.getElementById('bar').dataset.session !== id", arg=before)
    assert playground.settle()["state"]["height"] in (COMPACT, NORMAL)


@pytest.mark.parametrize("loses", ["request", "answer"])
def test_nothing_is_lost_or_doubled_when_the_network_fails(playground: Playground, loses: str) -> None:
    playground.settle()
    failures = 3

    def fail(route) -> None:  # type: ignore[no-untyped-def]
        nonlocal failures
        if route.request.method != "POST" or failures == 0:
            return route.continue_()
        failures -= 1
        if loses == "answer":
            route.fetch()
        route.abort()

    playground.page.route("**/events?*", fail)
    with playground.expecting("net::ERR_FAILED"):
        playground.drag(playground.screen, dy=-50)
        expect(playground.part("bar-message")).to_be_empty()
        bar = playground.settle()
    assert failures == 0
    assert bar["state"]["height"] == COMPACT
    assert bar["revision"] == bar["lastSequence"]
    playground.expect_readings(bar)


def log(playground: Playground) -> list[dict]:
    return [entry.get("event", entry) for entry in playground.service.get(f"/v1/bars/{playground.session}/events")["events"]]
