"""The reference in a browser: its pages, its operations, and its form."""

from __future__ import annotations

import yaml
from playwright.sync_api import Locator, Page, expect

from playground import Playground
from service import ROOT


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


def send(page: Page) -> Locator:
    """Sends the form and returns the status line of the answer."""
    page.get_by_role("form", name="Try it").get_by_role("button", name="Send").click()
    status = page.locator(".try-status")
    expect(status).to_be_visible()
    return status
