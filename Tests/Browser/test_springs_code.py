"""The code of the spring lab is that of the API, for each platform."""

from __future__ import annotations

from typing import Callable
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from lab import ready, set_parameter, state
from playground import Playground


def test_every_snippet_is_the_apis(lab: Playground) -> None:
    lab.page.get_by_label("Damping ratio of the spring", exact=True).fill("0.72")
    ready(lab)
    answer = lab.service.read("/v1/springs?convention=wwdc&dampingRatio=0.72&response=0.4")
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
    answer = lab.service.read("/v1/springs/linear?" + urlencode(parameters))
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
    assert mine.locator("code").text_content() == lab.service.read("/v1/springs?dampingRatio=0.6&response=0.4")["conventions"]["compose"]["snippet"]


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


def test_what_a_platform_cannot_say_is_warned_of(lab: Playground) -> None:
    set_parameter(lab, "Damping ratio", 1.4)
    answer = lab.service.read("/v1/springs?" + urlencode(state(lab)))
    name, one = next((name, one) for name, one in answer["conventions"].items() if one["warnings"])
    card = lab.page.locator(f'.snippet[data-convention="{name}"]')
    expect(card.locator(".warnings")).to_have_text("".join(warning["detail"] for warning in one["warnings"]))


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
