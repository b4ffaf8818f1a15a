"""The search of the reference: its order, its sources and its keys."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from playground import Playground
from reference import visit


def results(page: Page, words: str) -> list[str]:
    page.get_by_role("searchbox").fill(words)
    return page.locator(".results a").evaluate_all("links => links.map(link => link.dataset.id)")


def test_results_are_ranked(tab: Playground) -> None:
    """A name comes before a word in a sentence, for operations, problems, settings and texts."""
    page = tab.page
    visit(tab, "/docs")
    first = {
        "rubberband": "getRubberband", "/v1/springs": "getSpring", "createbar": "createBar", "429": "/problems/",
        "sequence-gap": "/problems/sequence-gap", "port": "SPRINGBAR_PORT", "cors": "SPRINGBAR_CORS_ORIGINS",
        "unsplash_access_key": "UNSPLASH_ACCESS_KEY", "numbers": "about-numbers", "shutdown": "settings-shutdown",
        "photos cursor": "getPhotos", "stopsdeceleration": "createBar",
    }
    for words, wanted in first.items():
        found = results(page, words)
        assert found and found[0].startswith(wanted), (words, found[:4])
    # Words that stand only in a sentence find it, and show it.
    assert "about-numbers" in results(page, "infinity")
    expect(page.locator(".results a[data-id=about-numbers]")).to_contain_text("NaN and infinity are neither sent nor accepted")
    assert results(page, "cursor port zzz") == []


def test_the_search_is_used_by_keys(tab: Playground) -> None:
    page = tab.page
    visit(tab, "/docs")
    search = page.get_by_role("searchbox")
    page.keyboard.press("/")
    expect(search).to_be_focused()
    expect(search).to_have_value("")
    page.keyboard.type("tracks/")
    expect(search).to_have_value("tracks/")
    search.fill("events")
    page.keyboard.press("ArrowDown")
    links = page.locator(".results a")
    expect(links.first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(links.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(search).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".operation-line code")).to_have_text("/v1/bars/{id}/events")
    page.locator("#content").click(position={"x": 2, "y": 2})
    for keys in ("Control+k", "Meta+k"):
        search.blur()
        page.keyboard.press(keys)
        expect(search).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(search).to_be_focused()
    expect(search).to_have_value("")
    expect(page.locator("[data-role=index] details").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(search).not_to_be_focused()
    # A field of the form takes the character.
    visit(tab, "/docs#createBar")
    field = page.locator(".try textarea")
    field.fill("")
    field.press("/")
    expect(field).to_have_value("/")


def test_a_setting_and_a_text_are_shown_in_their_page(tab: Playground) -> None:
    page = tab.page
    visit(tab, "/docs")
    results(page, "idle_timeout")
    page.keyboard.press("Enter")
    row = page.locator("#SPRINGBAR_IDLE_TIMEOUT")
    expect(row).to_be_in_viewport()
    expect(row).to_contain_text("75")
    expect(row).to_have_class("is-target")
    results(page, "overload")
    page.locator(".results a[data-id=about-overload]").click()
    expect(page.locator("#about-overload")).to_be_in_viewport()
    visit(tab, "/docs#SPRINGBAR_PORT")
    expect(page.locator("#SPRINGBAR_PORT")).to_be_in_viewport()
    expect(page.locator("h1")).to_have_text("Settings and operation")
