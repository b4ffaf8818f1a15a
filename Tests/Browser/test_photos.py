"""The photo feed in the phone's list."""

from __future__ import annotations

import contextlib
import json
import re
import time
from typing import Any, Callable

from playwright.sync_api import Browser, Locator, Response, Route, expect

from conftest import Pages
from playground import Playground
from browser import TIMEOUT
from library import Library
from service import Service


def cells(playground: Playground) -> Locator:
    return playground.part("photos").locator(".photo")


def ids(playground: Playground) -> list[str]:
    return cells(playground).evaluate_all("cells => cells.map(cell => cell.dataset.id)")


def search(playground: Playground, text: str) -> None:
    playground.part("query").fill(text)
    playground.part("query").press("Enter")


def scroll_to(playground: Playground, share: float) -> None:
    playground.part("list-photos").evaluate("(list, share) => list.scrollTop = share * list.scrollHeight", share)


def test_it_scrolls_through_three_pages_without_a_duplicate_or_a_hole(playground: Playground) -> None:
    for count in (10, 20, 30):
        playground.page.wait_for_function("count => document.querySelectorAll('.photo').length >= count", arg=count)
        scroll_to(playground, 1)
    shown = ids(playground)[:30]
    assert len(set(shown)) == 30

    expected, cursor = [], None
    for _ in range(3):
        answer = playground.service.read("/v1/photos?limit=10" + (f"&cursor={cursor}" if cursor else ""))
        expected += [photo["id"] for photo in answer["items"]]
        cursor = answer["page"]["nextCursor"]
    assert shown == expected


def test_each_cell_has_its_likeness_before_its_picture(playground: Playground) -> None:
    likeness = cells(playground).first.locator(".photo-likeness")
    expect(likeness).to_have_attribute("src", playground.service.read("/v1/photos?limit=10")["items"][0]["placeholder"])
    picture = cells(playground).first.locator(".photo-image")
    expect(picture).to_have_attribute("data-state", "loaded")
    assert "/v1/photos/" in (picture.get_attribute("src") or ""), "from the service's cache"
    assert picture.evaluate("image => image.naturalWidth") > 300


def test_what_is_on_its_way_can_be_seen(playground: Playground) -> None:
    held: list[Route] = []

    def hold_first(route: Route) -> None:
        if held:
            return route.continue_()
        held.append(route)

    playground.page.route("**/v1/search/photos?*", hold_first)
    search(playground, "desert")
    foot = playground.part("photos-foot")
    expect(foot).to_have_attribute("data-state", "loading")
    expect(foot.locator(".skeleton")).to_be_visible()
    expect(playground.part("photos")).to_have_attribute("aria-busy", "true")
    while not held:
        playground.page.wait_for_timeout(10)
    held[0].continue_()
    expect(cells(playground).first).to_be_visible()
    expect(playground.part("photos")).to_have_attribute("aria-busy", "false")


def test_an_upstream_that_fails_is_said_and_recovered_from(playground: Playground, faults: Library) -> None:
    faults.break_with(kind="serverError", on="api", status=500)
    # After a failure the service does not call the library for some time, so the first attempts may be too early.
    playground.expects("502", "503")
    search(playground, "forest")
    foot = playground.part("photos-foot")
    expect(foot).to_contain_text("The photos did not load.")
    expect(foot).to_have_attribute("data-state", "failed")
    faults.repair()
    retry = foot.get_by_role("button", name="Try again")
    while not cells(playground).count():
        with playground.page.expect_response("**/v1/search/photos?*") as answer:
            retry.click()
        if answer.value.ok:
            break
        expect(foot).to_have_attribute("data-state", "failed")
        playground.page.wait_for_timeout(300)
    expect(cells(playground).first).to_be_visible()
    expect(retry).to_have_count(0)


def test_used_up_calls_are_said_with_the_time_at_which_they_are_back(playground: Playground) -> None:
    problem = {"type": "/problems/upstream-rate-limited", "title": "", "status": 503, "detail": "The budget is used up."}
    playground.page.route(
        "**/v1/search/photos?*",
        lambda route: route.fulfill(status=503, headers={"Retry-After": "2070", "Content-Type": "application/problem+json"}, body=json.dumps(problem)),
    )
    playground.expects("503")
    search(playground, "lake")
    foot = playground.part("photos-foot")
    expect(foot).to_contain_text("Photos paused: the hour’s calls are used up.")
    expect(foot).to_contain_text("Resets in 35 min.")
    expect(foot.get_by_role("button")).to_have_count(0)


def test_a_retry_keeps_the_focus(playground: Playground) -> None:
    fails = ("**/v1/search/photos?*", lambda route: route.fulfill(status=502, content_type="text/html", body=""))
    playground.page.route(*fails)
    playground.expects("502")
    search(playground, "forest")
    retry = playground.part("photos-foot").get_by_role("button", name="Try again")
    with playground.page.expect_response("**/v1/search/photos?*"):
        retry.press("Enter")
    expect(retry).to_be_focused()
    playground.page.unroute(*fails)
    retry.press("Enter")
    expect(cells(playground).first.locator(".photo-open")).to_be_focused()


def test_a_long_pause_of_a_proxy_is_no_limit_of_calls(playground: Playground) -> None:
    """It is tried again by itself after the time, and before by the user."""
    answer = {"status": 503, "headers": {"Retry-After": "60"}, "content_type": "text/html", "body": "<h1>Maintenance</h1>"}
    playground.page.route("**/v1/search/photos?*", lambda route: route.fulfill(**answer))
    playground.expects("503")
    search(playground, "forest")
    foot = playground.part("photos-foot")
    expect(foot).to_contain_text("The photos did not load.")
    playground.page.unroute("**/v1/search/photos?*")
    foot.get_by_role("button", name="Try again").click()
    expect(cells(playground).first).to_be_visible()


def test_photos_that_are_old_are_said_to_be_old(playground: Playground) -> None:
    def age(route: Route) -> None:
        answer = route.fetch()
        content = answer.json()
        content["page"] |= {"stale": True, "ageSeconds": 1500}
        route.fulfill(response=answer, json=content)

    playground.page.route("**/v1/search/photos?query=forest*", age)
    search(playground, "forest")
    expect(playground.part("stale")).to_have_text("These photos are 25 minutes old.")
    search(playground, "desert")
    expect(playground.part("stale")).to_be_empty()


def test_a_picture_that_fails_is_said_and_recovered_from(open_page: Callable[..., Playground], faults: Library) -> None:
    faults.break_with(kind="serverError", on="images", status=500)
    # These pictures are not in the cache of other tests.
    playground = open_page(device_scale_factor=1.5, expects=("502", "503", "504"))
    failed = cells(playground).filter(has=playground.page.locator(".photo-image[data-state=failed]")).first
    retry = failed.get_by_role("button", name="Try again")
    expect(retry).to_be_visible()
    faults.repair()
    address = failed.locator(".photo-image").get_attribute("data-source")
    picture = playground.page.locator(f'.photo-image[data-source="{address}"]')
    while picture.get_attribute("data-state") != "loaded":
        with playground.page.expect_response(f"**{address}") as answer:
            playground.page.locator(".photo", has=picture).get_by_role("button", name="Try again").click()
        if answer.value.ok:
            break
        expect(picture).to_have_attribute("data-state", "failed")
        playground.page.wait_for_timeout(300)
    expect(picture).to_have_attribute("data-state", "loaded")


def test_pictures_that_leave_the_screen_are_given_up(open_page: Callable[..., Playground], faults: Library) -> None:
    faults.break_with(kind="hangInside", on="images")
    aborted = faults.counters["abortedDownloads"]
    # A screen with a higher density needs larger pictures, which are not cached. A browser reports responses that are
    # truncated after a hang.
    playground = open_page(device_scale_factor=2, expects=("ERR_CONTENT_LENGTH_MISMATCH", "502", "504"))
    before = playground.service.read("/v1/status")["photos"]
    loading = ".photo-image[data-state=loading]"
    playground.page.wait_for_function("query => document.querySelectorAll(query).length >= 2", arg=loading)
    hanging = playground.page.locator(loading).evaluate_all("images => images.map(image => image.dataset.source)")
    scroll_to(playground, 0.9)
    assert playground.settle(60), "pictures that hang hold up no events"
    # The service cancels transfers without readers: it closes the connection to the library and counts this in the
    # status.
    playground.page.wait_for_function(
        "least => Number(document.querySelector('[data-role=given-up]').textContent) >= least",
        arg=before["imageLoads"]["cancelled"] + len(hanging),
    )
    assert playground.wait_until(lambda: faults.counters["abortedDownloads"] >= aborted + len(hanging))
    after = playground.service.read("/v1/status")["photos"]
    assert after["imageLoads"]["cancelled"] >= before["imageLoads"]["cancelled"] + len(hanging)
    assert after["imageCache"]["entries"] == before["imageCache"]["entries"]
    for source in hanging:
        expect(playground.page.locator(f'.photo-image[data-source="{source}"]')).to_have_attribute("data-state", "waiting")
    playground.page.goto("about:blank")


def test_a_photo_opens_with_its_description_and_whose_it_is(playground: Playground) -> None:
    photos = playground.service.read("/v1/photos?limit=10")["items"]
    fallback = next(index for index, photo in enumerate(photos) if photo["descriptionSource"] != "description")
    photo = photos[fallback]
    button = cells(playground).nth(fallback).locator(".photo-open")
    button.focus()
    button.press("Enter")
    detail = playground.part("detail")
    expect(detail.get_by_role("heading")).to_have_text(photo["description"])
    expect(playground.part("detail-source")).to_contain_text("library’s words" if photo["descriptionSource"] == "altDescription" else "no description")
    links = detail.get_by_role("link")
    expect(links.nth(0)).to_have_attribute("href", photo["attribution"]["photographerUrl"])
    expect(links.nth(1)).to_have_attribute("href", photo["attribution"]["unsplashUrl"])
    expect(detail.locator(".photo-image")).to_have_attribute("data-state", "loaded")
    with playground.page.expect_download() as download, playground.page.expect_response(f"**/{photo['id']}/download") as told:
        detail.get_by_role("link", name="Download").click()
    assert told.value.status == 202, "the library counts the download of its photo"
    assert download.value.url.endswith(photo["images"]["full"]["url"])
    download.value.cancel()
    playground.page.keyboard.press("Escape")
    expect(detail).to_be_hidden()
    expect(button).to_be_focused()


def test_the_failure_of_a_photo_is_not_shown_at_another_one(playground: Playground) -> None:
    expect(cells(playground).nth(1)).to_be_attached()
    held: dict[str, Route] = {}
    first = ids(playground)[0]
    for path in (f"**/v1/photos/{first}?*", f"**/v1/photos/{first}"):
        playground.page.route(path, lambda route: held.update(photo=route))
    playground.page.route("**/download**", lambda route: held.update(download=route))
    playground.expects("404")
    open_ = lambda index: cells(playground).nth(index).locator(".photo-open").evaluate("button => button.click()")
    dialog = playground.part("detail")
    open_(0)
    # Its own link would open the picture of the service.
    playground.part("detail-download").evaluate("link => { link.removeAttribute('href'); link.click(); }")
    playground.page.wait_for_timeout(100)
    playground.page.keyboard.press("Escape")
    open_(1)
    expect(dialog).to_have_attribute("data-id", ids(playground)[1])
    assert held.keys() == {"photo", "download"}
    problem = {"status": 404, "code": "photo-not-found", "title": "", "detail": "The photo is gone."}
    for route in held.values():
        with playground.page.expect_response(route.request.url):
            route.fulfill(status=404, content_type="application/problem+json", body=json.dumps(problem))
    playground.page.wait_for_timeout(200)
    expect(playground.part("detail-note")).to_be_empty()


def test_a_drawn_picture_is_said_to_be_drawn(browser: Browser) -> None:
    """Without a key the pictures are those of the built-in library, which are not on Unsplash."""
    with Service() as service, contextlib.closing(Pages(browser, service)) as pages:
        playground = pages.open()
        playground.page.locator(".photo-open").first.click()
        expect(playground.part("detail-by")).to_have_text("Drawn by the built-in library")
        expect(playground.part("detail-by").locator("a")).to_have_count(0)
        assert service.read("/v1/photos?limit=1")["items"][0]["attribution"]["text"] == "Drawn by the built-in library"
        assert pages.errors() == []


def test_the_rows_of_the_expanded_bar_search(playground: Playground) -> None:
    playground.part("expand").click()
    playground.settle(272)
    playground.page.get_by_role("button", name="Forest").click()
    expect(playground.part("query")).to_have_value("forest")
    with playground.page.expect_response(lambda response: "orientation=landscape" in response.url) as answer:
        playground.part("orientation").select_option("landscape")
    found = [photo["id"] for photo in answer.value.json()["items"]]
    playground.page.wait_for_function("id => document.querySelector('.photo')?.dataset.id === id", arg=found[0])
    assert ids(playground)[: len(found)] == found


def test_the_status_is_the_services(playground: Playground) -> None:
    heard: list[Response] = []
    playground.page.on("response", lambda response: response.url.endswith("/v1/status") and heard.append(response))
    # After a return to the page, the status is current.
    playground.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    deadline = time.monotonic() + TIMEOUT
    shown: dict[str, str] = {}
    said: dict[str, str] | None = None
    while time.monotonic() < deadline and shown != said:
        shown = {role: playground.part(role).inner_text() for role in ROLES}
        said = status_in_words(heard[-1].json()) if heard else None
    assert shown == said


def test_sessions_that_are_not_counted_have_no_number(playground: Playground) -> None:
    """Redis does not count them."""
    sessions = playground.part("sessions")
    expect(sessions).to_have_text(re.compile("[0-9]"))

    def without(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"bars": {"sessions": None, "maxSessions": None}})

    playground.page.route("**/v1/status", without)
    playground.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(sessions).to_have_text("–")


ROLES = ("library", "budget", "hits", "given-up", "sessions")


def status_in_words(status: dict[str, Any]) -> dict[str, str]:
    photos = status["photos"]
    cache, budget = photos["imageCache"], photos["budget"]
    return {
        "library": photos["library"],
        "budget": f"{budget['remaining']} of {budget['limit']}",
        "hits": f"{cache['hits']} of {cache['hits'] + cache['misses']}",
        "given-up": str(photos["imageLoads"]["cancelled"]),
        "sessions": str(status["bars"]["sessions"]),
    }


def test_the_requests_of_the_lists_are_shown(playground: Playground) -> None:
    # At first it is the request of the photos, or that of the presets, which the springs need, too.
    line = playground.part("photos-exchange")
    search(playground, "desert")
    expect(line.locator("summary")).to_contain_text("GET /v1/search/photos?")
    expect(line.locator("summary")).to_contain_text("200 ·")
    line.locator("summary").click()
    expect(line.locator("pre").nth(1)).to_contain_text('"items"')
    expect(line.get_by_role("button", name="as curl")).to_be_visible()
    expect(line.get_by_role("link", name="Open its operation")).to_have_attribute("href", "/docs#GET/v1/search/photos")
    playground.page.get_by_role("tab", name="Presets").first.click()
    expect(line.locator("summary")).to_contain_text("GET /v1/springs/presets")
