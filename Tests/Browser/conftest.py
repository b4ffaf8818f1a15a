"""A browser, the service, and a page that complains about every error in its console."""

from __future__ import annotations

import os
import shutil
from typing import Any, Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, sync_playwright

from playground import Playground
from servers import ROOT, Library, Server, start_library, start_service

@pytest.fixture(scope="session")
def library() -> Iterator[Library]:
    library = start_library()
    yield library
    library.stop()


@pytest.fixture(scope="session")
def service(library: Library) -> Iterator[Server]:
    service = start_service(library)
    yield service
    service.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    executable = os.environ.get("CHROMIUM") or shutil.which("chromium")
    assert executable, "there is no chromium: run script/bootstrap"
    with sync_playwright() as playwright:
        # Continuous integration runs as root, where Chromium's own sandbox cannot.
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser, service: Server) -> Iterator[Callable[..., Playground]]:
    """Opens the playground in a browser context of its own; no page may have logged an error when the test ends."""
    contexts: list[BrowserContext] = []
    opened: list[Playground] = []

    def open_page(path: str = "/", **settings: Any) -> Playground:
        settings = {"viewport": {"width": 1366, "height": 900}} | settings
        context = browser.new_context(base_url=service.base, **settings)
        context.set_default_timeout(8000)
        contexts.append(context)
        if os.environ.get("PLAYGROUND_FROM_DISK"):
            serve_from_disk(context, service)
        playground = Playground(context.new_page(), service)
        opened.append(playground)
        playground.open(path)
        return playground

    yield open_page
    errors = [error for playground in opened for error in playground.errors]
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def playground(open_page: Callable[..., Playground]) -> Playground:
    return open_page()


@pytest.fixture
def page(playground: Playground) -> Page:
    return playground.page


@pytest.fixture
def faults(library: Library) -> Iterator[Library]:
    """The library, to be broken; whole again afterwards."""
    yield library
    library.repair()


def serve_from_disk(context: BrowserContext, service: Server) -> None:
    """For work on the page itself: the files of the checkout, under the service's own rules, instead of those built in."""
    policy = service.ask("/").headers["content-security-policy"]

    def answer(route: Route) -> None:
        path = urlsplit(route.request.url).path
        file = ROOT / "Playground" / (path.removeprefix("/playground/") if path != "/" else "index.html")
        kind = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}.get(file.suffix, "image/svg+xml")
        route.fulfill(body=file.read_bytes(), headers={"Content-Type": kind, "Content-Security-Policy": policy})

    context.route(lambda url: urlsplit(url).path == "/" or "/playground/" in url, answer)
