"""Films the playground for the README: a spring as code for four platforms, and a bar that follows its list.

SPRINGBAR_BINARY names a release build, whose answers are quick.

The page's clock is driven, one frame after the other, so the film is smooth on a busy machine, too. Frames that look like
the one before are not stored. A screenshot has no pointer, so it is drawn into the frames, and so are the captions.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw, ImageFont
from playwright.sync_api import Locator, Page, sync_playwright

sys.path.append(str(Path(__file__).resolve().parents[1] / "Harness"))
from browser import launch  # noqa: E402
from service import Service  # noqa: E402

SIZE = {"width": 1120, "height": 740}
#: The width of the film, in pixels.
WIDTH = 768
SCALE = WIDTH / SIZE["width"]
#: Milliseconds of a frame.
FRAME = 50
#: The largest size of the film, in bytes.
LARGEST = 1_000_000
#: The side of the squares that are compared, in pixels, and the largest mean difference of one, of 255 steps. The encoder
#: keeps squares of the frame before that differ by less than its quality allows: at 84 they can be seen in a photo.
SQUARE, LARGEST_DIFFERENCE = 16, 3
#: WebP with whole frames only every three seconds and more.
FORMAT = {"quality": 97, "method": 4, "kmin": 59, "kmax": 100}
#: The platforms of the film: its caption, and the name of its tab in the page.
PLATFORMS = {"iOS: SwiftUI": "SwiftUI", "Android: Jetpack Compose": "Jetpack Compose", "Flutter": "Flutter", "Web: CSS": "CSS"}
#: The outline of an arrow with its tip at the origin.
ARROW = [(0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (12, 12)]


class Film:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[Image.Image] = []
        self.durations: list[int] = []
        #: The text at the lower edge.
        self.caption = ""
        #: Where the pointer is, in pixels of the page; None for none.
        self.pointer: tuple[float, float] | None = None
        #: Whether the pointer is a finger on a screen.
        self.is_finger = False

    def roll(self, frames: int = 1) -> None:
        """Advances the page's clock and takes a picture of each frame."""
        for _ in range(frames):
            self.page.clock.run_for(FRAME)
            picture = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
            picture = picture.resize((WIDTH, round(SIZE["height"] * SCALE)), Image.Resampling.LANCZOS)
            self._draw(picture)
            if self.frames and picture.tobytes() == self.frames[-1].tobytes():
                self.durations[-1] += FRAME
            else:
                self.frames.append(picture)
                self.durations.append(FRAME)

    def _draw(self, picture: Image.Image) -> None:
        pen = ImageDraw.Draw(picture, "RGBA")
        if self.caption:
            font = ImageFont.load_default(20)
            width, middle, lower = pen.textlength(self.caption, font), WIDTH / 2, picture.height - 20
            pen.rounded_rectangle((middle - width / 2 - 22, lower - 44, middle + width / 2 + 22, lower), 22, "#1d1c1ae8")
            pen.text((middle, lower - 22), self.caption, "#fffefb", font, "mm")
        if self.pointer:
            x, y = (place * SCALE for place in self.pointer)
            if self.is_finger:
                pen.ellipse((x - 17, y - 17, x + 17, y + 17), "#1d1c1a66", "#fffefbd0", 3)
            else:
                pen.polygon([(x + dx, y + dy) for dx, dy in ARROW], "#1d1c1a", "#fffefb", 2)

    def wait(self, selector: str) -> None:
        """Advances the clock until the page has an element, for example after an answer of the service."""
        for _ in range(2000):
            if self.page.locator(selector).count() > 0:
                return
            # Time passes more slowly in the page, so that no request is late there.
            self.page.clock.run_for(20)
            self.page.wait_for_timeout(40)
        raise AssertionError(f"the page never had {selector}")

    def point(self, target: Locator, at: tuple[float, float] = (0.5, 0.5), frames: int = 6) -> None:
        """Moves the pointer to a place in an element."""
        box = target.bounding_box()
        assert box
        end = (box["x"] + box["width"] * at[0], box["y"] + box["height"] * at[1])
        start = self.pointer or (SIZE["width"] * 0.6, SIZE["height"] * 0.9)
        for step in range(1, frames + 1):
            # It is slower at both ends, as a hand is.
            share = (step / frames) ** 2 * (3 - 2 * step / frames)
            self.pointer = (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
            self.roll()

    def drag(self, x: float, y: float, dx: float, dy: float, frames: int) -> None:
        """Drags with a finger, which is on the screen only meanwhile."""
        mouse = self.page.mouse
        self.is_finger, self.pointer = True, (x, y)
        mouse.move(x, y)
        mouse.down()
        self.roll(3)
        for step in range(1, frames + 1):
            self.pointer = (x + dx * step / frames, y + dy * step / frames)
            mouse.move(*self.pointer)
            self.roll()
        self.roll(4)
        mouse.up()
        self.pointer = None

    def save(self, path: Path) -> None:
        """Saves the film; fails if it is too large, or if a square of a frame is another than in the picture."""
        path.parent.mkdir(parents=True, exist_ok=True)
        first, *others = self.frames
        first.save(path, save_all=True, append_images=others, duration=self.durations, loop=0, **FORMAT)
        size, difference = path.stat().st_size, largest_difference(path, self.frames, self.durations)
        seconds = sum(self.durations) / 1000
        print(f"{path}: {len(self.frames)} frames, {seconds:.1f} s, {size / 1000:.0f} kB, squares differ by {difference:.1f}")
        assert size <= LARGEST and difference <= LARGEST_DIFFERENCE


def largest_difference(path: Path, frames: list[Image.Image], durations: list[int]) -> float:
    """Returns the largest mean difference of a square of a film from that of its frames, in steps of brightness.

    The file may have fewer frames, because the encoder joins those that look alike.
    """
    film = Image.open(path)
    film.load()
    time, end, largest = 0, film.info["duration"], 0
    for frame, duration in zip(frames, durations):
        while time >= end:
            film.seek(film.tell() + 1)
            film.load()
            end += film.info["duration"]
        difference = ImageChops.difference(film.convert("L"), frame.convert("L"))
        largest = max(largest, difference.reduce(SQUARE).getextrema()[1])
        time += duration
    return largest


def spring(film: Film) -> None:
    """A spring gets bouncier, and its code for each platform follows."""
    page = film.page
    film.roll(8)
    slider = page.get_by_label("Damping ratio of the spring", exact=True)
    largest = float(slider.get_attribute("max") or 1)
    film.point(slider, (0.6 / largest, 0.5))
    for step in range(12):
        damping = 0.6 - 0.03 * (step + 1)
        slider.fill(f"{damping:.2f}")
        film.point(slider, (damping / largest, 0.5), frames=1)
    film.wait("#springs[aria-busy=false]")
    for caption, platform in PLATFORMS.items():
        tab = page.locator(f".code-tabs [data-platform='{platform}']")
        film.point(tab, (0.6, 0.7))
        tab.evaluate("tab => tab.click()")
        film.caption = caption
        film.roll(16)
    film.caption = "The same motion everywhere"
    play = page.locator("[data-role=play]")
    film.point(play)
    play.evaluate("button => button.click()")
    film.roll(24)
    film.caption, film.pointer = "", None


def bar(film: Film) -> None:
    """A bar shrinks, snaps, and opens."""
    page = film.page
    page.locator("#bar .device").evaluate("device => scrollTo({ top: device.getBoundingClientRect().top + scrollY - 80, behavior: 'instant' })")
    film.wait(".photo-image[data-state=loaded]")
    page.wait_for_timeout(1500)
    film.caption = "A bar that follows its list"
    film.roll(8)
    box = page.locator(".device .screen").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.6
    film.drag(x, y, 0, -56, 14)
    film.roll(14)
    film.drag(x, y - 100, 0, 180, 20)
    film.roll(20)


def main(path: Path) -> None:
    with Service() as service, sync_playwright() as playwright:
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


if __name__ == "__main__":
    main(Path(sys.argv[1]))
