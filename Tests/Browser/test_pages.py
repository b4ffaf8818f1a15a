"""A followed list is a good citizen of any page: focus, links, nested scrollers, keys, anchoring, and the document."""

from __future__ import annotations

import os
from typing import Any, Iterator

import pytest
from playwright.sync_api import Browser, Page

from conftest import serve_from_disk
from hand import Hand
from servers import TIMEOUT, Server

HEAD = """<!doctype html><meta name="viewport" content="width=device-width">
<style>
  body { margin: 0 }
  header { position: fixed; z-index: 1; top: 0; width: 100%; background: #1d4ed8; pointer-events: none }
  main { height: 600px; overflow-y: scroll }
  main p { margin: 0; height: 97px }
</style>"""
LIST = """<header></header><main tabindex="0"></main>
<script>for (let row = 0; row < 40; row += 1) document.querySelector('main').insertAdjacentHTML('beforeend',
  `<p id="row${row}"><a href="#row${row}">Row ${row}</a></p>`)</script>"""
#: The document as the list.
DOCUMENT = LIST.replace("<main tabindex=\"0\">", "<main style='height: auto; overflow: visible'>")

FOLLOW = """
const { Springbar } = await import('/client/springbar.js');
const configuration = { compactStateHeight: 100, normalStateHeight: 200, expandedStateHeight: 300 };
window.list = LIST;
window.follower = await new Springbar().follow(list, { bar: document.querySelector('header'), configuration });
window.frames_ = async (count) => { for (; count > 0; count -= 1) await new Promise(requestAnimationFrame) };
window.top_ = (selector) => document.querySelector(selector).getBoundingClientRect().top;
window.bar = () => document.querySelector('header').getBoundingClientRect().height;
"""
MAIN = "document.querySelector('main')"
ROOT_LIST = "document.scrollingElement"


class Stage:
    """A page with a followed list, and its console."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.hand = Hand(page)
        self.errors: list[str] = []
        self.warnings: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: message.type == "warning" and self.warnings.append(message.text))

    def open(self, body: str = LIST, style: str = "", followed: str = MAIN) -> "Stage":
        script = FOLLOW.replace("LIST", followed)
        html = f'{HEAD}<style>{style}</style>{body}<script type="module">{script}</script>'
        self.page.route("**/blank", lambda route: route.fulfill(body=html, content_type="text/html"))
        self.page.goto("/blank")
        self.page.wait_for_function("window.follower?.session.id")
        return self.rest()

    def rest(self) -> "Stage":
        """Waits until nothing moves: also what an input causes only in a later frame."""
        self.page.evaluate("frames_(3)")
        self.page.wait_for_function("follower.isAtRest")
        return self

    def get(self, expression: str) -> Any:
        return self.page.evaluate(expression)

    def rests_at(self, height: float) -> None:
        self.rest()
        assert self.get("bar()") == height
        assert self.get("follower.session.state.height") == height

    def gap(self) -> float:
        """The distance of the bar and the beginning of the list, where the bar is not compact."""
        return abs(self.get("bar()") - max(100, self.get("top_('#row0')")))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.rest()

    def touch(self, dy: float, y: float = 500, x: float = 200, dx: float = 0, rest: bool = True) -> None:
        self.hand.press_at(x, y, kind="touch")
        self.hand.move(dy=dy, dx=dx)
        self.hand.let_go(rest)


@pytest.fixture
def stage(browser: Browser, service: Server) -> Iterator[Stage]:
    context = browser.new_context(base_url=service.base, viewport={"width": 390, "height": 700}, has_touch=True)
    context.set_default_timeout(TIMEOUT * 1000)
    if os.environ.get("PLAYGROUND_FROM_DISK"):
        serve_from_disk(context, service)
    stage = Stage(context.new_page())
    yield stage
    try:
        assert stage.errors == []
    finally:
        context.close()


# What is scrolled into view.


@pytest.mark.parametrize(("body", "followed"), [(LIST, MAIN), (DOCUMENT, ROOT_LIST)], ids=["list", "document"])
def test_no_link_has_the_focus_under_the_bar(stage: Stage, body: str, followed: str) -> None:
    """WCAG 2.4.11, Focus Not Obscured."""
    stage.open(body, followed=followed)
    covered = []
    stage.get("(document.querySelector('#row30 a').focus(), null)")
    for row in range(29, -1, -1):
        stage.page.keyboard.press("Shift+Tab")
        stage.rest()
        assert stage.get("document.activeElement.textContent") == f"Row {row}"
        if stage.get("document.activeElement.getBoundingClientRect().top") < stage.get("bar()") - 1:
            covered.append(row)
    assert covered == []
    assert stage.get("bar()") == 200


@pytest.mark.parametrize(("body", "followed"), [(LIST, MAIN), (DOCUMENT, ROOT_LIST)], ids=["list", "document"])
@pytest.mark.parametrize("goes", ["location.hash = 'row{}'", "document.querySelector('#row{}').scrollIntoView()"])
def test_a_target_is_shown_below_the_bar(stage: Stage, body: str, followed: str, goes: str) -> None:
    stage.open(body, followed=followed)
    # Down, up by a little, up to the beginning.
    for row in (20, 19, 3, 0):
        stage.get(f"({goes.format(row)}, null)")
        stage.rest()
        top, bar = stage.get(f"top_('#row{row}')"), stage.get("bar()")
        assert bar - 1 <= top <= 300, f"row {row} at {top}, bar {bar}"


def test_an_own_scroll_padding_is_added(stage: Stage) -> None:
    stage.open(style="main { scroll-padding-top: 16px }")
    stage.get("document.querySelector('#row20').scrollIntoView()")
    stage.rest()
    assert stage.get("getComputedStyle(list).scrollPaddingTop") == "216px"
    assert stage.get("follower.stop().then(() => list.style.cssText)") == ""


# Gestures of elements within the list.

NESTED = """<header></header><main tabindex="0"><div id="row0" style="height: 200px"></div>
  <div id="box" style="height: 150px; overflow-y: auto"><div style="height: 500px"></div></div>
  <textarea id="text" style="display: block; height: 100px; box-sizing: border-box"></textarea>
  <div id="carousel" style="height: 100px; overflow-x: auto"><div style="width: 2000px; height: 90px"></div></div>
  <div id="drawing" style="height: 100px; touch-action: none"></div>
  <div style="height: 2000px"></div></main>
  <script>document.querySelector('textarea').value = 'line\\n'.repeat(60)</script>"""
#: The bar is compact, so that the list can move in both directions.
DOWN = "list.scrollTo({ top: 180, behavior: 'instant' })"


def centre(stage: Stage, selector: str) -> tuple[float, float]:
    box = stage.page.locator(selector).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("selector", ["#box", "#text"])
@pytest.mark.parametrize("device", ["wheel", "touch"])
def test_a_box_in_the_list_scrolls_first(stage: Stage, selector: str, device: str) -> None:
    stage.open(NESTED)
    stage.get(DOWN)
    stage.rests_at(100)
    place = stage.get("list.scrollTop")
    inner = f"document.querySelector('{selector}').scrollTop"

    def scroll(dy: float) -> None:
        x, y = centre(stage, selector)
        if device == "touch":
            return stage.touch(dy=-dy, x=min(x, 200), y=y)
        stage.page.mouse.move(min(x, 60), y)
        stage.page.mouse.wheel(0, dy)

    scroll(60)
    stage.page.wait_for_function(f"{inner} > 20")
    stage.rest()
    assert stage.get("list.scrollTop") == place
    # At its end, the list moves.
    stage.get(f"({inner} = 1e6, null)")
    scroll(60)
    stage.page.wait_for_function(f"list.scrollTop > {place} + 20")


def test_a_carousel_in_the_list_scrolls_sideways_and_the_list_up_and_down(stage: Stage) -> None:
    stage.open(NESTED)
    stage.get(DOWN)
    stage.rests_at(100)
    place = stage.get("list.scrollTop")
    x, y = centre(stage, "#carousel")
    stage.touch(dy=8, dx=-150, x=300, y=y)
    stage.page.wait_for_function("document.querySelector('#carousel').scrollLeft > 50")
    stage.page.mouse.move(x, y)
    stage.page.mouse.wheel(100, 20)
    stage.page.wait_for_function("document.querySelector('#carousel').scrollLeft > 200")
    stage.rest()
    assert stage.get("list.scrollTop") == place
    stage.touch(dy=-60, y=y)
    stage.rest()
    assert stage.get("list.scrollTop") > place + 20


def test_an_element_with_touches_of_its_own_keeps_them(stage: Stage) -> None:
    stage.open(NESTED)
    stage.get(DOWN.replace("180", "400"))
    stage.rests_at(100)
    place = stage.get("list.scrollTop")
    stage.get("""(window.moves = 0, document.querySelector('#drawing').addEventListener('pointermove', () => (moves += 1)), null)""")
    _, y = centre(stage, "#drawing")
    stage.touch(dy=-60, y=y)
    stage.rest()
    assert stage.get("moves") > 5 and stage.get("list.scrollTop") == place


# Keys.


@pytest.mark.parametrize(("body", "followed"), [(LIST, MAIN), (DOCUMENT, ROOT_LIST)], ids=["list", "document"])
def test_keys_make_progress(stage: Stage, body: str, followed: str) -> None:
    stage.open(body, followed=followed)
    if followed == MAIN:
        stage.page.locator("main").focus()
    places = []
    for _ in range(6):
        stage.press("ArrowDown")
        places.append(stage.get("follower.y"))
    assert places == sorted(places) and places[-1] > -60, places
    stage.rests_at(100)
    stage.press("PageDown")
    assert stage.get("follower.y") > places[-1] + 300
    stage.press("Home")
    stage.rests_at(200)
    assert stage.gap() <= 0.5
    stage.press("PageDown")
    stage.rests_at(100)
    below = stage.get("follower.y")
    stage.press("ArrowUp")
    stage.rests_at(200)
    assert stage.get("follower.y") < below
    stage.press("End")
    stage.rests_at(100)
    assert stage.get("list.scrollTop + list.clientHeight") == pytest.approx(stage.get("list.scrollHeight"), abs=1.5)


@pytest.mark.parametrize(("body", "followed"), [(LIST, MAIN), (DOCUMENT, ROOT_LIST)], ids=["list", "document"])
def test_the_glide_of_a_browser_is_not_interrupted(stage: Stage, body: str, followed: str) -> None:
    """A write of the offset ends a smooth scroll; WebKit scrolls by keys in this way."""
    stage.open(body, followed=followed)
    # Writes count until the browser's own scroll is within a pixel of its target: then the bar may snap.
    stage.get("""{ window.writes = 0; const scrollTo = Element.prototype.scrollTo;
        Element.prototype.scrollTo = function (...to) {
          writes += !window.isOwn && Math.abs(list.scrollTop - target) >= 1; return scrollTo.apply(this, to); };
        window.glide = (top) => { window.isOwn = true; window.target = top;
          list.scrollTo({ top, behavior: 'smooth' }); window.isOwn = false; } }""")
    for top in (700, 0, 640):
        stage.get(f"(writes = 0, glide({top}))")
        stage.page.wait_for_function(f"Math.abs(list.scrollTop - {top}) < 1")
        assert stage.get("writes") == 0
        stage.rest()
        stage.rests_at(200 if top == 0 else 100)


# The document as the list.


def test_the_document_is_a_list(stage: Stage) -> None:
    stage.open(DOCUMENT, followed=ROOT_LIST)
    assert stage.get("top_('#row0')") == 200
    stage.hand.press_at(200, 500, kind="touch")
    stage.hand.move(dy=-80)
    assert stage.gap() <= 0.5 and 100 < stage.get("bar()") < 200
    stage.hand.let_go()
    stage.rests_at(100)
    stage.press("Home")
    stage.rests_at(200)
    # Beyond its beginning it resists, and the bar stays at the top of the window.
    stage.touch(130, y=300)
    stage.rests_at(300)
    stage.hand.press_at(200, 300, kind="touch")
    stage.hand.move(dy=-40)
    stage.hand.move(dy=240)
    assert 310 < stage.get("top_('#row0')") < 480
    assert stage.get("top_('header')") == 0
    stage.hand.let_go()
    stage.rests_at(300)
    assert stage.get("top_('#row0')") == pytest.approx(300, abs=1)
    stage.page.mouse.move(200, 400)
    stage.page.mouse.wheel(0, 500)
    stage.rests_at(100)
    stage.get("scrollTo(0, 0)")
    stage.rests_at(200)
    stage.get("scrollTo(0, 1e6)")
    stage.rests_at(100)
    # At the end, too; the content comes back.
    end = stage.get("top_('#row39')")
    stage.hand.press_at(200, 300, kind="touch")
    stage.hand.move(dy=40)
    stage.hand.move(dy=-200)
    assert stage.get("top_('#row39')") < end - 20
    stage.hand.let_go()
    stage.rest()
    assert stage.get("top_('#row39')") == pytest.approx(end, abs=1)
    assert stage.warnings == []
    stage.page.set_viewport_size({"width": 390, "height": 500})
    stage.page.wait_for_function("follower.session.snapshot.scrollable.frame.height === 500")
    assert stage.get("follower.stop().then(() => list.style.cssText)") == ""


@pytest.mark.parametrize(
    ("followed", "says"),
    [("document.body", "pass document.scrollingElement"), ("document.querySelector('#grows')", "overflow-y: scroll"), ("document.querySelector('#visible')", "overflow-y: scroll")],
)
def test_an_element_that_does_not_scroll_is_reported(stage: Stage, followed: str, says: str) -> None:
    body = "<div id='grows' style='overflow: auto'><p id='row0'></p></div><div id='visible' style='height: 90px'></div>" + DOCUMENT
    stage.open(body, followed=followed)
    assert len(stage.warnings) == 1 and says in stage.warnings[0] and "does not scroll" in stage.warnings[0], stage.warnings


# Taps.


def test_a_tap_that_stops_a_glide_does_not_click(stage: Stage) -> None:
    stage.open()
    stage.get("(window.clicks = 0, list.addEventListener('click', () => (clicks += 1)), null)")
    stage.touch(-300, rest=False)
    stage.get("frames_(5)")
    assert not stage.get("follower.isAtRest")
    stage.touch(0, y=400)
    stopped = stage.get("list.scrollTop")
    stage.rest()
    assert (stage.get("clicks"), stage.get("list.scrollTop")) == (0, stopped)
    # A tap on a list at rest clicks.
    stage.touch(0, y=400)
    stage.page.wait_for_function("clicks === 1")


def test_a_tap_that_stops_an_animation_lets_the_bar_come_to_rest(stage: Stage) -> None:
    stage.open()
    stage.get("(window.clicks = 0, list.addEventListener('click', () => (clicks += 1)), follower.expand(), frames_(4))")
    assert 200 < stage.get("bar()") < 300
    stage.touch(0, y=400)
    stage.rest()
    assert stage.get("clicks") == 0
    assert stage.get("bar()") == stage.get("follower.session.state.height") in (200, 300)
    assert stage.get("top_('#row0')") == stage.get("bar()")


# Anchoring.


@pytest.mark.parametrize(("body", "followed"), [(LIST, MAIN), (DOCUMENT, ROOT_LIST)], ids=["list", "document"])
def test_content_that_is_added_above_moves_nothing(stage: Stage, body: str, followed: str) -> None:
    stage.open(body, followed=followed)
    # Down, and a little up: the bar is normal in the middle of the list.
    stage.get("list.scrollTo({ top: 1500, behavior: 'instant' })")
    stage.rest()
    stage.get("list.scrollTo({ top: 1350, behavior: 'instant' })")
    stage.rests_at(200)
    place = stage.get("top_('#row15')")
    stage.get("""(document.querySelector('main').prepend(Object.assign(document.createElement('div'), { id: 'new', style: 'height: 500px' })), null)""")
    stage.rests_at(200)
    assert stage.get("top_('#row15')") == pytest.approx(place, abs=0.5)
    # A photo without a size is loaded later; it is further inside.
    stage.get("(document.querySelector('#row2').style.height = 'auto', document.querySelector('#row2').append(Object.assign(document.createElement('div'), { style: 'height: 343px' })), null)")
    stage.rests_at(200)
    assert stage.get("top_('#row15')") == pytest.approx(place, abs=0.5)
    stage.get("(document.querySelector('#new').remove(), null)")
    stage.rests_at(200)
    assert stage.get("top_('#row15')") == pytest.approx(place, abs=0.5)
    assert stage.get("follower.session.snapshot.scrollable.contentOffset.y") == pytest.approx(stage.get("follower.y"), abs=0.01)


def test_content_that_is_added_during_a_gesture_moves_nothing(stage: Stage) -> None:
    stage.open()
    stage.get("list.scrollTo({ top: 1500, behavior: 'instant' })")
    stage.rest()
    stage.hand.press_at(200, 500, kind="touch")
    stage.hand.move(dy=-50)
    place = stage.get("top_('#row15')")
    stage.get("(document.querySelector('#row2').style.height = '597px', frames_(3))")
    stage.hand.move(dy=-30)
    assert stage.get("top_('#row15')") == pytest.approx(place - 30, abs=1)
    stage.hand.let_go(rest=False)
    stage.get("frames_(2)")
    stage.get("(document.querySelector('#row2').style.height = '97px', frames_(2))")
    stage.rest()
    assert place - 1000 < stage.get("top_('#row15')") < place - 20


def test_at_its_beginning_a_list_shows_what_is_added_there(stage: Stage) -> None:
    stage.open()
    stage.get("""(document.querySelector('main').prepend(Object.assign(document.createElement('p'), { id: 'new' })), null)""")
    stage.rests_at(200)
    assert stage.get("top_('#new')") == 200


# Styles of the page.

SECTIONS = """<header></header><main tabindex="0"><div id="row0"></div></main><script>
  for (let part = 0; part < 9; part += 1) document.querySelector('main').insertAdjacentHTML('beforeend',
    `<section><h2 id="head${part}">Part ${part}</h2><p></p><p></p><p></p><p></p></section>`)</script>"""
STICKY = "h2 { position: sticky; top: calc(var(--springbar-height) - var(--springbar-inset)); margin: 0; height: 40px }"


def test_sticky_section_headers_are_at_the_bar(stage: Stage) -> None:
    stage.open(SECTIONS, STICKY)
    stage.hand.press_at(200, 500, kind="touch")
    for dy in (-30, -30, -200, 60, 60):
        stage.hand.move(dy=dy)
        stuck = stage.get("Math.min(...[...document.querySelectorAll('h2')].map((head) => head.getBoundingClientRect().top).filter((top) => top > 50))")
        assert stuck == pytest.approx(stage.get("bar()"), abs=0.5)
    stage.hand.let_go()
    # They are no anchors: a part that grows above is not seen.
    stage.get("list.scrollTo({ top: 1000, behavior: 'instant' })")
    stage.rest()
    place = stage.get("top_('section:nth-of-type(3) p:nth-of-type(4)')")
    stage.get("(document.querySelector('section:nth-of-type(1) p').style.height = '300px', null)")
    stage.rest()
    assert stage.get("top_('section:nth-of-type(3) p:nth-of-type(4)')") == pytest.approx(place, abs=0.5)


def test_a_list_that_would_snap_its_rows_is_reported_and_follows(stage: Stage) -> None:
    stage.open(style="main { scroll-snap-type: y mandatory } main p { scroll-snap-align: start; height: 300px }")
    assert len(stage.warnings) == 1 and "scroll-snap-type" in stage.warnings[0] and "options.snap" in stage.warnings[0]
    stage.hand.press_at(200, 500, kind="touch")
    for _ in range(4):
        stage.hand.move(dy=-20)
        assert stage.gap() <= 0.5
    stage.hand.let_go()
    stage.rests_at(100)
    assert stage.get("follower.stop().then(() => getComputedStyle(list).scrollSnapType)") == "y mandatory"


def test_the_padding_of_a_list_is_kept(stage: Stage) -> None:
    stage.open(style="main { padding: 24px 16px 32px }")
    assert stage.get("[top_('#row0'), document.querySelector('#row0').getBoundingClientRect().left]") == [224, 16]
    assert stage.get("follower.session.snapshot.scrollable.contentSize.height") == 24 + 40 * 97 + 32
    stage.get("follower.expand()")
    stage.rests_at(300)
    assert stage.get("top_('#row0')") == 324
    stage.get("list.scrollTo({ top: 1e6, behavior: 'instant' })")
    stage.rests_at(100)
    assert stage.get("document.querySelector('#row39').getBoundingClientRect().bottom") == 600 - 32
    assert stage.get("follower.stop().then(() => getComputedStyle(list).paddingTop)") == "24px"


@pytest.mark.parametrize(
    "style",
    [
        "main { display: grid; grid-template-columns: 1fr 1fr; gap: 20px }",
        "main { display: flex; flex-wrap: wrap; row-gap: 20px } main p { width: 50% }",
        "main { display: flex; flex-direction: column; gap: 20px } main p { flex: none }",
        "main p { float: left; width: 50% }",
    ],
)
def test_the_content_of_a_grid_ends_with_its_last_row(stage: Stage, style: str) -> None:
    stage.open(LIST.replace("row < 40", "row < 3"), style)
    end = "document.querySelector('#row2').getBoundingClientRect().bottom"
    assert stage.get("follower.session.snapshot.scrollable.contentSize.height") == stage.get(f"{end} - top_('#row0')")
    stage.touch(-150)
    stage.rests_at(100)
    assert stage.gap() <= 0.5
    # With more rows, the list ends with the last one.
    stage.get("(document.querySelector('#row2').style.height = '1500px', null)")
    stage.rest()
    stage.get("list.scrollTo({ top: 1e6, behavior: 'instant' })")
    stage.rests_at(100)
    assert stage.get(end) == pytest.approx(600, abs=1)


@pytest.mark.parametrize(
    ("style", "body", "followed", "says"),
    [
        ("header { position: static }", LIST, MAIN, "position: absolute"),
        ("header { position: relative }", DOCUMENT, ROOT_LIST, "position: fixed"),
    ],
)
def test_a_bar_in_the_normal_flow_is_reported(stage: Stage, style: str, body: str, followed: str, says: str) -> None:
    stage.open(body, style, followed)
    assert len(stage.warnings) == 1 and says in stage.warnings[0], stage.warnings


def test_a_page_that_is_right_has_no_warnings(stage: Stage) -> None:
    stage.open()
    stage.touch(-150)
    stage.rests_at(100)
    assert stage.warnings == []
