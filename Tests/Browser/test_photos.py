"""The photo feed in the phone's list."""

from __future__ import annotations

from typing import Callable

from playwright.sync_api import Locator, expect

from playground import Playground
from servers import Library


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
    expect(cells(playground).first).to_be_visible()
    for count in (10, 20, 30):
        playground.page.wait_for_function("count => document.querySelectorAll('.photo').length >= count", arg=count)
        scroll_to(playground, 1)
    shown = ids(playground)[:30]
    assert len(set(shown)) == 30

    expected, cursor = [], None
    for _ in range(3):
        answer = playground.service.get("/v1/photos?limit=10" + (f"&cursor={cursor}" if cursor else ""))
        expected += [photo["id"] for photo in answer["items"]]
        cursor = answer["page"]["nextCursor"]
    assert shown == expected


def test_each_cell_has_its_likeness_before_its_picture(playground: Playground) -> None:
    likeness = cells(playground).first.locator(".photo-likeness")
    expect(likeness).to_have_attribute("src", playground.service.get("/v1/photos?limit=10")["items"][0]["placeholder"])
    picture = cells(playground).first.locator(".photo-image")
    expect(picture).to_have_attribute("data-state", "loaded")
    assert "/v1/photos/" in (picture.get_attribute("src") or ""), "from the service's cache"
    assert picture.evaluate("image => image.naturalWidth") > 300


def test_an_upstream_that_fails_is_said_and_recovered_from(playground: Playground, faults: Library) -> None:
    expect(cells(playground).first).to_be_visible()
    playground.settle()
    faults.break_with(kind="serverError", on="api", status=500)
    with playground.expecting("502"):
        search(playground, "forest")
        foot = playground.part("photos-foot")
        expect(foot).to_contain_text("The photos did not come.")
        expect(foot).to_have_attribute("data-state", "failed")
    faults.repair()
    retry = foot.get_by_role("button", name="Try again")
    # The service leaves an upstream alone for a moment after a failure, so the first try may come too early.
    with playground.expecting("502", "503"):
        for _ in range(20):
            if cells(playground).count() > 0:
                break
            if retry.is_visible():
                retry.click()
            playground.page.wait_for_timeout(500)
    expect(cells(playground).first).to_be_visible()


def test_pictures_that_leave_the_screen_are_given_up(open_page: Callable[..., Playground], faults: Library) -> None:
    faults.break_with(kind="hangInside", on="images")
    aborted = faults.counters["abortedDownloads"]
    # A sharper screen wants larger pictures, which no other test has put into the cache.
    playground = open_page(device_scale_factor=2)
    # What hangs long enough ends short, which a browser reports.
    with playground.expecting("ERR_CONTENT_LENGTH_MISMATCH", "502"):
        entries = playground.service.get("/v1/status")["photos"]["imageCache"]["entries"]
        loading = ".photo-image[data-state=loading]"
        playground.page.wait_for_function("query => document.querySelectorAll(query).length === 2", arg=loading)
        playground.page.wait_for_function("() => document.querySelectorAll('.photo').length >= 10")
        scroll_to(playground, 0.9)
        expect(playground.part("given-up")).to_have_text("2")
        assert playground.settle()["state"]["height"] == 60, "pictures that hang hold up no events"
        # The service stops what nobody waits for any more: the library sees the connection closed.
        for _ in range(40):
            if faults.counters["abortedDownloads"] >= aborted + 2:
                break
            playground.page.wait_for_timeout(100)
        assert faults.counters["abortedDownloads"] >= aborted + 2
        assert playground.service.get("/v1/status")["photos"]["imageCache"]["entries"] == entries
        playground.page.goto("about:blank")


def test_a_photo_opens_with_its_description_and_whose_it_is(playground: Playground) -> None:
    photos = playground.service.get("/v1/photos?limit=10")["items"]
    fallback = next(index for index, photo in enumerate(photos) if photo["descriptionSource"] != "description")
    photo = photos[fallback]
    button = cells(playground).nth(fallback).locator(".photo-open")
    button.focus()
    button.press("Enter")
    detail = playground.part("detail")
    expect(detail.get_by_role("heading")).to_have_text(photo["description"])
    expect(playground.part("detail-source")).to_contain_text("library’s words" if photo["descriptionSource"] == "altDescription" else "whose")
    links = detail.get_by_role("link")
    expect(links.nth(0)).to_have_attribute("href", photo["attribution"]["photographerUrl"])
    expect(links.nth(1)).to_have_attribute("href", photo["attribution"]["unsplashUrl"])
    expect(detail.locator(".photo-image")).to_have_attribute("data-state", "loaded")
    with playground.page.expect_download() as download, playground.page.expect_response(f"**/{photo['id']}/download") as told:
        detail.get_by_role("link", name="Download").click()
    assert told.value.status == 202, "the library is told who takes its photos"
    assert download.value.url.endswith(photo["images"]["full"]["url"])
    download.value.cancel()
    playground.page.keyboard.press("Escape")
    expect(detail).to_be_hidden()
    expect(button).to_be_focused()


def test_the_rows_of_the_expanded_bar_search(playground: Playground) -> None:
    playground.settle()
    playground.part("expand").click()
    playground.settle()
    playground.page.get_by_role("button", name="Forest").click()
    expect(playground.part("query")).to_have_value("forest")
    with playground.page.expect_response(lambda response: "orientation=landscape" in response.url) as answer:
        playground.part("orientation").select_option("landscape")
    found = [photo["id"] for photo in answer.value.json()["items"]]
    playground.page.wait_for_function("id => document.querySelector('.photo')?.dataset.id === id", arg=found[0])
    assert ids(playground)[: len(found)] == found


def test_the_status_is_the_services(playground: Playground) -> None:
    expect(playground.part("kept")).not_to_have_text("–")
    playground.page.wait_for_timeout(1500)
    status = playground.service.get("/v1/status")
    expect(playground.part("library")).to_have_text(status["photos"]["library"])
    expect(playground.part("budget")).to_have_text(
        f"{status['photos']['budget']['remaining']} of {status['photos']['budget']['limit']}", timeout=7000
    )
