"""The page's grid, its edges, and what it is in other circumstances: 320 px, colours of the system, no JavaScript."""

from __future__ import annotations

import io
from typing import Any, Callable

import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, expect

from playground import Playground
from service import Service

RED = "#bf3b1b"


@pytest.fixture
def whole(shared: Playground) -> Playground:
    """The page with all chapters started, at rest."""
    shared.page.set_viewport_size({"width": 1440, "height": 900})
    return shared.see_everything()


def edges(playground: Playground, selector: str) -> dict[str, float]:
    return playground.page.locator(selector).first.evaluate(
        "node => { const { left, right, top, bottom } = node.getBoundingClientRect(); return { left, right, top: top + scrollY, bottom: bottom + scrollY }; }"
    )


def test_every_chapter_begins_and_ends_at_the_same_lines(whole: Playground) -> None:
    begins = (".wordmark", "h1", ".lab", ".gallery-head .lead", ".gallery", "#bar .lead", ".elsewhere", ".status-block", "#interfaces .lead", ".interfaces", ".bottom p")
    assert {selector: edges(whole, selector)["left"] for selector in begins} == pytest.approx(dict.fromkeys(begins, 88), abs=1)
    ends = (".top nav", ".hero p", ".lab-side", ".code", ".gallery", ".inspector", ".elsewhere", ".interfaces", ".bottom p")
    assert {selector: edges(whole, selector)["right"] for selector in ends} == pytest.approx(dict.fromkeys(ends, 1352), abs=1)
    # The lead is above the curve, and its second part above the code.
    assert edges(whole, ".hero p")["left"] == pytest.approx(edges(whole, ".code")["left"], abs=0.5)


@pytest.mark.parametrize("width", [1024, 1180, 1440, 1920])
def test_no_column_leaves_a_void(whole: Playground, width: int) -> None:
    whole.page.set_viewport_size({"width": width, "height": 900})
    whole.settle()
    lab, facts, side = (edges(whole, selector) for selector in (".lab", ".lab-facts", ".lab-side"))
    assert side["right"] == pytest.approx(lab["right"], abs=0.5)
    # The columns of the lab are as high as their contents.
    last = whole.page.locator(".lab-facts > :last-child").evaluate("node => node.getBoundingClientRect().bottom + scrollY")
    assert lab["bottom"] - last < 400 and facts["bottom"] == pytest.approx(lab["bottom"], abs=1)
    if width >= 1160:
        below = edges(whole, ".elsewhere")["top"]
        for column in (".sheet .session-note", ".device", ".inspector"):
            assert below - edges(whole, column)["bottom"] < 250, column


def test_the_line_of_a_spring_ends_with_its_form(whole: Playground) -> None:
    last = whole.page.locator("[data-role=spring-a] .parameter").last.evaluate("node => node.getBoundingClientRect().bottom + scrollY")
    assert edges(whole, "[data-role=spring-a]")["bottom"] == pytest.approx(last, abs=1)


# Returns the words of code of which a part is on another line.
BROKEN = r"""() => [...document.querySelectorAll('.snippet pre code')].flatMap(code => {
    const broken = [];
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) for (const { 0: word, index } of texts.currentNode.data.matchAll(/[\w.-]*\w/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        if (range.getClientRects().length > 1) broken.push(word);
    }
    return broken; })"""


@pytest.mark.parametrize("width", [320, 390, 1440])
def test_no_word_of_code_is_broken(whole: Playground, width: int) -> None:
    whole.page.set_viewport_size({"width": width, "height": 900})
    whole.page.get_by_role("tab", name="CSS").click()
    whole.page.locator(".others").evaluate("others => { others.open = true; }")
    assert whole.page.locator(".snippet code").count() > 25
    assert whole.page.evaluate(BROKEN) == []
    # Nothing is cut off either.
    wide = whole.page.locator(".snippet pre").evaluate_all("all => all.filter(pre => pre.scrollWidth > pre.clientWidth + 1).map(pre => pre.textContent)")
    assert wide == []
    whole.page.locator(".others").evaluate("others => { others.open = false; }")
    whole.page.get_by_role("tab", name="SwiftUI").click()


def test_harmless_notes_are_not_in_red(open_page: Callable[..., Playground]) -> None:
    playground = open_page("/?convention=physical&mass=1&stiffness=100&damping=30", sees_bar=False)
    notes = playground.page.locator(".warnings li, .badge, .drawing:not(:empty)")
    expect(playground.page.locator(".badge.is-off").first).to_be_attached()
    colours = set(notes.evaluate_all("all => all.map(one => getComputedStyle(one).color)"))
    assert "rgb(191, 59, 27)" not in colours and len(colours) >= 2
    # What is wrong is red.
    playground.page.get_by_label("Stiffness of the spring, typed").fill("x")
    message = playground.part("lab-message")
    expect(message).to_contain_text("must be a number")
    assert message.evaluate("node => getComputedStyle(node).color") == "rgb(191, 59, 27)"


def test_plots_and_icons_are_in_the_red_of_the_page(service: Service) -> None:
    assert RED in service.get("/v1/springs/plot.svg?dampingRatio=0.6&response=0.4").content.decode()
    assert RED in service.get("/playground/icon.svg").content.decode()
    assert f"--accent: {RED}" in service.get("/playground/page.css").content.decode()


def test_a_browser_finds_an_icon_at_every_answer(service: Service, whole: Playground) -> None:
    answer = service.get("/favicon.ico")
    assert answer.status == 200 and answer.fields["content-type"] == "image/vnd.microsoft.icon"
    icon = Image.open(io.BytesIO(answer.content))
    assert icon.format == "ICO" and icon.size == (32, 32)
    assert icon.convert("RGB").getpixel((16, 2)) == (0xBF, 0x3B, 0x1B)
    expect(whole.page.locator("link[rel=icon]")).to_have_count(2)


def test_a_narrow_screen_has_no_sideways_scroll(open_page: Callable[..., Playground]) -> None:
    playground = open_page(viewport={"width": 320, "height": 640}).see_everything()
    playground.page.locator("main details").evaluate_all("all => all.forEach(one => { one.open = true; })")
    playground.part("compare-switch").check()
    for tab in ("CSS", "UIKit", "Flutter"):
        playground.page.get_by_role("tab", name=tab).click()
        assert playground.page.evaluate("document.documentElement.scrollWidth") == 320, tab
    playground.page.evaluate("scrollTo({ left: 50, behavior: 'instant' })")
    assert playground.page.evaluate("scrollX") == 0


def colours(thing: Locator) -> dict[Any, int]:
    """Returns the colours of a picture of a thing, with the number of their pixels."""
    picture = Image.open(io.BytesIO(thing.screenshot(animations="disabled"))).convert("RGB")
    return {colour: count for count, colour in picture.getcolors(1 << 24)}


def test_colours_of_the_system_show_choices_tracks_and_things(open_page: Callable[..., Playground]) -> None:
    playground = open_page(forced_colors="active").see_everything()
    page = playground.page
    background = "node => getComputedStyle(node).backgroundColor"
    for chosen, other in (
        (".choices input:checked + span", ".choices input:not(:checked) + span"),
        (".code-tabs [aria-selected=true]", ".code-tabs [aria-selected=false]"),
    ):
        assert page.locator(chosen).first.evaluate(background) != page.locator(other).first.evaluate(background)
    for selector in ("#initial-velocity", "[data-role=spring-a] input[type=range]", "#compactStateHeight"):
        page.locator("main details").evaluate_all("all => all.forEach(one => { one.open = true; })")
        track = colours(page.locator(selector).first)
        assert track.get((0, 0, 0), 0) > 300, f"the track of {selector}"
    for selector, least in (("[data-role=lane-a]", 1500), (".is-toggle", 1000), (".is-sheet", 1000), (".is-card", 1000), ("[data-interface=spring] .stage", 4000)):
        assert colours(page.locator(selector)).get((0, 0, 0), 0) > least, f"the thing of {selector}"
    assert colours(page.locator(".plot")).get((0, 0, 0), 0) > 500, "the curve"


def test_the_past_is_not_written_over_the_button(playground: Playground) -> None:
    playground.pull(-50)
    playground.settle(60)
    playground.part("step-back").click()
    note = playground.page.locator(".past-note")
    expect(note).to_have_css("opacity", "1")
    above, below = note.bounding_box(), playground.part("expand").bounding_box()
    assert above and below and above["y"] + above["height"] <= below["y"]


def test_without_javascript_the_page_says_so_at_its_top(browser: Browser, service: Service) -> None:
    context = browser.new_context(base_url=service.base, java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    # The browser runs no script and still parses as if it did, so the element is opened for it.
    html = service.get("/").content.decode()
    assert html.count("<noscript>") == 1
    shown = html.replace("<noscript>", "<div>").replace("</noscript>", "</div>")
    page.route("**/", lambda route: route.fulfill(body=shown, content_type="text/html"))
    page.goto("/")
    sentence = page.get_by_text("This page needs JavaScript.")
    expect(sentence).to_be_visible()
    box = sentence.bounding_box()
    assert box and box["y"] < 120
    context.close()


@pytest.mark.parametrize("width", [800, 1200, 1440])
def test_the_phone_stays_in_sight_beside_what_looks_into_it(open_page: Callable[..., Playground], width: int) -> None:
    """A past event can be selected while the phone is visible: what looks into it is as tall as the phone."""
    playground = open_page(viewport={"width": width, "height": 900})
    playground.part("replay").evaluate("button => button.scrollIntoView({ block: 'end', behavior: 'instant' })")
    box = playground.page.locator(".device [data-role=bar]").bounding_box()
    assert box and 40 <= box["y"] < 500
    covered = playground.page.evaluate(
        """() => { const phone = document.querySelector('.device');
            const meets = (a, b) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
            const found = [];
            for (let y = 0; y < document.body.scrollHeight; y += 90) {
                scrollTo({ top: y, behavior: 'instant' });
                for (const other of document.querySelectorAll('#bar > :not(.device-place)'))
                    if (meets(phone.getBoundingClientRect(), other.getBoundingClientRect())) found.push([y, other.className]);
            }
            return found; }"""
    )
    assert covered == []
