"""Sixty frames a second while a finger drags."""

from __future__ import annotations

from playwright.sync_api import Page

from hand import Hand
from playground import Playground

#: The limit of the 95th percentile of a drag's frame times, in milliseconds.
LIMIT = 20
FRAME = 1000 / 60
ROUNDS = 12

# A page with only a box that follows the pointer shows the speed of the machine at this moment.
CONTROL = """<style>body { margin: 0 } div { position: absolute; top: 100px; width: 300px; height: 500px; background: teal }</style><div></div>
<script>let y = 0; addEventListener('pointermove', event => y = event.clientY);
  const draw = () => { document.querySelector('div').style.top = `${y / 4}px`; requestAnimationFrame(draw); }; draw();</script>"""

RECORD = """() => { window.times = []; let last = performance.now();
    const look = now => { window.times.push(now - last); last = now; window.watching = requestAnimationFrame(look); };
    window.watching = requestAnimationFrame(look); }"""


def p95_of_a_drag(page: Page, hand: Hand, y: float) -> float:
    """Returns the 95th percentile of the frame times of a drag, which ends where it began."""
    page.bring_to_front()
    hand.press_at(640, y)
    page.evaluate(RECORD)
    hand.move(dy=-60, steps=30)
    hand.move(dy=60, steps=30)
    times = page.evaluate("() => { cancelAnimationFrame(window.watching); return window.times.slice(1); }")
    hand.let_go()
    assert len(times) >= 20, f"{len(times)} frames in a second"
    return sorted(times)[int(len(times) * 0.95)]


def test_a_frame_of_a_drag_takes_less_than_20_ms(playground: Playground) -> None:
    """Other processes slow down every page, so the best of some rounds counts: a slow page is slow in each round.

    If a nearly empty page is too slow in all rounds, too, the limit is its time and a quarter of a frame.
    """
    control = playground.page.context.new_page()
    control.set_content(CONTROL)
    control_hand = Hand(control)
    box = playground.screen.bounding_box()
    assert box
    y = box["y"] + box["height"] * 0.7
    revision = playground.value("revision")
    empty = p95_of_a_drag(control, control_hand, 500)
    rounds: list[tuple[float, float]] = []
    while len(rounds) < ROUNDS and (not rounds or rounds[-1][0] >= LIMIT):
        before = empty
        own = p95_of_a_drag(playground.page, playground.hand, y)
        playground.settle()
        empty = p95_of_a_drag(control, control_hand, 500)
        rounds.append((own, max(before, empty)))
        print(f"p95 {own:.1f} ms, of an empty page {before:.1f} and {empty:.1f} ms")
    assert playground.value("revision") > revision + 30, "the bar has moved"
    best = min(own for own, _ in rounds)
    if all(bare >= LIMIT for _, bare in rounds):
        assert best < LIMIT or min(own - bare for own, bare in rounds) < FRAME / 4
    else:
        assert best < LIMIT
