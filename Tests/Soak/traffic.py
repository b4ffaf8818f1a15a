"""Ordinary and hostile requests, each with the statuses that are allowed without a disturbance."""

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bars import Failure
from client import Client
from record import Record
from shapes import APPLY, ENDLESS_PLOT, EXTREME_SPRINGS, HUGE_APPLY, NEW_BAR, ODD_PATHS, long_search, scroll
from wire import request_bytes

REFUSED = (400, 404, 405, 406, 411, 413, 414, 415, 422, 431)


class Pace:
    """Turns at a steady rate, shared by all clients."""

    def __init__(self, rate: float) -> None:
        self.interval = 1 / rate
        self.next = time.monotonic()

    async def turn(self) -> None:
        # Missed turns are skipped: the run is not a benchmark.
        self.next = max(self.next + self.interval, time.monotonic() - 0.1)
        await asyncio.sleep(max(0.0, self.next - time.monotonic()))


@dataclass(frozen=True)
class Ask:
    """One request and its allowed statuses."""

    kind: str
    target: str
    expected: tuple[int, ...] = (200,)
    method: str = "GET"
    body: Any = None
    fields: dict[str, str] = field(default_factory=dict)
    #: The code of the only problem that may refuse the request with one of these statuses; empty for any.
    problem: str = ""


class Mix:
    """Random requests from sets that are small enough to fill the caches within the first minute."""

    def __init__(self, seed: str, photos: list[str], left_out: set[str]) -> None:
        self.random = random.Random(seed)
        self.photos = photos
        self.left_out = left_out

    def spring(self) -> str:
        return f"dampingRatio=0.{self.random.randint(2, 9)}&response=0.{self.random.randint(1, 9)}"

    def photo(self) -> str:
        return self.photos[min(int(self.random.expovariate(0.1)), len(self.photos) - 1)]

    def ordinary(self) -> Ask:
        """Returns a request that does not need the photo library."""
        event, number = scroll(self.random.randint(-300, 0)), self.random.randint(1, 999)
        choices: list[tuple[int, Callable[[], Ask]]] = [
            (20, lambda: Ask("spring", "/v1/springs?" + self.spring())),
            (6, lambda: Ask("curve", f"/v1/springs/curve?{self.spring()}&fps=60")),
            (4, lambda: Ask("linear", "/v1/springs/linear?" + self.spring())),
            (2, lambda: Ask("plot", "/v1/springs/plot.svg?" + self.spring())),
            (1, lambda: Ask("presets", "/v1/springs/presets")),
            (6, lambda: Ask("projection", f"/v1/projection?velocity={number}&decelerationRate=fast")),
            (4, lambda: Ask("rubberband", f"/v1/rubberband?model=power&offset={number}")),
            (8, lambda: Ask("apply", "/v1/bars/apply", method="POST", body=NEW_BAR | {"events": [event] * 4})),
            (8, lambda: Ask("health", "/healthz")),
            (1, lambda: Ask("status", "/v1/status")),
            (1, lambda: Ask("metrics", "/metrics")),
            (1, lambda: Ask("pages", self.random.choice(["/", "/openapi.yaml", "/problems"]))),
            (0 if "hostile" in self.left_out else 8, self.hostile),
        ]
        weights = [weight for weight, _ in choices]
        return self.random.choices(choices, weights)[0][1]()

    def of_photos(self) -> Ask:
        """Returns a request that needs the photo library or its cached data."""
        photo, word = self.photo(), self.random.choice(["forest", "lake", "night", "city", "snow", "coast"])
        page, width = self.random.randint(1, 8), self.random.choice([100, 200, 320])
        image, wanted = f"/v1/photos/{photo}/image?w={width}", {"ids": [photo], "variant": "thumb"}
        choices: list[tuple[int, Callable[[], Ask]]] = [
            (10, lambda: Ask("feed", f"/v1/photos?page={page}&perPage=20")),
            (4, lambda: Ask("search", f"/v1/search/photos?query={word}&page={self.random.randint(1, 3)}")),
            (8, lambda: Ask("photo", f"/v1/photos/{photo}{self.random.choice(['', '?detail=full'])}")),
            (14, lambda: Ask("picture", image)),
            (3, lambda: Ask("range", image, (200, 206, 416), fields={"Range": "bytes=100-1999"})),
            (5, lambda: Ask("placeholder", f"/v1/photos/{photo}/placeholder.png")),
            (2, lambda: Ask("download", f"/v1/photos/{photo}/download", (202,), "POST")),
            (1, lambda: Ask("prefetch", "/v1/photos/prefetch", (202, 429), "POST", wanted)),
            (5, lambda: Ask("drop-in", f"/unsplash/photos?page={page}&per_page=10")),
            (3, lambda: Ask("drop-in", f"/unsplash/search/photos?query={word}")),
            (2, lambda: Ask("drop-in", f"/unsplash/photos/{photo}")),
        ]
        weights = [weight for weight, _ in choices]
        return self.random.choices(choices, weights)[0][1]()

    def hostile(self) -> Ask:
        """Returns a request that must be refused."""
        json_fields = {"Content-Type": "application/json"}
        return self.random.choice(
            [
                *(Ask("hostile", target, REFUSED) for target in [*EXTREME_SPRINGS, ENDLESS_PLOT, *ODD_PATHS]),
                Ask("hostile", long_search(self.random.randint(1, 10**9)), REFUSED),
                Ask("hostile", APPLY, (422,), "POST", HUGE_APPLY.encode(), problem="answer-too-large"),
                Ask("hostile", "/v1/bars", REFUSED, "POST", b'{"configuration":' * 500, json_fields),
                Ask("hostile", "/v1/bars", REFUSED, "POST", b"[" * 65536, json_fields),
                Ask("hostile", "/v1/photos/prefetch", REFUSED, "POST", {"ids": ["..", "."], "variant": "thumb"}),
                Ask("hostile", "/v1/photos?cursor=" + "A" * 4000, REFUSED),
                Ask("hostile", "/v1/springs?dampingRatio=1e999&response=NaN", REFUSED),
                Ask("hostile", "/healthz", REFUSED, "FOO"),
            ]
        )

    def leaving(self) -> bytes:
        """Returns the bytes of a client that then disconnects: a whole request, a part of one, or several."""
        whole = request_bytes("GET", "/v1/springs?" + self.spring())
        picture = request_bytes("GET", f"/v1/photos/{self.photo()}/image?w=400")
        body = request_bytes("POST", APPLY, HUGE_APPLY.encode())
        return self.random.choice([b"", whole, whole * 10, whole[: len(whole) // 2], picture, body[:20_000], body])


class Worker:
    """A client that sends one request after the other."""

    def __init__(self, number: int, port: int, record: Record, pace: Pace, mix: Mix, next: Callable[[], Ask]) -> None:
        self.client = Client(port, f"127.0.30.{number + 1}")
        self.leaver = Client(port, f"127.0.31.{number + 1}")
        self.record = record
        self.pace = pace
        self.mix = mix
        self.next = next

    async def run(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            await self.pace.turn()
            if self.mix.random.random() < 0.03:
                await self.leaver.abort(self.mix.leaving())
                self.record.counts["clients that left"] += 1
                continue
            ask = self.next()
            began = time.monotonic()
            try:
                answer = await self.client.ask(ask.method, ask.target, ask.body, ask.fields)
            except Failure as error:
                self.record.note_silence(ask.kind, began, error, f"{ask.method} {ask.target}")
                await asyncio.sleep(0.05)
            else:
                what = f"{ask.method} {ask.target}"
                is_expected = self.record.note(ask.kind, began, answer, ask.expected, what)
                if is_expected and ask.problem not in ("", answer.problem):
                    self.record.fail(f"{ask.kind}: {what[:120]}: {answer.problem} instead of {ask.problem}")
        self.client.close()
