"""Simulates a mouse, a pen with pressure, or a finger.

Events have the times of a real movement, a sixtieth of a second apart. The page computes velocities from these times,
so a throw has the same speed on a busy machine.
"""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import CDPSession, Locator, Page

#: Seconds between two movements.
FRAME = 1 / 60
#: Seconds of rest before a release without velocity.
REST = 0.2


class Hand:
    def __init__(self, page: Page) -> None:
        self.page = page
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._now = 0.0
        self._at = (0.0, 0.0)
        self._kind = "mouse"
        self._force = 0.5
        self._is_down = False

    def press(self, thing: Locator, at: tuple[float, float] = (0.5, 0.5), kind: str = "mouse", force: float = 0.5) -> None:
        """Presses on an element, at a fraction of its width and height. `kind` is `mouse`, `pen` or `touch`."""
        box = thing.bounding_box()
        assert box, "there is nothing to press on"
        self.press_at(box["x"] + box["width"] * at[0], box["y"] + box["height"] * at[1], kind, force)

    def press_at(self, x: float, y: float, kind: str = "mouse", force: float = 0.5) -> None:
        self._kind, self._force, self._at = kind, force, (x, y)
        self._now = time.time()
        if kind != "touch":
            self._send("mouseMoved")
        self._send("mousePressed")

    def move_to(self, x: float, y: float, force: float | None = None, frames: float = 1) -> None:
        """Moves to a point in a number of frames, and presses there with `force` if the device has pressure."""
        self._at = (x, y)
        self._force = self._force if force is None else force
        self._pass(FRAME * frames)
        self._send("mouseMoved")

    def move(self, dx: float = 0, dy: float = 0, steps: int = 12) -> None:
        """Moves by a distance, with a step in each frame."""
        x, y = self._at
        for step in range(1, steps + 1):
            self.move_to(x + dx * step / steps, y + dy * step / steps)

    def squeeze(self, *forces: float) -> None:
        """Changes the pressure, with a frame for each value and small movements like those of a real hand."""
        x, y = self._at
        for number, force in enumerate(forces):
            self.move_to(x + number % 2, y, force=force)

    def let_go(self, rest: bool = True) -> None:
        """Releases; after a rest the velocity is 0."""
        self._pass(REST if rest else FRAME / 2)
        self._send("mouseReleased")

    def drag(self, thing: Locator, dx: float = 0, dy: float = 0, rest: bool = True, steps: int = 12, **how: Any) -> None:
        self.press(thing, **how)
        self.move(dx, dy, steps)
        self.let_go(rest)

    def _pass(self, seconds: float) -> None:
        """Advances the time of the events and waits for it; an event may be late but never early."""
        self._now += seconds
        early = self._now - time.time()
        if early > 0:
            self.page.wait_for_timeout(early * 1000)

    def _send(self, kind: str) -> None:
        """Sends an event; the browser responds after the page has received it."""
        x, y = self._at
        if self._kind == "touch":
            touch = {"mousePressed": "touchStart", "mouseMoved": "touchMove", "mouseReleased": "touchEnd"}[kind]
            points = [] if touch == "touchEnd" else [{"x": x, "y": y, "force": self._force}]
            self._session.send("Input.dispatchTouchEvent", {"type": touch, "touchPoints": points, "timestamp": self._now})
            return
        is_down = kind == "mousePressed" or (kind == "mouseMoved" and self._is_down)
        event = {
            "type": kind, "x": x, "y": y, "timestamp": self._now, "pointerType": self._kind,
            "button": "left" if is_down or kind == "mouseReleased" else "none",
            "buttons": 1 if is_down else 0, "clickCount": 0 if kind == "mouseMoved" else 1,
        }
        if is_down and self._kind == "pen":
            event["force"] = self._force
        self._is_down = is_down
        self._session.send("Input.dispatchMouseEvent", event)
