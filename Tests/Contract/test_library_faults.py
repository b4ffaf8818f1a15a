"""A fault of the photo library has its status in every operation that needs the library."""

from concurrent.futures import ThreadPoolExecutor
from typing import Iterator

import pytest

from conftest import running
from contract import Answer, send
from library import Library

CALLS = {
    "getPhotos": "/v1/photos",
    "getPhoto": "/v1/photos/{id}",
    "getImage": "/v1/photos/{id}/image?w=300",
    "getImageVariant": "/v1/photos/{id}/image/thumb",
    "getPlaceholder": "/v1/photos/{id}/placeholder.png",
    "reportDownload": "/v1/photos/{id}/download",
    "searchPhotos": "/v1/search/photos?query=dune",
    "getTopicPhotos": "/v1/topics/drylands/photos",
    "getCollectionPhotos": "/v1/collections/1201/photos",
}


@pytest.fixture
def library() -> Iterator[Library]:
    with Library() as library:
        yield library


def ask(port: int, name: str, photo: str) -> Answer:
    return send(port, {"target": CALLS[name]}, "post" if name == "reportDownload" else "get", {"id": photo})


def found(port: int, query: str) -> list[str]:
    """Returns the ids of the photos of a search, which the service knows from then on."""
    answer = send(port, {"target": f"/v1/search/photos?query={query}"}, "get", {})
    return [item["id"] for item in answer.json()["items"]]


@pytest.mark.parametrize(
    ("fault", "call", "file"),
    [
        ("unauthorized", (502, "upstream-credentials"), (502, "upstream-error")),
        ("tooManyRequests", (503, "upstream-rate-limited"), (502, "upstream-error")),
        ("hangBefore", (504, "upstream-timeout"), (504, "upstream-timeout")),
    ],
)
def test_a_fault_has_its_status(
    library: Library, fault: str, call: tuple[int, str], file: tuple[int, str]
) -> None:
    # A call of the library has a second less than the request.
    with running(**library.environment, SPRINGBAR_REQUEST_TIMEOUT="3") as port:
        known = found(port, "forest")
        new = [photo for photo in library.ids if photo not in known]
        library.break_with(kind=fault, on="api")
        library.break_with(kind=fault, on="images")
        # The API is asked for an unknown photo, and of a known one only the file is fetched.
        asked = list(zip(CALLS, new)) + [("getImage", known[0]), ("getImageVariant", known[0])]
        with ThreadPoolExecutor(len(asked)) as senders:
            answers = list(senders.map(lambda each: ask(port, *each), asked))
    told = {each: (answer.status, answer.problem) for each, answer in zip(asked, answers)}
    assert told == {each: file if each[1] in known else call for each in asked}


def test_pictures_can_be_redirected_to_the_library(library: Library) -> None:
    with running(**library.environment, SPRINGBAR_IMAGE_MODE="redirect") as port:
        for name in ("getImage", "getImageVariant"):
            answer = ask(port, name, library.ids[0])
            assert answer.status == 307 and library.address in answer.fields["location"]
