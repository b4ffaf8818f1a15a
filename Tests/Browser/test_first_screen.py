"""The first screen of the page, and the first actions on it."""

from __future__ import annotations

from typing import Callable

import pytest
from playwright.sync_api import Locator, expect

from playground import Playground
from service import ROOT

SCREENS = [(1440, 900), (768, 1024), (390, 844)]


def is_on_the_screen(thing: Locator, height: int) -> bool:
    box = thing.bounding_box()
    return bool(box and box["y"] >= 0 and box["y"] + box["height"] <= height)


TABS = {"SwiftUI": "swiftui.response", "UIKit": "uikit", "Compose": "compose", "Flutter": "flutter.physical", "Motion": "motion.physical"}


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_the_first_screen_says_what_it_is_and_for_whom(open_page: Callable[..., Playground], width: int, height: int) -> None:
    page = open_page(viewport={"width": width, "height": height}, sees_bar=False).page
    headline, audience = page.locator("h1"), page.locator(".hero p")
    expect(headline).to_have_text("The same motion on iOS, Android, web and Flutter")
    # README begins with the same words.
    assert f"\n{headline.text_content()};" in (ROOT / "README.md").read_text()
    expect(audience).to_contain_text("For teams that build one app on several platforms")
    # The curve and the moving object come first, with the button that moves it, and the code with its tabs.
    code = page.locator("[data-role=my-snippets] code")
    tabs = page.get_by_role("tablist", name="Code for")
    for thing in (headline, audience, page.locator(".plot"), page.locator("[data-role=lane-a]"), page.get_by_role("button", name="Play", exact=True).first, tabs):
        assert is_on_the_screen(thing, height), thing
    box = code.bounding_box()
    assert box and box["y"] + 20 <= height, "the code begins on the first screen"
    assert page.locator("main > section").evaluate_all("all => all.map(one => one.id)") == ["", "springs", "gallery", "bar", "interfaces"]


def test_six_platforms_are_tabs_with_code_from_the_service(playground: Playground) -> None:
    tabs = playground.page.get_by_role("tablist", name="Code for").get_by_role("tab")
    expect(tabs).to_have_text(["SwiftUI", "UIKit", "Compose", "Flutter", "CSS", "Motion"])
    answer = playground.service.read("/v1/springs?dampingRatio=0.6&response=0.4")
    mine = playground.part("my-snippets").locator(".snippet")
    for name, convention in TABS.items():
        playground.page.get_by_role("tab", name=name).click()
        expect(mine).to_have_attribute("data-convention", convention)
        expect(mine.locator("code")).to_be_visible()
        assert mine.locator("code").text_content() == answer["conventions"][convention]["snippet"]
    # The arrow keys choose, too.
    tabs.nth(4).focus()
    playground.page.keyboard.press("ArrowLeft")
    expect(tabs.nth(3)).to_have_attribute("aria-selected", "true")
    expect(playground.page.get_by_role("tabpanel", name="Flutter")).to_be_visible()
    # Platforms without a tab are in a list beside them.
    playground.part("platform").select_option("react-spring")
    expect(mine).to_have_attribute("data-convention", "reactspring.tensionFriction")
    expect(playground.page.locator(".code-tabs [aria-selected=true]")).to_have_count(0)


@pytest.mark.parametrize(("width", "spring"), [(390, "dampingRatio=0.6&response=0.4"), (1440, "dampingRatio=0.15&response=0.4")])
def test_the_tab_of_css_has_the_whole_easing(open_page: Callable[..., Playground], width: int, spring: str) -> None:
    playground = open_page(f"/?convention=wwdc&{spring}", viewport={"width": width, "height": 900}, sees_bar=False)
    playground.page.get_by_role("tab", name="CSS").click()
    code = playground.part("linear-css")
    expect(code).to_contain_text("linear(")
    hidden = code.evaluate("code => { const pre = code.parentElement; return [pre.scrollHeight - pre.clientHeight, pre.scrollWidth - pre.clientWidth]; }")
    assert hidden == [0, 0]
    assert playground.service.read(f"/v1/springs/linear?{spring}&maxError=0.002")["css"] in (code.text_content() or "")


def test_a_platform_that_draws_something_else_says_so_beside_its_code(open_page: Callable[..., Playground]) -> None:
    query = "convention=physical&mass=1&stiffness=100&damping=30"
    playground = open_page(f"/?{query}", sees_bar=False)
    one = playground.service.read(f"/v1/springs?{query}")["conventions"]["uikit"]
    tab = playground.page.get_by_role("tab", name="UIKit")
    expect(tab).to_have_class("is-off")
    tab.click()
    card = playground.part("my-snippets").locator(".snippet")
    expect(card.locator(".drawing")).to_have_text(f"UIKit draws something else: up to {one['maxDistance'] * 100:.1f} % of the way off, {one['drawn']['at']:.3f} s after the start.")
    expect(card.locator(".warnings")).to_contain_text(one["warnings"][0]["detail"])
    playground.page.get_by_role("tab", name="Compose").click()
    expect(card.locator("code")).to_be_visible()
    expect(card.locator(".drawing")).to_be_hidden()


def test_terms_are_explained_where_they_first_stand(playground: Playground) -> None:
    """Terms are explained in visible text, those of the bar on the first screen."""
    expect(playground.page.locator("#bar .lead dfn")).to_have_text("bar")
    terms = playground.page.locator(".terms dfn")
    expect(terms).to_have_text(["pt", "Progress", "top inset", "revision"])
    for term in terms.all():
        expect(term).to_be_visible()
    assert playground.page.locator("details .terms").count() == 0
    # The explanations are directly below the readings that use the terms.
    assert playground.page.locator(".terms").evaluate("terms => terms.previousElementSibling.matches('.where')")
