"""Each of the eight interfaces follows a decision of the service."""

from __future__ import annotations

import math
from typing import Callable

import pytest
from playwright.sync_api import expect

from interfaces import asking, card, expect_transform, place, wait_until_still
from playground import Playground


def test_a_calculator_key_lights_up_at_once_and_fades(cards: Playground) -> None:
    keypad = card(cards, "calculator")
    keypad.get_by_role("button", name="Clear").press("Enter")
    expect(keypad.locator(".display")).to_have_text("0")
    seven = keypad.get_by_role("button", name="7")
    dark = seven.evaluate("key => getComputedStyle(key).backgroundColor")
    # The appearance at the event itself, before the service can have responded.
    seven.evaluate(
        """key => { window.seen = [];
            for (const type of ['pointerdown', 'transitionstart'])
                key.addEventListener(type, () => window.seen.push([type, getComputedStyle(key).backgroundColor])); }"""
    )
    for display in ("7", "77"):
        cards.hand.press(seven)
        expect(seven).to_have_class("is-lit")
        cards.hand.let_go()
        expect(keypad.locator(".display")).to_have_text(display)
        expect(keypad.locator(".decision")).to_have_text("touchUpInside → normal")
    expect(seven).to_have_css("background-color", dark)
    seen = cards.page.evaluate("window.seen")
    lit = [color for kind, color in seen if kind == "pointerdown"]
    assert len(lit) == 2 and lit[0] == lit[1] != dark, "at once, and at once again in the middle of a fade"
    assert [kind for kind, _ in seen].count("transitionstart") == 2, "it fades each time"


def test_a_calculator_types_in_the_order_of_the_fingers(cards: Playground) -> None:
    keypad = card(cards, "calculator")
    keypad.get_by_role("button", name="Clear").press("Enter")
    expect(keypad.locator(".display")).to_have_text("0")
    keypad.locator(".keys").evaluate("keys => { for (const name of '31415926') keys.querySelector(`[data-key='${name}']`).click(); }")
    expect(keypad.locator(".display")).to_have_text("31415926")


def test_a_calculator_key_that_is_left_does_not_type(cards: Playground) -> None:
    keypad = card(cards, "calculator")
    keypad.get_by_role("button", name="Clear").press("Enter")
    expect(keypad.locator(".decision")).to_have_text("touchUpInside → normal")
    five = keypad.get_by_role("button", name="5")
    cards.hand.press(five)
    cards.hand.move(dy=-260)
    expect(five).not_to_have_class("is-lit")
    cards.hand.let_go()
    expect(keypad.locator(".decision")).to_have_text("touchUpOutside → normal")
    expect(keypad.locator(".display")).to_have_text("0")


def test_a_spring_is_redirected_on_its_way(cards: Playground) -> None:
    field = card(cards, "spring")
    thing = field.locator(".thing")
    field.get_by_role("slider", name="Response").fill("2")
    send = field.get_by_role("button")
    with cards.page.expect_response("**/v1/springs/retarget**") as first:
        send.press("Enter")
    expect(field.locator(".decision")).to_contain_text("from 0 pt")
    cards.page.wait_for_function(
        "thing => thing.getBoundingClientRect().left - thing.parentElement.getBoundingClientRect().left > 40", arg=thing.element_handle()
    )
    with cards.page.expect_response("**/v1/springs/retarget**") as second:
        send.click()
    expect(field.locator(".decision")).not_to_contain_text("from 0 pt")
    assert first.value.json()["value"] == 0
    assert second.value.json()["value"] != 0 and second.value.json()["velocity"] != 0, "taken up where it was, with its speed"
    easing = thing.evaluate("thing => thing.getAnimations()[0].effect.getTiming().easing")
    assert easing.startswith("linear(")


@pytest.mark.parametrize("model", ["power", "apple"])
def test_a_rubber_band_gives_less_the_further_it_is_pulled(cards: Playground, model: str) -> None:
    stage = card(cards, "rubberband")
    stage.get_by_label("Curve").select_option(model)
    thing = stage.locator(".thing")
    wait_until_still(thing)
    rest = place(thing)[1]
    parameters = "&dimension=300&constant=0.55" if model == "apple" else "&exponent=0.7"
    expected = cards.service.read(f"/v1/rubberband?model={model}&offset=100{parameters}")["value"]
    with cards.page.expect_response("**/v1/rubberband?*offset=100*"):
        cards.hand.press(thing)
        cards.hand.move(dy=100)
    expect(stage.locator(".decision")).to_contain_text("pulled 100 pt")
    assert place(thing)[1] - rest == pytest.approx(expected, abs=0.6) and expected < 60
    cards.hand.let_go()
    expect_transform(thing, "translateY(0px)")


def test_arrow_keys_pull_a_rubber_band(cards: Playground) -> None:
    stage = card(cards, "rubberband")
    stage.get_by_label("Curve").select_option("power")
    thing = stage.locator(".thing")
    wait_until_still(thing)
    thing.focus()
    with cards.page.expect_response("**/v1/rubberband?*offset=30*"):
        cards.page.keyboard.down("ArrowDown")
    expect(stage.locator(".decision")).to_contain_text("pulled 30 pt")
    cards.page.keyboard.up("ArrowDown")
    expect(stage.locator(".decision")).to_contain_text("let go at")
    expect_transform(thing, "translateY(0px)")


def test_a_rubber_band_is_caught_where_it_is(cards: Playground) -> None:
    stage = card(cards, "rubberband")
    stage.get_by_label("Curve").select_option("power")
    thing = stage.locator(".thing")
    wait_until_still(thing)
    x, y = place(thing)
    # If the element is caught before it is back, a move of one pixel must move it by about one pixel.
    moved = thing.evaluate(
        """async (thing, [x, y]) => {
            const send = (type, dy) => thing.dispatchEvent(new PointerEvent(type, { pointerId: 1, bubbles: true, clientX: x, clientY: y + dy }));
            thing.setPointerCapture = () => {};
            const at = () => new DOMMatrix(thing.style.transform).f;
            const late = performance.now() + 30000;
            const frame = () => performance.now() < late ? new Promise(requestAnimationFrame) : Promise.reject(new Error('in vain'));
            send('pointerdown', 0); send('pointermove', 150);
            // A finger that rests before it lets go throws nothing.
            for (const began = performance.now(); at() < 25 || performance.now() < began + 150;) await frame();
            send('pointerup', 150);
            while (at() > 24) await frame();
            const caught = at();
            send('pointerdown', 0);
            const still = at();
            send('pointermove', 1);
            while (at() === still) await frame();
            const result = [caught, still, at()];
            send('pointerup', 1);
            delete thing.setPointerCapture;
            return result; }""",
        [x, y],
    )
    assert moved[1] == moved[0], "touching it stops it"
    assert abs(moved[2] - moved[1]) < 3
    expect_transform(thing, "translateY(0px)")


def test_a_drag_that_stops_abruptly_is_a_pause(cards: Playground) -> None:
    stage = card(cards, "pause")
    thing = stage.locator(".thing")
    wait_until_still(thing)
    x, y = place(thing)
    cards.hand.press_at(x, y)
    for distance in [15, 35, 60, 85, 110, 135, 150] + [150 + step / 4 for step in range(1, 24)]:
        cards.hand.move_to(x, y - distance)
    expect(stage.locator(".decision")).to_contain_text("paused at sample")
    expect(stage).to_have_class("interface is-paused")
    cards.hand.let_go()
    expect_transform(thing, "translateY(0px)")
    expect(stage).to_have_class("interface")


def test_a_recorded_drag_pauses_for_those_who_cannot_drag(cards: Playground) -> None:
    stage = card(cards, "pause")
    stage.get_by_role("button", name="Replay a drag").press("Enter")
    expect(stage.locator(".decision")).to_contain_text("9 samples → paused at sample 8")
    expect(stage).to_have_class("interface")


def test_a_drawer_goes_where_it_is_thrown(cards: Playground) -> None:
    stage = card(cards, "drawer")
    handle = stage.get_by_role("button", name="Drawer")
    expect(handle).to_have_attribute("aria-expanded", "false")
    with asking(cards, "/v1/gestures/drawer") as answers:
        cards.hand.drag(handle, dy=-90, at=(0.5, 0.4), steps=6, rest=False)
        expect(handle).to_have_attribute("aria-expanded", "true")
    told = [answer.json() for answer in answers]
    assert any("fraction" in answer for answer in told), "it followed the finger"
    # The response to the last movement may arrive after that to the release.
    thrown = [answer for answer in told if answer.get("action") == "spring"]
    assert len(thrown) == 1 and not thrown[0]["reversed"]
    wait_until_still(handle)
    cards.hand.drag(handle, dy=90, at=(0.5, 0.4), steps=6, rest=False)
    expect(handle).to_have_attribute("aria-expanded", "false")
    for state in ("true", "false"):
        handle.press("Enter")
        expect(handle).to_have_attribute("aria-expanded", state)


def test_a_drawer_turns_round_on_its_way(cards: Playground) -> None:
    stage = card(cards, "drawer")
    handle = stage.get_by_role("button", name="Drawer")
    expect(handle).to_have_attribute("aria-expanded", "false")
    drawer = stage.locator(".drawer")
    wait_until_still(drawer)
    places = drawer.evaluate(
        """async drawer => {
            const at = () => new DOMMatrix(drawer.style.transform).f;
            const late = performance.now() + 30000;
            const frame = () => performance.now() < late ? new Promise(requestAnimationFrame) : Promise.reject(new Error('in vain'));
            const start = at();
            const handle = drawer.querySelector('button');
            handle.click();
            while (at() > start - 30) await frame();
            handle.click();
            const turned = at();
            while (at() < start - 0.01) await frame();
            return [start, turned, at()]; }"""
    )
    assert places[1] < places[0] - 29 and places[2] == pytest.approx(places[0], abs=0.01)
    expect(handle).to_have_attribute("aria-expanded", "false")


def test_a_window_flies_to_the_corner_it_is_thrown_at(cards: Playground) -> None:
    stage = card(cards, "pip")
    thing = stage.locator(".thing")
    wait_until_still(thing)
    for dx, dy, corner in ((-60, -60, "top left"), (60, 0, "top right"), (0, 60, "bottom right"), (-60, 0, "bottom left")):
        with cards.page.expect_response("**/v1/gestures/pip") as answer:
            cards.hand.drag(thing, dx=dx, dy=dy, steps=5, rest=False)
        expect(thing).to_have_attribute("data-corner", corner)
        wait_until_still(thing)
        x, y = place(thing)
        box = stage.locator(".stage").bounding_box()
        assert box and [x - box["x"], y - box["y"]] == pytest.approx(answer.value.json()["corner"], abs=0.6)
    thing.press("ArrowRight")
    expect(thing).to_have_attribute("data-corner", "bottom right")


def test_a_turned_thing_rests_at_a_quarter_turn(cards: Playground) -> None:
    stage = card(cards, "rotation")
    thing = stage.get_by_role("slider")
    before = int(thing.get_attribute("aria-valuenow") or "")
    x, y = place(thing)
    cards.hand.press_at(x, y - 60)
    for step in range(1, 11):
        angle = math.radians(-90 + 6 * step)
        cards.hand.move_to(x + 60 * math.cos(angle), y + 60 * math.sin(angle))
    cards.hand.let_go()
    expect(thing).to_have_attribute("aria-valuenow", str(before + 90))
    expect(stage.locator(".decision")).to_contain_text("→ 90°")
    thing.press("ArrowLeft")
    expect(thing).to_have_attribute("aria-valuenow", str(before))


def test_two_fingers_turn_it_around_each_other(open_page: Callable[..., Playground]) -> None:
    cards = open_page(has_touch=True)
    cards.go_to("interfaces")
    thing = card(cards, "rotation").get_by_role("slider")
    x, y = place(thing)
    touch = cards.page.context.new_cdp_session(cards.page)

    def send(kind: str, degrees: float) -> None:
        dx, dy = 40 * math.cos(math.radians(degrees)), 40 * math.sin(math.radians(degrees))
        points = [{"x": x + dx, "y": y + dy, "id": 0}, {"x": x - dx, "y": y - dy, "id": 1}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [] if kind == "touchEnd" else points})

    send("touchStart", 0)
    for step in range(1, 13):
        send("touchMove", 5 * step)
    cards.page.wait_for_function("thing => Math.abs(thing.ariaValueNow - 60) < 3", arg=thing.element_handle())
    cards.page.wait_for_timeout(150)
    send("touchEnd", 0)
    expect(thing).to_have_attribute("aria-valuenow", "90")
