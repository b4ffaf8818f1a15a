"""The force button: held for a time, pressed with real pressure, and touched very lightly."""

from __future__ import annotations

from typing import Callable

import pytest
from playwright.sync_api import Locator, Response, expect

from interfaces import asking, card, expect_transform, wait_until_still
from playground import Playground


def torch(cards: Playground) -> tuple[Locator, Locator, str, str]:
    """Returns the card, its button, and the button's state before and after a press."""
    stage = card(cards, "force")
    button = stage.get_by_role("button", name="Torch")
    wait_until_still(button)
    before = button.get_attribute("aria-pressed") or ""
    return stage, button, before, {"true": "false", "false": "true"}[before]


def test_the_torch_gives_when_it_is_held_and_switches_when_let_go(cards: Playground) -> None:
    stage, button, before, after = torch(cards)
    cards.hand.press(button)
    expect(stage.locator(".decision")).to_contain_text("activated")
    expect(button).to_have_attribute("aria-pressed", before)
    cards.hand.let_go()
    expect(button).to_have_attribute("aria-pressed", after)
    expect(stage.locator(".decision")).to_contain_text("haptics light medium")
    expect_transform(button, "scale(1)")


@pytest.mark.parametrize("kind", ["pen", "touch"])
def test_the_torch_gives_under_real_pressure_however_short(open_page: Callable[..., Playground], kind: str) -> None:
    """As in the article: armed at 0.5, and switched below 0.49 while the finger is still down."""
    cards = open_page(has_touch=True)
    cards.go_to("interfaces")
    stage, button, before, after = torch(cards)
    with asking(cards, "/v1/gestures/force-button") as answers:
        cards.hand.press(button, kind=kind, force=0.25)
        # A browser does not report movements of a finger until they are too large for a tap.
        cards.hand.move(dx=20, steps=2)
        cards.hand.squeeze(0.3, 0.45, 0.62, 0.8)
        expect(stage.locator(".decision")).to_have_text("pressure 0.8 → activated, haptics light")
        expect(button).to_have_attribute("aria-pressed", before)
        cards.hand.squeeze(0.6, 0.44)
        expect(stage.locator(".decision")).to_have_text("pressure 0.44 → confirmed, haptics light medium")
        expect(button).to_have_attribute("aria-pressed", after)
        cards.hand.let_go()
        expect(stage.locator(".decision")).to_contain_text("→ reset")
    sent = [event["force"] for event in answers[-1].request.post_data_json["events"]]
    assert sent[0] == pytest.approx(0.25, abs=0.01) and max(sent) == pytest.approx(0.8, abs=0.01)
    assert stage.get_by_role("button").get_attribute("aria-pressed") == after
    expect_transform(button, "scale(1)")


def test_a_light_press_of_a_pen_does_not_switch_however_long(cards: Playground) -> None:
    stage, button, before, _ = torch(cards)
    cards.hand.press(button, kind="pen", force=0.3)
    began = cards.page.evaluate("performance.now()")
    # Longer than the time of full force for a mouse.
    cards.page.wait_for_function("began => performance.now() > began + 1000", arg=began)
    cards.hand.squeeze(0.35)
    expect(stage.locator(".decision")).to_have_text("pressure 0.35 → reset")
    cards.hand.let_go()
    expect(stage.locator(".decision")).to_contain_text("pressure 0 →")
    assert button.get_attribute("aria-pressed") == before


def test_a_touch_of_the_torch_that_is_hardly_one_changes_nothing(cards: Playground) -> None:
    stage, button, before, _ = torch(cards)
    with cards.page.expect_response("**/v1/gestures/force-button") as answer:
        button.evaluate(
            """button => { for (const type of ['keydown', 'keyup']) button.dispatchEvent(new KeyboardEvent(type, { key: 'Enter', bubbles: true })); }"""
        )
    assert [event["force"] for event in answer.value.request.post_data_json["events"]] == [0, 0]
    expect(stage.locator(".decision")).to_have_text("force 0 → reset")
    expect(button).to_have_attribute("aria-pressed", before)
    expect_transform(button, "scale(1)")


def test_no_press_of_the_torch_is_lost_however_fast_they_follow(cards: Playground) -> None:
    stage, button, before, after = torch(cards)
    button.press("Enter", delay=900)
    expect(button).to_have_attribute("aria-pressed", after)
    wait_until_still(button)
    # The second press ends before the response to the first one can arrive.
    with cards.page.expect_response(lambda response: asks_about_presses(response, 2)) as answer:
        button.evaluate("button => { button.click(); button.click(); }")
    lit = [step["on"] for step in answer.value.json()["steps"]]
    assert lit[0] == lit[-1] == (after == "true") and (not lit[0]) in lit, "off and on again, or on and off"
    wait_until_still(button)
    expect(button).to_have_attribute("aria-pressed", after)
    button.press("Enter", delay=900)
    expect(button).to_have_attribute("aria-pressed", before)


def asks_about_presses(response: Response, count: int) -> bool:
    if not response.url.endswith("/v1/gestures/force-button"):
        return False
    return [event["type"] for event in response.request.post_data_json["events"]].count("end") == count
