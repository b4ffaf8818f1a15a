"""Pictures of every part, to be looked at: they go to artifacts/playground, which is not part of the repository."""

from __future__ import annotations

from pathlib import Path
from typing import Callable

import pytest
from playwright.sync_api import expect

from playground import ARTIFACTS, Playground


def save(playground: Playground, name: str, **options: object) -> None:
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    path: Path = ARTIFACTS / f"{name}.png"
    path.unlink(missing_ok=True)
    playground.page.screenshot(path=path, **options)  # type: ignore[arg-type]
    assert path.stat().st_size > 10_000, "a picture of nothing is small"


def pictures_loaded(playground: Playground) -> None:
    playground.page.wait_for_function("() => document.querySelectorAll('.photo-image[data-state=loaded]').length >= 2")
    playground.page.wait_for_timeout(500)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_bar(open_page: Callable[..., Playground], scheme: str) -> None:
    playground = open_page(color_scheme=scheme)
    pictures_loaded(playground)
    playground.part("explain-switch").check()
    save(playground, f"bar-normal-{scheme}")
    playground.hold(playground.screen, dy=-46)
    playground.settle()
    save(playground, f"bar-dragged-{scheme}")
    playground.let_go()
    playground.settle()
    save(playground, f"bar-compact-{scheme}")
    playground.part("expand").click()
    playground.settle()
    save(playground, f"bar-expanded-{scheme}")


def test_the_photos(open_page: Callable[..., Playground]) -> None:
    playground = open_page()
    pictures_loaded(playground)
    playground.page.locator(".photo-open").nth(1).click()
    expect(playground.part("detail").locator(".photo-image")).to_have_attribute("data-state", "loaded")
    playground.page.wait_for_timeout(500)
    save(playground, "photo-detail")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_springs(open_page: Callable[..., Playground], scheme: str) -> None:
    address = "/?convention=wwdc&dampingRatio=0.45&response=0.5&b.convention=swiftui.durationBounce&b.duration=0.5&b.bounce=0.2"
    playground = open_page(address, color_scheme=scheme, viewport={"width": 1366, "height": 1000})
    playground.go_to("springs")
    expect(playground.part("linear-css")).not_to_be_empty(timeout=60_000)
    expect(playground.part("lane-b")).to_be_visible(timeout=60_000)
    playground.page.wait_for_timeout(1500)
    save(playground, f"springs-{scheme}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_interfaces(open_page: Callable[..., Playground], scheme: str) -> None:
    playground = open_page(color_scheme=scheme, viewport={"width": 1366, "height": 1180})
    playground.go_to("interfaces")
    torch = playground.page.get_by_role("button", name="Torch")
    torch.hover()
    playground.page.mouse.down()
    playground.page.wait_for_timeout(700)
    playground.page.mouse.up()
    expect(torch).to_have_attribute("aria-pressed", "true")
    playground.page.get_by_role("button", name="Drawer").press("Enter")
    playground.page.locator('[data-key="7"]').click()
    playground.page.wait_for_timeout(1200)
    save(playground, f"interfaces-{scheme}")


@pytest.mark.parametrize("width", [360, 768])
def test_small_screens(open_page: Callable[..., Playground], width: int) -> None:
    playground = open_page(viewport={"width": width, "height": 780}, color_scheme="light")
    pictures_loaded(playground)
    for chapter in ("springs", "interfaces", "bar"):
        playground.go_to(chapter)
        playground.page.wait_for_timeout(700)
    save(playground, f"page-{width}", full_page=True)
