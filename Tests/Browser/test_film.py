"""The film of the README."""

from __future__ import annotations


from PIL import Image

from film import LARGEST, PLATFORMS, WIDTH
from service import ROOT


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
