"""The film of the README."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageChops
from playwright.sync_api import Browser

from film import FORMAT, LARGEST, LARGEST_DIFFERENCE, PLATFORMS, SCALE, SIZE, WIDTH, Film, largest_difference
from servers import ROOT


def test_the_film_is_small_and_says_what_it_shows() -> None:
    path = ROOT / "docs/images/playground.webp"
    assert path.stat().st_size <= LARGEST
    film, seconds = Image.open(path), 0.0
    for index in range(film.n_frames):
        film.seek(index)
        film.load()
        seconds += film.info["duration"] / 1000
    assert film.width == WIDTH and film.n_frames > 60 and 8 < seconds < 20
    text = next(line for line in (ROOT / "README.md").read_text().splitlines() if path.name in line)
    assert len(PLATFORMS) == 4 and all(name.split()[-1] in text for name in PLATFORMS.values())


def test_a_pointer_a_finger_and_a_caption_are_drawn(browser: Browser) -> None:
    page = browser.new_page(viewport=SIZE)
    page.clock.install()
    film = Film(page)
    film.roll()
    film.pointer = (400, 300)
    film.roll()
    film.is_finger = True
    film.roll()
    film.caption, film.pointer = "iOS: SwiftUI", None
    film.roll()
    page.close()
    blank, pointer, finger, caption = film.frames
    place = (round(400 * SCALE), round(300 * SCALE))
    boxes = [ImageChops.difference(blank, one).getbbox() for one in (pointer, finger, caption)]
    assert all(boxes) and len(set(boxes)) == 3
    # An arrow has its tip at the place, and a finger its middle.
    assert boxes[0] and abs(boxes[0][0] - place[0]) <= 2 and abs(boxes[0][1] - place[1]) <= 2
    assert boxes[1] and all(abs((boxes[1][side] + boxes[1][side + 2]) / 2 - place[side]) <= 2 for side in (0, 1))
    assert boxes[2] and boxes[2][1] > blank.height * 0.8


def test_blocks_in_a_film_are_found(tmp_path: Path) -> None:
    """A gradient that moves by a few steps of brightness a frame is what an encoder keeps from the frame before."""
    gradient = Image.linear_gradient("L")
    frames = [ImageChops.offset(gradient, 0, 8 * step).convert("RGB") for step in range(20)]
    durations = [50] * len(frames)
    for name, quality, is_good in (("good.webp", FORMAT, True), ("bad.webp", FORMAT | {"quality": 20}, False)):
        path = tmp_path / name
        frames[0].save(path, save_all=True, append_images=frames[1:], duration=durations, loop=0, **quality)
        assert (largest_difference(path, frames, durations) <= LARGEST_DIFFERENCE) == is_good, name
