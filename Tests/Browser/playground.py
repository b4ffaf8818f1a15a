"""The playground under test: its readings, simulated input, and the API's state of the same session."""

from __future__ import annotations

import re
import time
from collections import deque
from typing import Any, Callable

import pytest
from playwright.sync_api import ConsoleMessage, Locator, Page, Response, expect

from hand import Hand
from browser import TIMEOUT
from service import ROOT, Service

#: The folder of screenshots of failed tests, which is not part of the repository.
ARTIFACTS = ROOT / "artifacts" / "playground"


class Playground:
    def __init__(self, page: Page, service: Service) -> None:
        self.page = page
        self.service = service
        self.hand = Hand(page)
        #: Unexpected errors in the browser's log.
        self.errors: list[str] = []
        #: The last events, for the report of a failure.
        self.story: deque[str] = deque(maxlen=40)
        self._expected: tuple[str, ...] = ()
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("response", self._hear)

    def open(self, path: str = "/", sees_bar: bool = True) -> None:
        """Opens the page and waits until its session is at rest; with `sees_bar`, also until photos are listed."""
        self.page.goto(path)
        expect(self.page.locator("#bar")).to_have_attribute("data-session", re.compile(".+"))
        if sees_bar:
            place = self.page.evaluate("scrollY")
            self.screen.is_visible()
            expect(self.page.locator(".photo").first).to_be_attached()
            self.page.evaluate("y => scrollTo({ top: y, behavior: 'instant' })", place)
        self.settle()

    def expects(self, *texts: str) -> None:
        """Allows errors with these texts from now on, because browsers log every failed request."""
        self._expected += texts

    def forgive(self) -> list[str]:
        """Returns the unexpected errors so far and forgets them, together with the expected texts."""
        errors, self.errors, self._expected = self.errors, [], ()
        return errors

    def part(self, role: str) -> Locator:
        return self.page.locator(f'[data-role="{role}"]').first

    def value(self, role: str) -> float:
        """Returns the exact number of a reading."""
        return float(self.part(role).get_attribute("value") or "nan")

    def expect_value(self, role: str, value: float) -> None:
        """Waits until a reading has exactly this value."""
        self.page.wait_for_function(
            "([role, value]) => document.querySelector(`[data-role=${role}]`).value === String(value)", arg=[role, value]
        )

    def go_to(self, chapter: str) -> Locator:
        """Scrolls to a chapter and waits until it has started."""
        section = self.page.locator(f"#{chapter}")
        section.evaluate("section => section.scrollIntoView({ behavior: 'instant' })")
        if chapter != "bar":
            expect(section).to_have_attribute("aria-busy", "false")
        return section

    def see_everything(self) -> "Playground":
        """Scrolls to all chapters, so that all of them start."""
        for chapter in ("springs", "gallery", "interfaces", "bar"):
            self.go_to(chapter)
        expect(self.page.locator(".linear")).to_have_attribute("aria-busy", "false")
        return self

    # The state of the session from the API.

    @property
    def session(self) -> str:
        return self.page.locator("#bar").get_attribute("data-session") or ""

    @property
    def bar(self) -> dict[str, Any]:
        return self.service.read(f"/v1/bars/{self.session}")

    def settle(self, height: float | None = None) -> dict[str, Any]:
        """Waits until nothing moves and the page shows the service's newest revision; returns the bar.

        With `height`, waits until the bar has it, because the effect of a key or a wheel starts later. A glide of the
        browser can rest for a moment on a busy machine, so the revision must be the same two frames later.
        """
        frames = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        bar: dict[str, Any] = {}
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            self.page.wait_for_function("() => document.querySelector('[data-role=device]').dataset.state === 'resting'")
            bar = self.bar
            is_told = bar["revision"] == self.value("revision")
            if is_told and (height is None or bar["state"]["height"] == height):
                self.page.evaluate(frames)
                if self.bar["revision"] == bar["revision"] == self.value("revision"):
                    return bar
            self.page.wait_for_timeout(30)
        raise AssertionError(f"the session never came to rest: {bar}")

    def wait_until(self, holds: Callable[[], bool]) -> bool:
        """Returns whether a condition outside the page becomes true in time, such as a counter of another process."""
        deadline = time.monotonic() + TIMEOUT
        while not (held := holds()) and time.monotonic() < deadline:
            self.page.wait_for_timeout(30)
        return held

    def change_session(self, change: Callable[[], None]) -> None:
        """Makes a change that starts a new session, and waits for the session."""
        before = self.session
        change()
        self.page.wait_for_function("id => document.getElementById('bar').dataset.session !== id", arg=before)

    def expect_readings(self, bar: dict[str, Any]) -> None:
        """Checks that the numbers, the bar and the list of the page have the API's values."""
        assert self.value("height") == bar["state"]["height"]
        assert self.value("progress") == bar["state"]["transitionProgress"]
        assert self.value("inset") == bar["scrollable"]["contentInset"]["top"]
        assert self.value("revision") == bar["revision"]
        drawn = self.page.locator(".device .bar").evaluate(
            """(bar, tracks) => ({
                height: parseFloat(bar.style.height),
                values: Object.fromEntries(tracks.map(track =>
                    [track, Number(bar.style.getPropertyValue('--' + track.replaceAll('.', '-')))])),
                inset: parseFloat(document.querySelector('.device .list:not([hidden])').style.paddingTop),
            })""",
            list(bar["values"]),
        )
        # A style rounds a length to six digits; a custom property keeps the written text.
        assert drawn["height"] == pytest.approx(bar["state"]["height"], rel=1e-5)
        assert drawn["values"] == bar["values"]
        assert drawn["inset"] == pytest.approx(bar["scrollable"]["contentInset"]["top"], rel=1e-5)

    @property
    def content_offset(self) -> float:
        """The content offset of the phone's list, as in UIKit."""
        return self.page.locator(".device .list:not([hidden])").evaluate("list => list.scrollTop - parseFloat(list.style.paddingTop)")

    @property
    def screen(self) -> Locator:
        """The screen of the phone, scrolled into view."""
        screen = self.page.locator(".device .screen")
        screen.evaluate(
            """screen => { const { top, bottom } = screen.getBoundingClientRect();
                if (top < 60 || bottom > innerHeight) screen.scrollIntoView({ block: 'center', behavior: 'instant' }); }"""
        )
        return screen

    def pull(self, dy: float, **how: Any) -> None:
        """Drags the list."""
        self.hand.drag(self.screen, dy=dy, at=(0.5, 0.7), **how)

    def hold(self, dy: float, at: tuple[float, float] = (0.5, 0.7)) -> None:
        """Drags the list without a release."""
        self.hand.press(self.screen, at=at)
        self.hand.move(dy=dy)

    def _note(self, message: ConsoleMessage) -> None:
        self.story.append(f"console {message.type}: {message.text}")
        if message.type != "error":
            return
        if not any(text in message.text for text in self._expected):
            self.errors.append(f"{message.text} {message.location.get('url', '')}")

    def _hear(self, response: Response) -> None:
        if not response.url.startswith((f"{self.service.base}/playground/", f"{self.service.base}/client/")):
            address = response.url.removeprefix(self.service.base)
            self.story.append(f"{response.status} {response.request.method} {address[:160]}")
