"""The page that follows a bar on another device."""

from __future__ import annotations

from playwright.sync_api import expect

from playground import Playground


def test_another_device_watches_the_bar(playground: Playground) -> None:
    link = playground.part("session-link").get_attribute("href")
    assert link == f"/watch/{playground.session}"
    watcher = playground.page.context.new_page()
    watcher.set_viewport_size({"width": 390, "height": 844})
    watcher.goto(link)
    expect(watcher.locator("[data-role=state]")).to_contain_text("Live")
    playground.page.bring_to_front()
    playground.pull(-50)
    playground.settle(60)
    watcher.bring_to_front()
    expect(watcher.locator("[data-role=height]")).to_have_attribute("value", "60")
    expect(watcher.locator("[data-role=bar]")).to_have_css("height", "60px")


def test_a_bar_that_does_not_exist_is_said(playground: Playground) -> None:
    playground.expects("404")
    playground.page.goto("/watch/0123456789abcdef0123456789abcdef")
    expect(playground.part("state")).to_contain_text("There is no such bar")
