"""The three lines of docs/clients.md let a bar follow a list, with input like that of a person."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from conftest import new_context
from pages import Stage
from browser import TIMEOUT
from service import ROOT, Service

#: A page that is longer than the screen, with an ordinary list: several elements, a short one among them, and a margin.
PAGE = """
<meta name="viewport" content="width=device-width">
<style>
  body { margin: 0; height: 3000px }
  header, main { position: absolute; top: 0; width: 100% }
  header { z-index: 1; height: 10px; background: #1d4ed8; pointer-events: none }
  main { height: 600px; overflow-y: scroll; scroll-behavior: smooth }
  main p { margin: 0; height: 97px }
  main p:last-child { margin-bottom: 13px }
</style>
<header></header><main tabindex="0"></main>
<script>for (let row = 0; row < 40; row += 1) document.querySelector('main').append(document.createElement('p'))</script>
<script type="module">SCRIPT</script>
"""
#: 40 rows and the margin.
CONTENT = 40 * 97 + 13


def the_three_lines() -> str:
    match = re.search(r"^```js\n(import \{ Springbar \}.*?)^```$", (ROOT / "docs/clients.md").read_text(), re.MULTILINE | re.DOTALL)
    assert match
    assert match[1].count("\n") == 3
    return match[1]


class Followed(Stage):
    """A page with the lines of docs/clients.md, and the bar of the service."""

    def __init__(self, page: Page, service: Service) -> None:
        super().__init__(page)
        self.service = service
        self.session = ""
        page.on("response", lambda response: response.status == 201 and self._remember(response.json()["id"]))

    def _remember(self, id: str) -> None:
        self.session = id

    def open(self, script: str) -> "Followed":  # type: ignore[override]
        self.page.route("**/blank", lambda route: route.fulfill(body=PAGE.replace("SCRIPT", script), content_type="text/html"))
        self.page.goto("/blank")
        self.rests_at(200)
        assert self.wait_until(lambda: self.session != "")
        return self

    def wait_until(self, holds: Any) -> bool:
        for _ in range(TIMEOUT * 30):
            if holds():
                return True
            self.page.wait_for_timeout(30)
        return False

    @property
    def bar(self) -> dict[str, Any]:
        return self.service.read(f"/v1/bars/{self.session}")

    def rests_at(self, height: float) -> None:
        """Waits until the header and the service's bar have a height, and the list begins below a bar that is not compact."""
        expect(self.page.locator("header")).to_have_css("height", f"{height}px")
        assert self.session == "" or self.wait_until(lambda: self.height_of_the_bar() == height)
        assert height == 100 or self.wait_until(lambda: abs(self.first_row() - height) < 1)

    def height_of_the_bar(self) -> float | None:
        """Returns the height of the service's bar, or `None` while the session is being replaced."""
        answer = self.service.get(f"/v1/bars/{self.session}")
        return answer.json()["state"]["height"] if answer.status == 200 else None

    def list_is_at_the_bar(self) -> bool:
        """Whether the service's bar has seen the present offset of the list."""
        seen = self.bar["snapshot"]["previousContentOffset"]["y"]
        return abs(self.first_row() + seen) < 1

    def first_row(self) -> float:
        return self.page.evaluate("document.querySelector('main p').getBoundingClientRect().top")


@pytest.fixture
def new_page(browser: Browser, service: Service) -> Iterator[Any]:
    contexts = []

    def make(**settings: Any) -> Followed:
        context = new_context(browser, service, viewport={"width": 390, "height": 700}, has_touch=True, **settings)
        contexts.append(context)
        return Followed(context.new_page(), service)

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def followed(new_page: Any) -> Iterator[Followed]:
    followed = new_page().open(the_three_lines())
    yield followed
    assert followed.errors == []


#: The same, with a handle for what only a program can do.
HANDLE = """
const { Springbar } = await import('/client/springbar.js');
const configuration = { compactStateHeight: 100, normalStateHeight: 200, expandedStateHeight: 300 };
const [bar, list] = ['header', 'main'].map((name) => document.querySelector(name));
window.configuration = configuration;
window.follower = await new Springbar().follow(list, { bar, configuration });
"""


def test_a_throw_goes_on_and_ends(followed: Followed) -> None:
    followed.touch(-300, rest=False)
    followed.rests_at(100)
    places: list[float] = []

    def rests() -> bool:
        places.append(followed.page.evaluate("document.querySelector('main').scrollTop"))
        return len(places) > 10 and len(set(places[-10:])) == 1

    assert followed.wait_until(rests)
    assert places[-1] > 350, "further than the finger moved"


@pytest.mark.parametrize("frames", [0, 2, 8, 24])
def test_a_key_takes_over_from_a_wheel_at_any_moment(followed: Followed, frames: int) -> None:
    followed.page.locator("main").focus()
    followed.page.mouse.move(200, 400)
    for distance, key, height in ((400, "Home", 200), (170, "Home", 200), (300, "PageDown", 100)):
        followed.page.mouse.wheel(0, distance)
        followed.page.evaluate(
            "async (count) => { for (; count > 0; count -= 1) await new Promise(requestAnimationFrame) }", frames
        )
        followed.page.keyboard.press(key)
        followed.rests_at(height)
        assert followed.wait_until(lambda: followed.list_is_at_the_bar())


def test_a_wheel_keys_and_a_program_scroll_it(followed: Followed) -> None:
    followed.page.mouse.move(200, 400)
    followed.page.mouse.wheel(0, 400)
    followed.rests_at(100)
    followed.page.locator("main").focus()
    followed.page.keyboard.press("Home")
    followed.rests_at(200)
    followed.page.evaluate("document.querySelector('main').scrollTo({ top: 900, behavior: 'instant' })")
    followed.rests_at(100)
    kinds = {event["type"] for event in followed.service.read(f"/v1/bars/{followed.session}/events")["events"]}
    assert kinds == {"contentOffset", "panGesture"}


def test_the_service_knows_the_geometry_and_its_changes(followed: Followed) -> None:
    created = followed.page.evaluate("() => document.querySelector('main').scrollHeight")
    assert created == 200 + CONTENT
    followed.page.evaluate("() => document.querySelector('main').append(document.createElement('p'))")
    log = lambda: followed.service.read(f"/v1/bars/{followed.session}/events")["events"]
    # The last row is no longer the last, so the margin moves with it.
    size = lambda: [event["contentSize"]["height"] for event in log() if event["type"] == "contentSize"]
    assert followed.wait_until(lambda: size() == [CONTENT + 97])
    followed.page.evaluate("() => (document.querySelector('main p').style.height = '200px')")
    assert followed.wait_until(lambda: size() == [CONTENT + 97, CONTENT + 200])
    followed.page.evaluate("() => (document.querySelector('main').style.height = '500px')")
    frames = lambda: [event["frame"]["height"] for event in log() if event["type"] == "frame"]
    assert followed.wait_until(lambda: frames() == [500])


def test_a_list_shorter_than_its_frame_can_collapse_the_bar(new_page: Any) -> None:
    # An empty list grows later, as that of an app does.
    followed = new_page().open(the_three_lines())
    followed.page.evaluate("document.querySelector('main').replaceChildren()")
    assert followed.wait_until(lambda: followed.bar["scrollable"]["contentInset"]["bottom"] == 600 - 100)
    followed.page.evaluate("document.querySelector('main').append(document.createElement('p'))")
    assert followed.wait_until(lambda: followed.bar["scrollable"]["contentInset"]["bottom"] == 600 - 100 - CONTENT + 39 * 97)
    followed.touch(-150)
    followed.rests_at(100)
    assert followed.wait_until(lambda: abs(followed.first_row() - 100) <= 1)
    assert followed.page.evaluate("document.querySelector('main').offsetHeight") == 600


def test_at_its_end_the_list_gives_the_gesture_to_the_page(followed: Followed) -> None:
    followed.page.evaluate("document.querySelector('main').scrollTo({ top: 1e6, behavior: 'instant' })")
    followed.rests_at(100)
    assert followed.page.evaluate("scrollY") == 0
    followed.touch(-150)
    assert followed.wait_until(lambda: followed.page.evaluate("scrollY") > 50)
    # Up again the list scrolls first.
    followed.page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    before = followed.page.evaluate("document.querySelector('main').scrollTop")
    followed.touch(100, y=300)
    assert followed.page.evaluate("scrollY") == 0
    assert followed.page.evaluate("document.querySelector('main').scrollTop") == pytest.approx(before - 100, abs=12)


@pytest.mark.parametrize(("top", "height", "row"), [(35.788, 500.744, 41.0625), (41.54, 505.105, 42.046875), (45.4, 500, 96.109375)])
def test_it_gives_the_gesture_to_the_page_between_two_pixels_too(new_page: Any, top: float, height: float, row: float) -> None:
    """A browser rounds the edges of content and frame separately, and must find no pixel to scroll."""
    followed = new_page().open(HANDLE)
    followed.page.add_style_tag(content=f"body {{ position: relative; margin-top: {top}px }} main {{ height: {height}px }} main p {{ height: {row}px }}")
    kinds = lambda: {event["type"] for event in followed.service.read(f"/v1/bars/{followed.session}/events")["events"]}
    assert followed.wait_until(lambda: kinds() >= {"contentSize", "frame"})
    followed.page.evaluate("document.querySelector('main').scrollTo({ top: 1e6, behavior: 'instant' })")
    followed.rests_at(100)
    followed.page.wait_for_function("follower.isAtRest")
    followed.touch(-150)
    assert followed.wait_until(lambda: followed.page.evaluate("scrollY") > 50)


def test_beyond_its_ends_it_resists_and_springs_back(followed: Followed) -> None:
    followed.touch(130, y=300)
    followed.rests_at(300)
    # The bar cannot become larger, so the page may have this gesture; in the middle of a pan the list resists.
    followed.hand.press_at(200, 300, kind="touch")
    followed.hand.move(dy=-40)
    followed.hand.move(dy=240)
    top = followed.first_row()
    assert 310 < top < 480, "less than the finger"
    followed.hand.let_go()
    followed.rests_at(300)
    assert followed.wait_until(lambda: abs(followed.first_row() - 300) <= 1)


def test_a_correction_is_a_motion_and_not_a_jump(new_page: Any) -> None:
    followed = new_page().open(HANDLE)
    followed.page.evaluate("follower.session.settled()")
    # Another writer scrolls: no command, only another height.
    for y in (-200, -100):
        event = {"type": "contentOffset", "contentOffset": {"x": 0, "y": y}}
        assert followed.service.ask("POST", f"/v1/bars/{followed.session}/events", event).status == 200
    heights = followed.page.evaluate(
        """async () => { const heights = [document.querySelector('header').offsetHeight];
            follower.session.sync();
            while (heights.at(-1) > 100) {
              await new Promise(requestAnimationFrame);
              heights.push(document.querySelector('header').offsetHeight);
            }
            return heights; }"""
    )
    assert heights[0] == 200 and heights[-1] == 100
    assert any(105 < height < 195 for height in heights)


def test_stopped_it_leaves_the_list_as_it_was(new_page: Any) -> None:
    followed = new_page().open(HANDLE)
    followed.page.evaluate("document.querySelector('main').scrollTo({ top: 900, behavior: 'instant' })")
    followed.rests_at(100)
    followed.page.wait_for_function("follower.isAtRest")
    place = followed.first_row()
    followed.page.evaluate("follower.stop()")
    assert followed.service.get(f"/v1/bars/{followed.session}").status == 404
    assert followed.first_row() == pytest.approx(place, abs=1)
    assert followed.page.evaluate("[document.querySelector('main').style.cssText, 'springbar' in document.querySelector('main').dataset]") == ["", False]
    followed.page.evaluate("document.querySelector('main').scrollTo({ top: 0, behavior: 'instant' })")
    followed.page.mouse.move(200, 400)
    followed.page.mouse.wheel(0, 50)
    followed.page.wait_for_function("document.querySelector('main').scrollTop > 0")
    assert followed.page.evaluate("document.querySelector('header').offsetHeight") == 100
    assert followed.errors == []


def test_a_full_queue_of_a_followed_list_is_replaced(new_page: Any) -> None:
    followed = new_page().open(HANDLE)
    followed.page.evaluate("follower.stop()")
    first = followed.session
    followed.page.route("**/events", lambda route: route.abort())
    code = followed.page.evaluate(
        """async () => { const { Springbar } = await import('/client/springbar.js');
            const [bar, list] = ['header', 'main'].map((name) => document.querySelector(name));
            window.follower = await new Springbar().follow(list, { bar, configuration, queueLimit: 2 });
            const problem = new Promise((resolve) => follower.session.on('problem', ({ problem: { code } }) => resolve(code)));
            for (let top = 1; top < 90; top += 1) {
              list.scrollTo({ top, behavior: 'instant' });
              await new Promise(requestAnimationFrame);
            }
            return problem; }"""
    )
    assert code == "queue-full"
    followed.page.unroute("**/events")
    followed.page.evaluate("follower.session.retry()")
    followed.rests_at(100)
    assert followed.session != first
    assert followed.errors == []


#: As much of React as the hook of Examples/react needs.
REACT = """
let effect, leave;
export const useRef = (current) => ({ current });
export const useState = (value) => [value, (next) => (window.follower = next)];
export const useEffect = (action) => (effect = action);
export const mount = () => (leave = effect());
export const unmount = () => leave();
"""
APP = """
import { Springbar } from '/client/springbar.js';
import { mount, unmount } from 'react';
import { useBar } from './useBar.js';

const configuration = { compactStateHeight: 100, normalStateHeight: 200, expandedStateHeight: 300 };
const { list, bar } = useBar(new Springbar(), { configuration });
[list.current, bar.current] = ['main', 'header'].map((name) => document.querySelector(name));
mount();
window.unmount = unmount;
"""


def test_the_hook_for_react_follows_while_it_is_mounted(new_page: Any, tmp_path: Path) -> None:
    (tmp_path / "react.js").write_text(REACT)
    options = ["--bundle", "--format=esm", f"--alias:react={tmp_path}/react.js", "--alias:springbar/follow=/client/follow.js", "--external:/client/*"]
    bundle = subprocess.run(["esbuild", *options], input=APP, cwd=ROOT / "Examples/react", capture_output=True, text=True)
    assert bundle.returncode == 0, bundle.stderr
    followed = new_page().open(bundle.stdout)
    followed.touch(-150)
    followed.rests_at(100)
    followed.page.evaluate("unmount()")
    assert followed.wait_until(lambda: followed.service.get(f"/v1/bars/{followed.session}").status == 404)
    assert followed.page.evaluate("document.querySelector('main').style.cssText") == ""
    assert followed.errors == []
