"""A photo library in the upstream's wire format, with pictures and responses as large, slow or odd as an attack needs.

The sandbox library draws its pictures, which takes seconds for large ones. These pictures are the chunks of a
PNG with noise in them.
"""

from __future__ import annotations

import json
import struct
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

PHOTOS = 300
PAGE = 30


def picture(size: int) -> bytes:
    """Returns a number of bytes with the chunks of a PNG of 400 × 300 pixels."""
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBBI", 13, b"IHDR", 400, 300, 8, 2, 0, 0, 0, 0)
    end = struct.pack(">I4sI", 0, b"IEND", 0)
    content = b"\x5a" * max(0, size - len(head) - 12 - len(end))
    return head + struct.pack(">I4s", len(content), b"IDAT") + content + bytes(4) + end


class Library:
    """The library's server on a free port, with a record of its requests."""

    def __init__(self, picture_bytes: int = 20_000) -> None:
        self.picture = picture(picture_bytes)
        #: The targets of all requests so far, with their queries.
        self.asked: list[str] = []
        #: Returns the `download_location` of the photo with an id.
        self.download_location: Callable[[str], str] = lambda id: f"{self.base}/photos/{id}/download?ixid=M3w"
        #: The status of the response to a report; None delays the response until the library stops.
        self.download_status: int | None = 200
        #: Requests with longer targets are refused with 414, as the upstream does.
        self.longest_target = 8192
        #: Whether calls of the API are answered as for a wrong key.
        self.refuses_key = False
        #: The status and the content of every answer of the API instead of photos.
        self.api_answer: tuple[int, bytes] | None = None
        #: Seconds before the answer to a call of the API, and before an image.
        self.api_delay = 0.0
        self.image_delay = 0.0
        self.stopped = threading.Event()
        library = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                library.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 1024

            def handle_error(self, *_: object) -> None:
                pass  # The service may close connections.

        self.server = Server(("127.0.0.1", 0), Handler)
        self.address = f"127.0.0.1:{self.server.server_address[1]}"
        self.base = f"http://{self.address}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.stopped.set()
        self.server.shutdown()
        self.server.server_close()

    @property
    def environment(self) -> dict[str, str]:
        """The settings that let a service use this library."""
        return {
            "UNSPLASH_ACCESS_KEY": "attacks",
            "SPRINGBAR_UNSPLASH_API_URL": self.base,
            "SPRINGBAR_UNSPLASH_IMAGE_HOSTS": self.address,
            "SPRINGBAR_RATE_LIMIT_PER_HOUR": "100000",
        }

    def pictures_asked(self) -> int:
        return sum(1 for target in self.asked if target.startswith("/images/"))

    # Answers

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        self.asked.append(handler.path)
        parts = urlsplit(handler.path)
        self.stopped.wait(self.image_delay if parts.path.startswith("/images/") else self.api_delay)
        if self.refuses_key:
            self.send_json(handler, {"errors": ["OAuth error: The access token is invalid"]}, 401)
        elif self.api_answer and not parts.path.startswith("/images/"):
            self.send(handler, *self.api_answer, "application/json")
        elif len(handler.path) > self.longest_target:
            self.send(handler, 414, b"<h1>414 Request-URI Too Large</h1>", "text/html")
        elif parts.path.startswith("/images/"):
            self.send(handler, 200, self.picture, "image/png")
        elif parts.path.endswith("/download"):
            if self.download_status is None:
                self.stopped.wait()
            self.send_json(handler, {"url": f"{self.base}/images/1"}, self.download_status or 500)
        elif parts.path.endswith("/photos"):
            query = parse_qs(parts.query)
            page = int(query.get("page", ["1"])[0])
            photos = [self.photo(number) for number in range((page - 1) * PAGE, min(page * PAGE, PHOTOS))]
            if parts.path.startswith("/search/"):
                self.send_json(handler, {"total": PHOTOS, "total_pages": PHOTOS // PAGE, "results": photos})
            else:
                self.send_json(handler, photos)
        else:
            self.send_json(handler, self.photo(0) | {"id": parts.path.rpartition("/")[2] or "root"})

    def send_json(self, handler: BaseHTTPRequestHandler, value: object, status: int = 200) -> None:
        self.send(handler, status, json.dumps(value, separators=(",", ":")).encode(), "application/json")

    def send(self, handler: BaseHTTPRequestHandler, status: int, content: bytes, type: str) -> None:
        try:
            handler.send_response(status)
            handler.send_header("Content-Type", type)
            handler.send_header("Content-Length", str(len(content)))
            handler.send_header("X-Total", str(PHOTOS))
            handler.send_header("X-Per-Page", str(PAGE))
            handler.end_headers()
            handler.wfile.write(content)
        except OSError:
            handler.close_connection = True

    def photo(self, number: int) -> dict[str, object]:
        url = f"{self.base}/images/{number}?ixid=M3w"
        return {
            "id": photo_id(number),
            "slug": photo_id(number),
            "width": 4000,
            "height": 3000,
            "created_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_700_000_000 - number)),
            "likes": 1,
            "urls": {size: url for size in ("raw", "full", "regular", "small", "thumb")},
            "links": {"download_location": self.download_location(photo_id(number))},
            "user": {"username": "ada", "name": "Ada"},
        }


def photo_id(number: int) -> str:
    return f"photo{100_000 + number}"
