"""The spring lab shows the API's numbers and code."""

from __future__ import annotations

import re
from typing import Callable
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Route, expect

from playground import Playground


@pytest.fixture
def lab(shared: Playground) -> Playground:
    """The lab in its initial state."""
    shared.go_to("springs")
    shared.page.evaluate("() => { history.replaceState(null, '', '/'); dispatchEvent(new PopStateEvent('popstate')); }")
    return ready(shared)


def ready(playground: Playground) -> Playground:
    """Waits until the lab shows its state, and the address contains it."""
    playground.go_to("springs")
    expect(playground.page.locator(".linear")).to_have_attribute("aria-busy", "false")
    expect(playground.part("spring-a").locator("select").first).to_be_attached()
    return playground


def set_parameter(lab: Playground, name: str, value: float) -> None:
    lab.page.get_by_label(re.compile(f"^{name}.* of the spring, typed")).fill(str(value))
    ready(lab)


def state(lab: Playground) -> dict[str, str]:
    """Returns the lab's state from the address, which changes after the last input."""
    # A timer of the page fires after those that were set before it, however busy the machine is.
    lab.page.evaluate("() => new Promise(resolve => setTimeout(resolve, 700))")
    return {name: values[0] for name, values in parse_qs(urlsplit(lab.page.url).query).items()}


def test_every_snippet_is_the_apis(lab: Playground) -> None:
    lab.page.get_by_label("Damping ratio of the spring", exact=True).fill("0.72")
    ready(lab)
    answer = lab.service.get("/v1/springs?convention=wwdc&dampingRatio=0.72&response=0.4")
    lab.page.wait_for_function("text => document.querySelector('.snippet[data-convention=compose] code').textContent === text", arg=answer["conventions"]["compose"]["snippet"])
    shown = lab.page.locator(".snippet[data-convention]").evaluate_all(
        "cells => cells.map(cell => [cell.dataset.convention, cell.querySelector('code').textContent || null])"
    )
    assert dict(shown) == {name: one["snippet"] or None for name, one in answer["conventions"].items()}
    assert lab.value("settling-time") == pytest.approx(answer["settling"]["settlingTime"], abs=1e-9)
    assert lab.value("overshoot") == pytest.approx(answer["overshoot"], abs=1e-9)
    assert lab.value("response") == answer["spring"]["response"]


def test_the_css_is_complete_and_the_apis(lab: Playground) -> None:
    parameters = {"convention": "wwdc", "dampingRatio": 0.6, "response": 0.4, "maxError": 0.002}
    answer = lab.service.get("/v1/springs/linear?" + urlencode(parameters))
    rule = lab.part("linear-css").text_content() or ""
    assert answer["css"] in rule and answer["fallback"] in rule and "transition: transform 648ms linear(" in rule
    assert lab.value("stops") == answer["stops"]
    assert lab.value("linear-error") == answer["maxError"]
    # A browser accepts the rule unchanged, and the transition has its duration.
    timing = lab.page.evaluate(
        """rule => { const sheet = new CSSStyleSheet(); sheet.replaceSync(rule);
            document.adoptedStyleSheets = [sheet];
            const thing = document.createElement('div'); thing.className = 'element'; document.body.append(thing);
            const style = getComputedStyle(thing); const found = [style.transitionProperty, style.transitionDuration, style.transitionTimingFunction];
            thing.remove(); document.adoptedStyleSheets = []; return found; }""",
        rule,
    )
    assert timing[:2] == ["transform", "0.648s"] and timing[2].startswith("linear(")
    lab.page.get_by_role("radio", name="Opacity").check()
    expect(lab.part("linear-css")).to_contain_text("transition: opacity 648ms")
    lab.page.get_by_role("radio", name="Position").check()


def test_every_input_is_drawn_in_its_frame(lab: Playground) -> None:
    """Each of 114 inputs, one a frame, has its own curve without a wait for a response."""
    label = lab.page.get_by_label("Damping ratio of the spring", exact=True)
    icons: list[str] = []
    lab.page.on("request", lambda request: "icon" in request.url and icons.append(request.url))
    drawn = label.evaluate(
        """async slider => {
            const seen = { curves: new Set(), readings: new Set(), states: 0 };
            const original = history.replaceState;
            history.replaceState = (...args) => { seen.states += 1; original.apply(history, args); };
            for (let index = 0; index < 114; index += 1) {
                slider.value = String(0.2 + index * 0.01);
                slider.dispatchEvent(new Event('input', { bubbles: true }));
                seen.curves.add(document.querySelector('.plot-curve').getAttribute('points'));
                seen.readings.add(document.querySelector('[data-role=settling-time]').value);
                await new Promise(requestAnimationFrame);
            }
            history.replaceState = original;
            return { curves: seen.curves.size, readings: seen.readings.size, states: seen.states };
        }"""
    )
    assert drawn["curves"] == 114 and drawn["readings"] > 100
    assert drawn["states"] <= 2, "a browser allows few changes of the address"
    assert icons == []
    expect(lab.part("verdict")).to_have_attribute("data-state", "confirmed")


def test_the_service_confirms_what_the_page_computes(lab: Playground) -> None:
    expect(lab.part("verdict")).to_have_attribute("data-state", "confirmed")
    assert lab.value("verdict") < 1e-9
    lab.page.route("**/v1/springs?*", wrong_spring)
    lab.page.get_by_label("Response, seconds of the spring", exact=True).fill("0.5")
    expect(lab.part("verdict")).to_have_attribute("data-state", "differs")
    expect(lab.part("lab-message")).to_contain_text("disagree")
    lab.page.unroute("**/v1/springs?*")


def wrong_spring(route: Route) -> None:
    answer = route.fetch()
    content = answer.json()
    content["settling"]["settlingTime"] += 1e-5
    route.fulfill(response=answer, json=content)


def test_a_lightly_damped_curve_is_drawn_whole(lab: Playground) -> None:
    """The curve has all turns of the spring in the time of the plot; an earlier version with 181 samples had few."""
    set_parameter(lab, "Damping ratio", 0.01)
    turns = lab.page.locator(".plot-curve").evaluate(
        """curve => { const ys = curve.getAttribute('points').split(' ').map(point => Number(point.split(',')[1]));
            let turns = 0; for (let i = 2; i < ys.length; i += 1) if ((ys[i] - ys[i - 1]) * (ys[i - 1] - ys[i - 2]) < 0) turns += 1;
            return turns; }"""
    )
    duration = min(60, lab.value("settling-time") * 1.18)
    assert turns > 1.5 * duration / 0.4


def test_a_service_that_does_not_answer_leaves_the_curve_and_says_so(open_page: Callable[..., Playground]) -> None:
    lab = ready(open_page(expects=("net::ERR_FAILED",)))
    lab.page.route("**/v1/springs*", lambda route: route.abort())
    lab.page.route("**/v1/springs/linear*", lambda route: route.abort())
    lab.page.get_by_label("Response, seconds of the spring", exact=True).fill("0.8")
    assert lab.value("response") == 0.8 and lab.value("settling-time") > 1.2, "computed here"
    expect(lab.part("plot")).not_to_have_class("is-stale")
    expect(lab.part("lab-message")).to_contain_text("The service does not answer")
    expect(lab.part("code")).to_have_attribute("aria-busy", "true")
    lab.page.unroute("**/v1/springs*")
    lab.page.unroute("**/v1/springs/linear*")
    ready(lab)
    expect(lab.part("lab-message")).to_be_empty()


@pytest.mark.parametrize(
    ("text", "message"),
    [("61", "must be at most 60"), ("", "is missing"), ("fast", "must be a number"), ("0", "must be")],
)
def test_a_wrong_value_fades_the_curve_and_is_said(lab: Playground, text: str, message: str) -> None:
    typed = lab.page.get_by_label("Response, seconds of the spring, typed")
    typed.fill(text)
    expect(lab.part("lab-message")).to_contain_text(message)
    expect(typed).to_have_attribute("aria-invalid", "true")
    expect(lab.part("plot")).to_have_class("is-stale")
    typed.fill("0.4")
    expect(lab.part("lab-message")).to_be_empty()
    expect(typed).to_have_attribute("aria-invalid", "false")
    expect(lab.part("plot")).not_to_have_class("is-stale")
    ready(lab)


def test_a_decimal_comma_is_a_decimal_point(lab: Playground) -> None:
    lab.page.get_by_label("Response, seconds of the spring, typed").fill("0,6")
    lab.expect_value("response", 0.6)
    expect(lab.page.get_by_label("Response, seconds of the spring", exact=True)).to_have_value("0.6")
    ready(lab)


def test_my_platform_is_remembered(open_page: Callable[..., Playground]) -> None:
    lab = ready(open_page())
    tab = lab.page.get_by_role("tab", name="Compose")
    tab.click()
    mine = lab.part("my-snippets").locator(".snippet")
    expect(mine).to_have_attribute("data-convention", "compose")
    lab.page.reload()
    ready(lab)
    expect(tab).to_have_attribute("aria-selected", "true")
    expect(mine).to_have_attribute("data-convention", "compose")
    assert mine.locator("code").text_content() == lab.service.get("/v1/springs?dampingRatio=0.6&response=0.4")["conventions"]["compose"]["snippet"]


def test_a_preset_starts_a_spring(lab: Playground) -> None:
    preset = lab.service.get("/v1/springs/presets")["presets"][0]
    select = lab.page.get_by_label("Preset of the spring", exact=True)
    select.focus()
    expect(select.locator("option")).not_to_have_count(1)
    select.select_option(label=preset["name"])
    lab.expect_value("response", preset["spring"]["response"])


def test_the_design_tokens_of_the_team_are_presets(lab: Playground) -> None:
    token = lab.service.get("/v1/design-tokens")["designTokens"][2]
    select = lab.page.get_by_label("Preset of the spring", exact=True)
    select.focus()
    group = select.locator("optgroup").first
    expect(group).to_have_attribute("label", "Design tokens")
    expect(group.locator("option")).to_have_count(5)
    select.select_option(label=token["name"])
    lab.expect_value("response", token["spring"]["response"])


def test_the_handle_changes_the_spring(lab: Playground) -> None:
    handle = lab.page.locator(".plot-handle")
    lab.hand.drag(handle, dx=60, dy=-20)
    ready(lab)
    assert lab.value("response") > 0.42 and lab.value("damping-ratio") < 0.6
    expect(lab.part("verdict")).to_have_attribute("data-state", "confirmed")


def test_the_curve_is_read_where_the_pointer_is(lab: Playground) -> None:
    box = lab.part("plot").bounding_box()
    assert box
    lab.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(lab.part("readout")).to_contain_text("% of the way")
    lab.page.mouse.move(5, 5)


def test_the_playhead_is_in_step_with_the_object(lab: Playground) -> None:
    expect(lab.page.locator(".plot-head")).to_have_attribute("visibility", "hidden")
    lab.part("slow").check()
    off = lab.part("play").evaluate(
        """async button => { button.click();
            const thing = document.querySelector('[data-role=lane-a] span');
            const lane = thing.parentElement;
            const way = lane.clientWidth - thing.offsetWidth;
            const svg = document.querySelector('[data-role=plot]');
            let worst = 0, frames = 0; const start = new DOMMatrix(getComputedStyle(thing).transform).e;
            // The lane has as much space for the overshoot at each end.
            const travel = way - 2 * Math.min(start, way - start);
            const [low, peak] = svg.dataset.range.split(' ').map(Number);
            const height = svg.viewBox.baseVal.height - 34 - 30;
            for (let index = 0; index < 60; index += 1) {
                await new Promise(requestAnimationFrame);
                await new Promise(done => queueMicrotask(done));
                const dot = document.querySelector('.plot-head .plot-dot');
                if (!dot || document.querySelector('.plot-head').getAttribute('visibility') === 'hidden') continue;
                const onCurve = peak - ((Number(dot.getAttribute('cy')) - 34) / height) * (peak - low);
                const at = new DOMMatrix(thing.style.transform).e;
                const moved = Math.abs(at - start) / travel;
                worst = Math.max(worst, Math.abs(onCurve - moved)); frames += 1;
            }
            return [worst, frames]; }"""
    )
    assert off[1] > 10 and off[0] < 0.01
    lab.part("slow").uncheck()


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


def test_the_service_confirms_when_a_slider_rests(lab: Playground) -> None:
    """A drag of a slider has an input in every frame; the service gets one request after the last of them."""
    asked: list[str] = []
    listen = lambda request: asked.append(request.url) if urlsplit(request.url).path == "/v1/springs" else None  # noqa: E731
    lab.page.on("request", listen)
    lab.page.get_by_label("Response, seconds of the spring", exact=True).evaluate(
        """async slider => { for (let step = 0; step < 60; step += 1) {
            slider.value = String(0.2 + step / 100);
            slider.dispatchEvent(new Event('input', { bubbles: true }));
            await new Promise(requestAnimationFrame); } }"""
    )
    expect(lab.page.locator("#springs")).to_have_attribute("aria-busy", "false")
    ready(lab)
    lab.page.remove_listener("request", listen)
    assert "response=0.79" in asked[-1]
    # A busy machine may take longer for a frame than the rest that is waited for.
    assert len(asked) <= 5
    expect(lab.part("verdict")).to_have_attribute("data-state", "confirmed")


@pytest.mark.parametrize("extra", ["utm_medium=email&utm_source=x", "speed=4", "response=0.4x", "b.utm=1"])
def test_a_link_may_have_parameters_of_others(open_page: Callable[..., Playground], extra: str) -> None:
    given = "dampingRatio=0.5" if "response" in extra else "dampingRatio=0.5&response=0.4"
    link = f"/?convention=wwdc&{given}&{extra}{'&response=0.7' if 'response' in extra else ''}"
    lab = ready(open_page(link, sees_bar=False))
    lab.expect_value("damping-ratio", 0.5)
    expect(lab.part("lab-message")).to_be_empty()
    expect(lab.part("verdict")).to_have_attribute("data-state", "confirmed")


def test_the_page_knows_the_parameters_of_every_convention(lab: Playground) -> None:
    """A link with a parameter that the page did not know would lose it."""
    lab.expects("422")
    for convention in lab.service.get("/v1/springs/conventions")["conventions"]:
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


@pytest.mark.parametrize(("width", "spring"), [(390, "dampingRatio=0.1&response=0.4"), (1440, "dampingRatio=0.1&response=0.4"), (1440, "dampingRatio=1&response=0.4&initialVelocity=-20")])
def test_the_object_stays_in_its_lane(open_page: Callable[..., Playground], width: int, spring: str) -> None:
    lab = ready(open_page(f"/?convention=wwdc&{spring}", viewport={"width": width, "height": 900}, sees_bar=False))
    lab.page.emulate_media(reduced_motion="no-preference")
    lanes = """async button => {
        const lane = document.querySelector('[data-role=lane-a]'), thing = lane.firstElementChild;
        const seen = { least: Infinity, most: -Infinity, page: 0 };
        button.click();
        for (const end = performance.now() + 1500; performance.now() < end;) {
            await new Promise(requestAnimationFrame);
            const [outer, inner] = [lane.getBoundingClientRect(), thing.getBoundingClientRect()];
            seen.least = Math.min(seen.least, inner.left - outer.left);
            seen.most = Math.max(seen.most, inner.right - outer.right);
            seen.page = Math.max(seen.page, document.documentElement.scrollWidth);
        }
        return seen; }"""
    seen = lab.part("play").evaluate(lanes)
    assert seen["least"] >= -0.5 and seen["most"] <= 0.5 and seen["page"] <= width
    assert seen["most"] - seen["least"] > -width, "it moved"


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


def test_the_code_of_uikit_is_complete(lab: Playground) -> None:
    """The initialiser of the talk needs its extension, and UIKit has a call of its own since iOS 17."""
    talk = lab.page.locator(".snippet[data-convention=wwdc]")
    expect(talk.locator("pre")).to_contain_text("extension UISpringTimingParameters {")
    expect(talk.locator("pre")).to_contain_text("convenience init(damping: CGFloat, response: CGFloat")
    own = lab.page.locator(".snippet[data-convention=uikit] pre code")
    expect(own).to_contain_text("UIView.animate(springDuration: 0.4, bounce: 0.4)")
    set_parameter(lab, "Damping ratio", 1.25)
    expect(own).to_contain_text("UIView.animate(springDuration: 0.4, bounce: -0.2)")


def test_the_other_platforms_have_the_full_width(open_page: Callable[..., Playground]) -> None:
    lab = ready(open_page(viewport={"width": 1440, "height": 900}, sees_bar=False))
    lab.page.locator(".others summary").click()
    cards = lab.part("snippets").locator(".snippet")
    tops = cards.evaluate_all("cards => cards.slice(0, 3).map(card => card.getBoundingClientRect().top)")
    assert len(set(tops)) == 1, "three cards in a row"


def test_nothing_moves_beside_a_number_that_changes(lab: Playground) -> None:
    """The readings and the elements below them keep their positions while a slider moves from end to end."""
    places = lab.page.get_by_label("Damping ratio of the spring", exact=True).evaluate(
        """async slider => {
            const seen = new Set();
            for (let step = 0; step <= 60; step += 1) {
                slider.value = String(Number(slider.min) + (step / 60) * (slider.max - slider.min));
                slider.dispatchEvent(new Event('input', { bubbles: true }));
                await new Promise(requestAnimationFrame);
                seen.add([...document.querySelectorAll('.lab-facts .readings dd, .lab-facts .verdict-line, [data-role=play]')].map(node => {
                    const { left, top } = node.getBoundingClientRect(); return [left, top + scrollY].map(Math.round); }).join(' '));
            }
            return [...seen]; }"""
    )
    assert len(places) == 1
    ready(lab)


def test_a_field_has_no_more_digits_than_a_person_reads(lab: Playground) -> None:
    select = lab.page.get_by_label("Convention of the spring")
    for convention in ("swiftui.durationBounce", "android", "physical", "wwdc"):
        select.select_option(convention)
        ready(lab)
        typed = lab.part("spring-a").locator("input[inputmode]").evaluate_all("fields => fields.map(field => field.value)")
        assert typed and all(len(value.replace("-", "").replace(".", "").lstrip("0")) <= 6 for value in typed), typed
    # Without rounding it would be 0.39999999999999997.
    assert typed == ["0.6", "0.4"]


def test_the_other_platforms_are_folded_and_one_stop(lab: Playground) -> None:
    others = lab.page.locator("details.others")
    assert not others.evaluate("others => others.open")
    expect(others.locator("summary")).to_contain_text("(29)")
    others.evaluate("others => { others.open = true; others.querySelector('summary').focus(); }")
    copies = others.locator(".copy:visible")
    assert copies.count() > 15
    lab.page.keyboard.press("Tab")
    expect(copies.first).to_be_focused()
    lab.page.keyboard.press("ArrowDown")
    expect(copies.nth(1)).to_be_focused()
    lab.page.keyboard.press("Tab")
    assert lab.page.evaluate("document.activeElement.closest('.others') === null"), "one stop for all of them"
    others.evaluate("others => { others.open = false; }")


def test_a_smaller_error_takes_more_stops(lab: Playground) -> None:
    # A busy service may refuse the first easing, and the page asks again.
    expect(lab.part("stops")).not_to_have_attribute("value", "")
    before = lab.value("stops")
    lab.page.get_by_role("tab", name="CSS").click()
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
    answer = lab.service.get("/v1/springs/compare?" + urlencode(parameters))
    ready(lab)
    expect(lab.part("verdict")).to_have_attribute("data-state", "confirmed")
    assert lab.value("max-distance") == pytest.approx(answer["maxDistance"], abs=1e-9)
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
    lab.page.locator(".more summary").evaluate("summary => summary.parentElement.open = true")
    lab.part("compare-switch").check()
    lab.page.wait_for_url("**b.convention=**")
    address = urlsplit(lab.page.url)
    other = ready(open_page(f"{address.path}?{address.query}#springs"))
    other.expect_value("response", 0.9)
    assert other.part("compare-switch").is_checked()


def test_a_snippet_is_copied(lab: Playground) -> None:
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lab.page.locator('.others').evaluate('others => others.open = true')
    card = lab.page.locator('.snippet[data-convention="compose"]')
    lab.page.bring_to_front()
    button = card.get_by_role("button")
    # The text is visible only for a moment.
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
    for convention in lab.service.get("/v1/springs/conventions")["conventions"]:
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
