"""The page is served completely, with correct caching and a content security policy."""

from __future__ import annotations

import gzip
import io
import re
from typing import Any, Callable
from urllib.parse import urlsplit

import pytest
from PIL import Image
from playwright.sync_api import Response, expect

from playground import Playground
from service import ROOT, Service
from work import Work


BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
FOLDER = ROOT / "Playground"
FILES = sorted(str(path.relative_to(FOLDER)) for path in FOLDER.iterdir() if path.is_file())
TYPES = {"html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml", "ico": "image/vnd.microsoft.icon"}


def address(file: str) -> str:
    return "/" if file == "index.html" else f"/playground/{file}"


@pytest.mark.parametrize("file", FILES)
def test_every_file_is_served_as_it_is(service: Service, file: str) -> None:
    answer = service.get(address(file))
    assert answer.status == 200
    assert answer.content == (FOLDER / file).read_bytes()
    assert answer.fields["content-type"] == TYPES[file.rsplit(".")[-1]]

    squeezed = service.get(address(file), {"Accept-Encoding": "br, gzip"})
    assert squeezed.fields["content-encoding"] == "gzip"
    assert gzip.decompress(squeezed.content) == answer.content
    assert squeezed.fields["etag"] != answer.fields["etag"], "other bytes, another strong tag"
    assert answer.fields["vary"] == squeezed.fields["vary"] == "Accept-Encoding"


@pytest.mark.parametrize("file", ["index.html", "page.css", "page.js", "icon.svg"])
@pytest.mark.parametrize("coding", ["identity", "gzip"])
def test_what_has_not_changed_is_not_sent_again(service: Service, file: str, coding: str) -> None:
    first = service.get(address(file), {"Accept-Encoding": coding})
    tag = first.fields["etag"]
    assert tag.startswith('"'), "strong"
    assert first.fields["cache-control"] == "no-cache"
    again = service.get(address(file), {"Accept-Encoding": coding, "If-None-Match": tag})
    assert again.status == 304 and again.content == b"" and again.fields["etag"] == tag
    other = service.get(address(file), {"Accept-Encoding": coding, "If-None-Match": '"other"'})
    assert other.status == 200


@pytest.mark.parametrize("coding", ["gzip;q=0", "identity", "deflate", "GZIP; Q=0.000"])
def test_gzip_is_not_forced_on_anybody(service: Service, coding: str) -> None:
    assert "content-encoding" not in service.get("/", {"Accept-Encoding": coding}).fields


def test_an_unknown_path_is_a_problem_for_others_than_browsers(service: Service) -> None:
    for accept in ({}, {"Accept": "*/*"}, {"Accept": "application/json"}, {"Accept": "image/avif,image/webp,*/*;q=0.8"}):
        answer = service.get("/nothing", accept)
        assert answer.status == 404 and answer.fields["content-type"] == "application/problem+json"
        assert answer.fields["vary"] == "Accept"
        assert answer.json()["type"] == "/problems/not-found"
    # The problem of a bar is not that of a path.
    assert service.get(f"/v1/bars/{'0' * 32}", BROWSER).json()["type"] == "/problems/bar-not-found"


def test_the_page_of_an_unknown_path_has_the_fields_of_the_others(service: Service) -> None:
    page, other = service.get("/nothing", BROWSER), service.get("/docs", BROWSER)
    assert page.fields["content-type"] == "text/html; charset=utf-8" and page.fields["vary"] == "Accept"
    assert page.fields["cache-control"] == "no-store"
    for name in ("content-security-policy", "permissions-policy", "referrer-policy", "x-content-type-options"):
        assert page.fields[name] == other.fields[name], name


@pytest.mark.parametrize("file", ["index.html", "page.css", "icon.svg", "interfaces.js"])
def test_every_answer_carries_the_security_fields(service: Service, file: str) -> None:
    headers = service.get("/" if file == "index.html" else f"/playground/{file}").fields
    policy = {rule.split()[0]: rule.split()[1:] for rule in headers["content-security-policy"].split("; ")}
    assert policy["default-src"] == ["'self'"]
    assert policy["img-src"] == ["'self'", "data:"]
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["object-src"] == ["'none'"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "geolocation=()" in headers["permissions-policy"]


def test_a_shared_link_has_a_preview_with_its_spring(service: Service) -> None:
    link = "/?convention=wwdc&dampingRatio=0.5&response=0.4&b.convention=compose&b.dampingRatio=1&b.stiffness=200&utm_medium=x"
    host = service.base.removeprefix("http://")
    page = service.get(link, fields={"Accept-Encoding": "gzip", "Host": host})
    tags = dict(re.findall(r'<meta property="(og:[a-z:]+)" content="([^"]*)">', gzip.decompress(page.content).decode()))
    assert tags["og:title"] == "ζ 0.5, response 0.4 s · ζ 1, response 0.444 s"
    assert "overshoots its target by 16.3 %" in tags["og:description"]
    address = tags["og:image"].replace("&amp;", "&")
    assert address.startswith(f"{service.base}/v1/springs/plot.png?convention=wwdc&") and "utm" not in address
    answer = service.get(address.removeprefix(service.base))
    assert answer.fields["content-type"] == "image/png"
    picture = Image.open(io.BytesIO(answer.content)).convert("RGB")
    assert picture.size == (int(tags["og:image:width"]), int(tags["og:image:height"])) == (1200, 675)
    colours = dict((colour, count) for count, colour in picture.getcolors(100_000))
    assert colours[(0xBF, 0x3B, 0x1B)] > 5_000 and colours[(0x24, 0x56, 0xC9)] > 5_000, "both curves are drawn, in the colours of the page"


SIZES = """[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .map(entry => [entry.name, entry.transferSize, entry.initiatorType])"""


def test_the_first_view_is_small_and_quick(open_page: Callable[..., Playground]) -> None:
    playground = open_page(sees_bar=False)
    expect(playground.page.locator(".linear")).to_have_attribute("aria-busy", "false")
    entries = playground.page.evaluate(SIZES)
    assert all(name.startswith(playground.service.base) for name, _, _ in entries)
    pictures = [name for name, _, _ in entries if "/image" in name]
    assert len(entries) < 25
    assert sum(size for name, size, _ in entries if name not in pictures) < 100_000
    paint = playground.page.evaluate(
        """() => new Promise(resolve => new PerformanceObserver(list => resolve(list.getEntries().at(-1).startTime))
            .observe({ type: 'largest-contentful-paint', buffered: true }))"""
    )
    shift = playground.page.evaluate(
        """() => new Promise(resolve => { let sum = 0;
            new PerformanceObserver(list => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value; })
                .observe({ type: 'layout-shift', buffered: true });
            setTimeout(() => resolve(sum), 300); })"""
    )
    work, unit = work_of_loading(playground)
    kilobytes = sum(size for name, size, _ in entries if name not in pictures) / 1000
    print(f"first view: {len(entries)} requests, {kilobytes:.0f} kB, LCP {paint:.0f} ms, {work * 1000:.0f} ms of work, {work / unit:.1f} layouts, CLS {shift:.4f}")
    # Twice of what it takes.
    assert 1 < work / unit < 6.4
    assert shift < 0.02


def work_of_loading(playground: Playground) -> tuple[float, float]:
    """Returns the processor time that the main thread of a new page takes to load, and that of a fixed layout.

    The page gets a process of its own when it leaves `about:blank`, and the time of that process begins at 0.
    """
    page = playground.page.context.new_page()
    work = Work(page)
    unit = work.unit()
    Playground(page, playground.service).open(sees_bar=False)
    expect(page.locator(".linear")).to_have_attribute("aria-busy", "false")
    return work.seconds(), unit


def test_the_whole_page_is_small_and_comes_from_here(playground: Playground) -> None:
    playground.see_everything()
    entries = playground.page.evaluate(SIZES)
    assert all(name.startswith(playground.service.base) for name, _, _ in entries)
    own = {name: size for name, size, _ in entries if "/playground/" in name or name.rstrip("/") == playground.service.base}
    assert all(size > 0 for size in own.values()), "nothing was in a cache, so this is what it costs"
    assert sum(own.values()) < 90_000


def test_nothing_that_has_not_changed_is_loaded_again(playground: Playground) -> None:
    """On a second visit every file is revalidated with 304."""
    # A browser without windows does not ask for the icon.
    icon = "fetch(document.querySelector('link[rel=icon]').href).then(response => response.text())"
    playground.page.evaluate(icon)
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
    playground.page.evaluate(icon)
    assert len(statuses) >= 4, "the page, its style, its icon and its script"
    # The browser may report the details of a response after the response itself.
    assert playground.wait_until(lambda: seen.count(304) >= len(statuses)), "each of them was asked for, and none was sent"


def is_ours(response: Response) -> bool:
    path = urlsplit(response.url).path
    return path == "/" or path.startswith("/playground/")


def test_the_page_names_every_module_of_its_first_view(playground: Playground) -> None:
    """All files are requested one round trip after the page, because no module waits for another one."""
    named = playground.page.locator("link[rel=modulepreload], script[src]").evaluate_all("nodes => nodes.map(node => node.getAttribute('href') ?? node.getAttribute('src'))")
    found, waiting = set(), ["/playground/page.js"]
    while waiting:
        current = waiting.pop()
        found.add(current)
        text = playground.service.get(current).content.decode()
        imports = re.findall(r'\bimport[^;"]*"(/[^"]+)"', text)
        waiting += [address for address in imports if address not in found]
    assert set(named) == found
    # Only the style sheets block the first paint.
    blocking = playground.page.evaluate(
        "() => performance.getEntriesByType('resource').filter(one => one.renderBlockingStatus === 'blocking').map(one => one.name)"
    )
    assert blocking and all(name.endswith(".css") for name in blocking)


REFUSED = {"status": 403, "content_type": "application/problem+json", "body": '{"type":"/problems/none","detail":"Not from this network."}'}


@pytest.mark.parametrize(
    ("chapter", "file", "answer", "message"),
    [
        ("interfaces", "**/playground/interfaces.js*", lambda route: route.abort(), "This part could not be loaded. Try again"),
        ("gallery", "**/v1/springs/presets", lambda route: route.fulfill(**REFUSED), "This part could not be loaded. Not from this network. Try again"),
    ],
)
def test_a_chapter_that_does_not_load_can_be_tried_again(open_page: Callable[..., Playground], chapter: str, file: str, answer: Any, message: str) -> None:
    playground = open_page(expects=("net::ERR_FAILED", "403"), sees_bar=False)
    playground.page.route(file, answer)
    section = playground.page.locator(f"#{chapter}")
    section.scroll_into_view_if_needed()
    retry = section.get_by_role("button", name="Try again")
    expect(section.get_by_role("alert")).to_have_text(message)
    playground.page.unroute(file)
    retry.click()
    expect(section).to_have_attribute("aria-busy", "false")
    expect(retry).to_have_count(0)


def test_a_browser_refuses_what_the_policy_refuses(playground: Playground) -> None:
    playground.expects("Content Security Policy", "requires 'TrustedScript'")
    ran = playground.page.evaluate(
        """() => { const script = document.createElement('script');
            try { script.textContent = 'window.broken = true'; document.head.append(script); } catch {}
            return window.broken ?? false; }"""
    )
    assert ran is False
