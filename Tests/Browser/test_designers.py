"""What a designer does with a spring: see it move, start from a named one, paste one, and take it along."""

from __future__ import annotations

import json
import re
from typing import Any, Callable

import pytest
from playwright.sync_api import Page, expect

from playground import Playground

POSITION = "document.querySelector('.preview').style.getPropertyValue('--position')"


def paste(lab: Playground, text: str) -> str:
    """Pastes a text and returns what the page says about it."""
    lab.part("paste").fill(text)
    return lab.part("paste-note").text_content() or ""


# A sheet, a toggle and a card.


def seen_positions(page: Page, action: str, milliseconds: int) -> list[float]:
    """Returns the positions of the preview in the frames after an action."""
    return page.evaluate(
        f"""async () => {{ const seen = []; {action};
            for (const end = performance.now() + {milliseconds}; performance.now() < end;) {{
                await new Promise(requestAnimationFrame); seen.push(Number({POSITION})); }}
            return seen; }}"""
    )


def test_a_sheet_a_toggle_and_a_card_play_at_every_change(lab: Playground) -> None:
    expect(lab.page.locator(".preview-sheet, .preview-toggle, .preview-card")).to_have_count(3)
    slider = "document.querySelector('[data-role=spring-a] input[type=range]')"
    change = f"{slider}.value = '0.3'; {slider}.dispatchEvent(new Event('input', {{ bubbles: true }}))"
    seen = seen_positions(lab.page, change, 2500)
    assert len(set(seen)) > 8, "it moves without a press of Play"
    assert seen[-1] in (0, 1)
    # With a damping ratio of 0.3 the spring overshoots by 37 %.
    beyond = max(max(seen) - 1, -min(seen))
    assert 0.1 < beyond < 0.38
    sheet = "getComputedStyle(document.querySelector('.preview-sheet')).transform"
    before = lab.page.evaluate(sheet)
    lab.part("preview").evaluate("preview => preview.style.setProperty('--position', '0.5')")
    assert lab.page.evaluate(sheet) != before


def test_the_preview_can_loop(lab: Playground) -> None:
    lab.part("loop").check()
    lab.page.evaluate("window.ends = new Set()")
    lab.page.wait_for_function(f"() => {{ ends.add({POSITION}); return ends.has('0.0000') && ends.has('1.0000'); }}")
    lab.part("loop").uncheck()
    lab.page.wait_for_function(f"() => ['0.0000', '1.0000'].includes({POSITION})")
    lab.page.wait_for_timeout(200)
    assert len(set(seen_positions(lab.page, "", 1500))) == 1, "it rests"


def test_reduced_motion_plays_only_what_is_asked_for(open_page: Callable[..., Playground]) -> None:
    playground = open_page(reduced_motion="reduce", sees_bar=False)
    expect(playground.page.locator(".linear")).to_have_attribute("aria-busy", "false")
    expect(playground.part("loop")).to_be_hidden()
    slider = "document.querySelector('[data-role=spring-a] input[type=range]')"
    playground.page.wait_for_function(f"() => {slider}")
    change = f"{slider}.value = '0.3'; {slider}.dispatchEvent(new Event('input', {{ bubbles: true }}))"
    assert len(set(seen_positions(playground.page, change, 800))) == 1
    assert len(set(seen_positions(playground.page, "document.querySelector('[data-role=play]').click()", 1000))) > 4
    playground.go_to("gallery")
    moving = "document.getAnimations().filter(one => one.effect.target.matches('.tile-thing')).length"
    playground.page.locator(".tile").first.hover()
    assert playground.page.evaluate(moving) == 0
    playground.part("gallery-play").click()
    assert playground.page.evaluate(moving) > 30


# The gallery.


def test_the_gallery_has_the_springs_of_every_platform_and_of_the_team(lab: Playground) -> None:
    lab.go_to("gallery")
    presets = lab.service.read("/v1/springs/presets")["presets"]
    tokens = [one for one in lab.service.read("/v1/design-tokens")["designTokens"] if one.get("spring")]
    tiles = lab.part("gallery").locator(".tile")
    expect(tiles).to_have_count(len(presets) + len(tokens))
    expect(tiles.first).to_contain_text(tokens[0]["name"])
    names = lab.part("gallery-platform").locator("option").all_text_contents()
    assert names[:2] == ["all platforms", "Design tokens"] and len(names) == 2 + len({one["platform"] for one in presets})
    assert not [name for name in names if name[0].islower() and name not in ("all platforms", "react-spring")]
    lab.part("gallery-platform").select_option("Figma")
    expect(tiles).to_have_count(4)
    lab.part("gallery-platform").select_option("")


def test_each_tile_moves_by_its_own_spring(lab: Playground) -> None:
    lab.go_to("gallery")
    lab.part("gallery-platform").select_option("react-spring")
    lab.page.wait_for_function("() => document.getAnimations().every(one => !one.effect.target.matches('.tile-thing'))")
    lab.part("gallery-play").click()
    springs = {one["name"]: one["spring"] for one in lab.service.read("/v1/springs/presets")["presets"] if one["platform"] == "reactspring"}
    durations = lab.page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('.tile')].map(tile =>
            [tile.querySelector('.tile-name').textContent, tile.querySelector('.tile-thing').getAnimations()[0].effect.getTiming().duration]))"""
    )
    assert durations.keys() == springs.keys()
    for name, spring in springs.items():
        query = f"dampingRatio={spring['dampingRatio']}&response={spring['response']}"
        settled = lab.service.read(f"/v1/springs?{query}")["settling"]["settlingTime"]
        assert durations[name] == pytest.approx(1000 * min(settled, 4), rel=1e-6)
    lab.part("gallery-platform").select_option("")


def test_arrow_keys_go_from_tile_to_tile(lab: Playground) -> None:
    lab.go_to("gallery")
    tiles = lab.part("gallery").locator(".tile")
    tiles.first.focus()
    # With a modifier the keys are the browser's.
    for key, index in (("ArrowRight", 1), ("ArrowDown", 2), ("Alt+ArrowDown", 2), ("ArrowLeft", 1), ("ArrowUp", 0)):
        lab.page.keyboard.press(key)
        expect(tiles.nth(index)).to_be_focused()


def test_a_tile_starts_a_spring(lab: Playground) -> None:
    lab.go_to("gallery")
    lab.part("gallery").locator(".tile", has_text="wobbly").click()
    expected = next(one for one in lab.service.read("/v1/springs/presets")["presets"] if one["name"] == "wobbly")
    lab.expect_value("response", expected["spring"]["response"])
    expect(lab.page.get_by_label("Convention of the spring")).to_have_value("reactspring.tensionFriction")


def test_a_tile_opens_in_another_window_if_that_is_asked_for(lab: Playground) -> None:
    lab.go_to("gallery")
    tile = lab.part("gallery").locator(".tile", has_text="wobbly")
    with lab.page.context.expect_page() as opened:
        tile.click(modifiers=["Shift"])
    assert opened.value.url.endswith(tile.get_attribute("href") or "-")
    opened.value.close()
    assert lab.value("response") == 0.4


# Pasting.

CODE = {
    ".spring(response: 0.5, dampingFraction: 0.7)": ("swiftui.response", {"response": 0.5, "dampingRatio": 0.7}),
    "withAnimation(.snappy) { open = true }": ("swiftui.durationBounce", {"duration": 0.5, "bounce": 0.15}),
    "Animation.interpolatingSpring(stiffness: 170, damping: 15)": ("swiftui.physical", {"stiffness": 170, "damping": 15}),
    "UIView.animate(withDuration: 0.6, delay: 0, usingSpringWithDamping: 0.7, initialSpringVelocity: 0) {": ("uikit.durationRatio", {"duration": 0.6, "dampingRatio": 0.7}),
    "UISpringTimingParameters(mass: 1, stiffness: 200, damping: 20, initialVelocity: CGVector(dx: 0, dy: 0))": ("uikit", {"mass": 1, "stiffness": 200, "damping": 20}),
    "spring(dampingRatio = Spring.DampingRatioMediumBouncy, stiffness = Spring.StiffnessLow)": ("compose", {"dampingRatio": 0.5, "stiffness": 200}),
    "spring<Float>(dampingRatio = 0.6f, stiffness = 246.7f)": ("compose", {"dampingRatio": 0.6, "stiffness": 246.7}),
    "SpringForce(0f).setStiffness(SpringForce.STIFFNESS_VERY_LOW).setDampingRatio(0.75f)": ("android", {"stiffness": 50, "dampingRatio": 0.75}),
    "SpringDescription.withDurationAndBounce(duration: Duration(milliseconds: 400), bounce: 0.2)": ("flutter.durationBounce", {"duration": 0.4, "bounce": 0.2}),
    "SpringDescription(mass: 2, stiffness: 100, damping: 10)": ("flutter.physical", {"mass": 2, "stiffness": 100, "damping": 10}),
    "transition={{ type: 'spring', duration: 0.8, bounce: 0.25 }}": ("motion.durationBounce", {"durationMs": 800, "bounce": 0.25}),
    '{ type: "spring", visualDuration: 0.4, bounce: 0.2 }': ("motion.visualDurationBounce", {"visualDuration": 0.4, "bounce": 0.2}),
    "config: { tension: 180, friction: 12, mass: 1 }": ("reactspring.tensionFriction", {"tension": 180, "friction": 12, "mass": 1}),
    "withSpring(1, { duration: 550, dampingRatio: 0.8 })": ("reanimated.durationRatio", {"durationMs": 550, "dampingRatio": 0.8}),
}


def test_pasted_code_is_read_as_its_platform_means_it(lab: Playground) -> None:
    wrong: list[Any] = []
    for text, (convention, parameters) in CODE.items():
        note = paste(lab, text)
        query = "&".join(f"{name}={value}" for name, value in parameters.items())
        spring = lab.service.read(f"/v1/springs?convention={convention}&{query}")["spring"]
        found = [lab.value("damping-ratio"), lab.value("response")]
        is_right = found == pytest.approx([spring["dampingRatio"], spring["response"]], rel=1e-6)
        if not is_right or not note.startswith("Read as ") or lab.page.get_by_label("Convention of the spring").input_value() != convention:
            wrong.append((text, note, found))
    assert wrong == []


def test_the_code_of_every_platform_is_read_back(lab: Playground) -> None:
    """What the page shows as code can be pasted again, except conventions that are words and no code."""
    answer = lab.service.read("/v1/springs?dampingRatio=0.6&response=0.4")
    unread: list[Any] = []
    for convention, one in answer["conventions"].items():
        if convention in ("physical", "settling"):
            continue
        note = paste(lab, one["snippet"])
        found = [lab.value("damping-ratio"), lab.value("response")]
        if not note.startswith("Read as ") or found != pytest.approx([0.6, 0.4], abs=2e-3):
            unread.append((convention, note, found))
    assert unread == []


def test_a_pasted_linear_is_its_spring_again(lab: Playground) -> None:
    # The easing of the lab's first spring, which the service has already computed.
    answer = lab.service.read("/v1/springs/linear?dampingRatio=0.6&response=0.4&maxError=0.002")
    paste(lab, ".spring(response: 0.9, dampingFraction: 0.9)")
    assert lab.value("response") == 0.9
    note = paste(lab, f"transition: translate {answer['duration'] * 1000:.0f}ms {answer['css']};")
    assert re.search(r"at most 0\.\d+ % of the way off", note), note
    assert lab.value("damping-ratio") == pytest.approx(0.6, abs=0.01)
    assert lab.value("response") == pytest.approx(0.4, abs=0.01)


def test_a_pasted_bezier_is_the_nearest_spring_and_says_how_far(lab: Playground) -> None:
    note = paste(lab, "cubic-bezier(0.34, 1.56, 0.64, 1)")
    assert "500 ms, which is assumed" in note
    off = float(re.search(r"at most ([\d.]+) %", note)[1])  # type: ignore[index]
    assert 1 < off < 12, "a Bézier curve is no spring"
    assert 0.4 < lab.value("damping-ratio") < 0.9
    assert "700 ms." in paste(lab, "transition: all .7s ease-out")
    assert lab.value("damping-ratio") > 0.8


@pytest.mark.parametrize(("text", "says"), [("hello", "No spring in it"), ("SpringDescription(mass: 1, stiffness: 100)", "damping is missing"), ("linear(0)", "No spring in it")])
def test_a_text_without_a_spring_changes_nothing(lab: Playground, text: str, says: str) -> None:
    assert says in paste(lab, text)
    assert lab.value("response") == 0.4
    assert paste(lab, "") == ""


@pytest.mark.parametrize("source", ["tile", "text"])
def test_a_spring_replaces_a_wrong_value(lab: Playground, source: str) -> None:
    lab.page.get_by_label("Response, seconds of the spring, typed").fill("61")
    expect(lab.part("plot")).to_have_class("is-stale")
    if source == "tile":
        lab.go_to("gallery").locator(".tile", has_text="wobbly").click()
    else:
        paste(lab, ".spring(response: 0.7, dampingFraction: 0.3)")
    expect(lab.part("lab-message")).to_be_empty()
    expect(lab.part("plot")).not_to_have_class("is-stale")
    assert lab.value("response") != 0.4


# What is taken along.


def taken(lab: Playground, name: str) -> str:
    return lab.part("take").locator("li", has_text=name).locator("code").text_content() or ""


def test_a_spring_is_taken_along(lab: Playground) -> None:
    query = "dampingRatio=0.6&response=0.4"
    linear = lab.service.read(f"/v1/springs/linear?{query}&maxError=0.002")
    values = lab.service.read(f"/v1/springs?{query}")["conventions"]["figma"]["parameters"]
    expect(lab.part("take").locator("li")).to_have_count(4)
    assert taken(lab, "Figma values") == f"stiffness {values['stiffness']:.2f}, damping {values['damping']:.2f}, mass 1"
    assert taken(lab, "CSS variable") == f"--spring: {linear['duration'] * 1000:.0f}ms {linear['css']};"
    assert f"--ease-spring: {linear['css']} }}" in taken(lab, "Tailwind line")
    # The design token is one that the service reads.
    token = json.loads(taken(lab, "Design token"))
    answer = lab.service.ask("POST", "/v1/design-tokens?platform=json", token)
    assert answer.status == 200 and answer.json()["designTokens"][0]["spring"]["response"] == 0.4
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lab.page.bring_to_front()
    lab.page.get_by_role("button", name="Copy the CSS variable").click()
    assert lab.page.evaluate("navigator.clipboard.readText()") == taken(lab, "CSS variable")


def test_the_variable_is_a_transition(lab: Playground) -> None:
    timing = lab.page.evaluate(
        """rule => { const sheet = new CSSStyleSheet(); sheet.replaceSync(`.element { ${rule} transition: translate var(--spring); }`);
            document.adoptedStyleSheets = [sheet];
            const thing = document.createElement('div'); thing.className = 'element'; document.body.append(thing);
            const { transitionDuration, transitionTimingFunction } = getComputedStyle(thing);
            thing.remove(); document.adoptedStyleSheets = []; return [transitionDuration, transitionTimingFunction.slice(0, 7)]; }""",
        taken(lab, "CSS variable"),
    )
    assert timing == ["0.648s", "linear("]


def test_the_plot_is_taken_along_as_svg(lab: Playground) -> None:
    link = lab.page.get_by_role("link", name="Plot as SVG")
    assert link.get_attribute("download") == "spring.svg"
    answer = lab.service.get(link.get_attribute("href") or "")
    assert answer.fields["content-type"] == "image/svg+xml" and b"response 0.4 s" in answer.content
