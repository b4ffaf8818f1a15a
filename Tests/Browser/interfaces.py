"""Functions for the tests of the eight interfaces: find a card and the position of its element."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Iterator

from playwright.sync_api import Locator, Response

from playground import Playground


def card(cards: Playground, name: str) -> Locator:
    found = cards.page.locator(f'[data-interface="{name}"]')
    found.evaluate("card => card.scrollIntoView({ block: 'center', behavior: 'instant' })")
    return found


@contextmanager
def asking(cards: Playground, path: str) -> Iterator[list[Response]]:
    """Collects the service's responses for a path during the block."""
    answers: list[Response] = []

    def note(response: Response) -> None:
        if path in response.url:
            answers.append(response)

    cards.page.on("response", note)
    yield answers
    cards.page.remove_listener("response", note)


def place(thing: Locator) -> tuple[float, float]:
    box = thing.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def expect_transform(thing: Locator, transform: str) -> None:
    thing.page.wait_for_function("([thing, text]) => thing.style.transform === text", arg=[thing.element_handle(), transform])


def wait_until_still(thing: Locator) -> None:
    """Waits until an element has not moved for twelve frames."""
    thing.evaluate(
        """thing => new Promise((resolve, reject) => { let last = ''; let same = 0;
            setTimeout(() => reject(new Error('it never rests')), 30000);
            const look = () => { const now = JSON.stringify(thing.getBoundingClientRect());
                same = now === last ? same + 1 : 0; last = now;
                same > 12 ? resolve() : requestAnimationFrame(look); };
            look(); })"""
    )
