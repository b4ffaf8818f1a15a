"""The line below each part of a page shows its last request with the response."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from playground import Playground

SHORT_ID = r"[0-9a-f]{6}…"


def summary(playground: Playground, role: str) -> Locator:
    return playground.part(role).locator("summary")


def test_a_stream_has_a_line(playground: Playground) -> None:
    line = playground.part("stream-exchange")
    expect(line.locator("summary")).to_have_text(re.compile(rf"^GET /v1/bars/{SHORT_ID}/stream\?commands=true200 · [\d.]+ ms$"))
    line.locator("summary").click()
    expect(line.get_by_role("link", name="Open its operation")).to_have_attribute("href", f"/docs#GET/v1/bars/{playground.session}/stream")
    expect(line.locator("pre").nth(1)).to_contain_text("event: state")
    playground.page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: { writeText: async text => { window.copied = text; } } })")
    line.get_by_role("button", name="as curl").click()
    command = f"curl -N '{playground.service.base}/v1/bars/{playground.session}/stream?commands=true'"
    playground.page.wait_for_function("command => window.copied === command", arg=command)
    # Only the five newest events are shown.
    playground.pull(-50)
    playground.settle(60)
    expect(line.locator("pre").nth(1)).to_contain_text('"height":60')
    assert (line.locator("pre").nth(1).text_content() or "").count("event: state") <= 5
    # A stream is not a response about the bar.
    expect(summary(playground, "bar-exchange")).to_contain_text("/events")


def test_a_stream_that_is_lost_is_said(playground: Playground) -> None:
    playground.expects("ERR_", "Failed to load resource")
    playground.page.route("**/stream?*", lambda route: route.abort())
    # A change of a setting starts a session. Its stream cannot be opened.
    playground.change_session(lambda: playground.page.get_by_label("Compact").fill("40"))
    expect(summary(playground, "stream-exchange")).to_contain_text(re.compile("refused|no answer|waiting"))
    expect(playground.part("follower-state")).to_have_text(re.compile("lost|reconnecting"))


def test_the_end_of_a_session_has_a_line(playground: Playground) -> None:
    expect(summary(playground, "session-exchange")).to_have_text(re.compile(r"^POST /v1/bars201 · [\d.]+ ms$"))
    expect(summary(playground, "ended-exchange")).to_have_text("No request yet")
    before = playground.session
    playground.change_session(lambda: playground.page.get_by_label("Compact").fill("40"))
    ended = playground.part("ended-exchange")
    expect(ended.locator("summary")).to_have_text(re.compile(rf"^DELETE /v1/bars/{before[:6]}…204 · [\d.]+ ms$"))
    ended.locator("summary").click()
    expect(ended.get_by_role("link", name="Open its operation")).to_have_attribute("href", f"/docs#DELETE/v1/bars/{before}")
    expect(summary(playground, "session-exchange")).to_contain_text("POST /v1/bars201 ·")


def test_the_second_screen_has_the_line_of_its_stream(playground: Playground) -> None:
    watcher = Playground(playground.page.context.new_page(), playground.service)
    watcher.page.goto(f"/watch/{playground.session}")
    expect(summary(watcher, "stream-exchange")).to_have_text(re.compile(rf"^GET /v1/bars/{SHORT_ID}/stream\?commands=true200 · [\d.]+ ms$"))
    summary(watcher, "stream-exchange").click()
    expect(watcher.part("stream-exchange").locator("pre").nth(1)).to_contain_text("event: state")
    assert watcher.forgive() == []
