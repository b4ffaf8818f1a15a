"""Keys, announcements, small screens and reduced motion; test_axe.py has names, contrast, headings and landmarks."""

from __future__ import annotations

from typing import Callable

import pytest
from playwright.sync_api import Route, expect

from playground import Playground


@pytest.fixture
def whole(shared: Playground) -> Playground:
    """The page with all chapters started."""
    return shared.see_everything()


def test_the_keyboard_reaches_everything_and_shows_where_it_is(playground: Playground) -> None:
    page = playground.page
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        focus = page.evaluate(
            """() => { const node = document.activeElement; const style = getComputedStyle(node);
                const shown = style.outlineStyle !== 'none' ? node : node.nextElementSibling;
                return [node.dataset.role ?? node.name ?? node.textContent.trim().slice(0, 20),
                  getComputedStyle(shown).outlineStyle !== 'none', Boolean(node.closest('[inert]'))]; }"""
        )
        assert focus[1], f"{focus[0]} has the focus and does not show it"
        assert not focus[2]
        seen.add(focus[0])
    assert {"list-photos", "expand", "play", "platform", "look"} <= seen


def test_what_changes_is_said(whole: Playground) -> None:
    """Every text that changes without an action of the user is in a live region."""
    for role in ("bar-message", "photos-foot", "lab-message", "detail-note", "announcer"):
        parts = whole.page.locator(f'[data-role="{role}"]').all()
        assert parts, role
        for part in parts:
            live = part.evaluate("node => node.getAttribute('aria-live') ?? { status: 'polite', alert: 'assertive' }[node.getAttribute('role')]")
            assert live in ("polite", "assertive"), f"{role} changes in silence"
    tabs = whole.page.get_by_role("tablist", name="Lists").first.get_by_role("tab")
    assert tabs.count() >= 2
    for tab in tabs.all():
        panel = whole.page.locator(f"#{tab.get_attribute('aria-controls')}")
        expect(panel).to_have_attribute("role", "tabpanel")


LIVE = "[role=status], [role=alert], [aria-live]"


def test_a_drag_does_not_flood_a_screen_reader(playground: Playground) -> None:
    # The page announces the height of the new bar, which is late on a busy machine, and may be announced once more.
    first = "The bar is 128 points high."
    expect(playground.part("announcer")).to_have_text(first)
    playground.page.evaluate(
        """query => { window.told = [];
            for (const node of document.querySelectorAll(query))
                new MutationObserver(() => window.told.push([node.dataset.role, node.textContent])).observe(node, { childList: true, characterData: true, subtree: true }); }""",
        LIVE,
    )
    playground.hold(dy=-60)
    told = playground.page.evaluate("window.told")
    assert [(role, text) for role, text in told if role != "photos-foot" and text != first] == []
    playground.hand.let_go()
    playground.settle(60)
    playground.page.wait_for_function("() => window.told.some(([role, text]) => role === 'announcer' && text === 'The bar is 60 points high.')")


def test_the_focus_stays_in_a_dialog_and_comes_back(playground: Playground) -> None:
    held: list[Route] = []
    playground.page.route("**/v1/photos/*?detail=basic", lambda route: held.append(route))
    opener = playground.page.locator(".photo-open").first
    opener.focus()
    opener.press("Enter")
    focused = "document.activeElement?.closest('dialog')?.dataset.role ?? document.activeElement.tagName"
    assert playground.page.evaluate(focused) == "detail"
    playground.part("detail-by").get_by_role("link").first.focus()
    assert playground.wait_until(lambda: bool(held) or bool(playground.page.wait_for_timeout(20)))
    with playground.page.expect_response("**/v1/photos/*?detail=basic"):
        held[0].continue_()
    playground.page.wait_for_timeout(200)
    assert playground.page.evaluate(focused) == "detail", "the second answer takes nothing away"
    playground.page.keyboard.press("Escape")
    expect(opener).to_be_focused()


def test_a_small_screen_can_be_scrolled_past_the_phone(open_page: Callable[..., Playground]) -> None:
    playground = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).see_everything()
    page = playground.page
    assert page.evaluate("document.documentElement.scrollHeight") < 7000
    small = page.locator("input:not([type=range], [type=radio], [type=checkbox]), select, textarea").evaluate_all(
        "fields => fields.filter(field => parseFloat(getComputedStyle(field).fontSize) < 16).map(field => field.outerHTML.slice(0, 90))"
    )
    assert small == [], "a smaller field makes iOS zoom"
    page.locator(".screen").evaluate("screen => screen.scrollIntoView({ block: 'center', behavior: 'instant' })")
    box = playground.screen.bounding_box()
    assert box and box["height"] < 844 * 0.7 and box["x"] >= 20
    before = page.evaluate("scrollY")
    playground.hand.press_at(12, 600, kind="touch")
    playground.hand.move(dy=-300, steps=20)
    playground.hand.let_go()
    assert page.evaluate("scrollY") > before + 100
    expect(playground.part("expand")).to_be_visible()
    button = playground.part("expand").bounding_box()
    assert button and button["height"] >= 44
    assert not playground.part("sheet").evaluate("sheet => sheet.open"), "the settings are a sheet to open"
    playground.part("expand").click()
    playground.settle(272)
    expect(playground.part("expand")).to_have_text("Collapse")


def test_a_long_list_is_one_stop_and_the_arrows_move_in_it(playground: Playground) -> None:
    page = playground.page
    playground.part("list-photos").focus()
    page.keyboard.press("Tab")
    photos = page.locator(".photo-open")
    expect(photos.first).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(photos.nth(2)).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.photos')") is None
    page.keyboard.press("Shift+Tab")
    expect(photos.nth(2)).to_be_focused()


def test_what_is_faded_out_cannot_be_used(playground: Playground) -> None:
    assert playground.part("rows").evaluate("rows => rows.inert")
    assert not playground.part("search").evaluate("search => search.inert")
    playground.part("expand").click()
    playground.settle(272)
    assert not playground.part("rows").evaluate("rows => rows.inert")
    assert playground.part("search").evaluate("search => search.inert")


def test_less_motion_means_none(open_page: Callable[..., Playground]) -> None:
    playground = open_page(reduced_motion="reduce")
    heights = playground.page.evaluate(
        """() => new Promise(resolve => {
            const bar = document.querySelector('.device [data-role=bar]');
            const heights = new Set();
            setTimeout(() => resolve([...heights, 'for ever']), 30000);
            const watch = () => { heights.add(bar.style.height); bar.style.height === '272px' ? resolve([...heights]) : requestAnimationFrame(watch); };
            watch();
            document.querySelector('[data-role=expand]').click(); })"""
    )
    assert heights == ["128px", "272px"]

    playground.see_everything()
    assert playground.page.locator(".plot-head").get_attribute("visibility") == "hidden", "nothing plays unasked"
    playground.go_to("interfaces")
    places = playground.page.locator('[data-interface="drawer"]').evaluate(
        """card => new Promise(resolve => {
            const drawer = card.querySelector('.drawer');
            const handle = drawer.querySelector('button');
            const places = new Set();
            setTimeout(() => resolve([...places, 'for', 'ever']), 30000);
            const watch = () => { places.add(drawer.style.transform);
                handle.getAttribute('aria-expanded') === 'true' ? resolve([...places]) : requestAnimationFrame(watch); };
            watch();
            handle.click(); })"""
    )
    assert len(places) == 2, "closed, then open"
    assert playground.page.evaluate(
        "() => document.getAnimations().filter(one => one.playState === 'running').map(one => one.effect.target.className)"
    ) == []
