"""The reference, and the pages of problems and of the status."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import yaml
from playwright.sync_api import Page, Route, expect

from contrast import read_texts
from playground import Playground
from servers import ROOT, Server

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture
def docs(playground: Playground) -> Page:
    """The reference, in a page. The test fails if an error is logged."""
    visit(playground, "/docs")
    return playground.page


def visit(playground: Playground, path: str) -> None:
    playground.page.goto("about:blank")
    playground.page.goto(path)
    expect(playground.part("content")).to_have_attribute("aria-busy", "false")


def operations() -> list[tuple[str, str, str]]:
    document = yaml.safe_load((ROOT / "openapi.yaml").read_text())
    return [
        (operation["operationId"], method.upper(), path)
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method in ("get", "post", "put", "delete")
    ]


def test_the_contract_is_read_as_it_is(playground: Playground) -> None:
    """The page's YAML parser has the same result as a library."""
    visit(playground, "/docs")
    source = (ROOT / "Playground/source/docs/yaml.js").read_text().replace("export function", "function")
    read = playground.page.context.browser.new_page()  # type: ignore[union-attr]
    try:
        found = read.evaluate(f"text => {{ {source}\n return JSON.stringify(parseYAML(text)); }}", (ROOT / "openapi.yaml").read_text())
    finally:
        read.close()
    expected = json.loads(json.dumps(yaml.safe_load((ROOT / "openapi.yaml").read_text()), default=str))
    assert json.loads(found) == expected


def test_every_operation_has_a_page_and_can_be_tried(playground: Playground, docs: Page) -> None:
    """The prefilled form of each operation is a valid request.

    The id of an example may be unknown, and the tracks depend on the events before.
    """
    playground.expects("404", "412")
    shown = docs.locator("[data-role=index] a[href^='/docs#']").evaluate_all("links => links.map(link => link.dataset.id)")
    assert sorted(shown) == sorted(name for name, _, _ in operations())
    # The bar of the other operations is created first and deleted last.
    wrong = {}
    for name, method, path in sorted(operations(), key=lambda one: (one[0] != "createBar", one[0] == "deleteBar")):
        docs.evaluate("name => location.hash = name", name)
        line = docs.locator(".operation-line")
        expect(line).to_contain_text(method)
        expect(line.locator("code")).to_have_text(path)
        expect(docs.locator("#content .answer").first).to_be_attached()
        expect(docs.locator(f"[data-role=index] a[data-id='{name}']")).to_have_attribute("aria-current", "page")
        docs.get_by_role("form", name="Try it").get_by_role("button", name="Send").click()
        output = docs.locator(".try-output")
        expect(output.locator(".try-status, img, pre, .message").first).to_be_attached()
        status = output.locator(".try-status").text_content() if output.locator(".try-status").count() else "200"
        allowed = "2|412" if name == "putTracks" else "2" if path.startswith(("/v1/bars", "/v1/springs")) else "2|404"
        if not re.match(allowed, status or ""):
            wrong[name] = output.text_content()
    assert wrong == {}


def test_a_request_of_the_playground_leads_to_its_operation(playground: Playground) -> None:
    visit(playground, "/docs#POST/v1/bars/0123456789abcdef/events")
    expect(playground.page.locator(".operation-line code")).to_have_text("/v1/bars/{id}/events")
    visit(playground, "/docs#GET/v1/photos/prefetch")
    expect(playground.page.locator(".operation-line code")).to_have_text("/v1/photos/{id}")


def test_the_search_finds_paths_parameters_and_problems(docs: Page) -> None:
    search = docs.get_by_role("searchbox")
    links = docs.locator("[data-role=index] a")
    search.fill("rubberband")
    expect(links.first).to_contain_text("/v1/rubberband")
    search.fill("sequence")
    expect(docs.locator("[data-role=index]")).to_contain_text("sequence-gap")
    search.fill("photos cursor")
    expect(docs.locator("[data-role=index]")).to_contain_text("/v1/photos")
    search.fill("zzz")
    expect(docs.locator("[data-role=index]")).to_contain_text("Nothing fits.")


def test_a_search_is_not_lost_while_the_contract_loads(playground: Playground) -> None:
    page = playground.page
    waiting: list[Route] = []
    page.route("**/openapi.yaml", lambda route: waiting.append(route))
    page.goto("/docs")
    page.get_by_role("searchbox").fill("rubberband")
    assert playground.wait_until(lambda: len(waiting) > 0)
    waiting[0].continue_()
    expect(page.locator("[data-role=index] a").first).to_contain_text("/v1/rubberband")


def test_an_operation_is_tried_against_this_service(playground: Playground) -> None:
    """A reader finds out how to page photos, and tries it."""
    visit(playground, "/docs")
    page = playground.page
    page.get_by_role("searchbox").fill("cursor")
    page.locator("[data-role=index] a[data-id=getPhotos]").click()
    page.get_by_label("limit (optional)").fill("3")
    page.get_by_role("button", name="Send").click()
    output = page.locator(".try-output")
    expect(output.locator(".try-status")).to_contain_text("200 in")
    cursor = re.search(r'"nextCursor": "([^"]+)"', output.locator("pre").text_content() or "")
    assert cursor
    page.get_by_label("cursor (optional)").fill(cursor[1])
    page.get_by_role("button", name="Send").click()
    expect(output.locator("pre")).not_to_contain_text(cursor[1])
    # The next two pages can be requested without copying a cursor.
    button = output.get_by_role("button", name="Next page")
    page.get_by_label("cursor (optional)").fill("")
    page.get_by_role("button", name="Send").click()
    expect(output.locator("pre")).to_contain_text(cursor[1])
    first = output.locator("pre").text_content() or ""
    button.press("Enter")
    expect(page.get_by_label("cursor (optional)")).to_have_value(cursor[1])
    expect(output.locator("pre")).not_to_have_text(first)
    expect(button).to_be_focused()
    playground.expects("422")
    page.get_by_label("limit (optional)").fill("1000")
    page.get_by_role("button", name="Send").click()
    expect(output.locator(".try-status")).to_contain_text("422")
    output.get_by_role("link", name="What it means").click()
    expect(page.locator("#content h1")).to_contain_text("A query parameter has a value that is not allowed")


def test_a_bar_is_created_and_read(playground: Playground) -> None:
    visit(playground, "/docs#createBar")
    page = playground.page
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".try-status")).to_contain_text("201")
    page.evaluate("location.hash = 'getBar'")
    expect(page.locator(".operation-line code")).to_have_text("/v1/bars/{id}")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".try-status")).to_contain_text("200")


@pytest.mark.parametrize("path", ["/problems", "/problems/sequence-gap", "/v1/status"])
def test_a_browser_gets_a_page_and_a_program_json(service: Server, playground: Playground, path: str) -> None:
    for accept in ({}, {"Accept": "*/*"}, {"Accept": "application/json"}):
        answer = service.ask(path, headers=accept)
        assert answer.status == 200 and answer.headers["content-type"] == "application/json"
        assert "accept" in answer.headers["vary"].lower()
    page = service.ask(path, headers=BROWSER)
    assert page.headers["content-type"] == "text/html; charset=utf-8" and "accept" in page.headers["vary"].lower()
    assert "default-src 'self'" in page.headers["content-security-policy"]
    visit(playground, path)
    title: dict[str, Any] = {"/problems": "Problems", "/problems/sequence-gap": "Events are missing before this one", "/v1/status": "Status"}
    expect(playground.page.locator("#content h1")).to_have_text(title[path])


def test_every_problem_is_a_page_and_json(service: Server) -> None:
    problems = service.get("/problems")["problems"]
    assert len(problems) > 40
    for problem in problems:
        page = service.ask(problem["type"], headers=BROWSER)
        assert page.status == 200 and page.headers["content-type"] == "text/html; charset=utf-8", problem["type"]
        assert service.get(problem["type"])["code"] == problem["code"]


def test_a_problem_that_does_not_exist_is_not_found(service: Server) -> None:
    assert service.ask("/problems/none", headers=BROWSER).status == 404
    assert service.ask("/problems/none").status == 404


def test_the_reference_is_loaded_only_there(playground: Playground) -> None:
    asked = playground.page.evaluate("performance.getEntriesByType('resource').map(entry => new URL(entry.name).pathname)")
    assert not {"/openapi.yaml", "/playground/docs.js", "/playground/docs.css"} & set(asked)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_reference_can_be_read_by_everybody(playground: Playground, scheme: str) -> None:
    playground.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    for path in ("/docs", "/docs#createBar", "/problems", "/problems/sequence-gap", "/v1/status"):
        visit(playground, path)
        texts, faint = read_texts(playground.page, scheme)
        assert len(texts) > 40 and faint == [], path
        names = playground.page.locator("a, button, input, select, textarea").evaluate_all(
            """nodes => nodes.filter(node => node.checkVisibility() && !node.textContent.trim()
                && !node.labels?.length && !node.getAttribute('aria-label')).map(node => node.outerHTML.slice(0, 80))"""
        )
        assert names == [], "everything that can be used has a name"
        assert playground.page.locator("h1").count() == 1


@pytest.mark.parametrize("width", [390, 768])
def test_the_reference_fits(playground: Playground, width: int) -> None:
    playground.page.set_viewport_size({"width": width, "height": 800})
    for path in ("/docs", "/docs#createBar", "/docs#getSpring", "/problems", "/v1/status"):
        visit(playground, path)
        assert playground.page.evaluate("document.documentElement.scrollWidth") <= width, path


@pytest.mark.parametrize(("width", "is_open"), [(390, False), (1366, True)])
def test_the_index_leaves_a_small_screen_to_the_content(playground: Playground, width: int, is_open: bool) -> None:
    playground.page.set_viewport_size({"width": width, "height": 844})
    visit(playground, "/docs#createBar")
    group = playground.part("index").locator("details").first
    expect(group).to_be_attached()
    assert group.evaluate("group => group.open") == is_open
    assert playground.page.locator("#content h1").bounding_box()["y"] < 500  # type: ignore[index]
    playground.page.get_by_role("searchbox").fill("rubberband")
    expect(playground.part("index").locator("a").first).to_be_visible()
