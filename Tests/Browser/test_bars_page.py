"""Runs the JavaScript of docs/bars.md in a browser, with a list, a header and the loop that posts the list's events."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Browser, Route

from servers import PATIENCE, ROOT, Server

PAGE = """
<style>header { height: 200px } #list { height: 667px; overflow-y: scroll; padding-top: 200px }</style>
<header></header><div id="list"><div style="height: 4800px"></div></div>
"""

BAR = {
    "configuration": {"compactStateHeight": 100, "normalStateHeight": 200, "expandedStateHeight": 300},
    "scrollable": {
        "contentOffset": {"x": 0, "y": -200},
        "contentSize": {"width": 375, "height": 4800},
        "frame": {"x": 0, "y": 0, "width": 375, "height": 667},
    },
}


def the_loop() -> str:
    match = re.search(r"^```js\n(.*?)^```$", (ROOT / "docs/bars.md").read_text(), re.MULTILINE | re.DOTALL)
    assert match
    return match[1]


def test_the_loop_follows_a_scroll_and_snaps(browser: Browser, service: Server) -> None:
    context = browser.new_context(base_url=service.base)
    context.set_default_timeout(PATIENCE * 1000)
    try:
        page = context.new_page()
        page.route("**/blank", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
        requests: list[list[dict]] = []
        attempts = 0

        def once_unreachable(route: Route) -> None:
            """Drops the response to the second batch, which was applied and is sent again."""
            nonlocal attempts
            attempts += 1
            requests.append(json.loads(route.request.post_data or "{}")["events"])
            if attempts == 2:
                route.fetch()
                route.abort()
            else:
                route.continue_()

        page.route("**/events", once_unreachable)
        page.goto("/blank")
        page.evaluate(
            """async ([bar, loop]) => {
              const answer = await fetch('/v1/bars', {
                method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(bar) });
              const script = document.createElement('script');
              script.textContent = `const id = '${(await answer.json()).id}', list = document.querySelector('#list'),
                header = document.querySelector('header');\\n${loop}`;
              document.body.append(script);
            }""",
            [BAR, the_loop()],
        )
        # The first offset is only remembered, so a small scroll precedes the one that ends between normal and compact.
        page.mouse.move(100, 400)
        page.mouse.wheel(0, 1)
        page.wait_for_function("list.scrollTop > 0 && queue.length === 0 && !isBusy")
        page.mouse.wheel(0, 70)
        page.wait_for_function("header.style.height === '100px' && list.scrollTop === 101")
        page.wait_for_function("queue.length === 0 && !isBusy && !isSnapping")
        numbers = [event["sequence"] for batch in requests for event in batch]
        assert sorted(set(numbers)) == list(range(1, max(numbers) + 1)), "numbered from 1, without a gap"
        assert len(numbers) > len(set(numbers)), "what was lost came again"
    finally:
        context.close()
