"""The work of the page in each frame: while a finger drags, and at rest."""

from __future__ import annotations

from typing import Callable

from playground import Playground
from work import Work, metric, session_of

#: The most work in a frame, as a part of the fixed layout in `work.py`: 16.7 ms where the layout takes 52 ms.
LIMIT = 0.32
ROUNDS = 3
#: The movements of each half of a drag.
STEPS = 30

RECORD = """() => { window.times = []; let last = performance.now();
    const look = now => { window.times.push(now - last); last = now; window.watching = requestAnimationFrame(look); };
    window.watching = requestAnimationFrame(look); }"""


def test_a_frame_of_a_drag_takes_little_work(playground: Playground) -> None:
    """The time of a frame depends on the machine and on other processes, so it is only printed."""
    work = Work(playground.page)
    box = playground.screen.bounding_box()
    assert box
    revision = playground.value("revision")
    parts = []
    for _ in range(ROUNDS):
        unit = work.unit()
        playground.hand.press_at(640, box["y"] + box["height"] * 0.7)
        playground.page.evaluate(RECORD)
        before = work.seconds()
        playground.hand.move(dy=-60, steps=STEPS)
        playground.hand.move(dy=60, steps=STEPS)
        busy = work.seconds() - before
        times = playground.page.evaluate("() => { cancelAnimationFrame(window.watching); return window.times.slice(1); }")
        playground.hand.let_go()
        playground.settle()
        # A busy machine draws one frame for several movements, which is more work in the frame and less in all.
        work_of_frame = busy / max(len(times), 2 * STEPS)
        parts.append(work_of_frame / unit)
        p95 = sorted(times)[int(len(times) * 0.95)]
        print(f"{len(times)} frames, p95 {p95:.1f} ms, {work_of_frame * 1000:.1f} ms of work a frame, "
              f"{parts[-1]:.2f} of {unit * 1000:.1f} ms")  # fmt: skip
    assert playground.value("revision") > revision + 30, "the bar has moved"
    assert min(parts) < LIMIT


def test_a_page_at_rest_draws_nothing(open_page: Callable[..., Playground]) -> None:
    """Its photos, which are not in sight, are still to come."""
    page = open_page(sees_bar=False).page
    session = session_of(page)
    styles = []
    for _ in range(ROUNDS):
        before = metric(session, "RecalcStyleCount")
        page.wait_for_timeout(500)
        styles.append(metric(session, "RecalcStyleCount") - before)
    # An animation that is not the compositor's has thirty.
    assert min(styles) < 5, styles
