"""The columns of the reference, and the fields of its form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from playground import Playground
from reference import send, visit

ROOT = Path(__file__).parents[2]


def box(locator: Locator) -> tuple[float, float, float, float]:
    """Returns left, top, right and bottom."""
    found = locator.bounding_box()
    assert found
    return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]


def test_three_columns_keep_the_request_and_its_answer_in_view(tab: Playground) -> None:
    page = tab.page
    page.set_viewport_size({"width": 1440, "height": 900})
    for name in ("createBar", "getSpring", "getImage"):
        visit(tab, f"/docs#{name}")
        send(page)
        for place in (0, 600, 100_000):
            page.evaluate("y => scrollTo({ top: y, behavior: 'instant' })", place)
            index, panel = box(page.locator(".index")), box(page.locator(".try-panel"))
            text = box(page.locator(".operation-text"))
            assert index[2] < text[0] and text[2] < panel[0] and panel[2] <= 1440, (name, place)
            for part in (page.get_by_role("button", name="Send"), page.locator(".try-code pre"), page.locator(".try-status")):
                _, top, _, bottom = box(part)
                assert 60 <= top < bottom <= 900, (name, place)
            assert page.locator(".try-output > *").last.evaluate("node => node.getBoundingClientRect().top") < 800, (name, place)


@pytest.mark.parametrize("width", [320, 1024])
def test_fewer_columns_have_the_request_before_the_parameters(tab: Playground, width: int) -> None:
    page = tab.page
    page.set_viewport_size({"width": width, "height": 800})
    for name in ("createBar", "getSpring"):
        visit(tab, f"/docs#{name}")
        send(page)
        title, fields = box(page.locator(".operation-title")), box(page.locator(".try-request"))
        panel, text = box(page.locator(".try-panel")), box(page.locator(".operation-text"))
        assert title[3] <= fields[1] and fields[3] <= panel[1] and panel[3] <= text[1]
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_optional_fields_without_a_value_are_folded(tab: Playground) -> None:
    page = tab.page
    visit(tab, "/docs#getSpring")
    velocity = page.get_by_label("initialVelocity (optional)")
    used = page.locator(".try-fields-used label")
    expect(used).to_have_text(["dampingRatio (optional)", "response (optional)"])
    expect(velocity).to_be_hidden()
    more = page.locator(".try-more summary")
    contract = json.loads((ROOT / "Clients/openapi.json").read_text())
    fields = len(contract["paths"]["/v1/springs"]["get"]["parameters"])
    expect(more).to_have_text(f"{fields - 2} more optional fields")
    more.click()
    velocity.fill("2")
    expect(page.locator(".try-code pre")).to_contain_text("initialVelocity=2")
    # Another example shows the fields that it uses.
    choice = page.get_by_label("Example")
    choice.select_option(index=1)
    assert used.count() > 0 and all(page.locator(".try-fields-used :is(input, select)").evaluate_all("nodes => nodes.map(node => node.value)"))
    visit(tab, "/docs#createBar")
    expect(page.locator(".try-more summary")).to_have_text("1 more optional field")
    visit(tab, "/docs#listProblems")
    expect(page.locator(".try-fields-used label")).to_have_count(0)
