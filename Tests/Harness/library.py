"""The fake photo library of the tests: the built-in library behind HTTP, with faults, and pictures of any length."""

import os
from pathlib import Path
from typing import Any

from service import Service, binary


def fake_library() -> str:
    """Returns the command `fake-library`, by default the one beside the service."""
    return os.environ.get("SPRINGBAR_FAKE_LIBRARY", str(Path(binary()).with_name("fake-library")))


class Library(Service):
    """`fake-library` on a free port. Its pictures are noise: drawing large ones takes seconds."""

    def __init__(self, picture_bytes: int | None = 20_000, photos: int = 300) -> None:
        pictures = [] if picture_bytes is None else ["--picture-bytes", str(picture_bytes)]
        super().__init__(program=fake_library(), command=["--photos", str(photos), *pictures], name="the library")
        self.address = f"127.0.0.1:{self.port}"
        #: The ids of all photos, the newest first.
        self.ids: list[str] = self.get("/fake/ids").json()

    @property
    def environment(self) -> dict[str, str]:
        """The settings that let a service use this library."""
        return {
            "UNSPLASH_ACCESS_KEY": "attacks",
            "SPRINGBAR_UNSPLASH_API_URL": self.base,
            "SPRINGBAR_UNSPLASH_IMAGE_HOSTS": self.address,
            "SPRINGBAR_RATE_LIMIT_PER_HOUR": "100000",
        }

    def break_with(self, **fault: Any) -> None:
        """Adds a fault; Tests/FakeLibrary/Fault.swift lists the kinds and their members."""
        answer = self.ask("POST", "/fake/faults", fault)
        assert answer.status == 201, answer.content

    def repair(self) -> None:
        """Removes all faults."""
        assert self.ask("DELETE", "/fake/faults").status == 204

    @property
    def asked(self) -> list[str]:
        """The targets of all requests so far, with their queries."""
        targets: list[str] = self.get("/fake/targets").json()
        return targets

    @property
    def counters(self) -> dict[str, int]:
        counters: dict[str, int] = self.get("/fake/counters").json()
        return counters

    def pictures_asked(self) -> int:
        return self.counters["imageRequests"]
