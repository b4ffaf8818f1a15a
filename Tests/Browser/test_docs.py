"""The reference, and the pages of problems, of the status and of an unknown path."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from playground import Playground
from reference import send, visit
from browser import TIMEOUT
from service import ROOT, Service

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture
def docs(tab: Playground) -> Page:
    """The reference, in a page. The test fails if an error is logged."""
    visit(tab, "/docs")
    return tab.page


def test_a_bar_that_has_ended_is_replaced(service: Service, tab: Playground) -> None:
    tab.expects("404")
    visit(tab, "/docs#createBar")
    page = tab.page
    expect(send(page)).to_contain_text("201")
    page.evaluate("location.hash = 'getBar'")
    expect(page.get_by_label("id", exact=True)).to_have_value(re.compile("^[0-9a-f]{32}$"))
    ended = page.get_by_label("id", exact=True).input_value()
    assert service.ask("DELETE", f"/v1/bars/{ended}").status == 204
    expect(send(page)).to_contain_text("200")
    expect(page.locator(".try-note")).to_contain_text("Created the bar")
    assert page.get_by_label("id", exact=True).input_value() != ended


def test_the_own_request_is_sent_to_the_bar_that_replaces_an_ended_one(service: Service, tab: Playground) -> None:
    tab.expects("404")
    visit(tab, "/docs#putTracks")
    page = tab.page
    expect(send(page)).to_contain_text("200")
    own = json.dumps({"own": {"keyframes": [{"progress": 0, "value": 44}]}})
    page.locator(".try textarea").fill(own)
    assert service.ask("DELETE", f"/v1/bars/{page.get_by_label('id', exact=True).input_value()}").status == 204
    expect(send(page)).to_contain_text("200")
    expect(page.locator(".try textarea")).to_have_value(own)
    bar = service.read(f"/v1/bars/{page.get_by_label('id', exact=True).input_value()}")
    assert bar["values"].keys() >= {"own"}


def test_an_answer_shows_its_fields(tab: Playground) -> None:
    """The next request of the bar has the version that the last answer gave."""
    visit(tab, "/docs#postEvents")
    page = tab.page
    expect(send(page)).to_contain_text("200")
    fields = page.locator(".try-fields")
    etag = re.search(r'etag: ("\d+")', fields.locator("summary").text_content() or "")
    assert etag
    fields.locator("summary").click()
    expect(fields.locator("pre")).to_contain_text("content-type: application/json")
    page.evaluate("location.hash = 'putTracks'")
    expect(page.get_by_label("If-Match")).to_have_value(etag[1])
    expect(send(page)).to_contain_text("200")


def test_a_form_has_the_examples_of_its_operation(tab: Playground) -> None:
    tab.expects("422", "409")
    visit(tab, "/docs#createBar")
    page = tab.page
    page.get_by_label("Example").select_option(label="422 Heights not in ascending order")
    expect(send(page)).to_contain_text("422")
    expect(page.locator(".try-output")).to_contain_text("heights-not-ascending")
    page.evaluate("location.hash = 'postEvents'")
    choice = page.get_by_label("Example")
    gap = next(label for label in choice.locator("option").all_text_contents() if label.startswith("409"))
    choice.select_option(label=gap)
    expect(send(page)).to_contain_text("409")


def test_a_long_answer_is_cut_and_can_be_downloaded(service: Service, tab: Playground) -> None:
    visit(tab, "/docs#getContract")
    page = tab.page
    send(page)
    output = page.locator(".try-output")
    expect(output).to_contain_text(re.compile("Cut at 20,000 of [0-9,]+ characters"))
    with page.expect_download() as download:
        output.get_by_role("link", name="Download").click()
    assert download.value.path().read_bytes() == service.get("/openapi.yaml").content


def test_the_request_is_shown_as_code_that_runs(service: Service, tab: Playground, tmp_path: Path) -> None:
    visit(tab, "/docs#applyEvents")
    page = tab.page
    code = page.locator(".try-code pre")
    field = page.locator(".try textarea")
    events = json.loads(field.input_value())
    events["scrollable"]["id"] = "it's \"#1\" \\ one"
    field.fill(json.dumps(events, indent=2))
    texts = {}
    for language in ("curl", "JavaScript", "Swift"):
        page.get_by_role("radio", name=language).check(force=True)
        texts[language] = code.text_content() or ""
    assert service.base in texts["curl"]
    wanted = service.ask("POST", "/v1/bars/apply", events).json()
    answer = subprocess.run(["bash", "-c", f"{texts['curl']} -s"], capture_output=True, text=True, check=True, timeout=TIMEOUT)
    assert json.loads(answer.stdout) == wanted
    program = tmp_path / "request.mjs"
    program.write_text(texts["JavaScript"])
    answer = subprocess.run(["node", str(program)], capture_output=True, text=True, check=True, timeout=TIMEOUT)
    assert json.loads(answer.stdout.removeprefix("200 ")) == wanted
    # Foundation on Linux has its networking in a module of its own.
    program = tmp_path / "main.swift"
    program.write_text("import FoundationNetworking\n" + texts["Swift"])
    subprocess.run(["swiftc", "-swift-version", "6", "-o", str(tmp_path / "request"), str(program)], check=True)
    answer = subprocess.run([str(tmp_path / "request")], capture_output=True, text=True, check=True, timeout=TIMEOUT)
    assert json.dumps(wanted, separators=(",", ":"), ensure_ascii=False) in answer.stdout


def test_the_quick_start_runs(service: Service, docs: Page) -> None:
    lines = docs.locator(".quick-start pre").all_text_contents()
    assert len(lines) == 5
    assert docs.locator("#content > *").nth(1).evaluate("node => node.className") == "quick-start"
    answer = subprocess.run(["bash", "-ec", "\n".join(lines)], capture_output=True, text=True, check=True, timeout=TIMEOUT)
    spring, height, photo, watch = answer.stdout.splitlines()
    assert spring.startswith("spring<Float>(") and 0 < float(height) < 1000 and photo
    assert service.get(watch.removeprefix(service.base), fields=BROWSER).status == 200
    assert service.read(f"/v1/bars/{watch.rpartition('/')[2]}")["revision"] > 0


def test_maps_can_be_opened(tab: Playground) -> None:
    visit(tab, "/docs#getSpring")
    answer = tab.page.locator("#content .answer").first
    conventions = answer.locator(".schema > div", has=tab.page.locator("dt code", has_text=re.compile("^conventions$"))).first
    expect(conventions.locator(".type").first).to_have_text("map of object")
    conventions.locator("summary").first.click()
    named = conventions.locator(".schema > div", has_text="(any name)")
    named.locator("summary").first.click()
    expect(named.locator("dt code", has_text="snippet")).to_be_visible()


def test_a_request_of_the_playground_leads_to_its_operation(tab: Playground) -> None:
    visit(tab, "/docs#POST/v1/bars/0123456789abcdef/events")
    expect(tab.page.locator(".operation-line code")).to_have_text("/v1/bars/{id}/events")
    visit(tab, "/docs#GET/v1/photos/prefetch")
    expect(tab.page.locator(".operation-line code")).to_have_text("/v1/photos/{id}")


def test_a_search_is_not_lost_while_the_contract_loads(tab: Playground) -> None:
    page = tab.page
    waiting: list[Route] = []
    page.route("**/openapi.json", lambda route: waiting.append(route))
    page.goto("/docs")
    page.get_by_role("searchbox").fill("rubberband")
    assert tab.wait_until(lambda: len(waiting) > 0)
    waiting[0].continue_()
    expect(page.locator("[data-role=index] a").first).to_contain_text("/v1/rubberband")


def test_an_operation_is_tried_against_this_service(tab: Playground) -> None:
    """A reader finds out how to page photos, and tries it."""
    visit(tab, "/docs")
    page = tab.page
    page.get_by_role("searchbox").fill("cursor")
    page.locator("[data-role=index] a[data-id=getPhotos]").click()
    page.get_by_label("limit (optional)").fill("3")
    page.get_by_role("button", name="Send").click()
    output = page.locator(".try-output")
    content = output.get_by_label("The content")
    expect(output.locator(".try-status")).to_contain_text("200 in")
    cursor = re.search(r'"nextCursor": "([^"]+)"', content.text_content() or "")
    assert cursor
    page.locator(".try-more summary").click()
    page.get_by_label("cursor (optional)").fill(cursor[1])
    page.get_by_role("button", name="Send").click()
    expect(content).not_to_contain_text(cursor[1])
    # The next two pages can be requested without copying a cursor.
    button = output.get_by_role("button", name="Next page")
    page.get_by_label("cursor (optional)").fill("")
    page.get_by_role("button", name="Send").click()
    expect(content).to_contain_text(cursor[1])
    first = content.text_content() or ""
    button.press("Enter")
    expect(page.get_by_label("cursor (optional)")).to_have_value(cursor[1])
    expect(content).not_to_have_text(first)
    expect(button).to_be_focused()
    tab.expects("422")
    page.get_by_label("limit (optional)").fill("1000")
    page.get_by_role("button", name="Send").click()
    expect(output.locator(".try-status")).to_contain_text("422")
    output.get_by_role("link", name="What it means").click()
    expect(page.locator("#content h1")).to_contain_text("A query parameter has a value that is not allowed")


@pytest.mark.parametrize("path", ["/problems", "/problems/sequence-gap", "/v1/status"])
def test_a_browser_gets_a_page_and_a_program_json(service: Service, tab: Playground, path: str) -> None:
    for accept in ({}, {"Accept": "*/*"}, {"Accept": "application/json"}):
        answer = service.get(path, fields=accept)
        assert answer.status == 200 and answer.fields["content-type"] == "application/json"
        assert "accept" in answer.fields["vary"].lower()
    page = service.get(path, fields=BROWSER)
    assert page.fields["content-type"] == "text/html; charset=utf-8" and "accept" in page.fields["vary"].lower()
    assert "default-src 'self'" in page.fields["content-security-policy"]
    visit(tab, path)
    title: dict[str, Any] = {"/problems": "Problems", "/problems/sequence-gap": "Events are missing before this one", "/v1/status": "Status"}
    expect(tab.page.locator("#content h1")).to_have_text(title[path])


def test_every_problem_is_a_page_and_json(service: Service) -> None:
    problems = service.read("/problems")["problems"]
    assert len(problems) > 40
    for problem in problems:
        page = service.get(problem["type"], BROWSER)
        assert page.status == 200 and page.fields["content-type"] == "text/html; charset=utf-8", problem["type"]
        assert service.read(problem["type"])["code"] == problem["code"]


def test_a_problem_that_does_not_exist_is_not_found(service: Service) -> None:
    assert service.get("/problems/none", BROWSER).status == 404
    assert service.get("/problems/none").status == 404


def test_the_reference_is_loaded_only_there(playground: Playground) -> None:
    asked = playground.page.evaluate("performance.getEntriesByType('resource').map(entry => new URL(entry.name).pathname)")
    assert not {"/openapi.json", "/playground/docs.js", "/playground/docs.css"} & set(asked)


def test_a_small_screen_shows_the_chosen_operation(tab: Playground) -> None:
    """The index is closed at first; choosing an operation closes it again and goes to the title."""
    page = tab.page
    page.set_viewport_size({"width": 390, "height": 844})
    visit(tab, "/docs")
    link = tab.part("index").locator("a[data-id=getRubberband]")
    expect(link).to_be_hidden()
    page.get_by_role("button", name="Contents").click()
    expect(link).to_be_visible()
    page.get_by_role("searchbox").fill("rubberband")
    link.click()
    expect(page.locator("#content h1")).to_contain_text("rubber-band")
    expect(link).to_be_hidden()
    expect(page.get_by_role("button", name="Contents")).to_have_attribute("aria-expanded", "false")
    top = page.locator("#content .operation-line").bounding_box()
    assert top and 40 < top["y"] < 100


def test_a_browser_is_told_what_was_not_found(service: Service, tab: Playground) -> None:
    tab.expects("404")
    page = tab.page
    response = page.goto("/nothing/<img src=x>?q=1")
    assert response and response.status == 404
    expect(page.locator("h1")).to_have_text("Not found")
    expect(page.locator("p code").first).to_have_text("/nothing/%3Cimg%20src=x%3E")
    assert page.locator("img").count() == 0
    links = page.locator("main a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert {"/", "/docs", "/problems/not-found"} <= set(links)
    commands = (page.locator("pre").text_content() or "").splitlines()
    readme = (ROOT / "README.md").read_text().splitlines()
    assert len(commands) == 2 and all(one.replace(service.base, "localhost:8080") in readme for one in commands)


@pytest.mark.parametrize("width", [390, 1366])
@pytest.mark.parametrize("path", ["/docs", "/docs#createBar"])
def test_nothing_shifts_while_the_reference_loads(tab: Playground, width: int, path: str) -> None:
    page = tab.page
    page.set_viewport_size({"width": width, "height": 844})
    visit(tab, path)
    expect(tab.part("index").locator("a").first).to_be_attached()
    shift = page.evaluate(
        """() => new Promise(resolve => {
            let sum = 0;
            new PerformanceObserver(list => {
                for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) sum += value;
            }).observe({ type: 'layout-shift', buffered: true });
            requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
        })"""
    )
    assert shift < 0.01
