"""The spring lab: every number and every line of code is the API's."""

from __future__ import annotations

import json
import re
from typing import Callable
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import expect

from playground import Playground
from servers import ROOT


@pytest.fixture
def lab(shared: Playground) -> Playground:
    """The lab as it is at first."""
    shared.go_to("springs")
    shared.page.evaluate("() => { history.replaceState(null, '', '/'); dispatchEvent(new PopStateEvent('popstate')); }")
    return ready(shared)


def ready(playground: Playground) -> Playground:
    """Waits until the lab shows what its state asks for."""
    playground.go_to("springs")
    expect(playground.page.locator(".linear")).to_have_attribute("aria-busy", "false")
    return playground


def set_parameter(lab: Playground, name: str, value: float) -> None:
    lab.page.get_by_label(re.compile(f"^{name}.* of the spring, typed")).fill(str(value))
    ready(lab)


def state(lab: Playground) -> dict[str, str]:
    """The lab's state, as the address holds it."""
    return {name: values[0] for name, values in parse_qs(urlsplit(lab.page.url).query).items()}


def test_every_snippet_is_the_apis(lab: Playground) -> None:
    lab.page.get_by_label("Damping ratio of the spring", exact=True).fill("0.72")
    ready(lab)
    answer = lab.service.get("/v1/springs?" + urlencode(state(lab)))
    shown = lab.page.locator(".snippet").evaluate_all(
        "cells => cells.map(cell => [cell.dataset.convention, cell.querySelector('code')?.textContent ?? null])"
    )
    assert shown == [[name, one["snippet"] or None] for name, one in answer["conventions"].items()]
    assert lab.value("settling-time") == answer["settling"]["settlingTime"]
    assert lab.value("overshoot") == answer["overshoot"]
    assert lab.value("response") == answer["spring"]["response"]


def test_the_easing_is_the_apis_and_moves_the_thing(lab: Playground) -> None:
    parameters = {"convention": "wwdc", "dampingRatio": 0.6, "response": 0.4, "maxError": 0.002}
    answer = lab.service.get("/v1/springs/linear?" + urlencode(parameters))
    expect(lab.part("linear-css")).to_have_text(answer["css"])
    assert lab.value("stops") == answer["stops"]
    assert lab.value("linear-error") == answer["maxError"]
    assert lab.value("linear-duration") == answer["duration"]
    # Looked at in the very click, after the page's own listener: the animation is over soon.
    lab.part("play").evaluate(
        """button => button.addEventListener('click', () => {
            const thing = document.querySelector('[data-role=lane-a] span');
            const timing = thing.getAnimations()[0].effect.getTiming();
            window.timing = [timing.easing, timing.duration];
        }, { once: true })"""
    )
    lab.part("play").click()
    timing = lab.page.evaluate("window.timing")
    assert timing[0].startswith("linear(") and timing[0].count(",") == answer["css"].count(",")
    assert timing[1] == pytest.approx(answer["duration"] * 1000)


def test_a_smaller_error_takes_more_stops(lab: Playground) -> None:
    before = lab.value("stops")
    lab.part("max-error").fill("0.0005")
    ready(lab)
    assert lab.value("stops") > before
    assert lab.value("linear-error") <= 0.0005 * 1.002


def test_another_convention_says_the_same_spring(lab: Playground) -> None:
    before = lab.service.get("/v1/springs?dampingRatio=0.6&response=0.4")
    lab.page.get_by_label("Convention of the spring").select_option("android")
    lab.page.wait_for_url("**convention=android**")
    after = lab.service.get("/v1/springs?" + urlencode(state(lab)))
    assert after["spring"]["response"] == pytest.approx(before["spring"]["response"])
    assert after["spring"]["dampingRatio"] == pytest.approx(before["spring"]["dampingRatio"])


def test_every_convention_can_be_chosen(lab: Playground) -> None:
    select = lab.page.get_by_label("Convention of the spring")
    for convention in lab.service.get("/v1/springs/conventions")["conventions"]:
        select.select_option(convention["id"])
        lab.go_to("springs")
        expect(lab.part("lab-message")).to_be_empty()
        names = {parameter["name"] for parameter in convention["parameters"]}
        assert set(state(lab)) - {"convention", "initialVelocity", "maxError"} <= names


def test_two_springs_are_compared_by_the_service(lab: Playground) -> None:
    lab.part("compare-switch").check()
    lab.page.get_by_label("Convention of the second spring").select_option("swiftui.durationBounce")
    ready(lab)
    lab.page.get_by_label("Bounce of the second spring, typed").fill("0.1")
    expect(lab.part("comparison")).to_be_visible()
    parameters = {
        "a.convention": "wwdc", "a.dampingRatio": 0.6, "a.response": 0.4,
        "b.convention": "swiftui.durationBounce", "b.duration": 0.4, "b.bounce": 0.1,
    }
    answer = lab.service.get("/v1/springs/compare?" + urlencode(parameters))
    lab.expect_value("max-distance", answer["maxDistance"])
    expect(lab.page.locator(".plot-curve")).to_have_count(2)
    expect(lab.part("lane-b")).to_be_visible()


def test_the_curve_shows_overshoot_and_settling(lab: Playground) -> None:
    plot = lab.part("plot")
    expect(plot).to_contain_text("+9.5 %")
    expect(plot).to_contain_text("settles 0.647 s")
    points = plot.locator(".plot-curve").get_attribute("points") or ""
    assert len(points.split()) > 100


def test_values_are_set_by_slider_and_by_typing_alike(lab: Playground) -> None:
    slider = lab.page.get_by_label("Response, seconds of the spring", exact=True)
    typed = lab.page.get_by_label("Response, seconds of the spring, typed")
    slider.focus()
    slider.press("ArrowRight")
    expect(typed).to_have_value("0.41")
    ready(lab)
    lab.expect_value("response", 0.41)
    typed.fill("0.7")
    expect(slider).to_have_value("0.7")
    ready(lab)
    lab.expect_value("response", 0.7)


def test_what_a_platform_cannot_say_is_warned_of(lab: Playground) -> None:
    set_parameter(lab, "Damping ratio", 1.4)
    answer = lab.service.get("/v1/springs?" + urlencode(state(lab)))
    name, one = next((name, one) for name, one in answer["conventions"].items() if one["warnings"])
    card = lab.page.locator(f'.snippet[data-convention="{name}"]')
    expect(card.locator(".warnings")).to_have_text("".join(warning["detail"] for warning in one["warnings"]))


def test_the_address_is_the_state(lab: Playground, open_page: Callable[..., Playground]) -> None:
    set_parameter(lab, "Response", 0.9)
    lab.part("compare-switch").check()
    lab.page.wait_for_url("**b.convention=**")
    address = urlsplit(lab.page.url)
    other = ready(open_page(f"{address.path}?{address.query}#springs"))
    other.expect_value("response", 0.9)
    expect(other.part("compare-switch")).to_be_checked()


def test_a_wrong_number_is_answered_in_words(lab: Playground) -> None:
    lab.expects("422")
    with lab.page.expect_response("**/v1/springs/linear?*") as refused:
        lab.page.get_by_label("Response, seconds of the spring, typed").fill("61")
    assert refused.value.status == 422
    expect(lab.part("lab-message")).to_contain_text("response")
    ready(lab)


def test_a_snippet_is_copied(lab: Playground) -> None:
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    card = lab.page.locator('.snippet[data-convention="compose"]')
    lab.page.bring_to_front()
    button = card.get_by_role("button")
    # What it says is there for a moment only.
    button.evaluate("button => { window.said = new Promise(resolve => new MutationObserver(() => resolve(button.textContent)).observe(button, { childList: true })); }")
    button.click()
    assert lab.page.evaluate("Promise.race([window.said, new Promise(late => setTimeout(late, 30000, 'nothing'))])") == "Copied"
    assert lab.page.evaluate("navigator.clipboard.readText()") == card.locator("code").text_content()


def test_a_preset_of_the_phone_opens_in_the_lab(playground: Playground) -> None:
    playground.page.get_by_role("tab", name="Presets").click()
    preset = playground.part("presets").locator("a").nth(1)
    preset.click()
    ready(playground)
    expected = playground.service.get("/v1/springs/presets")["presets"][1]["spring"]["response"]
    playground.page.wait_for_function(
        "value => Number(document.querySelector('[data-role=response]').value) === value", arg=expected
    )


def test_the_clients_own_spring_is_the_services(shared: Playground) -> None:
    """What animates a returned spring, against the golden samples (Tests/Vectors/motion.json, suite spring.sample)."""
    suites = json.loads((ROOT / "Tests/Vectors/motion.json").read_text())
    samples = next(suite["cases"] for suite in suites if suite["suite"] == "spring.sample")
    cases = [case for case in samples if "dampingRatio" in case["input"]]
    worst = shared.page.evaluate(
        """async cases => {
            const { SpringMotion } = await import('/playground/motion/spring.js');
            let worst = 0;
            for (const { input, expect } of cases) {
                const motion = new SpringMotion(input);
                input.times.forEach((time, index) => {
                    const { position, velocity } = motion.at(time);
                    worst = Math.max(worst, Math.abs(position - expect.position[index]),
                        Math.abs(velocity - expect.velocity[index]) / Math.max(1, Math.abs(expect.velocity[index])));
                });
            }
            return worst;
        }""",
        cases,
    )
    assert len(cases) > 15 and worst < 1e-9
