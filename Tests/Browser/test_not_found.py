"""The page of an unknown path."""

from __future__ import annotations

import socket

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from contrast import read_texts
from playground import Playground
from servers import ROOT, TIMEOUT, Server

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def test_a_browser_is_told_what_was_not_found(service: Server, playground: Playground) -> None:
    playground.expects("404")
    page = playground.page
    response = page.goto("/nothing/<img src=x>?q=1")
    assert response and response.status == 404
    expect(page.locator("h1")).to_have_text("Not found")
    expect(page.locator("p code").first).to_have_text("/nothing/%3Cimg%20src=x%3E")
    assert page.locator("img").count() == 0
    links = page.locator("main a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert {"/", "/docs", "/problems/not-found"} <= set(links)
    commands = (page.locator("pre").text_content() or "").splitlines()
    readme = (ROOT / "README.md").read_text().splitlines()
    assert len(commands) == 2 and all(one.replace(service.base, "localhost:8080") in readme for one in commands)


def test_other_clients_get_the_problem(service: Server) -> None:
    for accept in ({}, {"Accept": "*/*"}, {"Accept": "application/json"}, {"Accept": "image/avif,image/webp,*/*;q=0.8"}):
        answer = service.ask("/nothing", headers=accept)
        assert answer.status == 404 and answer.headers["content-type"] == "application/problem+json"
        assert answer.headers["vary"] == "Accept"
        assert answer.json()["type"] == "/problems/not-found"
    # The problem of a bar is not that of a path.
    assert service.ask(f"/v1/bars/{'0' * 32}", headers=BROWSER).json()["type"] == "/problems/bar-not-found"


def test_the_page_is_small_and_has_the_fields_of_the_others(service: Server) -> None:
    page, other = service.ask("/nothing", headers=BROWSER), service.ask("/docs", headers=BROWSER)
    assert page.headers["content-type"] == "text/html; charset=utf-8" and page.headers["vary"] == "Accept"
    assert page.headers["cache-control"] == "no-store" and len(page.content) < 2500
    for name in ("content-security-policy", "permissions-policy", "referrer-policy", "x-content-type-options"):
        assert page.headers[name] == other.headers[name], name
    head = service.ask("/nothing", "HEAD", headers=BROWSER | {"If-None-Match": "*"})
    assert head.status == 404 and head.content == b"" and int(head.headers["content-length"]) == len(page.content)


def test_the_path_is_text_in_the_page(service: Server) -> None:
    """A client may send characters that a browser encodes."""
    host, port = service.base.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=TIMEOUT) as connection:
        fields = f"Host: {host}:{port}\r\nAccept: text/html\r\nConnection: close\r\n\r\n"
        connection.sendall(f"GET /nothing/'&amp; HTTP/1.1\r\n{fields}".encode())
        answer = b"".join(iter(lambda: connection.recv(65536), b"")).decode()
    assert answer.startswith("HTTP/1.1 404") and "<code>/nothing/&#39;&amp;amp;</code>" in answer


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_can_be_read_by_everybody(playground: Playground, scheme: str) -> None:
    playground.expects("404")
    page = playground.page
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto(f"/nothing/{'a' * 200}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    texts, faint = read_texts(page, scheme)
    assert len(texts) > 5 and faint == []
    assert Axe().run(page).response["violations"] == []
