"""Each of the eight interfaces does its thing, by a decision of the service."""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import Any, Iterator

import pytest
from playwright.sync_api import Locator, expect

from playground import Playground


@pytest.fixture
def cards(playground: Playground) -> Playground:
    playground.go_to("interfaces")
    playground.page.wait_for_function("() => document.querySelector('[data-interface=pip] .thing').style.transform !== ''")
    return playground


def card(cards: Playground, name: str) -> Locator:
    found = cards.page.locator(f'[data-interface="{name}"]')
    found.evaluate("card => card.scrollIntoView({ block: 'center', behavior: 'instant' })")
    return found


@contextmanager
def asking(cards: Playground, path: str) -> Iterator[list[Any]]:
    """Collects the answers of the service to a path while something is done."""
    answers: list[Any] = []

    def note(response: Any) -> None:
        if path in response.url:
            answers.append(response.json())

    cards.page.on("response", note)
    yield answers
    cards.page.wait_for_timeout(100)
    cards.page.remove_listener("response", note)


def place(thing: Locator) -> tuple[float, float]:
    box = thing.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_calculator_key_lights_up_and_types(cards: Playground) -> None:
    keypad = card(cards, "calculator")
    seven = keypad.get_by_role("button", name="7")
    seven.hover()
    cards.page.mouse.down()
    expect(seven).to_have_class("is-lit")
    cards.page.mouse.up()
    expect(keypad.locator(".display")).to_have_text("7")
    expect(seven).not_to_have_class("is-lit")
    expect(keypad.locator(".decision")).to_have_text("touchUpInside → normal")
    keypad.get_by_role("button", name="8").press("Enter")
    expect(keypad.locator(".display")).to_have_text("78")


def test_a_calculator_key_that_is_left_does_not_type(cards: Playground) -> None:
    keypad = card(cards, "calculator")
    cards.drag(keypad.get_by_role("button", name="5"), dy=-260)
    expect(keypad.locator(".decision")).to_have_text("touchUpOutside → normal")
    expect(keypad.locator(".display")).to_have_text("0")


def test_a_spring_is_redirected_on_its_way(cards: Playground) -> None:
    field = card(cards, "spring")
    thing = field.locator(".thing")
    field.get_by_role("slider", name="Response").fill("2")
    with asking(cards, "/v1/springs/retarget") as answers:
        field.get_by_role("button").click()
        expect(field.locator(".decision")).to_contain_text("from 0 pt", timeout=20_000)
        cards.page.wait_for_timeout(150)
        with cards.page.expect_response("**/v1/springs/retarget**", timeout=20_000):
            field.get_by_role("button").click()
        expect(field.locator(".decision")).not_to_contain_text("from 0 pt")
    assert len(answers) == 2
    assert answers[1]["value"] > 20 and answers[1]["velocity"] != 0, "taken up where it was, with its speed"
    easing = thing.evaluate("thing => thing.getAnimations()[0].effect.getTiming().easing")
    assert easing.startswith("linear(")


def test_the_torch_gives_under_force_and_switches_when_let_go(cards: Playground) -> None:
    torch = card(cards, "force")
    button = torch.get_by_role("button", name="Torch")
    button.hover()
    cards.page.mouse.down()
    expect(torch.locator(".decision")).to_contain_text("activated")
    cards.page.mouse.up()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(torch.locator(".decision")).to_contain_text("haptics light medium")
    cards.page.wait_for_function("button => button.style.transform === 'scale(1)'", arg=button.element_handle())
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true"), "a short press is too light"


@pytest.mark.parametrize("model", ["power", "apple"])
def test_a_rubber_band_gives_less_the_further_it_is_pulled(cards: Playground, model: str) -> None:
    stage = card(cards, "rubberband")
    stage.get_by_label("Curve").select_option(model)
    thing = stage.locator(".thing")
    rest = place(thing)[1]
    with asking(cards, "/v1/rubberband") as answers:
        cards.hold(thing, dy=100, at=(0.5, 0.5))
        cards.page.wait_for_timeout(200)
    moved = place(thing)[1] - rest
    parameters = "&dimension=300&constant=0.55" if model == "apple" else "&exponent=0.7"
    assert moved == pytest.approx(cards.service.get(f"/v1/rubberband?model={model}&offset=100{parameters}")["value"], abs=0.6)
    assert answers and moved < 60
    cards.let_go()
    cards.page.wait_for_function("thing => thing.style.transform === 'translateY(0px)'", arg=thing.element_handle())


def test_a_drag_that_stops_abruptly_is_a_pause(cards: Playground) -> None:
    stage = card(cards, "pause")
    thing = stage.locator(".thing")
    x, y = place(thing)
    cards.page.mouse.move(x, y)
    cards.page.mouse.down()
    for distance in [15, 35, 60, 85, 110, 135, 150] + [150 + step / 4 for step in range(1, 24)]:
        cards.page.mouse.move(x, y - distance)
        cards.page.wait_for_timeout(14)
    expect(stage.locator(".decision")).to_contain_text("paused at sample")
    expect(stage).to_have_class("interface is-paused")
    cards.page.mouse.up()
    cards.page.wait_for_function("thing => thing.style.transform === 'translateY(0px)'", arg=thing.element_handle())
    expect(stage).to_have_class("interface")


def test_a_recorded_drag_pauses_for_those_who_cannot_drag(cards: Playground) -> None:
    stage = card(cards, "pause")
    stage.get_by_role("button", name="Replay a drag").press("Enter")
    expect(stage.locator(".decision")).to_contain_text("9 samples → paused at sample 8")


def test_a_drawer_goes_where_it_is_thrown(cards: Playground) -> None:
    stage = card(cards, "drawer")
    handle = stage.get_by_role("button", name="Drawer")
    with asking(cards, "/v1/gestures/drawer") as answers:
        cards.drag(handle, dy=-90, at=(0.5, 0.4), steps=6, rest=False)
        expect(handle).to_have_attribute("aria-expanded", "true")
    assert any("fraction" in answer for answer in answers), "it followed the finger"
    assert answers[-1]["action"] == "spring" and not answers[-1]["reversed"]
    cards.drag(handle, dy=90, at=(0.5, 0.4), steps=6, rest=False)
    expect(handle).to_have_attribute("aria-expanded", "false")
    handle.press("Enter")
    expect(handle).to_have_attribute("aria-expanded", "true")


def test_a_window_flies_to_the_corner_it_is_thrown_at(cards: Playground) -> None:
    stage = card(cards, "pip")
    thing = stage.locator(".thing")
    with asking(cards, "/v1/gestures/pip") as answers:
        cards.drag(thing, dx=-60, dy=-60, at=(0.5, 0.5), steps=5, rest=False)
        expect(thing).to_have_attribute("data-corner", "top left")
    cards.page.wait_for_timeout(1200)
    x, y = place(thing)
    box = stage.locator(".stage").bounding_box()
    assert box and [x - box["x"], y - box["y"]] == pytest.approx(answers[-1]["corner"], abs=0.6)
    thing.press("ArrowRight")
    expect(thing).to_have_attribute("data-corner", "top right")


def test_a_turned_thing_rests_at_a_quarter_turn(cards: Playground) -> None:
    stage = card(cards, "rotation")
    thing = stage.get_by_role("slider")
    x, y = place(thing)
    cards.page.mouse.move(x, y - 60)
    cards.page.mouse.down()
    for step in range(1, 11):
        angle = math.radians(-90 + 6 * step)
        cards.page.mouse.move(x + 60 * math.cos(angle), y + 60 * math.sin(angle))
        cards.page.wait_for_timeout(16)
    cards.let_go()
    expect(thing).to_have_attribute("aria-valuenow", "90")
    expect(stage.locator(".decision")).to_contain_text("→ 90°")
    thing.press("ArrowLeft")
    expect(thing).to_have_attribute("aria-valuenow", "0")
