"""The bar under simulated input has the state of the API."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Request, expect

from playground import Playground

COMPACT, NORMAL, EXPANDED = 60, 128, 272


def log(playground: Playground) -> list[dict[str, Any]]:
    return [entry.get("event", entry) for entry in playground.service.read(f"/v1/bars/{playground.session}/events")["events"]]


def test_it_follows_a_drag_and_snaps_to_the_nearest_state(playground: Playground) -> None:
    expect(playground.part("state-range")).to_have_text("at its normal height")
    playground.hold(dy=-50)
    bar = playground.settle()
    assert COMPACT < bar["state"]["height"] < NORMAL
    expect(playground.part("state-range")).to_have_text("between compact and normal")
    assert 0 < bar["values"]["background.alpha"] < 1, "it fades on the way"
    playground.expect_readings(bar)

    with playground.page.expect_response(lambda response: '"ended"' in (response.request.post_data or "")) as answer:
        playground.hand.let_go()
    command = answer.value.json()["commands"][-1]
    assert command["animated"]
    bar = playground.settle(COMPACT)
    playground.expect_readings(bar)
    assert playground.content_offset == pytest.approx(command["y"], abs=1), "the list went where the service sent it"


def test_a_wheel_is_a_pan(playground: Playground) -> None:
    playground.screen.hover()
    playground.page.mouse.wheel(0, 400)
    playground.expect_readings(playground.settle(COMPACT))
    states = [event["state"] for event in log(playground) if event["type"] == "panGesture"]
    assert states[0] == "began" and states[-1] == "ended" and "changed" in states


def test_events_of_a_frame_leave_together_over_a_kept_connection(playground: Playground) -> None:
    posts: list[Request] = []
    playground.page.on("request", lambda request: "/events?results=all" in request.url and posts.append(request))
    playground.pull(-200, steps=24)
    bar = playground.settle()
    sizes = [len(post.post_data_json["events"]) for post in posts]
    assert sum(sizes) >= 24
    assert max(sizes) > 1
    numbers = [event["sequence"] for post in posts for event in post.post_data_json["events"]]
    assert numbers == list(range(numbers[0], bar["lastSequence"] + 1)), "numbered without a gap"
    # A reused connection takes no time to connect.
    kept = playground.page.evaluate(
        """() => performance.getEntriesByType('resource').filter(one => one.name.includes('/events?'))
            .map(one => one.connectStart === one.connectEnd)"""
    )
    assert len(kept) >= len(posts)
    assert kept.count(False) <= 2


def test_a_list_that_is_attached_to_an_open_bar_keeps_it(playground: Playground) -> None:
    playground.part("expand").click()
    playground.settle(EXPANDED)
    playground.page.get_by_role("tab", name="Presets").first.click()
    bar = playground.settle()
    moment = playground.part("log").locator("li, button", has_text="presets").first
    moment.click()
    rule = playground.part("explain").locator(".explain-rule")
    expect(rule).to_contain_text(f"{bar['state']['height']:g}\u00a0pt")
    expect(rule).not_to_contain_text("normal height")


@pytest.mark.parametrize("latency", [0, 80, 200])
def test_the_bar_is_at_the_list_in_every_frame(playground: Playground, latency: int) -> None:
    """There is no gap between list and bar in any frame of a drag, even with a slow network."""
    network = playground.page.context.new_cdp_session(playground.page)
    network.send("Network.enable")
    conditions = {"offline": False, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", conditions)
    playground.page.evaluate(
        """() => { window.frames = [];
            const bar = document.querySelector('.device [data-role=bar]');
            const list = document.querySelector('[data-role=list-photos]');
            let last = performance.now();
            const look = now => {
                const [edge, top] = [bar.getBoundingClientRect().bottom, list.getBoundingClientRect().top];
                window.frames.push([Math.abs(list.firstElementChild.getBoundingClientRect().top - edge), edge - top, now - last]);
                last = now;
                window.watching = requestAnimationFrame(look); };
            window.watching = requestAnimationFrame(look); }"""
    )
    playground.hand.press(playground.screen, at=(0.5, 0.7))
    playground.hand.move(dy=-60, steps=20)
    playground.hand.move(dy=50, steps=20)
    frames = playground.page.evaluate("() => { cancelAnimationFrame(window.watching); return window.frames; }")
    gaps, heights, times = zip(*frames)
    p95 = sorted(times)[int(len(times) * 0.95)]
    print(f"latency {latency} ms: {len(frames)} frames, gap at most {max(gaps):.2f} px, p95 {p95:.1f} ms")
    assert max(heights) - min(heights) > 40, "the bar has moved"
    assert max(gaps) <= 1
    assert playground.value("corrections") == 0
    network.send("Network.emulateNetworkConditions", conditions | {"latency": 0})
    playground.hand.let_go()
    playground.expect_readings(playground.settle())


def test_the_list_is_at_the_finger_one_frame_later(playground: Playground) -> None:
    """The frame after a movement of the pointer shows list and bar at the pointer."""
    playground.page.evaluate(
        """() => { window.late = [];
            const list = document.querySelector('[data-role=list-photos]').firstElementChild;
            let finger = null, from = null;
            addEventListener('pointermove', ({ clientY, buttons }) => { if (buttons) finger = clientY; }, { capture: true });
            addEventListener('pointerdown', ({ clientY }) => { from = { finger: clientY, list: list.getBoundingClientRect().top }; finger = clientY; }, { capture: true });
            const channel = new MessageChannel();
            // After the last callback of a frame, unless the next movement is already there.
            channel.port1.onmessage = ({ data }) =>
                data === finger && window.late.push([data - from.finger, list.getBoundingClientRect().top - from.list]);
            const look = () => { if (from) channel.port2.postMessage(finger); window.watching = requestAnimationFrame(look); };
            look(); }"""
    )
    playground.hold(dy=-60)
    distances: list[float] = []
    # A busy machine draws few frames, and each of them must be correct.
    for way in (1, -1) * 5:
        playground.hand.move(dy=40 * way, steps=40)
        # A pan begins after some points, as in UIKit. From then on the distance is constant, in both directions.
        distances += [moved - finger for finger, moved in playground.page.evaluate("window.late.splice(0)") if finger < -15]
        if len(distances) >= 8:
            break
    playground.page.evaluate("cancelAnimationFrame(window.watching)")
    playground.hand.let_go()
    playground.settle()
    assert len(distances) >= 8
    assert max(distances) - min(distances) <= 1


@pytest.mark.parametrize("pause", [20, 60, 150])
def test_an_echoed_bar_that_is_expanded_twice_is_not_stuck(playground: Playground, pause: int) -> None:
    playground.change_session(playground.page.get_by_role("radio", name="Echoed").check)
    playground.settle()
    button = playground.part("expand")
    button.evaluate("(button, pause) => { button.click(); setTimeout(() => button.click(), pause); }", pause)
    playground.page.evaluate("pause => new Promise(resolve => setTimeout(resolve, pause + 100))", pause)
    playground.settle(NORMAL)
    expect(button).to_have_text("Expand")
    for height, text, pressed in ((EXPANDED, "Collapse", "true"), (NORMAL, "Expand", "false")):
        button.click()
        playground.expect_readings(playground.settle(height))
        expect(button).to_have_text(text)
        expect(button).to_have_attribute("aria-pressed", pressed)
        assert playground.content_offset == pytest.approx(-height, abs=1), "the list is at the bar"


def test_another_list_is_attached_and_a_short_one_filled(playground: Playground) -> None:
    playground.page.get_by_role("tab", name="Short").click()
    bar = playground.settle()
    assert bar["scrollable"]["id"] == "about"
    assert bar["scrollable"]["contentInset"]["bottom"] > 0
    playground.pull(-100)
    playground.expect_readings(playground.settle(COMPACT))


def test_settings_are_those_of_a_new_session(playground: Playground) -> None:
    slider = playground.page.locator("#normalStateHeight")
    with playground.page.expect_request(lambda request: request.url.endswith("/v1/bars")) as asked:
        playground.change_session(lambda: slider.fill("180"))
    assert asked.value.post_data_json["configuration"]["normalStateHeight"] == 180
    playground.expect_readings(playground.settle(180))

    playground.page.get_by_text("Beyond AirBar").click()
    for label in ("Resistance at the limits", "Over-scroll"):
        with playground.page.expect_request(lambda request: request.url.endswith("/v1/bars")) as asked:
            playground.change_session(playground.page.get_by_label(label).check)
    options = asked.value.post_data_json["options"]
    assert options == {"snap": "nearest", "resistance": {"dimension": 200, "constant": 0.55}, "fixes": ["overscroll"]}


def test_settings_that_change_faster_than_the_service_answers_leave_one_session(playground: Playground) -> None:
    ended: list[str] = []
    playground.page.on("request", lambda request: request.method == "DELETE" and ended.append(request.url))
    before = playground.service.read("/v1/status")["bars"]["sessions"]
    playground.page.evaluate(
        """() => { const slider = document.getElementById('normalStateHeight');
            for (const height of [150, 160, 170]) { slider.value = height; slider.dispatchEvent(new Event('change', { bubbles: true })); } }"""
    )
    bar = playground.settle(170)
    playground.expect_readings(bar)
    playground.page.wait_for_function(
        "async before => (await (await fetch('/v1/status')).json()).bars.sessions === before", arg=before
    )
    assert not any(playground.session in url for url in ended)


def test_a_projected_snap_comes_with_a_spring(playground: Playground) -> None:
    playground.change_session(playground.page.get_by_role("radio", name="Projected").check)
    playground.settle()
    with playground.page.expect_response(lambda response: '"ended"' in (response.request.post_data or "")) as answer:
        playground.pull(-30, rest=False, steps=5)
    command = answer.value.json()["commands"][-1]
    assert command["spring"]["relativeVelocity"] != 0
    playground.expect_readings(playground.settle(COMPACT))


def test_without_a_snap_it_stays_where_it_is_left(playground: Playground) -> None:
    playground.change_session(playground.page.get_by_role("radio", name="None").check)
    playground.settle()
    playground.pull(-50)
    bar = playground.settle()
    assert COMPACT < bar["state"]["height"] < NORMAL
    playground.expect_readings(bar)
