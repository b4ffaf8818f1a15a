"""Fixtures: a browser, the service, and a page. A test fails if the console of its page has an error."""

from __future__ import annotations

import os
import re
from typing import Any, Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect, sync_playwright

from browser import TIMEOUT, launch
from lab import ready
from pages import Stage
from playground import ARTIFACTS, Playground
from library import Library
from service import ROOT, Service

expect.set_options(timeout=TIMEOUT * 1000)


@pytest.fixture(scope="session")
def library() -> Iterator[Library]:
    with Library(picture_bytes=None) as library:
        yield library


@pytest.fixture(scope="session")
def service(library: Library, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    tokens = {"SPRINGBAR_DESIGN_TOKENS": str(ROOT / "Examples/motion.tokens.json"), "SPRINGBAR_LOG_LEVEL": "notice"}
    with Service(library.environment | tokens, output=tmp_path_factory.mktemp("service") / "log") as service:
        yield service


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


def new_context(browser: Browser, service: Service, **settings: Any) -> BrowserContext:
    context = browser.new_context(base_url=service.base, **settings)
    context.set_default_timeout(TIMEOUT * 1000)
    if os.environ.get("PLAYGROUND_FROM_DISK"):
        serve_from_disk(context, service)
    return context


class Pages:
    """Opens playgrounds and empty pages, each in its own browser context."""

    def __init__(self, browser: Browser, service: Service) -> None:
        self.browser = browser
        self.service = service
        self.opened: list[Playground] = []

    def tab(self, **settings: Any) -> Playground:
        """Opens an empty page with settings of its browser context."""
        settings = {"viewport": {"width": 1366, "height": 900}} | settings
        context = new_context(self.browser, self.service, **settings)
        playground = Playground(context.new_page(), self.service)
        self.opened.append(playground)
        return playground

    def open(self, path: str = "/", expects: tuple[str, ...] = (), sees_bar: bool = True, **settings: Any) -> Playground:
        """Opens a playground with settings of its browser context; `expects` are texts of allowed errors."""
        playground = self.tab(**settings)
        playground.expects(*expects)
        playground.open(path, sees_bar)
        return playground

    def errors(self) -> list[str]:
        return [error for playground in self.opened for error in playground.forgive()]

    def close(self) -> None:
        for playground in self.opened:
            playground.page.context.close()
        self.opened.clear()


@pytest.fixture
def pages(request: pytest.FixtureRequest, browser: Browser, service: Service) -> Iterator[Pages]:
    """Opens pages for one test. The test fails if one of them has logged an error."""
    pages = request.node.stash[PAGES] = Pages(browser, service)
    yield pages
    try:
        assert pages.errors() == []
    finally:
        pages.close()


@pytest.fixture
def open_page(pages: Pages) -> Callable[..., Playground]:
    """Opens playgrounds with other settings."""
    return pages.open


@pytest.fixture
def tab(pages: Pages) -> Playground:
    """An empty page, for tests of another page than the playground."""
    return pages.tab()


@pytest.fixture
def playground(open_page: Callable[..., Playground]) -> Playground:
    """A page for one test, with its own session."""
    return open_page()


@pytest.fixture(scope="module")
def module_pages(browser: Browser, service: Service) -> Iterator[Pages]:
    pages = Pages(browser, service)
    yield pages
    pages.close()


@pytest.fixture
def shared(request: pytest.FixtureRequest, module_pages: Pages) -> Iterator[Playground]:
    """A page for all tests of a module that do not change it. After a failure the next test gets a new one."""
    request.node.stash[PAGES] = module_pages
    yield module_pages.opened[0] if module_pages.opened else module_pages.open()
    errors = module_pages.errors()
    if errors or request.node.stash.get(HAS_FAILED, False):
        module_pages.close()
    assert errors == []


@pytest.fixture
def cards(shared: Playground) -> Playground:
    """The page at its eight interfaces."""
    shared.go_to("interfaces")
    return shared


@pytest.fixture
def lab(shared: Playground) -> Playground:
    """The lab in its initial state."""
    shared.go_to("springs")
    shared.page.evaluate("() => { history.replaceState(null, '', '/'); dispatchEvent(new PopStateEvent('popstate')); }")
    return ready(shared)


@pytest.fixture
def page(playground: Playground) -> Page:
    return playground.page


@pytest.fixture
def faults(library: Library) -> Iterator[Library]:
    """The library, with faults that the test sets and that are removed afterwards."""
    yield library
    library.repair()


PAGES: pytest.StashKey[Pages] = pytest.StashKey()
HAS_FAILED: pytest.StashKey[bool] = pytest.StashKey()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Adds the screenshot, the page's story and the service's log to the report of a failure."""
    report = yield
    if report.failed and PAGES in item.stash:
        item.stash[HAS_FAILED] = True
        for number, playground in enumerate(item.stash[PAGES].opened):
            report.sections.append((f"the page {playground.page.url}", "\n".join([picture(item, number, playground), *playground.story])))
            report.sections.append(("the service's log", playground.service.log[-8000:]))
    return report


def picture(item: pytest.Item, number: int, playground: Playground) -> str:
    """Saves a screenshot and returns its path."""
    path = ARTIFACTS / "failures" / f"{re.sub(r'[^A-Za-z0-9]+', '-', item.name).strip('-')}-{number}.png"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        playground.page.screenshot(path=path, timeout=10_000)
        return f"screen: {path.relative_to(ROOT)}"
    except Exception as error:  # The page may be closed; the failure itself must still be reported.
        return f"no picture of the screen: {error}"


def serve_from_disk(context: BrowserContext, service: Service) -> None:
    """Serves the files of the checkout with the service's headers, for work on the page without a build."""
    policy = service.get("/").fields["content-security-policy"]

    def answer(route: Route) -> None:
        path = urlsplit(route.request.url).path
        if path == "/openapi.json":
            return route.fulfill(body=(ROOT / "Clients/openapi.json").read_bytes(), headers={"Content-Type": "application/json"})
        folder, name = ("Clients/js", path.removeprefix("/client/")) if path.startswith("/client/") else ("Playground", path.removeprefix("/playground/"))
        pages = {"/": "index.html", "/docs": "docs.html", "/watch": "watch.html"}
        file = ROOT / folder / pages.get(path if path.count("/") == 1 else path.rpartition("/")[0], name)
        kind = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}.get(file.suffix, "image/svg+xml")
        route.fulfill(body=file.read_bytes(), headers={"Content-Type": kind, "Content-Security-Policy": policy})

    prefixes = ("/playground/", "/client/", "/watch/")
    context.route(lambda url: urlsplit(url).path in ("/", "/docs", "/openapi.json") or urlsplit(url).path.startswith(prefixes), answer)


@pytest.fixture
def stage(browser: Browser, service: Service) -> Iterator[Stage]:
    context = new_context(browser, service, viewport={"width": 390, "height": 700}, has_touch=True)
    stage = Stage(context.new_page())
    yield stage
    try:
        assert stage.errors == []
    finally:
        context.close()
