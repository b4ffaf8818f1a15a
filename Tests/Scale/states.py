"""Brings Redis into each state of the table in docs/scaling.md, and checks what two replicas respond."""

from __future__ import annotations

import http.client
import json
import signal
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from shapes import NEW_BAR, scroll
from store import Refused, Store
from wire import ask

SPRING = "/v1/springs?dampingRatio=0.8&response=0.3"
APPLY = {**NEW_BAR, "events": [scroll(-150)]}
#: Seconds after which a wait is in vain, on a busy machine too.
HANG = 30.0
#: Replaces the number of the format, the byte after the version, by that of a later version.
LATER_FORMAT = """
local value = redis.call('LINDEX', KEYS[1], 0)
redis.call('LSET', KEYS[1], 0, string.sub(value, 1, 16) .. string.char(250) .. string.sub(value, 18))
"""


class Wrong(Exception):
    """A response that the table does not have."""


class Bar:
    """A bar whose events are numbered; its stream is read on another replica."""

    def __init__(self, replicas: Replicas) -> None:
        self.replicas = replicas
        self.path = f"/v1/bars/{replicas.expect(201, 'POST', '/v1/bars', NEW_BAR)['id']}"
        self.sequence = 0

    def post(self, status: int, port: int | None = None) -> Any:
        """Posts the next event; it counts as applied if the expected response is 200."""
        # Streams leave out states that look like the one before. All events but the first change the height.
        event = scroll(-199 + self.sequence % 90, sequence=self.sequence + 1)
        answer = self.replicas.expect(status, "POST", f"{self.path}/events", {"events": [event]}, port)
        self.sequence += status == 200
        return answer

    def resume(self, limit: float = 1.0) -> None:
        """Posts the next event until it is acknowledged, which must be within the limit on each replica."""
        for port in self.replicas.ports:
            within(limit, f"{self.path} gets 200 again", lambda: attempt(lambda: self.post(200, port)))


class Stream:
    """The events of a bar's stream, with the times of their arrival."""

    def __init__(self, port: int, bar: Bar) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.connection.request("GET", f"{bar.path}/stream")
        self.response = self.connection.getresponse()
        self.events: list[tuple[str, dict[str, Any], float]] = []
        threading.Thread(target=self.read, daemon=True).start()
        within(5, "a stream begins with the state", lambda: self.revision >= 0)

    def read(self) -> None:
        kind = ""
        try:
            for line in self.response:
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name == "event":
                    kind = value
                elif name == "data":
                    self.events.append((kind, json.loads(value), time.monotonic()))
        except (OSError, http.client.HTTPException):
            pass

    @property
    def revision(self) -> int:
        return max((data.get("revision", -1) for _, data, _ in list(self.events)), default=-1)

    @property
    def reason(self) -> str | None:
        return next((data.get("reason") for kind, data, _ in list(self.events) if kind == "end"), None)


class Replicas:
    """Two replicas that are called directly, their Redis, and a page and an image that both have served."""

    def __init__(self, redis: Store, ports: list[int], fields: dict[str, str]) -> None:
        self.redis = redis
        self.ports = ports
        self.fields = fields
        self.searches = 0
        page = "/v1/photos?limit=30"
        image = self.expect(200, "GET", page)["items"][0]["images"]["thumb"]["url"]
        self.kept = [page, image]
        for port in ports:
            for path in self.kept:
                self.expect(200, "GET", path, port=port)

    def expect(self, status: int, method: str, path: str, body: Any = None, port: int | None = None) -> Any:
        answer = ask(port or self.ports[0], method, path, body, self.fields, timeout=10)
        if answer.status != status:
            raise Wrong(f"{method} {path}: {answer} instead of {status}")
        return answer.json() if answer.content[:1] == b"{" else answer.content

    def expect_store(self, state: str, port: int) -> None:
        """Checks the state of the store in the status, in the metrics, and in the answer that the replica is ready."""
        store = self.expect(200, "GET", "/v1/status", port=port)["store"]
        ready = self.expect(200, "GET", "/readyz", port=port)
        said = b"ready\n" if state == "up" else b"ready; Redis has been unavailable for "
        if (store["kind"], store["state"]) != ("redis", state) or not ready.startswith(said):
            raise Wrong(f"{store} and {ready!r}, and the store is {state}")
        up = b"\nspringbar_store_up %d\n" % (state == "up")
        within(2, f"the metrics say that the store is {state}", lambda: up in self.expect(200, "GET", "/metrics", port=port))

    def search(self, status: int, port: int) -> Any:
        """Requests photos that no replica has, which needs a call of the photo API."""
        self.searches += 1
        return self.expect(status, "GET", f"/v1/search/photos?query=harbour%20{self.searches}", port=port)

    def serve_the_rest(self) -> None:
        """Checks that springs, bars without a session, health and kept photos do not depend on Redis."""
        for port in self.ports:
            for path in (SPRING, "/healthz", "/readyz", *self.kept):
                self.expect(200, "GET", path, port=port)
            self.expect(200, "POST", "/v1/bars/apply", APPLY, port)

    def refuse_fetches(self) -> None:
        """Checks the responses without Redis: those that do not need it, and the one to a search."""
        self.serve_the_rest()
        for port in self.ports:
            answer = self.search(503, port)
            if answer["type"] != "/problems/store-unavailable":
                raise Wrong(f"{answer['type']} instead of store-unavailable")

    def fetch_again(self, limit: float = 1.0) -> None:
        """Checks that each replica calls the photo API again within the limit."""
        for port in self.ports:
            within(limit, "a search gets 200 again", lambda: attempt(lambda: self.search(200, port)))


def within(limit: float, what: str, holds: Callable[[], bool]) -> float:
    """Waits until a condition holds; returns the seconds that it took.

    Longer than the limit is printed, because a busy machine adds to every wait. Only a wait in vain is wrong.
    """
    began = time.monotonic()
    while not holds():
        if time.monotonic() - began > max(limit, HANG):
            raise Wrong(f"not within {max(limit, HANG):g} s: {what}")
        time.sleep(0.01)
    took = time.monotonic() - began
    if took > limit:
        print(f"  {took:.1f} s instead of {limit:g}: {what}", flush=True)
    return took


def attempt(action: Callable[[], Any]) -> bool:
    """Returns whether an action gets what it expects."""
    try:
        action()
    except (Wrong, OSError):
        return False
    return True


def shared(replicas: Replicas, bar: Bar) -> str:
    other = Bar(replicas)
    stream = Stream(replicas.ports[1], other)
    for number in range(40):
        other.post(200, replicas.ports[number % 2])
    within(1, "a stream gets the newest state", lambda: stream.revision == other.sequence)
    replicas.expect(204, "DELETE", other.path)
    within(1, "a stream ends with its bar", lambda: stream.reason == "deleted")
    replicas.expect(404, "GET", other.path, port=replicas.ports[1])
    for port in replicas.ports:
        replicas.expect_store("up", port)
        metrics = replicas.expect(200, "GET", "/metrics", port=port).decode()
        for name in ("commands_total", "latency_seconds_count", 'latency_seconds_bucket{le="+Inf"}'):
            (value,) = (line.split()[1] for line in metrics.splitlines() if line.startswith(f"springbar_store_{name} "))
            if int(value) < 20:
                raise Wrong(f"{name} is {value}")
    return "bars, streams and deletions"


def frozen(replicas: Replicas, bar: Bar) -> str:
    stream = Stream(replicas.ports[1], bar)
    replicas.redis.process.send_signal(signal.SIGSTOP)
    began = time.monotonic()
    try:
        bar.post(503)
        first = time.monotonic() - began
        replicas.refuse_fetches()
        while time.monotonic() - began < 5:
            replicas.expect(503, "GET", bar.path, port=replicas.ports[1])
            time.sleep(0.05)
    finally:
        replicas.redis.process.send_signal(signal.SIGCONT)
    bar.resume()
    replicas.fetch_again()
    within(1, "a stream gets the newest state", lambda: stream.revision == bar.sequence)
    return f"503 after {first:.2f} s"


def killed(replicas: Replicas, bar: Bar) -> str:
    stream = Stream(replicas.ports[1], bar)
    replicas.redis.kill()
    within(1, "503 at once", lambda: attempt(lambda: bar.post(503)))
    replicas.expect(503, "GET", bar.path)
    replicas.refuse_fetches()
    replicas.expect_store("away", replicas.ports[0])
    replicas.redis.start()
    bar.resume(2)
    replicas.fetch_again()
    within(2, "a stream gets the newest state", lambda: stream.revision == bar.sequence)
    replicas.expect_store("up", replicas.ports[0])
    return "503 at once"


def read_only(replicas: Replicas, bar: Bar) -> str:
    replicas.redis.ask("REPLICAOF", "127.0.0.1", "1")
    bar.post(503)
    replicas.refuse_fetches()
    replicas.redis.ask("REPLICAOF", "NO", "ONE")
    bar.resume(2)
    replicas.fetch_again()
    return "503"


def full(replicas: Replicas, bar: Bar) -> str:
    doomed = Bar(replicas)
    replicas.redis.ask("CONFIG", "SET", "maxmemory", "1")
    answer = replicas.expect(429, "POST", "/v1/bars", NEW_BAR)
    if answer["type"] != "/problems/session-limit":
        raise Wrong(f"{answer['type']} instead of session-limit")
    # The bar goes on without its log, on both replicas.
    bar.post(200)
    bar.post(200, replicas.ports[1])
    replicas.expect(410, "GET", f"{bar.path}/states?at=0")
    replicas.expect(200, "GET", bar.path, port=replicas.ports[1])
    replicas.expect(204, "DELETE", doomed.path)
    replicas.serve_the_rest()
    # A call is granted; its page is served and not shared.
    for port in replicas.ports:
        replicas.search(200, port)
    replicas.redis.ask("CONFIG", "SET", "maxmemory", "0")
    bar.resume()
    replicas.fetch_again()
    return "creations 429 session-limit; bars go on without their log, and photos are fetched"


def forbidden(replicas: Replicas, bar: Bar) -> str:
    replicas.redis.ask("ACL", "SETUSER", "default", "-evalsha", "-eval")
    bar.post(503)
    replicas.refuse_fetches()
    for port in replicas.ports:
        replicas.expect_store("away", port)
    replicas.redis.ask("ACL", "SETUSER", "default", "+@all")
    bar.resume()
    replicas.fetch_again()
    return "503"


def later_format(replicas: Replicas, bar: Bar) -> str:
    other = Bar(replicas)
    key = "sb:b:" + other.path.rsplit("/", 1)[1]
    replicas.redis.ask("EVAL", LATER_FORMAT, "1", key)
    replicas.expect(503, "GET", other.path, port=replicas.ports[1])
    bar.post(200)
    replicas.redis.ask("DEL", key)
    return "503 for this bar"


def forgotten_scripts(replicas: Replicas, bar: Bar) -> str:
    replicas.redis.ask("SCRIPT", "FLUSH")
    bar.post(200)
    replicas.fetch_again()
    return "200"


def latency(replicas: Replicas, bar: Bar) -> str:
    """Measures the time from a request on one replica to its event on the other, also after its subscription was cut."""
    stream = Stream(replicas.ports[0], bar)
    worst = delay(replicas, bar, stream)
    # Both replicas have a subscription; the events of the next posts reach the same stream.
    if replicas.redis.ask("CLIENT", "KILL", "TYPE", "pubsub") < 1:
        raise Wrong("no subscription was cut")
    after = delay(replicas, bar, stream)
    return f"99 % within {worst * 1000:.1f} ms; {after * 1000:.1f} ms after a cut"


def delay(replicas: Replicas, bar: Bar, stream: Stream) -> float:
    """Returns the 99th percentile of the time from a request on the second replica to its event in a stream."""
    delays = []
    for _ in range(200):
        began = time.monotonic()
        bar.post(200, replicas.ports[1])
        within(1, "the event arrives", lambda: stream.revision == bar.sequence)
        delays.append(stream.events[-1][2] - began)
    worst = sorted(delays)[197]
    return worst


def emptied(replicas: Replicas, bar: Bar) -> str:
    streams = [Stream(port, bar) for port in replicas.ports]
    replicas.redis.ask("FLUSHALL")
    bar.post(404, replicas.ports[1])
    within(15, "streams end with reset", lambda: all(stream.reason == "reset" for stream in streams))
    replicas.expect(404, "GET", bar.path)
    replicas.serve_the_rest()
    replicas.fetch_again()
    return "404; streams end with reset"


#: The last one ends the bar.
STATES = [shared, latency, frozen, killed, read_only, full, forbidden, later_format, forgotten_scripts, emptied]


def run(redis: Store, ports: list[int], fields: dict[str, str]) -> bool:
    """Checks all states, one after the other, on one bar; returns whether all are right.

    `fields` are those of each request.
    """
    replicas = Replicas(redis, ports, fields)
    bar = Bar(replicas)
    bar.post(200)
    return run_each(STATES, replicas, bar)


def run_each(steps: Sequence[Callable[..., str]], *arguments: Any) -> bool:
    """Runs functions one after the other and prints their results; returns whether none failed."""
    passed = True
    for step in steps:
        label = step.__name__.replace("_", " ")
        try:
            print(f"  {label:40} {step(*arguments)}")
        except (Wrong, Refused, OSError, KeyError, RuntimeError) as error:
            print(f"  FAILURE: {label}: {error}")
            passed = False
    return passed
