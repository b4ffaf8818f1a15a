"""axe-core reports no violation on any page, contrast and names included, and every page fits, at three widths and in both themes."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from playground import Playground
from reference import visit

#: Widths in points, each with a colour scheme.
VIEWS: tuple[tuple[int, Literal["light", "dark"]], ...] = ((1440, "light"), (768, "dark"), (390, "light"))
#: Labels and links find only the first of two elements with one id; axe-core has this rule off.
IDS = {"duplicate-id": {"enabled": True}}
#: WCAG 2.5.3, someone who speaks the words of a button presses it, is off by default.
SPOKEN = {"label-content-name-mismatch": {"enabled": True}}


def violations(page: Page, rules: dict[str, Any]) -> list[str]:
    """Returns the violations of all rules of axe-core, including the best practices."""
    found: dict[str, Any] = Axe().run(page, options={"resultTypes": ["violations"], "rules": IDS | rules}).response
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


def expect_no_violations(playground: Playground, **rules: Any) -> None:
    page = playground.page
    for width, scheme in VIEWS:
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme=scheme)
        at_rest(page)
        assert violations(page, rules) == [], f"{page.url} at {width} px, {scheme}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{page.url} at {width} px"


def test_the_playground(playground: Playground) -> None:
    playground.see_everything()
    # Closed details are opened, so that their contents are checked, too.
    playground.page.locator("main details").evaluate_all("all => all.forEach(one => { one.open = true; })")
    playground.part("compare-switch").check()
    expect(playground.page.locator(".linear")).to_have_attribute("aria-busy", "false")
    playground.pull(-50)
    playground.settle(60)
    expect_no_violations(playground, **SPOKEN)


@pytest.mark.parametrize("path", ["/docs", "/docs#createBar", "/problems", "/problems/sequence-gap", "/v1/status"])
def test_the_reference(tab: Playground, path: str) -> None:
    visit(tab, path)
    expect(tab.part("index").locator("a").first).to_be_attached()
    expect_no_violations(tab)


def test_the_page_of_an_unknown_path(tab: Playground) -> None:
    tab.expects("404")
    tab.page.goto(f"/nothing/{'a' * 200}")
    expect_no_violations(tab)


def test_the_second_screen(playground: Playground) -> None:
    watcher = Playground(playground.page.context.new_page(), playground.service)
    watcher.page.goto(f"/watch/{playground.session}")
    expect(watcher.part("state")).to_contain_text("Live")
    expect_no_violations(watcher)
