"""The first screen of the page, and the first actions on it."""

from __future__ import annotations

import re
from typing import Callable

import pytest
from playwright.sync_api import Locator, expect

from playground import Playground

SCREENS = [(1440, 900), (768, 1024), (390, 844)]


def is_on_the_screen(thing: Locator, height: int) -> bool:
    box = thing.bounding_box()
    return bool(box and box["y"] >= 0 and box["y"] + box["height"] <= height)


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_the_first_screen_says_what_it_is_and_for_whom(open_page: Callable[..., Playground], width: int, height: int) -> None:
    page = open_page(viewport={"width": width, "height": height}, sees_bar=False).page
    expect(page.locator("h1")).to_have_text("Fluid-interface logic as an API")
    audience = page.locator(".hero-text p")
    expect(audience).to_contain_text("For teams that build the same app on iOS, Android, web and Flutter")
    # The curve and the moving object come first, with the button that moves it.
    for thing in (page.locator("h1"), audience, page.locator(".plot"), page.locator("[data-role=lane-a]"), page.get_by_role("button", name="Play", exact=True).first):
        assert is_on_the_screen(thing, height), thing
    order = page.locator(".lab").evaluate("lab => [...lab.children].map(one => one.className)")
    assert order == ["lab-view", "wish", "lab-form", "code"]
    assert page.locator("main > section").evaluate_all("all => all.map(one => one.id)") == ["", "springs", "bar", "interfaces"]


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_one_sentence_asks_for_the_code_of_a_platform(open_page: Callable[..., Playground], width: int, height: int) -> None:
    playground = open_page(viewport={"width": width, "height": height}, sees_bar=False)
    sentence = playground.page.locator(".wish p")
    expect(sentence.locator("select")).to_have_count(2)
    words = sentence.evaluate("node => [...node.childNodes].filter(one => one.nodeType === Node.TEXT_NODE).map(one => one.data)")
    assert words == ["I have ", ", give me "]
    sentence.get_by_label("Convention of the spring").select_option("swiftui.durationBounce")
    sentence.get_by_label("My platform").select_option("Jetpack Compose")
    expect(playground.part("my-snippets").locator("code")).to_have_text(re.compile(r"^spring<Float>\("))
    assert playground.page.evaluate("document.documentElement.scrollWidth") <= width


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


def test_task_a_compose_code_for_a_swiftui_spring(playground: Playground) -> None:
    page = playground.page
    page.get_by_label("Convention of the spring").select_option(label="Spring(response:dampingRatio:)")
    page.get_by_label("Response, seconds of the spring, typed").fill("0.5")
    page.get_by_label("Damping ratio of the spring, typed").fill("0.7")
    playground.part("platform").select_option("Jetpack Compose")
    code = playground.part("my-snippets").locator("code")
    expect(code).to_have_text(re.compile(r"^spring<Float>\(dampingRatio = 0\.7f, stiffness = 157\.9\d*f\)$"))


def test_task_b_why_the_bar_snapped(playground: Playground) -> None:
    playground.page.get_by_role("navigation").get_by_role("link", name="Bar").click()
    playground.pull(-50)
    playground.settle(60)
    expect(playground.page.get_by_role("heading", name="What moved the bar")).to_be_visible()
    expect(playground.part("explain")).to_contain_text("It snaps to compact")


def test_task_c_how_to_page_photos(playground: Playground) -> None:
    page = playground.page
    page.get_by_role("navigation").get_by_role("link", name="Reference").click()
    page.get_by_role("searchbox").fill("page photos")
    first = playground.part("index").locator("a").first
    expect(first).to_contain_text("/v1/photos")
    first.click()
    expect(page.locator("#content h1")).to_have_text("List a page of the feed")
    page.get_by_role("button", name="Send").click()
    page.get_by_role("button", name="Next page").click()
    expect(page.get_by_label("cursor (optional)")).not_to_have_value("")
    expect(page.locator(".try-status")).to_contain_text("200 in")
