"""The page as a person uses it: drags, readings, and what the API says about the same session."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import Any, Iterator

from playwright.sync_api import ConsoleMessage, Locator, Page, expect

from servers import ROOT, Server

#: Milliseconds between two steps of a drag.
FRAME = 1000 / 60
#: Where the screenshots go; the folder is not part of the repository.
ARTIFACTS = ROOT / "artifacts" / "playground"


class Playground:
    def __init__(self, page: Page, service: Server) -> None:
        self.page = page
        self.service = service
        #: Errors that the browser has logged and nobody has expected.
        self.errors: list[str] = []
        self._expected: tuple[str, ...] = ()
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def open(self, path: str = "/") -> None:
        self.page.goto(path)
        expect(self.page.locator("#bar")).to_have_attribute("data-session", re.compile(".+"))

    @contextmanager
    def expecting(self, *texts: str) -> Iterator[None]:
        """Browsers log every failed request; within this block those whose text is expected are no errors."""
        self._expected = texts
        yield
        self.page.wait_for_timeout(50)
        self._expected = ()

    def part(self, role: str) -> Locator:
        return self.page.locator(f'[data-role="{role}"]').first

    def value(self, role: str) -> float:
        """The exact number behind a reading."""
        return float(self.part(role).get_attribute("value") or "nan")

    def go_to(self, chapter: str) -> Locator:
        section = self.page.locator(f"#{chapter}")
        section.evaluate("section => section.scrollIntoView({ behavior: 'instant' })")
        return section

    # The session, as the API sees it.

    @property
    def session(self) -> str:
        return self.page.locator("#bar").get_attribute("data-session") or ""

    @property
    def bar(self) -> dict[str, Any]:
        return self.service.get(f"/v1/bars/{self.session}")

    def settle(self) -> dict[str, Any]:
        """Waits until the page shows what the service says, and the service has heard everything; answers the bar."""
        deadline = 60
        for _ in range(deadline):
            before = self.bar
            self.page.wait_for_timeout(150)
            bar = self.bar
            if bar["revision"] == before["revision"] == self.value("revision"):
                return bar
        raise AssertionError(f"the session never came to rest: {bar}")

    def expect_readings(self, bar: dict[str, Any]) -> None:
        """Every number on the page is the API's."""
        assert self.value("height") == bar["state"]["height"]
        assert self.value("progress") == bar["state"]["transitionProgress"]
        assert self.value("inset") == bar["scrollable"]["contentInset"]["top"]
        assert self.value("revision") == bar["revision"]
        # The bar may still be on its way there.
        self.page.wait_for_function(
            "height => Math.abs(document.querySelector('.device .bar').getBoundingClientRect().height - height) < 0.51",
            arg=bar["state"]["height"],
        )

    # Hands.

    def hold(self, locator: Locator, dx: float = 0, dy: float = 0, at: tuple[float, float] = (0.5, 0.7), steps: int = 12) -> None:
        """Presses on a thing and moves by so much, a step a frame; the button stays down."""
        box = locator.bounding_box()
        assert box
        x, y = box["x"] + box["width"] * at[0], box["y"] + box["height"] * at[1]
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        for step in range(1, steps + 1):
            self.page.mouse.move(x + dx * step / steps, y + dy * step / steps)
            self.page.wait_for_timeout(FRAME)

    def let_go(self, rest: bool = True) -> None:
        """Lets go; after a rest there is no velocity left."""
        if rest:
            self.page.wait_for_timeout(160)
        self.page.mouse.up()

    def drag(self, locator: Locator, dx: float = 0, dy: float = 0, rest: bool = True, **how: Any) -> None:
        self.hold(locator, dx, dy, **how)
        self.let_go(rest)

    @property
    def screen(self) -> Locator:
        return self.page.locator(".device .screen")

    def _note(self, message: ConsoleMessage) -> None:
        if message.type != "error":
            return
        if not any(text in message.text for text in self._expected):
            self.errors.append(f"{message.text} {message.location.get('url', '')}")

