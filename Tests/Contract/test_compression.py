"""The nginx configuration of docs/operating.md in front of the service."""

import gzip
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from conftest import running
from contract import ROOT
from nginx import Missing, Nginx
from wire import request_bytes


@contextmanager
def nginx(port: int, folder: Path) -> Iterator[Nginx]:
    part = re.search(r"^```nginx\n(.*?)^```$", (ROOT / "docs/operating.md").read_text(), re.MULTILINE | re.DOTALL)
    assert part
    upstream = f"upstream springbar {{ server 127.0.0.1:{port}; keepalive 4; }}"
    try:
        with Nginx(folder, f"{upstream} server {{ listen 127.0.0.1:PORT; {part[1]} }}") as nginx:
            yield nginx
    except Missing as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="module")
def front(port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nginx]:
    with nginx(port, tmp_path_factory.mktemp("nginx")) as front:
        yield front


GZIP = {"Accept-Encoding": "gzip"}


@pytest.mark.parametrize("target", ["/v1/photos?limit=30", "/v1/springs/presets", "/v1/springs?dampingRatio=0.8&response=0.3"])
def test_a_long_answer_is_compressed_and_revalidated(front: Nginx, target: str) -> None:
    short, plain = front.get(target, GZIP), front.get(target)
    fields = short.fields
    assert short.status == 200 and fields["content-encoding"] == "gzip" and "accept-encoding" in fields["vary"].lower()
    assert len(short.content) * 3 < len(gzip.decompress(short.content))
    assert fields["etag"].startswith('W/"'), "the compressed bytes are not those of the strong tag"
    assert front.get(target, GZIP | {"If-None-Match": fields["etag"]}).status == 304
    assert "content-encoding" not in plain.fields and plain.fields["etag"] == fields["etag"].removeprefix("W/")


def test_a_document_is_not_compressed_twice(front: Nginx) -> None:
    answer = front.get("/openapi.json", GZIP)
    assert answer.fields["content-encoding"] == "gzip" and json.loads(gzip.decompress(answer.content))["openapi"]


def test_pictures_keep_their_ranges(front: Nginx) -> None:
    photo = front.get("/v1/photos?limit=1").json()["items"][0]["id"]
    target = f"/v1/photos/{photo}/image?w=200"
    assert front.get(target, GZIP).status == 200
    part = front.get(target, GZIP | {"Range": "bytes=0-7"})
    assert part.status == 206 and "content-encoding" not in part.fields and part.content == b"\x89PNG\r\n\x1a\n"


def test_bars_keep_their_strong_tags_and_their_secrets(front: Nginx) -> None:
    bar, events = (json.loads((ROOT / f"Examples/{name}.json").read_text()) for name in ("bar", "drag"))
    made = front.ask("POST", "/v1/bars", bar, GZIP)
    assert made.status == 201 and made.fields["etag"] == '"0"'
    path = f"/v1/bars/{made.json()['id']}"
    moved = front.ask("POST", f"{path}/events?results=all&explain=true", events, GZIP)
    assert moved.status == 200 and len(moved.content) > 1000 and "content-encoding" not in moved.fields
    assert front.ask("PUT", f"{path}/tracks", {}, {"If-Match": moved.fields["etag"]}).status == 200


def test_a_stream_is_not_held_back(front: Nginx) -> None:
    bar = front.ask("POST", "/v1/bars", json.loads((ROOT / "Examples/bar.json").read_text())).json()["id"]
    with front.connect() as connection:
        connection.send(request_bytes("GET", f"/v1/bars/{bar}/stream", fields=GZIP))
        status, fields = connection.read_head()
        assert status == 200 and "content-encoding" not in fields
        assert connection.read_chunk().startswith(b"event: state")


def test_a_client_does_not_choose_the_links(tmp_path: Path) -> None:
    chosen = {"Host": "a.example", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https", "Forwarded": "host=evil.example;proto=https"}
    with running(SPRINGBAR_TRUSTED_PROXIES="127.0.0.1") as port, nginx(port, tmp_path) as front:
        assert "<http://a.example/unsplash/" in front.get("/unsplash/photos", chosen).fields["link"]
