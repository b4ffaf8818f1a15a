"""A page of somebody else with a followed list, for tests."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from hand import Hand

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

    def open(self, body: str = LIST, style: str = "", followed: str = MAIN, fragment: str = "", options: str = "") -> "Stage":
        script = FOLLOW.replace("LIST", followed).replace("configuration });", f"configuration, {options} }});")
        html = f'{HEAD}<style>{style}</style>{body}<script type="module">{script}</script>'
        self.page.route("**/blank", lambda route: route.fulfill(body=html, content_type="text/html"))
        self.page.goto(f"/blank{fragment}")
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

    def touch(self, dy: float, y: float = 500, x: float = 200, dx: float = 0, rest: bool = True) -> None:
        self.hand.press_at(x, y, kind="touch")
        self.hand.move(dy=dy, dx=dx)
        self.hand.let_go(rest)
