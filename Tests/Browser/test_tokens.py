"""The pages of a service that requires a token."""

from __future__ import annotations

import re
from typing import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from conftest import new_context
from library import Library
from service import Service

TOKEN = "0123456789abcdef"


@pytest.fixture(scope="module")
def locked(library: Library) -> Iterator[Service]:
    """A service with a token."""
    with Service(library.environment | {"SPRINGBAR_API_TOKENS": TOKEN}) as service:
        yield service


@pytest.fixture
def context(browser: Browser, locked: Service) -> Iterator[BrowserContext]:
    """A browser context at that service. It allows the errors in its console for requests without a token."""
    context = new_context(browser, locked)
    faults: list[str] = []
    context.on("weberror", lambda fault: faults.append(str(fault.error)))
    context.on("console", lambda line: faults.append(line.text) if line.type == "error" and "401" not in line.text else None)
    yield context
    context.close()
    assert faults == []


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog", name="This service needs a token")


def enter(page: Page) -> None:
    """Enters a token when the page asks for one."""
    dialog(page).get_by_label("Bearer token").fill(TOKEN)
    dialog(page).get_by_role("button", name="Use it").click()
    expect(dialog(page)).to_be_hidden()


def expect_session(page: Page) -> str:
    bar = page.locator("#bar")
    expect(bar).to_have_attribute("data-session", re.compile(".+"))
    return bar.get_attribute("data-session") or ""


def test_the_playground_needs_the_token_once_a_tab(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto("/")
    enter(page)
    for _ in range(3):
        expect_session(page)
        expect(page.locator("[data-role=verdict]")).to_have_attribute("data-state", "confirmed")
        expect(page.locator("[data-role=follower]")).to_have_attribute("data-state", "live")
        page.reload()
    expect_session(page)
    # The reference uses the same token.
    page.goto("/docs#getSpring")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".try-status")).to_contain_text("200")


def test_a_refused_token_is_asked_for_again(context: BrowserContext) -> None:
    page = context.new_page()
    page.add_init_script("sessionStorage.getItem('springbar.token') ?? sessionStorage.setItem('springbar.token', 'an-old-token-of-a-service')")
    page.goto("/")
    enter(page)
    expect_session(page)
    page.reload()
    expect_session(page)
    expect(dialog(page)).to_be_hidden()


def test_a_page_that_was_left_without_a_token_asks_once(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto("/")
    dialog(page).get_by_role("button", name="Leave").click()
    expect(page.locator("[data-role=lab-message]")).to_contain_text("Authorization must be")
    # The page asks the service at each input.
    with page.expect_response(lambda response: urlsplit(response.url).path == "/v1/springs") as answer:
        page.locator("[data-role=initial-velocity]").evaluate("slider => { slider.value = '1'; slider.dispatchEvent(new Event('input')); }")
    assert answer.value.status == 401
    expect(dialog(page)).to_be_hidden()
    page.reload()
    enter(page)
    expect_session(page)


def test_the_second_screen_needs_no_token(context: BrowserContext) -> None:
    """The link contains the session's id, which is the permission to watch it."""
    page = context.new_page()
    page.goto("/")
    enter(page)
    watcher = context.new_page()
    watcher.goto(f"/watch/{expect_session(page)}")
    expect(watcher.locator("[data-role=state]")).to_contain_text("Live")
    page.get_by_role("button", name="Expand").click()
    expect(watcher.locator("[data-role=height]")).to_have_attribute("value", "272")
    expect(watcher.locator("[data-role=bar]")).to_have_css("height", "272px")


def test_a_drawing_is_tried_with_the_token(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto("/docs#plotSpring")
    page.get_by_role("button", name="Send").click()
    enter(page)
    output = page.locator(".try-output")
    expect(output.locator(".try-status")).to_contain_text("200")
    picture = output.get_by_role("img")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0


def test_photos_are_shown_by_signed_links(context: BrowserContext) -> None:
    """An `<img>` sends no token; the links in the answers have a signature."""
    page = context.new_page()
    page.goto("/")
    enter(page)
    # The feed is loaded when its list comes near the screen.
    page.locator("[data-role=list-photos]").first.scroll_into_view_if_needed()
    picture = page.locator("[data-role=photos] .photo .photo-image").first
    expect(picture).to_have_attribute("data-state", "loaded")
    assert picture.evaluate("image => image.naturalWidth") > 300
    address = picture.evaluate("image => image.src")
    assert page.evaluate("async (address) => (await fetch(address)).status", address) == 200
    unsigned = re.sub("&s=[^&]+", "", address)
    assert page.evaluate("async (address) => (await fetch(address)).status", unsigned) == 401
