"""Films the playground for the README: a spring is changed, its code follows, and a bar follows its list.

SPRINGBAR_BINARY names a release build, whose answers are quick.

The page's clock is driven, one frame after the other, so the film is smooth on a busy machine, too. Frames that look like
the one before are not stored.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from browser import launch
from servers import start_service

SIZE = {"width": 1120, "height": 740}
#: The width of the film, in pixels.
WIDTH = 896
#: Milliseconds of a frame.
FRAME = 50


class Film:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[Image.Image] = []
        self.durations: list[int] = []

    def roll(self, frames: int = 1) -> None:
        """Advances the page's clock and takes a picture of each frame."""
        for _ in range(frames):
            self.page.clock.run_for(FRAME)
            picture = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
            picture = picture.resize((WIDTH, round(WIDTH * SIZE["height"] / SIZE["width"])), Image.Resampling.LANCZOS)
            if self.frames and picture.tobytes() == self.frames[-1].tobytes():
                self.durations[-1] += FRAME
            else:
                self.frames.append(picture)
                self.durations.append(FRAME)

    def wait(self, selector: str) -> None:
        """Advances the clock until the page has an element, for example after an answer of the service."""
        for _ in range(2000):
            if self.page.locator(selector).count() > 0:
                return
            # Time passes more slowly in the page, so that no request is late there.
            self.page.clock.run_for(20)
            self.page.wait_for_timeout(40)
        raise AssertionError(f"the page never had {selector}")

    def drag(self, x: float, y: float, dx: float, dy: float, frames: int) -> None:
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        for step in range(1, frames + 1):
            mouse.move(x + dx * step / frames, y + dy * step / frames)
            self.roll()
        self.roll(4)
        mouse.up()

    def save(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        first, *others = self.frames
        first.save(
            path, save_all=True, append_images=others, duration=self.durations, loop=0, quality=62, method=6, minimize_size=True
        )
        print(f"{path}: {len(self.frames)} frames, {sum(self.durations) / 1000:.1f} s, {path.stat().st_size / 1000:.0f} kB")


def spring(film: Film) -> None:
    """A spring gets bouncier, and its code for Compose follows."""
    page = film.page
    film.roll(10)
    page.get_by_role("tab", name="Compose").click()
    film.roll(10)
    slider = page.get_by_label("Damping ratio of the spring", exact=True)
    for step in range(12):
        slider.fill(f"{0.6 - 0.03 * (step + 1):.2f}")
        film.roll()
    film.wait("#springs[aria-busy=false]")
    film.roll(6)
    for _ in range(2):
        page.locator("[data-role=play]").evaluate("button => button.click()")
        film.roll(22)


def bar(film: Film) -> None:
    """A bar shrinks, snaps, and opens."""
    page = film.page
    page.locator("#bar .device").evaluate("device => scrollTo({ top: device.getBoundingClientRect().top + scrollY - 80, behavior: 'instant' })")
    film.wait(".photo-image[data-state=loaded]")
    page.wait_for_timeout(1500)
    film.roll(8)
    box = page.locator(".device .screen").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.6
    film.drag(x, y, 0, -56, 14)
    film.roll(14)
    film.drag(x, y - 100, 0, 180, 20)
    film.roll(20)


def main(path: Path) -> None:
    service = start_service()
    try:
        with sync_playwright() as playwright:
            browser = launch(playwright)
            page = browser.new_page(viewport=SIZE, base_url=service.base)
            page.clock.install()
            page.goto("/")
            film = Film(page)
            film.wait(".linear[aria-busy=false]")
            spring(film)
            bar(film)
            film.save(path)
            browser.close()
    finally:
        service.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
