"""A followed list whose content changes, and which has styles of its page."""

from __future__ import annotations

import pytest

from pages import DOCUMENT, LIST, MAIN, ROOT_LIST, Stage

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


# Content that outgrows a child of the list, or shrinks.

ROWS = """<header></header><main tabindex="0"><div id="inner"></div></main>
<script>document.querySelector('#inner').innerHTML = Array.from({ length: 8 }, (_, row) => `<p id="row${row}"></p>`).join('')</script>"""
SLOTTED = """<header></header><x-feed id="inner"></x-feed><script>
  customElements.define('x-feed', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML =
    '<style>main { height: 600px; overflow-y: scroll }</style><main tabindex="0"><slot></slot></main>' } });
  document.querySelector('#inner').innerHTML = Array.from({ length: 8 }, (_, row) => `<p id="row${row}"></p>`).join('')</script>"""
#: Children of which the size stays when their content grows.
OUTGROWN = {
    "document": (ROWS, "html, body { height: 100% } body main { height: auto; overflow: visible }", ROOT_LIST),
    "child": (ROWS, "#inner { height: 100% }", MAIN),
    "contents": (ROWS, "#inner { display: contents }", MAIN),
    "slot": (SLOTTED, "p { margin: 0; height: 97px }", "document.querySelector('x-feed').shadowRoot.querySelector('main')"),
}
APPEND = "(document.querySelector('#inner').append(...Array.from({ length: 32 }, () => document.createElement('p'))), frames_(3))"
RANGE = "list.scrollHeight - list.clientHeight"


@pytest.mark.parametrize(("body", "style", "followed"), OUTGROWN.values(), ids=OUTGROWN)
def test_content_that_outgrows_a_child_is_reached(stage: Stage, body: str, style: str, followed: str) -> None:
    stage.open(body, f"p {{ margin: 0; height: 97px }} {style}", followed)
    stage.get(APPEND)
    assert stage.get(RANGE) > 3000
    # A browser's scroll is not undone when it ends.
    stage.get("list.scrollTo({ top: 2000, behavior: 'instant' })")
    stage.rest()
    stage.page.wait_for_timeout(300)
    stage.rest()
    assert stage.get("list.scrollTop") == 2000
    assert stage.get("follower.session.snapshot.scrollable.contentSize.height") >= 40 * 97


@pytest.mark.parametrize("gesture", ["touch", "wheel"])
@pytest.mark.parametrize(("body", "style", "followed"), OUTGROWN.values(), ids=OUTGROWN)
def test_content_that_outgrows_a_child_is_reached_by_a_gesture(stage: Stage, gesture: str, body: str, style: str, followed: str) -> None:
    stage.open(body, f"p {{ margin: 0; height: 97px }} {style}", followed)
    stage.get(APPEND)
    stage.page.mouse.move(200, 400)
    for _ in range(2):
        if gesture == "touch":
            stage.touch(-450)
        else:
            stage.page.mouse.wheel(0, 450)
        stage.rest()
    assert stage.get("list.scrollTop") > 800


def test_a_list_of_which_less_is_left_than_fits_is_not_blank(stage: Stage) -> None:
    stage.open()
    stage.get("list.scrollTo({ top: 2500, behavior: 'instant' })")
    stage.rests_at(100)
    stage.get("(document.querySelectorAll('main p').forEach((row, index) => index >= 3 && row.remove()), null)")
    stage.rest()
    stage.page.wait_for_function("bar() === 200")
    stage.rests_at(200)
    assert stage.get("[list.scrollTop, follower.y, top_('#row0')]") == [0, -200, 200]


@pytest.mark.parametrize(("body", "followed"), [(LIST, MAIN), (DOCUMENT, ROOT_LIST)], ids=["list", "document"])
def test_content_that_shrinks_below_its_visible_part_is_not_content_above(stage: Stage, body: str, followed: str) -> None:
    one = "<div id='row0' style='height: 3000px'></div></main>"
    stage.open(body[: body.index("<script>")].replace("</main>", one), followed=followed)
    for _ in range(3):
        stage.touch(-400)
    stage.rests_at(100)
    stage.get("(document.querySelector('#row0').style.height = '200px', null)")
    stage.rest()
    stage.page.wait_for_timeout(300)
    stage.rests_at(200)
    assert stage.get("[follower.y, follower.session.snapshot.scrollable.contentOffset.y, top_('#row0')]") == [-200, -200, 200]


# A list that is hidden, or that moves to another place in the page.


def test_a_list_that_was_hidden_or_moved_is_where_the_bar_expects_it(stage: Stage) -> None:
    stage.open()
    place = lambda: stage.get("[follower.y, top_('#row0') + follower.y]")
    down = "list.scrollTo({ top: 1000, behavior: 'instant' })"
    # What happens while it is hidden is seen when it is shown again.
    stage.get(down)
    stage.rests_at(100)
    stage.get("(list.style.display = 'none', follower.expand(true))")
    stage.rests_at(300)
    stage.get("(list.style.display = '', null)")
    stage.page.wait_for_function("top_('#row0') === 300")
    assert place() == [-300, 0]
    # Nothing happens.
    stage.get(down)
    stage.rests_at(100)
    before = place()
    stage.get("(list.style.display = 'none', frames_(3))")
    stage.get("(list.style.display = '', null)")
    stage.rests_at(100)
    assert place() == before
    # A browser forgets the offset of an element that is inserted again.
    stage.get("(list.remove(), frames_(3))")
    stage.get("document.body.append(list)")
    stage.page.wait_for_function("bar() === 200")
    stage.rests_at(200)
    assert place() == [-200, 0]
    stage.get(down)
    stage.rests_at(100)
    stage.get("document.body.append(list)")
    stage.touch(-3)
    stage.rests_at(200)
    assert place() == [-200, 0]


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


@pytest.mark.parametrize("transition", ["all .3s", "translate .3s ease .2s"])
def test_rows_with_transitions_follow_a_pull_at_once(stage: Stage, transition: str) -> None:
    stage.open(style=f"main p {{ transition: {transition} }} main .fades {{ transition: opacity 60s }}")
    stage.get("(row0.className = 'fades', frames_(2))")
    stage.get("(row0.style.opacity = 0, null)")
    stage.hand.press_at(200, 500, kind="touch")
    stage.hand.move(dy=270)
    assert stage.get("list.dataset.springbar") == "shifted"
    assert stage.get("top_('#row1')") - 97 == pytest.approx(-stage.get("follower.y"), abs=0.5)
    # A transition that runs goes on.
    assert stage.get("row0.getAnimations().map(({ transitionProperty, playState }) => transitionProperty + playState)") == ["opacityrunning"]
    stage.hand.let_go()
    stage.rest()


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


@pytest.mark.parametrize(("body", "followed"), [(LIST, MAIN), (DOCUMENT, ROOT_LIST)], ids=["list", "document"])
def test_a_padding_that_depends_on_the_width_is_read_again(stage: Stage, body: str, followed: str) -> None:
    element = "html" if followed == ROOT_LIST else "main"
    style = f"{element} {{ padding-top: 60px; scroll-padding-top: 16px }} @media (max-width: 350px) {{ {element} {{ padding-top: 10px; scroll-padding-top: 4px }} }}"
    stage.open(body, style, followed)
    for width, top, scroll_padding in ((340, 10, 4), (390, 60, 16)):
        stage.page.set_viewport_size({"width": width, "height": 700})
        stage.rest()
        assert stage.get("[top_('#row0'), getComputedStyle(list).scrollPaddingTop]") == [200 + top, f"{200 + scroll_padding}px"]
        assert stage.get("follower.session.snapshot.scrollable.contentSize.height") == top + 40 * 97
        assert stage.get("follower.y") == -200
    # Further down, what is visible stays.
    stage.get("list.scrollTo({ top: 1500, behavior: 'instant' })")
    stage.rest()
    place = stage.get("top_('#row20')")
    stage.page.set_viewport_size({"width": 340, "height": 700})
    stage.rest()
    assert stage.get("top_('#row20')") == pytest.approx(place, abs=1)
    assert stage.get("follower.stop().then(() => getComputedStyle(list).paddingTop)") == "10px"


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


@pytest.mark.parametrize("gap", [20, 0])
def test_a_long_grid_ends_with_its_last_row(stage: Stage, gap: int) -> None:
    """A row of a grid cannot be smaller than nothing, so the box after the content does not take back the gap before it."""
    stage.open(style=f"main {{ display: grid; gap: {gap}px }}")
    assert stage.get("follower.session.snapshot.scrollable.contentSize.height") == 40 * 97 + 39 * gap
    stage.get("list.scrollTo({ top: 1e6, behavior: 'instant' })")
    stage.rests_at(100)
    assert stage.get("document.querySelector('#row39').getBoundingClientRect().bottom") == pytest.approx(600, abs=1)


@pytest.mark.parametrize("style", ["main { columns: 2 }", "main { column-width: 120px }"])
def test_a_list_of_columns_is_reported(stage: Stage, style: str) -> None:
    stage.open(style=style)
    assert len(stage.warnings) == 1, stage.warnings
    assert "<main> has columns" in stage.warnings[0] and "an element within it" in stage.warnings[0]


def test_columns_within_a_list_do_not_move_it(stage: Stage) -> None:
    rows = LIST.replace("querySelector('main')", "querySelector('section')").replace("></main>", "><section></section></main>")
    stage.open(rows, "section { columns: 2 }")
    assert stage.warnings == []
    stage.touch(-150)
    stage.rests_at(100)
    assert stage.gap() <= 0.5
    stage.get("list.scrollTo({ top: 900, behavior: 'instant' })")
    stage.rests_at(100)
    place = stage.get("follower.y")
    # The rows are distributed again: those at the end of a column go to the beginning of the next one.
    stage.get("(document.querySelector('#row2').style.height = '500px', null)")
    stage.rest()
    assert stage.get("follower.y") == pytest.approx(place, abs=0.5)
    # What is added before the columns moves nothing, as in any list.
    place = stage.get("top_('#row10')")
    stage.get("(document.querySelector('main').prepend(Object.assign(document.createElement('div'), { style: 'height: 300px' })), null)")
    stage.rest()
    assert stage.get("top_('#row10')") == pytest.approx(place, abs=0.5)


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
