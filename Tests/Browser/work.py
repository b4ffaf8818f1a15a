"""The work of a page: processor time of its main thread, in units that a slow or busy machine lengthens alike."""

from __future__ import annotations

from playwright.sync_api import CDPSession, Page

# Lays out and reads 400 boxes thirty times, as a page does that moves its parts.
UNIT = """() => {
    const root = document.body.appendChild(document.createElement('div'));
    root.style.cssText = 'position: absolute; visibility: hidden; width: 400px';
    for (let i = 0; i < 400; i++) root.appendChild(document.createElement('p')).textContent = `${i} points`;
    let sum = 0;
    for (let i = 0; i < 30; i++) {
        root.style.width = `${300 + i}px`;
        for (const box of root.children) sum += box.getBoundingClientRect().top;
    }
    root.remove();
    return sum; }"""


class Work:
    """Measures one page; a page of its own measures the unit, so that neither changes the other."""

    def __init__(self, page: Page) -> None:
        self._session = session_of(page)
        self._other = page.context.new_page()
        self._unit = session_of(self._other)
        page.bring_to_front()

    def seconds(self) -> float:
        """Returns the processor time of the page's main thread so far."""
        return task_seconds(self._session)

    def unit(self) -> float:
        """Returns the processor time of a fixed layout now, the least of five."""
        times = []
        for _ in range(5):
            before = task_seconds(self._unit)
            self._other.evaluate(UNIT)
            times.append(task_seconds(self._unit) - before)
        return min(times)


def session_of(page: Page) -> CDPSession:
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    return session


def task_seconds(session: CDPSession) -> float:
    return metric(session, "TaskDuration")


def metric(session: CDPSession, name: str) -> float:
    """Returns a number of Chromium's about the page since it was opened."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(metric["value"] for metric in metrics if metric["name"] == name))
