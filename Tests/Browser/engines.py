"""Windows of three browsers with one interface: Chromium by Playwright, Firefox by Marionette, and WebKitGTK by WebDriver.

Firefox and WebKitGTK are Debian's own. Both take the commands of https://www.w3.org/TR/webdriver2/: Marionette on a socket
of Firefox, and WebKitWebDriver over HTTP. A movement of a hand is one command, so its times are those of the browser.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any, Callable

from playwright.sync_api import Browser

from hand import Hand
from browser import TIMEOUT

#: The keys of the suites, as WebDriver names them (https://www.w3.org/TR/webdriver2/#keyboard-actions).
KEYS = {"Tab": "\ue004", "Shift": "\ue008", "PageUp": "\ue00e", "PageDown": "\ue00f", "End": "\ue010", "Home": "\ue011", "ArrowUp": "\ue013", "ArrowDown": "\ue015"}
SIZE = {"width": 390, "height": 700}
#: Firefox creates touches from actions only with the first; the others keep it from the network.
PREFERENCES = {
    "dom.w3c_touch_events.enabled": 1, "marionette.port": 0, "browser.shell.checkDefaultBrowser": False,
    "app.normandy.enabled": False, "app.update.auto": False, "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False, "captivedetect.canonicalURL": "", "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False, "services.settings.server": "data:,#remote-settings-dummy/v1",
    "datareporting.policy.dataSubmissionEnabled": False, "toolkit.telemetry.enabled": False, "browser.startup.page": 0,
    "browser.newtabpage.enabled": False, "extensions.getAddons.cache.enabled": False, "extensions.systemAddon.update.enabled": False,
    "media.gmp-manager.updateEnabled": False, "signon.firefoxRelay.feature": "disabled", "browser.topsites.contile.enabled": False,
    "browser.discovery.enabled": False, "dom.push.enabled": False,
}


class Chromium:
    """A page of Playwright with a finger."""

    def __init__(self, browser: Browser) -> None:
        self._context = browser.new_context(viewport=SIZE, has_touch=True)
        self._context.set_default_timeout(TIMEOUT * 1000)
        self._page = self._context.new_page()
        self._hand = Hand(self._page)

    def open(self, address: str) -> None:
        self._page.goto(address)

    def get(self, expression: str) -> Any:
        return self._page.evaluate(f"async () => ({expression})")

    def press(self, key: str, shift: bool = False) -> None:
        self._page.keyboard.press(f"Shift+{key}" if shift else key)

    def wheel(self, dy: float, x: int = 200, y: int = 400) -> None:
        self._page.mouse.move(x, y)
        self._page.mouse.wheel(0, dy)

    def touch(self, dy: float, x: int = 200, y: int = 500, rest: bool = True, kind: str = "touch") -> None:
        self._hand.press_at(x, y, kind=kind)
        if dy:
            self._hand.move(dy=dy)
        self._hand.let_go(rest)

    def close(self) -> None:
        self._context.close()


class Remote:
    """A window of a browser that takes WebDriver's commands."""

    def __init__(self, send: Callable[[str, dict[str, Any]], Any], close: Callable[[], None]) -> None:
        self._send = send
        self.close = close

    def open(self, address: str) -> None:
        self._send("url", {"url": address})

    def get(self, expression: str) -> Any:
        script = f"const done = arguments[arguments.length - 1]; (async () => ({expression}))().then((value) => done([value]), (error) => done(String(error)))"
        answer = self._send("execute/async", {"script": script, "args": []})
        assert isinstance(answer, list), answer
        return answer[0]

    def press(self, key: str, shift: bool = False) -> None:
        keys = [KEYS["Shift"], KEYS[key]] if shift else [KEYS[key]]
        downs = [{"type": "keyDown", "value": value} for value in keys]
        ups = [{"type": "keyUp", "value": value} for value in reversed(keys)]
        self._act({"type": "key", "id": "keys", "actions": downs + ups})

    def wheel(self, dy: float, x: int = 200, y: int = 400) -> None:
        # WebKitGTK turns the wheel where the mouse is.
        self._act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [{"type": "pointerMove", "duration": 0, "x": x, "y": y}]})
        scroll = {"type": "scroll", "x": x, "y": y, "deltaX": 0, "deltaY": int(dy), "duration": 0}
        self._act({"type": "wheel", "id": "wheel", "actions": [scroll]})

    def touch(self, dy: float, x: int = 200, y: int = 500, rest: bool = True, kind: str = "touch") -> None:
        steps = 12 if dy else 0
        moves = [{"type": "pointerMove", "duration": 16, "x": x, "y": round(y + dy * step / steps)} for step in range(1, steps + 1)]
        self._act({
            "type": "pointer", "id": kind, "parameters": {"pointerType": kind},
            "actions": [
                {"type": "pointerMove", "duration": 0, "x": x, "y": y}, {"type": "pointerDown", "button": 0}, *moves,
                *([{"type": "pause", "duration": 200}] if rest else []), {"type": "pointerUp", "button": 0},
            ],
        })

    def _act(self, source: dict[str, Any]) -> None:
        self._send("actions", {"actions": [source]})


class Marionette:
    """The connection to a Firefox (https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html)."""

    NAMES = {"url": "WebDriver:Navigate", "execute/async": "WebDriver:ExecuteAsyncScript", "actions": "WebDriver:PerformActions"}

    def __init__(self, profile: Path) -> None:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
        (profile / "user.js").write_text("\n".join(lines))
        command = ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", str(profile)]
        environment = {**os.environ, "HOME": str(profile), "MOZ_HEADLESS_WIDTH": "390", "MOZ_HEADLESS_HEIGHT": "785"}
        self._process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port = int(wait_for(lambda: (profile / "MarionetteActivePort").read_text()))
        self._socket = wait_for(lambda: socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT))
        self._file = self._socket.makefile("rb")
        self._count = 0
        self._read()
        self.send("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {"timeouts": {"script": TIMEOUT * 1000}}}})

    def send(self, name: str, parameters: dict[str, Any]) -> Any:
        self._count += 1
        message = json.dumps([0, self._count, self.NAMES.get(name, name), parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._read()
        assert error is None, error
        return result.get("value") if isinstance(result, dict) else result

    def _read(self) -> Any:
        length = b""
        while (byte := self._file.read(1)) != b":":
            assert byte, "Firefox has ended"
            length += byte
        return json.loads(self._file.read(int(length)))

    def close(self) -> None:
        self._socket.close()
        self._process.terminate()
        self._process.wait(TIMEOUT)


class WebKitDriver:
    """A process of WebKitWebDriver, and its session."""

    def __init__(self) -> None:
        read, write = os.pipe()
        self._screen = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "800x1000x24", "-nolisten", "tcp"], pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as file:
            display = f":{file.readline().strip()}"
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        environment = {**os.environ, "DISPLAY": display, "WEBKIT_DISABLE_COMPOSITING_MODE": "", "GTK_A11Y": "none"}
        self._process = subprocess.Popen(["WebKitWebDriver", "--host=127.0.0.1", f"--port={port}"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._base = f"http://127.0.0.1:{port}"
        wait_for(lambda: self._ask("GET", "/status"))
        browser = next(Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser"))
        options = {"binary": str(browser), "args": ["--automation"]}
        wanted = {"webkitgtk:browserOptions": options, "timeouts": {"script": TIMEOUT * 1000}}
        self._session = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        self.send("window/rect", SIZE | {"height": 785})

    def send(self, path: str, content: dict[str, Any]) -> Any:
        return self._ask("POST", f"/session/{self._session}/{path}", content)

    def _ask(self, method: str, path: str, content: dict[str, Any] | None = None) -> Any:
        data = None if content is None else json.dumps(content).encode()
        request = urllib.request.Request(self._base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=2 * TIMEOUT) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from None

    def close(self) -> None:
        self._ask("DELETE", f"/session/{self._session}")
        for process in (self._process, self._screen):
            process.terminate()
            process.wait(TIMEOUT)


def wait_for(attempt: Callable[[], Any]) -> Any:
    """Returns the result of an attempt that fails until a process has started."""
    end = time.monotonic() + TIMEOUT
    while True:
        try:
            return attempt()
        except (OSError, ValueError, AssertionError):
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def firefox(profile: Path) -> Remote:
    driver = Marionette(profile)
    return Remote(driver.send, driver.close)


def webkit() -> Remote:
    driver = WebKitDriver()
    return Remote(driver.send, driver.close)
