"""Saves screenshots of every part in artifacts/playground, which is not part of the repository."""

from __future__ import annotations

from pathlib import Path
from typing import Callable

import pytest
from playwright.sync_api import expect

from playground import ARTIFACTS, Playground

SCHEMES = ("light", "dark")


def save(playground: Playground, name: str, **options: object) -> None:
    """Saves a screenshot in each theme."""
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    pictures_loaded(playground)
    for scheme in SCHEMES:
        playground.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        path: Path = ARTIFACTS / f"{name}-{scheme}.png"
        path.unlink(missing_ok=True)
        # Transitions are shown at their ends.
        playground.page.screenshot(path=path, animations="disabled", **options)  # type: ignore[arg-type]
        assert path.stat().st_size > 10_000, "a picture of nothing is small"


def pictures_loaded(playground: Playground) -> None:
    """Waits until photos are loaded and none is loading."""
    playground.page.wait_for_function(
        """() => document.querySelectorAll('.photo-image[data-state=loaded]').length >= 2
            && document.querySelectorAll('.photo-image[data-state=loading]').length === 0"""
    )


def test_the_bar(open_page: Callable[..., Playground]) -> None:
    playground = open_page()
    save(playground, "bar-normal")
    playground.hold(dy=-46)
    playground.settle()
    save(playground, "bar-dragged")
    playground.hand.let_go()
    playground.settle(60)
    save(playground, "bar-compact")
    playground.part("expand").click()
    playground.settle(272)
    save(playground, "bar-expanded")
    playground.page.get_by_role("tab", name="Presets").first.click()
    playground.settle()
    save(playground, "bar-presets")
    playground.page.get_by_role("tab", name="Photos").first.click()
    playground.settle()
    playground.page.locator(".photo-open").nth(1).click()
    expect(playground.part("detail").locator(".photo-image")).to_have_attribute("data-state", "loaded")
    save(playground, "photo-detail")


def test_the_springs(open_page: Callable[..., Playground]) -> None:
    address = "/?convention=wwdc&dampingRatio=0.45&response=0.5&b.convention=swiftui.durationBounce&b.duration=0.5&b.bounce=0.2"
    playground = open_page(address, viewport={"width": 1366, "height": 1000})
    playground.go_to("springs")
    expect(playground.page.locator(".linear")).to_have_attribute("aria-busy", "false")
    expect(playground.part("lane-b")).to_be_visible()
    save(playground, "springs")


def test_the_interfaces(open_page: Callable[..., Playground]) -> None:
    playground = open_page(viewport={"width": 1366, "height": 1180})
    playground.go_to("interfaces")
    torch = playground.page.get_by_role("button", name="Torch")
    torch.focus()
    playground.page.keyboard.down("Enter")
    expect(playground.page.locator("[data-interface=force] .decision")).to_contain_text("activated")
    playground.page.keyboard.up("Enter")
    expect(torch).to_have_attribute("aria-pressed", "true")
    drawer = playground.page.get_by_role("button", name="Drawer")
    drawer.press("Enter")
    expect(drawer).to_have_attribute("aria-expanded", "true")
    playground.page.locator('[data-key="7"]').click()
    expect(playground.part("display")).to_have_text("7")
    save(playground, "interfaces")


@pytest.mark.parametrize("width", [800, 1200, 1440])
def test_the_phone_stays_in_sight_beside_what_looks_into_it(open_page: Callable[..., Playground], width: int) -> None:
    """A past event can be selected while the phone is visible: what looks into it is as tall as the phone."""
    playground = open_page(viewport={"width": width, "height": 900})
    playground.part("replay").evaluate("button => button.scrollIntoView({ block: 'end', behavior: 'instant' })")
    box = playground.page.locator(".device [data-role=bar]").bounding_box()
    assert box and 40 <= box["y"] < 500
    covered = playground.page.evaluate(
        """() => { const phone = document.querySelector('.device');
            const meets = (a, b) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
            const found = [];
            for (let y = 0; y < document.body.scrollHeight; y += 90) {
                scrollTo({ top: y, behavior: 'instant' });
                for (const other of document.querySelectorAll('#bar > :not(.device-place)'))
                    if (meets(phone.getBoundingClientRect(), other.getBoundingClientRect())) found.push([y, other.className]);
            }
            return found; }"""
    )
    assert covered == []


def test_every_width(open_page: Callable[..., Playground]) -> None:
    playground = open_page().see_everything()
    for width in (390, 768, 1440):
        playground.page.set_viewport_size({"width": width, "height": 780})
        playground.settle()
        save(playground, f"page-{width}", full_page=True)
