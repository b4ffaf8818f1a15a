"""The nginx configuration of docs/operating.md in front of the service."""

from __future__ import annotations

import gzip
import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Iterator

import pytest

from contract import ROOT

#: Debian's folder of nginx is not on the path of every user.
PROGRAM = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
WHOLE = """
error_log stderr warn;
pid {folder}/nginx.pid;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    upstream springbar {{ server 127.0.0.1:{port}; keepalive 4; }}
    server {{ listen 127.0.0.1:{front}; {part} }}
}}
"""


@pytest.fixture(scope="module")
def front(port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Runs nginx; the value is its port."""
    if PROGRAM is None:
        pytest.skip("there is no nginx: run script/bootstrap")
    part = re.search(r"^```nginx\n(.*?)^```$", (ROOT / "docs/operating.md").read_text(), re.MULTILINE | re.DOTALL)
    assert part
    folder: Path = tmp_path_factory.mktemp("nginx")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = free.getsockname()[1]
    (folder / "nginx.conf").write_text(WHOLE.format(folder=folder, port=port, front=number, part=part[1]))
    options = ["-p", str(folder), "-c", "nginx.conf", "-e", "stderr", "-g", "daemon off; master_process off;"]
    process = subprocess.Popen([PROGRAM, *options])
    try:
        deadline = time.monotonic() + 20
        while True:
            try:
                ask(number, "/healthz")
                break
            except OSError:
                assert process.poll() is None and time.monotonic() < deadline, "nginx does not start"
                time.sleep(0.02)
        yield number
    finally:
        process.terminate()
        process.wait(timeout=30)


def ask(port: int, target: str, method: str = "GET", body: object = None, **fields: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    headers = {name.replace("_", "-"): value for name, value in fields.items()}
    if body is not None:
        headers["Content-Type"] = "application/json"
    try:
        connection.request(method, target, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
    finally:
        connection.close()


@pytest.mark.parametrize("target", ["/v1/photos?limit=30", "/v1/springs/presets", "/v1/springs?dampingRatio=0.8&response=0.3"])
def test_a_long_answer_is_compressed_and_revalidated(port: int, front: int, target: str) -> None:
    status, headers, content = ask(front, target, Accept_Encoding="gzip")
    assert status == 200 and headers["content-encoding"] == "gzip" and "accept-encoding" in headers["vary"].lower()
    assert len(content) * 3 < len(gzip.decompress(content))
    assert headers["etag"].startswith('W/"'), "the compressed bytes are not those of the strong tag"
    assert ask(front, target, Accept_Encoding="gzip", If_None_Match=headers["etag"])[0] == 304
    plain = ask(front, target)
    assert "content-encoding" not in plain[1] and plain[1]["etag"] == headers["etag"].removeprefix("W/")


def test_a_document_is_not_compressed_twice(front: int) -> None:
    _, headers, content = ask(front, "/openapi.json", Accept_Encoding="gzip")
    assert headers["content-encoding"] == "gzip" and json.loads(gzip.decompress(content))["openapi"]


def test_pictures_keep_their_ranges(front: int) -> None:
    photo = json.loads(ask(front, "/v1/photos?limit=1")[2])["items"][0]["id"]
    target = f"/v1/photos/{photo}/image?w=200"
    assert ask(front, target, Accept_Encoding="gzip")[0] == 200
    status, headers, content = ask(front, target, Accept_Encoding="gzip", Range="bytes=0-7")
    assert status == 206 and "content-encoding" not in headers and content == b"\x89PNG\r\n\x1a\n"


def test_bars_keep_their_strong_tags_and_their_secrets(front: int) -> None:
    bar = json.loads((ROOT / "Examples/bar.json").read_text())
    status, headers, content = ask(front, "/v1/bars", "POST", bar, Accept_Encoding="gzip")
    assert status == 201 and headers["etag"] == '"0"'
    path = f"/v1/bars/{json.loads(content)['id']}"
    events = json.loads((ROOT / "Examples/drag.json").read_text())
    status, headers, content = ask(front, f"{path}/events?results=all&explain=true", "POST", events, Accept_Encoding="gzip")
    assert status == 200 and len(content) > 1000 and "content-encoding" not in headers
    status, headers, _ = ask(front, f"{path}/tracks", "PUT", {}, If_Match=headers["etag"])
    assert status == 200


def test_a_stream_is_not_held_back(front: int) -> None:
    bar = json.loads((ROOT / "Examples/bar.json").read_text())
    id = json.loads(ask(front, "/v1/bars", "POST", bar)[2])["id"]
    connection = http.client.HTTPConnection("127.0.0.1", front, timeout=20)
    connection.request("GET", f"/v1/bars/{id}/stream", headers={"Accept-Encoding": "gzip"})
    response = connection.getresponse()
    assert response.status == 200 and response.getheader("content-encoding") is None
    assert response.readline().startswith(b"event: state")
    connection.close()
