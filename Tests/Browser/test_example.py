"""The page of the README and Examples/web are files that are opened from the disk, with the service at another origin."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Iterator

import pytest
from playwright.sync_api import Browser, expect

from hand import Hand
from browser import TIMEOUT
from library import Library
from service import ROOT, Service

ANY_ORIGIN = {"SPRINGBAR_CORS_ORIGINS": "*"}
EXAMPLE = ROOT / "Examples/web/index.html"


@pytest.fixture
def pasted(browser: Browser, tmp_path: Path) -> Iterator[Any]:
    """Opens the page of the README, whose service has the address `base`."""
    context = browser.new_context(viewport={"width": 390, "height": 700}, has_touch=True)
    context.set_default_timeout(TIMEOUT * 1000)
    warnings: list[str] = []

    def open_page(base: str) -> Any:
        match = re.search(r"^```html\n(.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
        assert match and match[1].count("\n") == 12
        file = tmp_path / "page.html"
        file.write_text(match[1].replace("http://localhost:8080", base))
        page = context.new_page()
        page.on("console", lambda message: message.type == "warning" and warnings.append(message.text))
        page.goto(file.as_uri())
        return page, warnings

    yield open_page
    context.close()


def test_the_page_of_the_readme_works_as_it_is_pasted(pasted: Any, library: Library) -> None:
    with Service(library.environment | ANY_ORIGIN) as service:
        page, warnings = pasted(service.base)
        bar = page.locator("header")
        expect(bar).to_have_css("height", "200px")
        hand = Hand(page)
        hand.press_at(200, 500, kind="touch")
        hand.move(dy=-60)
        assert page.evaluate("bar.offsetHeight + list.scrollTop") == 200
        hand.let_go()
        expect(bar).to_have_css("height", "100px")
        page.keyboard.press("Tab")
        page.keyboard.press("Home")
        expect(bar).to_have_css("height", "200px")
        assert warnings == []


def test_a_page_whose_origin_is_not_allowed_follows_and_names_the_setting(pasted: Any, service: Service) -> None:
    page, warnings = pasted(service.base)
    page.mouse.move(200, 400)
    page.mouse.wheel(0, 300)
    expect(page.locator("header")).to_have_css("height", "100px")
    while not warnings:
        page.wait_for_event("console")
    text = f"The service did not respond. At {service.base}, SPRINGBAR_CORS_ORIGINS must allow *."
    assert warnings == [f"springbar: {text}"]


def test_the_example_follows_the_list_and_pages_photos(browser: Browser, library: Library) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 800}, has_touch=True)
    context.set_default_timeout(TIMEOUT * 1000)
    with context, Service(library.environment | ANY_ORIGIN) as service:
        page = context.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.goto(f"{EXAMPLE.as_uri()}?service={service.base}")

        photos = page.locator("figure")
        expect(photos.first).to_be_visible()
        assert page.evaluate("document.querySelector('header').offsetHeight") == 200
        image = photos.first.locator("img")
        page.wait_for_function("document.querySelector('img').naturalWidth > 0")
        assert (image.get_attribute("src") or "").startswith(service.base)
        assert (image.get_attribute("alt") or "") != ""
        assert "utm_source=" in (photos.first.locator("figcaption a").first.get_attribute("href") or "")

        # The bar follows a finger and the wheel, and snaps.
        hand = Hand(page)
        hand.press_at(200, 600, kind="touch")
        hand.move(dy=-70)
        heights = page.evaluate("[document.querySelector('header').offsetHeight, document.querySelector('figure').getBoundingClientRect().top]")
        assert 100 < heights[0] < 200 and heights[0] == round(heights[1] - 16), "the first photo has a margin"
        hand.let_go()
        expect(page.locator("header")).to_have_css("height", "100px")
        page.mouse.move(200, 600)
        page.mouse.wheel(0, -1000)
        expect(page.locator("header")).to_have_css("height", "200px")

        # More pages are loaded near the end, without duplicates.
        first = photos.count()
        page.evaluate("document.querySelector('main').scrollTo(0, 1e6)")
        page.wait_for_function(f"document.querySelectorAll('figure').length > {first}")
        addresses = page.evaluate("[...document.images].map((image) => image.src)")
        assert len(set(addresses)) == len(addresses)
        assert errors == []


def test_without_the_service_it_says_how_to_start_it(browser: Browser) -> None:
    context = browser.new_context()
    try:
        page = context.new_page()
        page.goto(f"{EXAMPLE.as_uri()}?service=http://127.0.0.1:9")
        expect(page.get_by_role("status")).to_have_text(
            "There is no service for this page at http://127.0.0.1:9. Start it: SPRINGBAR_CORS_ORIGINS='*' script/server"
        )
    finally:
        context.close()
