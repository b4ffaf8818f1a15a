"""The spring of the lab: its values, presets, conventions and links."""

from __future__ import annotations

import re
from typing import Callable
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import expect

from lab import ready, set_parameter
from playground import Playground


def test_a_decimal_comma_is_a_decimal_point(lab: Playground) -> None:
    lab.page.get_by_label("Response, seconds of the spring, typed").fill("0,6")
    lab.expect_value("response", 0.6)
    expect(lab.page.get_by_label("Response, seconds of the spring", exact=True)).to_have_value("0.6")
    ready(lab)


def test_the_design_tokens_of_the_team_are_presets(lab: Playground) -> None:
    token = lab.service.read("/v1/design-tokens")["designTokens"][2]
    select = lab.page.get_by_label("Preset of the spring", exact=True)
    select.focus()
    group = select.locator("optgroup").first
    expect(group).to_have_attribute("label", "Design tokens")
    expect(group.locator("option")).to_have_count(5)
    select.select_option(label=token["name"])
    lab.expect_value("response", token["spring"]["response"])


def test_a_shared_link_opens_where_it_was(open_page: Callable[..., Playground]) -> None:
    lab = open_page("/?convention=compose&dampingRatio=0.5&stiffness=200", viewport={"width": 390, "height": 844})
    top = lab.page.locator("#springs").evaluate("section => section.getBoundingClientRect().top")
    assert -20 < top < 200
    assert lab.value("damping-ratio") == 0.5


def test_every_request_is_shown(lab: Playground) -> None:
    line = lab.part("lab-exchange")
    expect(line.locator("summary")).to_contain_text("GET /v1/springs?")
    expect(line.locator("summary")).to_contain_text("200 ·")
    line.locator("summary").click()
    expect(line.locator("pre").nth(1)).to_contain_text('"dampingRatio": 0.6')
    expect(line.get_by_role("link", name="Open its operation")).to_have_attribute("href", "/docs#GET/v1/springs")
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lab.page.bring_to_front()
    line.get_by_role("button", name="as curl").click()
    expect(line.get_by_role("button", name="as curl")).to_have_text("Copied")
    command = lab.page.evaluate("navigator.clipboard.readText()")
    assert command.startswith("curl 'http://127.0.0.1") and "/v1/springs?convention=wwdc" in command
    line.locator("summary").click()


def test_the_request_of_a_comparison_is_shown(lab: Playground) -> None:
    lab.page.locator(".more summary").evaluate("summary => summary.parentElement.open = true")
    lab.part("compare-switch").check()
    expect(lab.part("lab-exchange").locator("summary")).to_contain_text("GET /v1/springs/compare?")


@pytest.mark.parametrize("extra", ["utm_medium=email&utm_source=x", "speed=4", "response=0.4x", "b.utm=1", "initialVelocity=Infinity", "maxError=Infinity"])
def test_a_link_may_have_parameters_of_others(shared: Playground, extra: str) -> None:
    given = "dampingRatio=0.5" if "response" in extra else "dampingRatio=0.5&response=0.4"
    link = f"/?convention=wwdc&{given}&{extra}{'&response=0.7' if 'response' in extra else ''}"
    shared.open(link, sees_bar=False)
    lab = ready(shared)
    lab.expect_value("damping-ratio", 0.5)
    expect(lab.part("lab-message")).to_be_empty()
    expect(lab.part("verdict")).to_have_attribute("data-state", "confirmed")


@pytest.mark.parametrize("second", [False, True])
@pytest.mark.parametrize("spring", [{"convention": "settling", "settlingDuration": "0.5", "overshoot": "2"}, {"convention": "wwdc", "dampingRatio": "true", "response": "0.4"}])
def test_a_link_with_a_wrong_value_says_which(shared: Playground, spring: dict[str, str], second: bool) -> None:
    link = "/?convention=wwdc&dampingRatio=0.5&response=0.4&" + urlencode({f"b.{name}": value for name, value in spring.items()})
    shared.expects("400", "422")
    shared.open(link if second else f"/?{urlencode(spring)}", sees_bar=False)
    expect(shared.part("lab-message")).to_contain_text("` must be")
    expect(shared.part("plot")).to_have_class("is-stale")
    expect(shared.part("spring-a").locator("select").first).to_be_attached()


def test_the_page_knows_the_parameters_of_every_convention(lab: Playground) -> None:
    """A link with a parameter that the page did not know would lose it."""
    lab.expects("422")
    for convention in lab.service.read("/v1/springs/conventions")["conventions"]:
        values = {parameter["name"]: 1 for parameter in convention["parameters"] if parameter["type"] == "number"}
        link = urlencode({"convention": convention["id"], "other": 1} | values)
        lab.page.evaluate("link => { history.replaceState(null, '', `/?${link}`); dispatchEvent(new PopStateEvent('popstate')); }", link)
        expect(lab.page.get_by_label("Convention of the spring")).to_have_value(convention["id"])
        # The address is written again after an input, then only with what was read.
        lab.page.get_by_label("Initial velocity, travels a second").evaluate(
            "slider => { slider.value = '1'; slider.dispatchEvent(new Event('input', { bubbles: true })); }"
        )
        lab.page.wait_for_function(
            "() => { const query = new URLSearchParams(location.search); return query.has('initialVelocity') && !query.has('other'); }"
        )
        assert parse_qs(urlsplit(lab.page.url).query).keys() == {"convention", "initialVelocity", *values}


def test_a_comparison_starts_from_a_preset(lab: Playground) -> None:
    lab.page.locator(".more summary").evaluate("summary => summary.parentElement.open = true")
    for own in ({"convention": "wwdc", "dampingRatio": 0.6, "response": 0.4}, {"convention": "swiftui.durationBounce", "duration": 0.5, "bounce": 0.3}):
        link = urlencode(own)
        lab.page.evaluate("link => { history.replaceState(null, '', `/?${link}`); dispatchEvent(new PopStateEvent('popstate')); }", link)
        lab.page.locator(".lab-form").hover()
        lab.part("compare-switch").check()
        ready(lab)
        assert lab.value("max-distance") > 0.01
        expect(lab.page.get_by_label("Preset of the second spring")).not_to_have_value("")
        lab.part("compare-switch").uncheck()


def test_two_springs_are_compared_by_the_service(lab: Playground) -> None:
    lab.page.locator(".more summary").evaluate("summary => summary.parentElement.open = true")
    lab.part("compare-switch").check()
    lab.page.get_by_label("Convention of the second spring").select_option("swiftui.durationBounce")
    ready(lab)
    lab.page.get_by_label("Bounce of the second spring, typed").fill("0.1")
    # The second spring begins as a preset.
    lab.page.get_by_label(re.compile("^Duration.* of the second spring, typed$")).fill("0.4")
    expect(lab.part("comparison")).to_be_visible()
    parameters = {
        "a.convention": "wwdc", "a.dampingRatio": 0.6, "a.response": 0.4,
        "b.convention": "swiftui.durationBounce", "b.duration": 0.4, "b.bounce": 0.1,
    }
    answer = lab.service.read("/v1/springs/compare?" + urlencode(parameters))
    ready(lab)
    expect(lab.part("verdict")).to_have_attribute("data-state", "confirmed")
    assert lab.value("max-distance") == pytest.approx(answer["maxDistance"], abs=1e-9)
    expect(lab.page.locator(".plot-curve")).to_have_count(2)
    expect(lab.part("lane-b")).to_be_visible()


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


def test_the_address_is_the_state(lab: Playground, open_page: Callable[..., Playground]) -> None:
    set_parameter(lab, "Response", 0.9)
    lab.page.locator(".more summary").evaluate("summary => summary.parentElement.open = true")
    lab.part("compare-switch").check()
    lab.page.wait_for_url("**b.convention=**")
    address = urlsplit(lab.page.url)
    other = ready(open_page(f"{address.path}?{address.query}#springs"))
    other.expect_value("response", 0.9)
    assert other.part("compare-switch").is_checked()


def test_a_preset_of_the_phone_opens_in_the_lab(playground: Playground) -> None:
    playground.page.get_by_role("tab", name="Presets").click()
    preset = playground.part("presets").locator("a").nth(1)
    preset.click()
    ready(playground)
    expected = playground.service.read("/v1/springs/presets")["presets"][1]["spring"]["response"]
    playground.page.wait_for_function(
        "value => Number(document.querySelector('[data-role=response]').value) === value", arg=expected
    )


# Moves every slider of the first spring to two values, and waits for the service's response to each.
MEANINGS = """async () => {
  const [form, lab, verdict, message] = ['spring-a', null, 'verdict', 'lab-message'].map(role =>
    role ? document.querySelector(`[data-role=${role}]`) : document.getElementById('springs'));
  const found = [];
  for (const slider of form.querySelectorAll('input[type=range]')) {
    delete verdict.dataset.state;
    const share = found.length % 2 ? 0.3 : 0.9;
    slider.value = String(Number(slider.min) + share * (slider.max - slider.min));
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    if (message.textContent) continue;
    const end = performance.now() + 20_000;
    do await new Promise(requestAnimationFrame);
    while (lab.getAttribute('aria-busy') === 'true' && performance.now() < end);
    found.push([slider.getAttribute('aria-label'), slider.value, verdict.dataset.state, Number(verdict.value)]);
  }
  return found;
}"""


def test_every_convention_means_the_same_here_and_there(lab: Playground) -> None:
    """The page's conversions are those of the service, for every convention and a value of each parameter.

    The address and the message are right for each of them.
    """
    select = lab.page.get_by_label("Convention of the spring")
    asked = set()
    for convention in lab.service.read("/v1/springs/conventions")["conventions"]:
        select.select_option(convention["id"])
        lab.page.wait_for_function("id => new URLSearchParams(location.search).get('convention') === id", arg=convention["id"])
        names = {parameter["name"] for parameter in convention["parameters"]}
        assert set(parse_qs(urlsplit(lab.page.url).query)) - {"convention", "initialVelocity", "maxError"} <= names
        expect(lab.part("lab-message")).to_be_empty()
        for name, value, verdict, difference in lab.page.evaluate(MEANINGS):
            assert verdict == "confirmed" and difference < 1e-6, (convention["id"], name, value)
            asked.add(convention["id"])
    assert len(asked) == 30
    ready(lab)
