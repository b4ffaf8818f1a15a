"""A followed list is a good citizen of any page: focus, links, nested scrollers, keys, anchoring, and the document."""

from __future__ import annotations

import pytest

from pages import DOCUMENT, LIST, MAIN, ROOT_LIST, Stage

# What is scrolled into view.


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


@pytest.mark.parametrize(("body", "followed"), [(LIST, MAIN), (DOCUMENT, ROOT_LIST)], ids=["list", "document"])
def test_the_target_of_a_link_is_shown_below_the_bar_from_the_beginning(stage: Stage, body: str, followed: str) -> None:
    stage.open(body, followed=followed, fragment="#row20")
    assert stage.get("top_('#row20')") == pytest.approx(200, abs=1)
    stage.rests_at(200)
    assert stage.get("follower.y") == 20 * 97 - 200, "the content offset of the row"
    # The list begins there, without a gesture.
    log = "fetch(`/v1/bars/${follower.session.id}/events`).then((answer) => answer.json())"
    assert [event["type"] for event in stage.get(log)["events"]] == ["contentOffset"]


def test_an_offset_that_the_browser_restores_stays(stage: Stage) -> None:
    stage.open(DOCUMENT, followed=ROOT_LIST, fragment="#row20")
    stage.get("list.scrollTo({ top: 900, behavior: 'instant' })")
    stage.rest()
    stage.page.reload()
    stage.page.wait_for_function("window.follower?.session.id")
    stage.rest()
    assert stage.get("top_('#row20')") > 1000


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
def test_a_box_in_the_list_takes_a_touch_first(stage: Stage, selector: str) -> None:
    stage.open(NESTED)
    stage.get(DOWN)
    stage.rests_at(100)
    place = stage.get("list.scrollTop")
    inner = f"document.querySelector('{selector}').scrollTop"
    x, y = centre(stage, selector)
    stage.touch(dy=-60, x=min(x, 200), y=y)
    stage.page.wait_for_function(f"{inner} > 20")
    stage.rest()
    assert stage.get("list.scrollTop") == place
    # At its end, the list moves.
    stage.get(f"({inner} = 1e6, null)")
    stage.touch(dy=-60, x=min(x, 200), y=centre(stage, selector)[1])
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


FIELDS = """<header></header><main tabindex="0"><textarea id="row0" style="display: block; height: 100px; width: 300px"></textarea>
  <input type="range" style="display: block; height: 100px; width: 60px; writing-mode: vertical-lr" value="50">
  <div id="note" contenteditable style="height: 60px"><b>note</b></div><p id="free"></p><p style="height: 2000px"></p></main>
  <script>document.querySelector('textarea').value = 'line\\n'.repeat(9)</script>"""


@pytest.mark.parametrize("field", ["textarea", "input", "#note"])
def test_a_mouse_that_drags_the_list_drags_no_field(stage: Stage, field: str) -> None:
    stage.open(FIELDS, options="mouse: true")
    x, y = centre(stage, field)
    x = min(x, 60)
    for place, pulled in ((y, False), (centre(stage, "#free")[1], True)):
        stage.hand.press_at(x, place - 20)
        stage.hand.move(dy=-30)
        stage.hand.move(dy=60)
        assert (stage.get("follower.y") != -200) == pulled
        stage.hand.let_go()
        stage.rest()
    if field == "textarea":
        assert stage.get("document.querySelector('textarea').selectionEnd - document.querySelector('textarea').selectionStart") > 0


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


@pytest.mark.parametrize(
    ("style", "body", "followed"),
    [
        ("main { transform: scale(.5); transform-origin: 0 0 }", LIST, MAIN),
        ("main { zoom: 1.5 }", LIST, MAIN),
        ("html { zoom: 1.5 }", LIST, MAIN),
        ("html { zoom: 1.5 }", DOCUMENT, ROOT_LIST),
    ],
    ids=["scale", "zoom", "page", "document"],
)
def test_the_content_of_an_enlarged_list_stays_under_the_finger(stage: Stage, style: str, body: str, followed: str) -> None:
    stage.open(body, style, followed)
    stage.get("list.scrollTo({ top: 1500, behavior: 'instant' })")
    stage.rest()
    stage.hand.press_at(100, 280, kind="touch")
    stage.hand.move(dy=-20)
    before = stage.get("top_('#row20')")
    stage.hand.move(dy=-100)
    assert stage.get("top_('#row20')") == pytest.approx(before - 100, abs=2)
    stage.hand.let_go()


# Keys.


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


def test_a_key_that_does_not_scroll_stops_nothing(stage: Stage) -> None:
    fields = ("<input>", "<textarea></textarea>", "<select><option>a</option></select>", "<p contenteditable></p>", "<button>a</button>", "<details><summary>a</summary></details>")
    stage.open(f'<header></header><main tabindex="0"><p id="row0"></p>{"".join(fields)}<p style="height: 2000px"></p></main>')
    stage.get("(document.querySelector('p').tabIndex = 0, null)")
    stage.get("(document.querySelector('p').addEventListener('keydown', (event) => event.preventDefault()), null)")
    for selector in ("input", "textarea", "select", "[contenteditable]", "button", "summary", "p"):
        stage.get(f"(document.querySelector('{selector}').focus(), follower.expand(true), frames_(2))")
        stage.page.keyboard.press("Space")
        assert stage.get("follower.isOpen"), selector
        stage.rests_at(300)
        stage.page.keyboard.press("Escape")
        stage.get("follower.expand(false)")
        stage.rests_at(200)
    stage.get("(list.focus(), follower.expand(true), frames_(2))")
    stage.page.keyboard.press("PageDown")
    stage.rests_at(100)


# The document as the list.


def test_the_document_is_a_list(stage: Stage) -> None:
    stage.open(DOCUMENT, followed=ROOT_LIST)
    assert stage.get("top_('#row0')") == 200
    # test_engines.py has keys, hands and wheels. Beyond its beginning it resists, and the bar stays at the top of the window.
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
    stage.get("scrollTo(0, 1e6)")
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
    stage.get("scrollTo(0, 2000)")
    stage.rest()
    place = stage.get("top_('#row20')")
    assert stage.get("follower.stop().then(() => list.style.cssText)") == ""
    assert stage.get("top_('#row20')") == pytest.approx(place, abs=1)


#: The overflow of the root and of the body, and whether the document can be scrolled then.
OVERFLOWS = [("hidden", "visible", False), ("clip", "visible", False), ("visible", "hidden", False), ("visible", "clip", False), ("auto", "hidden", True)]


def test_a_document_that_is_locked_below_a_dialog_follows_no_finger_and_no_wheel(stage: Stage) -> None:
    stage.open(DOCUMENT, followed=ROOT_LIST)
    stage.page.mouse.move(200, 400)

    def check() -> None:
        for root, body, scrolls in OVERFLOWS:
            stage.get(f"(list.style.overflow = '{root}', document.body.style.overflow = '{body}', scrollTo(0, 1000))")
            stage.rest()
            for move in (lambda: stage.touch(-60), lambda: stage.page.mouse.wheel(0, 100)):
                before = stage.get("scrollY")
                move()
                if scrolls:
                    stage.page.wait_for_function(f"scrollY > {before} + 20")
                # More frames than a browser takes to begin a scroll.
                stage.get("frames_(15)")
                stage.rest()
                assert (stage.get("scrollY") > before) == scrolls, (root, body)

    check()
    stage.get("(list.style.overflow = 'hidden', follower.expand(true))")
    stage.rests_at(300)
    # The browser alone does the same.
    stage.get("follower.stop()")
    check()


def test_a_list_in_another_document_is_refused_and_left_as_it_was(stage: Stage) -> None:
    stage.open()
    refusal = stage.get("""(async () => { const frame = document.createElement('iframe'); document.body.append(frame);
        frame.contentDocument.body.innerHTML = '<main style="height: 100px; overflow: auto"><p style="height: 900px"></p></main>';
        const other = frame.contentDocument.querySelector('main'); const before = other.outerHTML;
        const { Springbar } = await import('/client/springbar.js');
        const { configuration } = follower.body;
        const name = await new Springbar().follow(other, { bar() {}, configuration }).catch(({ name }) => name);
        return [name, other.outerHTML === before]; })()""")
    assert refusal == ["NotAllowedError", True]


@pytest.mark.parametrize(
    ("followed", "says"),
    [("document.body", "pass document.scrollingElement"), ("document.querySelector('#grows')", "overflow-y: scroll"), ("document.querySelector('#visible')", "overflow-y: scroll")],
)
def test_an_element_that_does_not_scroll_is_reported(stage: Stage, followed: str, says: str) -> None:
    body = "<div id='grows' style='overflow: auto'><p id='row0'></p></div><div id='visible' style='height: 90px'></div>" + DOCUMENT
    stage.open(body, followed=followed)
    assert len(stage.warnings) == 1 and says in stage.warnings[0] and "does not scroll" in stage.warnings[0], stage.warnings


def test_a_list_that_begins_at_its_lower_end_is_reported_and_scrolls_without_the_bar(stage: Stage) -> None:
    stage.open(style="main { display: flex; flex-direction: column-reverse } main p { flex: none }")
    assert len(stage.warnings) == 1 and "column-reverse" in stage.warnings[0], stage.warnings
    stage.touch(dy=250, y=200)
    stage.page.wait_for_function("list.scrollTop < -200")
    stage.page.mouse.move(200, 400)
    stage.page.mouse.wheel(0, -500)
    stage.page.wait_for_function("list.scrollTop < -700")
    stage.rests_at(200)
    place = stage.get("list.scrollTop")
    assert place < -700
    stage.get("(list.append(document.createElement('p')), follower.expand())")
    stage.rests_at(300)
    stage.get("follower.stop()")
    assert abs(stage.get("list.scrollTop") - place) < 1


# Taps.


def test_a_tap_that_stops_an_animation_lets_the_bar_come_to_rest(stage: Stage) -> None:
    stage.open()
    stage.get(
        "(list.addEventListener('click', () => (clicks += 1)),"
        " addEventListener('pointerdown', () => (isMoving = 200 < bar() && bar() < 300), true))"
    )
    for _ in range(20):
        stage.get("(window.clicks = 0, follower.expand(), frames_(4))")
        stage.touch(0, y=400)
        stage.rest()
        # On a busy machine the animation can end before the tap, which is a click then.
        if stage.get("isMoving"):
            break
        stage.get("follower.expand(false)")
        stage.rest()
    assert stage.get("isMoving")
    assert stage.get("clicks") == 0
    assert stage.get("bar()") == stage.get("follower.session.state.height") in (200, 300)
    assert stage.get("top_('#row0')") == stage.get("bar()")
