"""The spring lab of the playground."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from playground import Playground


def ready(playground: Playground) -> Playground:
    """Waits until the lab shows its state, and the address contains it."""
    playground.go_to("springs")
    expect(playground.page.locator(".linear")).to_have_attribute("aria-busy", "false")
    expect(playground.part("spring-a").locator("select").first).to_be_attached()
    return playground


def set_parameter(lab: Playground, name: str, value: float) -> None:
    lab.page.get_by_label(re.compile(f"^{name}.* of the spring, typed")).fill(str(value))
    ready(lab)


def state(lab: Playground) -> dict[str, str]:
    """Returns the lab's state from the address, which changes after the last input."""
    # A timer of the page fires after those that were set before it, however busy the machine is.
    lab.page.evaluate("() => new Promise(resolve => setTimeout(resolve, 700))")
    return {name: values[0] for name, values in parse_qs(urlsplit(lab.page.url).query).items()}
