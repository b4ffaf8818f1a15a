"""Examples/web is one HTML file, opened from the disk, with the service at another origin."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from hand import Hand
from servers import ROOT, TIMEOUT, Library, start_service

EXAMPLE = ROOT / "Examples/web/index.html"


def test_the_example_follows_the_list_and_pages_photos(browser: Browser, library: Library) -> None:
    service = start_service(library, SPRINGBAR_CORS_ORIGINS="*")
    context = browser.new_context(viewport={"width": 390, "height": 800}, has_touch=True)
    context.set_default_timeout(TIMEOUT * 1000)
    try:
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
    finally:
        context.close()
        service.stop()


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
