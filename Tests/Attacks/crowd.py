"""Runs all attacks that take a resource at once, as a separate program: `crowd.py PORT SECONDS [ATTACK...]`.

Each attack is a thread with its own address that repeats the attack until the time is over. At the end, the program
prints one line of JSON: a count for each attack and outcome.
"""

import collections
import json
import resource
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "Harness"))
from shapes import ALLOWED_APPLY, APPLY, HUGE_APPLY, NEW_BAR, scroll, tracks  # noqa: E402
from wire import Connection, ask, request_bytes  # noqa: E402


class Crowd:
    """All attacks on one service."""

    def __init__(self, port: int, seconds: float, wanted: list[str]) -> None:
        self.port = port
        #: Names of attacks; empty for all.
        self.wanted = wanted
        self.end = time.monotonic() + seconds
        self.outcomes: collections.Counter[str] = collections.Counter()
        #: The ids of photos, for the attacks on pictures.
        self.photos: list[str] = []

    @property
    def goes_on(self) -> bool:
        return time.monotonic() < self.end

    def run(self) -> None:
        page = ask(self.port, "GET", "/v1/photos?page=1&perPage=100", source="127.0.2.1").json()
        self.photos = [photo["id"] for photo in page["items"]]
        attacks: list[Callable[[str], None]] = [
            self.huge_answers, self.allowed_answers, self.stalled_pictures, self.heights, self.unfinished_bodies,
            self.bars_with_tracks, self.bars_that_stay, self.downloads, self.streams, self.idle_connections,
            self.drawings,
        ]  # fmt: skip
        threads = []
        for number, attack in enumerate(attacks):
            if self.wanted and attack.__name__ not in self.wanted:
                continue
            thread = threading.Thread(target=self.repeat, args=(attack, f"127.0.2.{number + 10}"), daemon=True)
            thread.start()
            threads.append(thread)
        for thread in threads:
            thread.join(timeout=max(0.0, self.end - time.monotonic()) + 10)
        print(json.dumps(dict(sorted(self.outcomes.items()))), flush=True)

    def repeat(self, attack: Callable[[str], None], source: str) -> None:
        while self.goes_on:
            try:
                attack(source)
            except (OSError, ValueError) as error:
                # An attacker must expect refusals, resets and time-outs.
                self.count(attack.__name__, type(error).__name__)
                time.sleep(0.02)

    def count(self, attack: str, outcome: object) -> None:
        self.outcomes[f"{attack.replace('_', ' ')}: {outcome}"] += 1

    def ask(self, source: str, attack: str, method: str, target: str, body: object = None) -> None:
        self.count(attack, ask(self.port, method, target, body, source=source, timeout=5).status)

    def hold(
        self, attack: str, source: str, requests: list[bytes], seconds: float, reads_head: bool = False
    ) -> None:
        """Opens connections that send a request each and read nothing, or the head of the response and nothing after it,
        and keeps them open for a time.
        """
        held: list[Connection] = []
        try:
            for request in requests:
                connection = Connection(self.port, source, receive_buffer=4096, timeout=1)
                held.append(connection)
                connection.send(request)
                self.count(attack, "sent")
            time.sleep(min(seconds, max(0.0, self.end - time.monotonic())))
            for connection in held if reads_head else []:
                self.count(attack, connection.read_head()[0])
        finally:
            for connection in held:
                connection.close()

    # Attacks

    def huge_answers(self, source: str) -> None:
        self.hold("huge answers", source, [request_bytes("POST", APPLY, HUGE_APPLY.encode())] * 12, 1, reads_head=True)

    def allowed_answers(self, source: str) -> None:
        request = request_bytes("POST", APPLY, ALLOWED_APPLY.encode())
        self.hold("allowed answers", source, [request] * 40, 2, reads_head=True)

    def stalled_pictures(self, source: str) -> None:
        for first in range(0, len(self.photos), 40):
            photos = self.photos[first : first + 40]
            requests = [request_bytes("GET", f"/v1/photos/{photo}/image/full") for photo in photos]
            self.hold("stalled pictures", source, requests, 3)

    def heights(self, source: str) -> None:
        with Connection(self.port, source, timeout=5) as connection:
            for height in range(201, 501):
                if not self.goes_on:
                    return
                answer = connection.ask("GET", f"/v1/photos/{self.photos[0]}/image?w=200&h={height}")
                self.count("heights", answer.status)

    def unfinished_bodies(self, source: str) -> None:
        fields = {"Content-Type": "application/json", "Content-Length": "262144"}
        request = request_bytes("POST", APPLY, None, fields) + b" " * 262_000
        self.hold("unfinished bodies", source, [request] * 400, 2)

    def bars_with_tracks(self, source: str) -> None:
        with Connection(self.port, source, timeout=5) as connection:
            created = connection.ask("POST", "/v1/bars", NEW_BAR | {"tracks": tracks(128, "-" * 128, 8)})
            self.count("bars with tracks", created.status)
            if created.status != 201:
                return
            bar = created.fields["location"]
            for value in range(8):
                track = {"compactNormalRange": {"value": 0}, "normalExpandedRange": {"value": value}}
                change = {"000" + "-" * 125: track}
                self.count("tracks", connection.ask("PUT", bar + "/tracks", change, {"If-Match": "*"}).status)
                events = {"events": [scroll(-200 + step % 100) for step in range(64)]}
                self.count("events", connection.ask("POST", bar + "/events?results=none", events).status)

    def bars_that_stay(self, source: str) -> None:
        with Connection(self.port, source, timeout=5) as connection:
            body = json.dumps(NEW_BAR | {"ttlSeconds": 86400}).encode()
            connection.send(request_bytes("POST", "/v1/bars", body) * 50)
            for _ in range(50):
                self.count("bars that stay", connection.read_answer().status)

    def downloads(self, source: str) -> None:
        with Connection(self.port, source, timeout=5) as connection:
            connection.send(request_bytes("POST", f"/v1/photos/{self.photos[1]}/download", b"") * 100)
            for _ in range(100):
                self.count("downloads", connection.read_answer().status)

    def streams(self, source: str) -> None:
        created = ask(self.port, "POST", "/v1/bars", NEW_BAR, source=source, timeout=5)
        bar = created.fields.get("location", "/v1/bars/x")
        self.hold("streams", source, [request_bytes("GET", bar + "/stream")] * 400, 3)

    def idle_connections(self, source: str) -> None:
        self.hold("idle connections", source, [b"GET / HTTP/1.1\r\nHo"] * 2000, 3)

    def drawings(self, source: str) -> None:
        held = []
        try:
            for photo in self.photos[:12]:
                held.append(Connection(self.port, source, timeout=10))
                held[-1].send(request_bytes("GET", f"/v1/photos/{photo}/image/full"))
            for connection in held:
                self.count("drawings", connection.read_answer().status)
        finally:
            for connection in held:
                connection.close()


if __name__ == "__main__":
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    Crowd(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]).run()
