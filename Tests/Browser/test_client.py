"""The JavaScript client in a browser keeps the bar at the list, for any latency of the service."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from servers import TIMEOUT, Server

PAGE = """
<style>
  body { margin: 0 }
  header { position: absolute; top: 0; width: 375px; height: 200px }
  #list { width: 375px; height: 667px; overflow-y: scroll }
  #content { margin-top: 200px; height: 4800px }
</style>
<div id="list"><div id="content"></div></div><header></header>
"""

#: Scrolls a little in every frame, and measures the gap between the list and the bar.
SCROLL = """
async (latency) => {
  const { Springbar } = await import('/client/springbar.js');
  const [list, content, header] = ['#list', '#content', 'header'].map((name) => document.querySelector(name));
  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const far = async (...request) => {
    await pause(latency / 2);
    const response = await fetch(...request);
    await pause(latency / 2);
    return response;
  };
  const bar = new Springbar({ environment: { fetch: far } }).bar({
    configuration: { compactStateHeight: 100, normalStateHeight: 200, expandedStateHeight: 300 },
    scrollable: {
      contentOffset: { x: 0, y: -200 },
      contentSize: { width: 375, height: 4800 },
      frame: { x: 0, y: 0, width: 375, height: 667 },
    },
  }, { results: 'all' });
  const gaps = { predicted: 0, answered: 0, frames: 0, corrections: 0 };
  let answered = 200;
  bar.on('correction', () => (gaps.corrections += 1));
  bar.on('answer', ({ answer }) => (answered = answer.state.height));
  const report = () => {
    const y = list.scrollTop - 200;
    header.style.height = `${bar.send({ type: 'contentOffset', contentOffset: { x: 0, y } }).state.height}px`;
  };
  report();
  list.addEventListener('scroll', report);
  await bar.settled();
  for (let step = 0; step <= 40; step += 1) {
    list.scrollTop = step <= 20 ? step * 5 : 200 - step * 5;
    await new Promise(requestAnimationFrame);
    const top = Math.max(100, content.getBoundingClientRect().top);
    gaps.predicted = Math.max(gaps.predicted, Math.abs(top - header.getBoundingClientRect().bottom));
    gaps.answered = Math.max(gaps.answered, Math.abs(top - answered));
    gaps.frames += 1;
  }
  await bar.settled();
  const response = await fetch(`/v1/bars/${bar.id}`);
  const { state } = await response.json();
  await bar.end();
  return { ...gaps, same: JSON.stringify(state) === JSON.stringify(bar.state) };
}
"""


@pytest.mark.parametrize("latency", [0, 80, 200])
def test_the_bar_is_at_the_list_in_every_frame(browser: Browser, service: Server, latency: int) -> None:
    context = browser.new_context(base_url=service.base)
    context.set_default_timeout(TIMEOUT * 1000)
    try:
        page = context.new_page()
        page.route("**/blank", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
        page.goto("/blank")
        gaps = page.evaluate(SCROLL, latency)
        print(latency, gaps)
        assert gaps["predicted"] <= 1 and gaps["corrections"] == 0
        assert gaps["frames"] == 41 and gaps["same"]
        if latency:
            assert gaps["answered"] > 20, "a bar that waited for the answer would have been behind"
    finally:
        context.close()
