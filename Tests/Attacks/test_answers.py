"""Details of responses that a client could use against other clients or against a proxy or cache."""

from __future__ import annotations

import pytest

from library import Library
from service import Service
from wire import Connection


@pytest.mark.parametrize("method", ["FOO", "QUERY", "BREW"])
def test_an_unknown_method_is_405(service: Service, method: str) -> None:
    answer = service.ask(method, "/v1/springs")
    assert answer.status == 405
    assert "GET" in answer.fields["allow"]


def test_the_host_of_an_absolute_target_is_the_host(library: Library) -> None:
    """RFC 9112, 3.2.2: the Host field is then ignored."""
    with Service(library.environment) as service, Connection(service.port) as connection:
        connection.send(b"GET http://right/unsplash/photos HTTP/1.1\r\nHost: wrong\r\n\r\n")
        answer = connection.read_answer()
    assert answer.status == 200
    assert "://right/" in answer.fields["link"]
    assert "wrong" not in answer.fields["link"]


@pytest.mark.parametrize(
    ("status", "target"),
    [(200, "/unsplash/photos/random"), (200, "/unsplash/photos/%72andom"), (404, "/v1/photos/random")],
)
def test_a_random_photo_is_not_cached(library: Library, status: int, target: str) -> None:
    with Service(library.environment) as service:
        answer = service.get(target)
        assert (answer.status, answer.fields["cache-control"]) == (status, "no-store")


def test_a_picture_has_nosniff(library: Library) -> None:
    with Service(library.environment) as service:
        assert service.get("/v1/photos?page=1&perPage=30").status == 200
        answer = service.get(f"/v1/photos/{library.ids[1]}/image?w=400")
    assert answer.status == 200
    assert answer.fields["x-content-type-options"] == "nosniff"
