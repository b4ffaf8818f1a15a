"""The page as a person uses it: readings, a hand, and what the API says about the same session."""

from __future__ import annotations

import re
import time
from collections import deque
from typing import Any, Callable

import pytest
from playwright.sync_api import ConsoleMessage, Locator, Page, Response, expect

from hand import Hand
from servers import PATIENCE, ROOT, Server

#: Where the screenshots go; the folder is not part of the repository.
ARTIFACTS = ROOT / "artifacts" / "playground"


class Playground:
    def __init__(self, page: Page, service: Server) -> None:
        self.page = page
        self.service = service
        self.hand = Hand(page)
        #: Errors that the browser has logged and nobody has expected.
        self.errors: list[str] = []
        #: The last things that happened, for whoever has to find out why a test failed.
        self.story: deque[str] = deque(maxlen=40)
        self._expected: tuple[str, ...] = ()
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("response", self._hear)

    def open(self, path: str = "/", sees_bar: bool = True) -> None:
        """Opens the page and waits until it has its session and is at rest; with a look at the bar, also for photos."""
        self.page.goto(path)
        expect(self.page.locator("#bar")).to_have_attribute("data-session", re.compile(".+"))
        if sees_bar:
            place = self.page.evaluate("scrollY")
            self.screen.is_visible()
            expect(self.page.locator(".photo").first).to_be_attached()
            self.page.evaluate("y => scrollTo({ top: y, behavior: 'instant' })", place)
        self.settle()

    def expects(self, *texts: str) -> None:
        """Browsers log every failed request; from now on those whose text is expected are no errors."""
        self._expected += texts

    def forgive(self) -> list[str]:
        """The unexpected errors so far. From now on none is expected, and none is remembered."""
        errors, self.errors, self._expected = self.errors, [], ()
        return errors

    def part(self, role: str) -> Locator:
        return self.page.locator(f'[data-role="{role}"]').first

    def value(self, role: str) -> float:
        """The exact number behind a reading."""
        return float(self.part(role).get_attribute("value") or "nan")

    def expect_value(self, role: str, value: float) -> None:
        """Waits until a reading is exactly that number."""
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
        """Visits the chapters, so that all of them have started."""
        for chapter in ("springs", "interfaces", "bar"):
            self.go_to(chapter)
        expect(self.page.locator(".linear")).to_have_attribute("aria-busy", "false")
        return self

    # The session, as the API sees it.

    @property
    def session(self) -> str:
        return self.page.locator("#bar").get_attribute("data-session") or ""

    @property
    def bar(self) -> dict[str, Any]:
        return self.service.get(f"/v1/bars/{self.session}")

    def settle(self, height: float | None = None) -> dict[str, Any]:
        """Waits until nothing moves, the service has heard everything and the page shows what it said; answers the bar.

        With a `height`, waits until the bar has it: what a key or a wheel does begins only some time after it.
        """
        bar: dict[str, Any] = {}
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            self.page.wait_for_function("() => document.querySelector('[data-role=device]').dataset.state === 'resting'")
            bar = self.bar
            is_told = bar["revision"] == self.value("revision")
            if is_told and (height is None or bar["state"]["height"] == height):
                return bar
            self.page.wait_for_timeout(30)
        raise AssertionError(f"the session never came to rest: {bar}")

    def wait_until(self, holds: Callable[[], bool]) -> bool:
        """Waits for what no page can tell, such as a counter of another process; whether it has come."""
        deadline = time.monotonic() + PATIENCE
        while not (held := holds()) and time.monotonic() < deadline:
            self.page.wait_for_timeout(30)
        return held

    def change_session(self, change: Callable[[], None]) -> None:
        """Does what starts a new session, and waits for it."""
        before = self.session
        change()
        self.page.wait_for_function("id => document.getElementById('bar').dataset.session !== id", arg=before)

    def expect_readings(self, bar: dict[str, Any]) -> None:
        """Every number on the page is the API's, and the bar and its list look as they say."""
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
        # A style keeps six digits of a length; a custom property is what was written.
        assert drawn["height"] == pytest.approx(bar["state"]["height"], rel=1e-5)
        assert drawn["values"] == bar["values"]
        assert drawn["inset"] == pytest.approx(bar["scrollable"]["contentInset"]["top"], rel=1e-5)

    @property
    def content_offset(self) -> float:
        """Where the list of the phone is, as UIKit counts it."""
        return self.page.locator(".device .list:not([hidden])").evaluate("list => list.scrollTop - parseFloat(list.style.paddingTop)")

    @property
    def screen(self) -> Locator:
        """The screen of the phone, scrolled to where a hand can reach it."""
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
        """Drags the list and does not let go."""
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
