"""axe-core reports no violation on any page, at three widths and in both themes."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from playground import Playground

#: Widths in points, each with a colour scheme; `test_accessibility` computes the contrast of every text in both.
VIEWS: tuple[tuple[int, Literal["light", "dark"]], ...] = ((1440, "light"), (768, "dark"), (390, "light"))


def violations(page: Page) -> list[str]:
    """Returns the violations of all rules of axe-core, including the best practices."""
    found: dict[str, Any] = Axe().run(page, options={"resultTypes": ["violations"]}).response
    assert found["passes"], "it has looked at something"
    return [
        f"{rule['id']}: {rule['help']}: {node['target']} {node['html'][:120]} {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


def at_rest(page: Page) -> None:
    """Waits until no colour is in transition."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.evaluate("() => Promise.all(document.getAnimations().filter(one => one instanceof CSSTransition).map(one => one.finished))")


def expect_no_violations(playground: Playground) -> None:
    page = playground.page
    for width, scheme in VIEWS:
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme=scheme)
        at_rest(page)
        assert violations(page) == [], f"{page.url} at {width} px, {scheme}"


def test_the_playground(playground: Playground) -> None:
    playground.see_everything()
    # Closed details are opened, so that their contents are checked, too.
    playground.page.locator("main details").evaluate_all("all => all.forEach(one => { one.open = true; })")
    playground.part("compare-switch").check()
    expect(playground.page.locator(".linear")).to_have_attribute("aria-busy", "false")
    playground.pull(-50)
    playground.settle(60)
    expect_no_violations(playground)


@pytest.mark.parametrize("path", ["/docs#createBar", "/problems/sequence-gap", "/v1/status"])
def test_the_reference(playground: Playground, path: str) -> None:
    playground.page.goto("about:blank")
    playground.page.goto(path)
    expect(playground.part("content")).to_have_attribute("aria-busy", "false")
    expect(playground.part("index").locator("a").first).to_be_attached()
    expect_no_violations(playground)


def test_the_second_screen(playground: Playground) -> None:
    watcher = Playground(playground.page.context.new_page(), playground.service)
    watcher.page.goto(f"/watch/{playground.session}")
    expect(watcher.part("state")).to_contain_text("Live")
    expect_no_violations(watcher)
