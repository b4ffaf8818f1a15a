"""How the page is served: complete, cached right, and under rules that a browser enforces."""

from __future__ import annotations

import gzip
import os
import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Response

from playground import Playground
from servers import ROOT, Server

FOLDER = ROOT / "Playground"
FILES = sorted(str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*") if path.is_file())
TYPES = {"html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}


def address(file: str) -> str:
    return "/" if file == "index.html" else f"/playground/{file}"


@pytest.mark.parametrize("file", FILES)
def test_every_file_is_served_as_it_is(service: Server, file: str) -> None:
    answer = service.ask(address(file))
    assert answer.status == 200
    assert answer.content == (FOLDER / file).read_bytes()
    assert answer.headers["content-type"] == TYPES[file.rsplit(".")[-1]]

    squeezed = service.ask(address(file), headers={"Accept-Encoding": "br, gzip"})
    assert squeezed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(squeezed.content) == answer.content
    assert squeezed.headers["etag"] != answer.headers["etag"], "other bytes, another strong tag"
    assert answer.headers["vary"] == squeezed.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize("file", ["index.html", "app.js", "page.css", "api/client.js", "icon.svg"])
@pytest.mark.parametrize("coding", ["identity", "gzip"])
def test_what_has_not_changed_is_not_sent_again(service: Server, file: str, coding: str) -> None:
    first = service.ask(address(file), headers={"Accept-Encoding": coding})
    tag = first.headers["etag"]
    assert tag.startswith('"'), "strong"
    assert first.headers["cache-control"] == "no-cache"
    again = service.ask(address(file), headers={"Accept-Encoding": coding, "If-None-Match": tag})
    assert again.status == 304 and again.content == b"" and again.headers["etag"] == tag
    other = service.ask(address(file), headers={"Accept-Encoding": coding, "If-None-Match": '"other"'})
    assert other.status == 200


@pytest.mark.parametrize("coding", ["gzip;q=0", "identity", "deflate", "GZIP; Q=0.000"])
def test_gzip_is_not_forced_on_anybody(service: Server, coding: str) -> None:
    assert "content-encoding" not in service.ask("/", headers={"Accept-Encoding": coding}).headers


@pytest.mark.parametrize("file", ["index.html", "app.js", "page.css", "icon.svg", "lab/index.js"])
def test_every_answer_carries_the_security_fields(service: Server, file: str) -> None:
    headers = service.ask(address(file)).headers
    policy = {rule.split()[0]: rule.split()[1:] for rule in headers["content-security-policy"].split("; ")}
    assert policy["default-src"] == ["'self'"]
    assert policy["img-src"] == ["'self'", "data:"]
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["object-src"] == ["'none'"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "geolocation=()" in headers["permissions-policy"]


def test_the_query_means_nothing_to_the_page(service: Server) -> None:
    plain = service.ask("/")
    assert service.ask("/?convention=wwdc&utm_source=x").content == plain.content
    assert service.ask("/playground/app.js?v=1").status == 200


@pytest.mark.parametrize("path", ["/playground/", "/playground/none.js", "/playground/bar/none.js", "/playground/bar/../app.js/x", "/playground/index.js/"])
def test_there_is_nothing_else(service: Server, path: str) -> None:
    assert service.ask(path).status == 404


def test_the_page_has_no_script_or_style_of_its_own() -> None:
    html = (FOLDER / "index.html").read_text()
    assert not re.search(r"<style|\sstyle=|\son\w+=", html)
    assert re.findall(r"<script[^>]*>([^<]*)</script>", html) == [""]
    assert not re.search(r"(src|href)=\"(https?:)?//", html), "nothing comes from elsewhere"


def test_the_whole_page_is_small_and_comes_from_here(playground: Playground) -> None:
    playground.see_everything()
    entries = playground.page.evaluate(
        """[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
            .map(entry => [entry.name, entry.transferSize])"""
    )
    assert all(name.startswith(playground.service.base) for name, _ in entries)
    own = {name: size for name, size in entries if "/playground/" in name or name.rstrip("/") == playground.service.base}
    assert len(own) >= len(FILES) - 1, "the icon aside, everything has been loaded by now"
    assert all(size > 0 for size in own.values()), "nothing was in a cache, so this is what it costs"
    assert sum(own.values()) < 150_000


def test_nothing_that_has_not_changed_is_loaded_again(playground: Playground) -> None:
    """A second visit costs questions and no answers: 304 for every file."""
    statuses: list[int] = []
    playground.page.on("response", lambda response: is_ours(response) and statuses.append(response.status))
    session = playground.page.context.new_cdp_session(playground.page)
    session.send("Network.enable")
    seen: list[int] = []
    session.on(
        "Network.responseReceivedExtraInfo",
        lambda event: seen.append(event["statusCode"]) if "etag" in {name.lower() for name in event["headers"]} else None,
    )
    playground.open("/")
    assert len(statuses) > 30
    # What was said of an answer may be told after the answer.
    assert playground.wait_until(lambda: seen.count(304) >= len(statuses)), "each of them was asked for, and none was sent"


def is_ours(response: Response) -> bool:
    path = urlsplit(response.url).path
    return path == "/" or path.startswith("/playground/")


def imports(file: str) -> set[str]:
    """The modules that a module imports from the start, and all that those do."""
    found: set[str] = set()
    waiting = [file]
    while waiting:
        current = waiting.pop()
        for path in re.findall(r"(?:import|export)\s[^'\"(]*?from\s*'([^']+)'", (FOLDER / current).read_text()):
            module = os.path.normpath(os.path.join(os.path.dirname(current), path))
            if module not in found:
                found.add(module)
                waiting.append(module)
    return found


def test_the_page_names_every_module_of_its_first_view(playground: Playground) -> None:
    """One round trip after the page everything is on its way: no module waits for another one to be read first."""
    preloaded = playground.page.locator("link[rel=modulepreload]").evaluate_all("links => links.map(link => link.href)")
    assert {href.split("/playground/")[1] for href in preloaded} == imports("app.js")
    # And nothing but the style sheets holds up the first picture.
    blocking = playground.page.evaluate(
        "() => performance.getEntriesByType('resource').filter(one => one.renderBlockingStatus === 'blocking').map(one => one.name)"
    )
    assert blocking and all(name.endswith(".css") for name in blocking)


def test_a_browser_refuses_what_the_policy_refuses(playground: Playground) -> None:
    playground.expects("Content Security Policy", "requires 'TrustedScript'")
    ran = playground.page.evaluate(
        """() => { const script = document.createElement('script');
            try { script.textContent = 'window.broken = true'; document.head.append(script); } catch {}
            return window.broken ?? false; }"""
    )
    assert ran is False
