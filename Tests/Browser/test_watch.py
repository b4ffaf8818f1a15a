"""The page that follows a bar on another device, and the QR code of its address."""

from __future__ import annotations

import re
from typing import Any, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

import qr
from conftest import serve_from_disk
from playground import Playground
from service import ROOT

#: The capacity of each version at level M in byte mode, in bytes (ISO/IEC 18004, table 7).
CAPACITIES = [
    14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666,
    711, 779, 857, 911, 997, 1059, 1125, 1190, 1264, 1370, 1452, 1538, 1628, 1722, 1809, 1911, 1989, 2099, 2213, 2331,
]  # fmt: skip


@pytest.fixture(scope="module")
def encoder(browser: Browser) -> Iterator[Page]:
    """A page with the function `qrCode`."""
    page = browser.new_page()
    source = (ROOT / "Playground/source/watch/qr-code.js").read_text().replace("export function", "function")
    page.evaluate(f"() => {{ {source}\n window.encode = text => qrCode(text)?.map(row => row.map(Number).join('')) ?? null; }}")
    yield page
    page.close()


def link(length: int) -> str:
    return ("http://host.example:8080/watch/" + "0123456789abcdef" * 150)[:length]


@pytest.mark.parametrize("version", range(1, 41))
def test_a_code_of_every_size_is_read_by_a_library(encoder: Page, version: int) -> None:
    """The longest and the shortest text of each version can be read."""
    shortest = CAPACITIES[version - 2] + 1 if version > 1 else 1
    for text in (link(CAPACITIES[version - 1]), link(shortest)):
        rows = encoder.evaluate("encode", text)
        assert len(rows) == 4 * version + 17 and all(len(row) == len(rows) for row in rows)
        code = qr.read_rows(rows)
        assert code.text == text
        assert code.ec_level == "M"


def test_bytes_beyond_ascii_are_kept(encoder: Page) -> None:
    assert qr.read_rows(encoder.evaluate("encode", "http://grün.example/ß")).bytes == "http://grün.example/ß".encode()


def test_a_text_that_is_too_long_has_no_code(encoder: Page) -> None:
    assert encoder.evaluate("encode", link(CAPACITIES[-1] + 1)) is None


def test_the_second_screen_opens_beside_the_playground(playground: Playground) -> None:
    """The link opens a new tab, because leaving the playground ends its session."""
    assert playground.part("session-link").get_attribute("href") == f"/watch/{playground.session}"
    with playground.page.context.expect_page() as opened:
        playground.part("session-link").click()
    expect(opened.value.locator("[data-role=state]")).to_contain_text("Live")
    assert playground.bar["id"] == playground.session


@pytest.fixture
def watcher(playground: Playground) -> Iterator[Playground]:
    """Opens the second screen in a new tab, because leaving the playground ends its session."""
    watcher = Playground(playground.page.context.new_page(), playground.service)
    watcher.page.goto(f"/watch/{playground.session}")
    expect(watcher.part("state")).to_contain_text("Live")
    yield watcher
    assert watcher.forgive() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_code_on_the_screen_is_the_link(watcher: Playground, scheme: str) -> None:
    watcher.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    code = qr.read_picture(watcher.part("qr").screenshot())
    margins = watcher.part("qr").evaluate(
        """code => { const [drawn, all] = [code.firstChild.getBBox(), code.viewBox.baseVal];
            return [drawn.x, drawn.y, all.width - drawn.x - drawn.width, all.height - drawn.y - drawn.height]; }"""
    )
    assert margins == [4, 4, 4, 4], "the standard wants four light modules around the code"
    link = watcher.part("link")
    assert code.text == watcher.page.url == link.get_attribute("href") == link.text_content()


def test_at_a_loopback_address_it_says_what_to_do(watcher: Playground) -> None:
    note = watcher.part("local-note")
    expect(note).to_be_visible()
    expect(note).to_contain_text("Other devices cannot use 127.0.0.1")
    expect(note).to_contain_text("SPRINGBAR_HOST=0.0.0.0")


HOSTS = {
    "address": "192.168.1.20:8080",
    "name": "springbar.example",
    "long name": f"{'a' * 60}.{'b' * 60}.{'c' * 60}.example:49152",
}


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS)
def test_the_link_has_the_host_that_the_page_was_opened_with(playground: Playground, host: str) -> None:
    """The page is loaded under the name of a host in the network; no request reaches this host."""
    page, path = playground.page, f"/watch/{playground.session}"
    # The origin of this page is not secure, and its stream has no response.
    playground.expects("Cross-Origin-Opener-Policy header", "net::ERR_FAILED")
    serve_from_disk(page.context, playground.service)
    page.route(f"http://{host}/v1/**", lambda route: route.abort())
    page.goto(f"http://{host}{path}")
    expect(playground.part("link")).to_have_text(f"http://{host}{path}")
    expect(playground.part("local-note")).to_be_hidden()
    assert qr.read_picture(playground.part("qr").screenshot()).text == f"http://{host}{path}"
    # This page has no access to the clipboard, so it copies a selection.
    assert page.evaluate("isSecureContext") is False
    button = page.get_by_role("button", name="Copy link")
    button.click()
    expect(button).to_have_text("Copied")
    page.evaluate("() => { document.body.append(document.createElement('textarea')); document.querySelector('textarea').focus(); }")
    page.keyboard.press("Control+V")
    expect(page.locator("textarea")).to_have_value(f"http://{host}{path}")


def test_a_bar_that_does_not_exist_is_said(tab: Playground) -> None:
    tab.expects("404")
    tab.page.goto("/watch/0123456789abcdef0123456789abcdef")
    expect(tab.part("state")).to_contain_text("The bar does not exist")
    # The link of this page leads nowhere, so it is not offered.
    expect(tab.part("invite")).to_be_hidden()
    tab.page.get_by_role("link", name="Open the playground").click()
    expect(tab.page.locator("#bar")).to_have_attribute("data-session", re.compile(".+"))


END = {"content_type": "text/event-stream", "body": 'event: end\ndata: {"reason":"REASON"}\n\n'}
ANSWERS: dict[str, dict[str, Any]] = {
    "client share": {"status": 429, "headers": {"Retry-After": "1"}, "body": ""},
    "proxy": {"status": 502, "body": "Bad Gateway"},
    "shutdown": END | {"body": END["body"].replace("REASON", "shutdown")},
    "reset": END | {"body": END["body"].replace("REASON", "reset")},
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_a_stream_that_is_refused_or_has_ended_is_opened_again(playground: Playground, answer: dict[str, Any]) -> None:
    watcher = Playground(playground.page.context.new_page(), playground.service)
    watcher.expects("Failed to load resource")
    answers = [answer, answer]
    watcher.page.route("**/stream?*", lambda route: route.fulfill(**answers.pop()) if answers else route.continue_())
    watcher.page.goto(f"/watch/{playground.session}")
    expect(watcher.part("state")).to_contain_text("Trying again")
    expect(watcher.part("new-bar")).to_be_hidden()
    expect(watcher.part("state")).to_contain_text("Live")
    # The second screen of the playground does the same.
    playground.expects("Failed to load resource")
    answers += [answer, answer]
    playground.page.route("**/stream?*", lambda route: route.fulfill(**answers.pop()) if answers else route.continue_())
    playground.page.bring_to_front()
    playground.change_session(lambda: playground.page.get_by_label("Compact").fill("40"))
    expect(playground.part("follower-state")).to_have_text("reconnecting")
    expect(playground.part("follower-state")).to_have_text("live")
    # The session of the first screen is over.
    expect(watcher.part("state")).to_contain_text("The session was ended.")
    expect(watcher.part("new-bar")).to_be_visible()
    assert watcher.forgive() == []
