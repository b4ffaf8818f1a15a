"""Keys and gestures move list and bar in every browser: in Chromium, and with SPRINGBAR_BROWSERS=all in Firefox and WebKitGTK.

A mouse drags the list where a browser has no touches for tests (WebKitGTK).
"""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Iterator

import pytest

from engines import Chromium, Remote, firefox, webkit
from pages import DOCUMENT, FOLLOW, HEAD, LIST, MAIN, ROOT_LIST
from service import ROOT, Service
from test_pages import NESTED

NAMES = ["chromium", *(["firefox", "webkit"] if os.environ.get("SPRINGBAR_BROWSERS") == "all" else [])]
#: Waits until nothing moves: also what an input causes only in a later frame.
REST = """(async () => {
  for (let still = 0; still < 12; still = follower.isAtRest ? still + 1 : 0) await new Promise(requestAnimationFrame);
})()"""
Window = Chromium | Remote


@pytest.fixture(scope="module")
def service_for_pages() -> Iterator[Service]:
    with Service({"SPRINGBAR_CORS_ORIGINS": "*"}) as service:
        yield service


@pytest.fixture(scope="module")
def site() -> Iterator[tuple[str, dict[str, str]]]:
    """A server of pages, by their paths, and of the modules in the checkout."""
    pages: dict[str, str] = defaultdict(str)

    class Handler(SimpleHTTPRequestHandler):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments, directory=str(ROOT / "Clients/js"))

        def do_GET(self) -> None:
            if self.path.startswith("/client/"):
                self.path = self.path.removeprefix("/client")
                return super().do_GET()
            content = pages[self.path].encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", pages
    server.shutdown()


@pytest.fixture(scope="module", params=NAMES)
def window(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    makes: dict[str, Callable[[], Window]] = {
        "chromium": lambda: Chromium(request.getfixturevalue("browser")),
        "firefox": lambda: firefox(tmp_path_factory.mktemp("profile")),
        "webkit": webkit,
    }
    window = makes[request.param]()
    yield window
    window.close()


class Scene:
    def __init__(self, window: Window, site: tuple[str, dict[str, str]], service: Service) -> None:
        self.window, self._site, self._service = window, site, service
        self.get = window.get

    def open(self, body: str = LIST, followed: str = MAIN, style: str = "") -> "Scene":
        script = FOLLOW.replace("LIST", followed).replace("new Springbar()", f"new Springbar('{self._service.base}')")
        script = script.replace(", configuration }", ", configuration, mouse: true }")
        base, pages = self._site
        pages["/page"] = f'{HEAD}<style>{style}</style>{body}<script type="module">{script}</script>'
        self.window.open(f"{base}/page")
        self.get("(async () => { while (!window.follower?.session.id) await new Promise(requestAnimationFrame) })()")
        return self.rest()

    def rest(self) -> "Scene":
        self.get(REST)
        return self

    def press(self, key: str, shift: bool = False) -> None:
        self.window.press(key, shift)
        self.rest()

    def rests_at(self, height: float) -> None:
        self.rest()
        assert self.get("[bar(), follower.session.state.height]") == [height, height]


@pytest.fixture
def scene(window: Window, site: tuple[str, dict[str, str]], service_for_pages: Service) -> Scene:
    return Scene(window, site, service_for_pages)


both = pytest.mark.parametrize(("body", "followed"), [(LIST, MAIN), (DOCUMENT, ROOT_LIST)], ids=["list", "document"])


@both
def test_keys(scene: Scene, body: str, followed: str) -> None:
    scene.open(body, followed)
    scene.get("(list.focus(), null)")
    places = []
    for _ in range(6):
        scene.press("ArrowDown")
        places.append(scene.get("follower.y"))
    assert places == sorted(places) and places[-1] > -60, places
    scene.rests_at(100)
    scene.press("PageDown")
    assert scene.get("follower.y") > places[-1] + 250
    scene.press("Home")
    scene.rests_at(200)
    assert scene.get("top_('#row0')") == 200
    scene.press("PageDown")
    scene.rests_at(100)
    assert scene.get("follower.y") > 0
    below = scene.get("follower.y")
    scene.press("ArrowUp")
    scene.rests_at(200)
    assert scene.get("follower.y") < below
    scene.press("End")
    scene.rests_at(100)
    assert scene.get("list.scrollHeight - list.scrollTop - list.clientHeight") <= 1.5


@both
def test_a_hand_collapses_and_opens_the_bar(scene: Scene, body: str, followed: str) -> None:
    scene.open(body, followed)
    scene.get("(window.gaps = [], follower.session.on('change', () => gaps.push(bar() - Math.max(100, top_('#row0')))), null)")
    scene.window.touch(-80)
    scene.rests_at(100)
    # The last change is that of the bar alone, before the snap has moved the list.
    assert len(scene.get("gaps")) > 8
    assert max(abs(gap) for gap in scene.get("gaps.slice(0, 8)")) <= 0.5
    scene.window.touch(130, y=300)
    scene.rests_at(200)
    scene.window.touch(130, y=300)
    scene.rests_at(300)
    assert abs(scene.get("top_('#row0')") - 300) < 1


@both
def test_a_wheel(scene: Scene, body: str, followed: str) -> None:
    scene.open(body, followed)
    scene.window.wheel(400)
    scene.rests_at(100)
    scene.window.wheel(-2000)
    scene.rest()
    assert scene.get("bar()") >= 200 and scene.get("top_('#row0') - bar()") == 0


def test_a_box_in_the_list_takes_the_wheel_first(scene: Scene) -> None:
    scene.open(NESTED)
    scene.get("(list.scrollTo({ top: 180, behavior: 'instant' }), null)")
    scene.rests_at(100)
    place = scene.get("list.scrollTop")
    y = scene.get("Math.round(top_('#box')) + 60")
    scene.window.wheel(60, x=60, y=y)
    scene.get("(async () => { while (document.querySelector('#box').scrollTop < 20) await new Promise(requestAnimationFrame) })()")
    scene.rest()
    assert scene.get("list.scrollTop") == place
    scene.get("(document.querySelector('#box').scrollTop = 1e6, null)")
    # WebKitGTK does nothing for the same action again.
    scene.window.wheel(80, x=60, y=y)
    scene.get(f"(async () => {{ while (list.scrollTop < {place} + 20) await new Promise(requestAnimationFrame) }})()")
    scene.rest()


def test_a_tap_that_stops_a_glide(scene: Scene) -> None:
    scene.open()
    scene.get("(window.clicks = [], list.addEventListener('click', () => clicks.push(1)), null)")
    # Firefox makes no clicks of the touches of a test.
    scene.window.touch(-300, rest=False, kind="mouse")
    assert scene.get("frames_(5).then(() => follower.isAtRest)") is False
    scene.window.touch(0, y=400, rest=False, kind="mouse")
    scene.rest()
    assert scene.get("clicks.length") == 0
    scene.window.touch(0, y=400, rest=False, kind="mouse")
    scene.get("(async () => { while (clicks.length === 0) await new Promise(requestAnimationFrame) })()")


@both
def test_the_focus_is_below_the_bar(scene: Scene, body: str, followed: str) -> None:
    """WCAG 2.4.11, Focus Not Obscured."""
    scene.open(body, followed)
    scene.get("(document.querySelector('#row30 a').focus(), null)")
    scene.rest()
    for row in range(29, -1, -1):
        scene.press("Tab", shift=True)
        assert scene.get("document.activeElement.textContent") == f"Row {row}"
        assert scene.get("document.activeElement.getBoundingClientRect().top - bar()") >= -1, f"row {row}"
    scene.rests_at(200)


@both
def test_content_that_is_added_above(scene: Scene, body: str, followed: str) -> None:
    scene.open(body, followed)
    scene.get("(list.scrollTo({ top: 1500, behavior: 'instant' }), null)")
    scene.rests_at(100)
    place = scene.get("top_('#row15')")
    scene.get("(document.querySelector('#row2').style.height = '597px', null)")
    scene.rests_at(100)
    assert scene.get("top_('#row15')") == pytest.approx(place, abs=0.5)
