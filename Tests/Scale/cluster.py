"""Replicas on a Redis Cluster of three primaries and three replicas, which is brought out of order under load."""

import asyncio
import contextlib
import random
import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import parts
from client import Client
from events import Caller, Result, Writer, run as run_events, writers
from nginx import Missing
from service import ROOT, Service, free_port
from shapes import NEW_BAR
from states import Stream, Wrong, within
from store import Refused, Store
from wire import ask

PRIMARIES = 3
#: The bars, each with one writer; both replicas send the streams of some.
BARS, WATCHED = 96, 8
#: The most bars of a client.
SHARE = 6
#: The clients that create bars at the same time.
CREATORS = 4
#: The slots that move to another primary and back.
SLOTS = 1000


class Cluster:
    """Six servers: the first three are primaries, each of the others replicates one of them."""

    def __init__(self, folder: Path, stack: contextlib.ExitStack, server: str | None) -> None:
        self.ports = [free_port() for _ in range(2 * PRIMARIES)]
        buses = [free_port() for _ in self.ports]
        # The user of docs/scaling.md.
        user = re.search(r"^user (springbar .*)$", (ROOT / "docs/scaling.md").read_text(), re.MULTILINE)
        if user is None:
            raise RuntimeError("docs/scaling.md has no user of Redis")
        self.nodes = []
        for number, (port, bus) in enumerate(zip(self.ports, buses), 1):
            (folder / str(number)).mkdir()
            settings = [
                "--bind", "127.0.0.1", "--port", str(port), "--cluster-enabled", "yes", "--cluster-port", str(bus),
                "--cluster-node-timeout", "2000", "--cluster-require-full-coverage", "no", "--user", *user[1].split(),
            ]  # fmt: skip
            self.nodes.append(stack.enter_context(Store(folder / str(number), server, settings, f"node {number}")))
        names = [f"127.0.0.1:{port}@{bus}" for port, bus in zip(self.ports, buses)]
        self.control("create", *names, "--cluster-replicas", "1")
        self.wait_until_replicated()

    @property
    def url(self) -> str:
        """Two of the servers, from which the service learns the others."""
        return ",".join(f"redis://springbar:password@127.0.0.1:{port}" for port in self.ports[1:3])

    def control(self, command: str, *arguments: str) -> None:
        """Runs a command of redis-cli for clusters."""
        program = shutil.which("redis-cli") or shutil.which("valkey-cli")
        if program is None:
            raise Missing("redis-cli is not installed; `script/bootstrap` installs it (redis-tools)")
        words = [program, "--cluster", command, *arguments, "--cluster-yes"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(words)}: {done.stdout[-500:]}{done.stderr}")

    def wait_until_replicated(self) -> None:
        """Waits until all servers have the same map, and all replicas their data."""

        def is_replicated() -> bool:
            states = [node.figures("replication") for node in self.nodes]
            # Each range of slots with its owner.
            maps = [sorted(slots[:3] for slots in node.ask("CLUSTER", "SLOTS")) for node in self.nodes]
            return (
                [state["role"] for state in states].count("master") == PRIMARIES
                and all(state.get("master_link_status", "up") == "up" for state in states)
                and all(one == maps[0] for one in maps)
            )

        within(30, "all servers are replicated", is_replicated)

    def primary(self, path: str) -> Store:
        """Returns the server that has a bar."""
        node = self.nodes[0]
        slot = node.ask("CLUSTER", "KEYSLOT", f"sb:b:{path.rsplit('/', 1)[1]}")
        owners = [owner for first, last, owner, *_ in node.ask("CLUSTER", "SLOTS") if first <= slot <= last]
        return self.nodes[self.ports.index(owners[0][1])]


class Creator(Caller):
    """Creates bars under keys, each twice, for one client after the other, until each has as many as it may have."""

    def __init__(self, number: int, port: int, result: Result) -> None:
        super().__init__(Client(port), result)
        self.number = number
        self.made: list[tuple[str, dict[str, str], str]] = []

    async def run(self, events: int, stop: asyncio.Event) -> None:
        for number in range(1, 255):
            source = f"127.0.{10 + self.number}.{number}"
            self.client.close()
            self.client = Client(self.client.port, source, timeout=10.0)
            for _ in range(SHARE):
                key = {"Idempotency-Key": f"scale-{random.getrandbits(64)}"}
                location = (await self.insist("POST", "/v1/bars", NEW_BAR, (201,), key))["location"]
                self.made.append((source, key, location))
                await self.repeat(key, location)
            answer = await self.insist("POST", "/v1/bars", NEW_BAR, (429,))
            if answer["type"] != "/problems/client-share":
                raise Wrong(f"{answer['type']} instead of client-share")
            if stop.is_set():
                return
            await asyncio.sleep(0.2)

    async def repeat(self, key: dict[str, str], location: str) -> None:
        answer = await self.insist("POST", "/v1/bars", NEW_BAR, (201,), key)
        if answer["location"] != location:
            raise Wrong(f"a key made {location} and {answer['location']}")

    async def check(self) -> None:
        """Repeats all creations: each has the bar of before."""
        for source, key, location in self.made:
            if self.client.source != source:
                self.client.close()
                self.client = Client(self.client.port, source, timeout=10.0)
            await self.repeat(key, location)
        self.result.counts["creations repeated at the end"] += len(self.made)


class Observer(Caller):
    """Reads the stream of a bar on one replica, which must not end, and must have the last state."""

    def __init__(self, writer: Writer, port: int, result: Result) -> None:
        super().__init__(Client(port), result)
        self.writer = writer
        self.stream: Stream | None = None

    async def run(self, events: int, stop: asyncio.Event) -> None:
        while not self.writer.path:
            await asyncio.sleep(0.01)
        self.stream = await asyncio.to_thread(Stream, self.client.port, self.writer)

    async def check(self) -> None:
        members = ("state", "scrollable", "values")
        state = await self.insist("GET", self.writer.path, None, (200,))
        stream = self.stream

        def has_last_state() -> bool:
            if stream is None or stream.reason is not None:
                raise Wrong(f"{self.writer.path}: the stream ended with {stream and stream.reason}")
            return {name: stream.events[-1][1][name] for name in members} == {name: state[name] for name in members}

        await asyncio.to_thread(within, 15, f"{self.writer.path}: a stream has the last state", has_last_state)
        revisions = [data["revision"] for _, data, _ in stream.events] if stream else []
        if revisions != sorted(set(revisions)):
            raise Wrong(f"{self.writer.path}: the revisions of the stream do not rise")
        self.result.counts["streams with the last state"] += 1


class Steps:
    """What is done to the cluster while the writers go on."""

    def __init__(self, cluster: Cluster, writing: list[Writer], result: Result) -> None:
        self.cluster = cluster
        self.writing = writing
        self.result = result

    def primary_dies(self) -> None:
        """Kills a primary: its shard is back by itself, and the others go on."""
        within(20, "all bars are created", lambda: all(writer.path for writer in self.writing))
        victim = self.cluster.nodes[0]
        lost = [writer for writer in self.writing if self.cluster.primary(writer.path) is victim]
        others = [writer for writer in self.writing if writer not in lost]
        for writer in self.writing:
            writer.longest = 0.0
        victim.kill()
        # The servers notice it after 2 s, so a bar that waited for more than 1 s has seen the failover.
        within(30, "all bars of the shard are written again", lambda: all(writer.longest > 1 for writer in lost))
        tell(f"a primary dies: {len(lost)} bars wait for {longest(lost):.1f} s, {len(others)} others for "
             f"{longest(others):.2f} s")  # fmt: skip
        # They do not wait for the failover.
        if longest(others) >= longest(lost):
            raise Wrong("the other shards did not go on")
        victim.start()
        self.cluster.wait_until_replicated()

    def shard_is_away(self) -> None:
        """Kills a primary and its replica: their bars are 503, the others go on, and all are complete afterwards."""
        owners = {writer: self.cluster.primary(writer.path) for writer in self.writing}
        victim = owners[self.writing[0]]
        others = [writer for writer in self.writing if owners[writer] is not victim]
        copy = int(re.findall(r"port=(\d+)", victim.figures("replication")["slave0"])[0])
        parts_of_shard = [victim, self.cluster.nodes[self.cluster.ports.index(copy)]]
        for node in parts_of_shard:
            node.kill()
        port = self.writing[0].client.port
        within(10, "a bar is 503", lambda: ask(port, "GET", self.writing[0].path).status == 503)
        counts = {writer: writer.count for writer in others}
        within(10, "the others are written", lambda: all(writer.count > counts[writer] for writer in others))
        # A replica starts by any server that is there. The share of a client would be on one server.
        seeds = ",".join(f"redis://springbar:password@127.0.0.1:{each}" for each in (copy, *self.cluster.ports))
        with Service({"SPRINGBAR_REDIS_URL": seeds, "SPRINGBAR_MAX_SESSIONS_PER_CLIENT": "0"}) as replica:
            ready = replica.get("/readyz")
            if ready.status != 200 or not ready.content.startswith(b"ready; Redis has been unavailable for "):
                raise Wrong(f"a replica without a shard says {ready}")
            statuses = {replica.ask("POST", "/v1/bars", NEW_BAR).status for _ in range(24)}
        if statuses != {201, 503}:
            raise Wrong(f"creations without a shard are {statuses}")
        for node in parts_of_shard:
            node.start()
        self.cluster.wait_until_replicated()
        counts = {writer: writer.count for writer in self.writing}
        within(30, "all bars are written again", lambda: all(writer.count > counts[writer] for writer in counts))
        tell(f"a shard is away: {len(others)} bars of the others go on, and {len(owners) - len(others)} wait")

    def slots_move(self) -> None:
        """Moves slots to another primary and back; no client notices it."""
        before, events = self.result.errors, self.events
        names = [node.ask("CLUSTER", "MYID").decode() for node in self.cluster.nodes[1:3]]
        began = time.monotonic()
        for source, target in (names, names[::-1]):
            address = f"127.0.0.1:{self.cluster.ports[1]}"
            self.cluster.control("reshard", address, "--cluster-from", source, "--cluster-to", target,
                                 "--cluster-slots", str(SLOTS))  # fmt: skip
            self.cluster.wait_until_replicated()
        errors = self.result.errors - before
        tell(f"{SLOTS} slots move there and back in {time.monotonic() - began:.1f} s: {self.events - events} events, "
             f"{errors} errors")  # fmt: skip
        if errors:
            raise Wrong(f"{errors} errors while slots moved")

    def failover(self) -> None:
        """Makes the restarted server a primary again."""
        before, node = self.result.errors, self.cluster.nodes[0]
        for writer in self.writing:
            writer.longest = 0.0
        node.ask("CLUSTER", "FAILOVER")
        within(10, "the server is a primary", lambda: node.figures("replication")["role"] == "master")
        self.cluster.wait_until_replicated()
        counts = {writer: writer.count for writer in self.writing}
        within(10, "all bars are written again", lambda: all(writer.count > counts[writer] for writer in counts))
        wait = longest(self.writing)
        tell(f"a manual failover: {self.result.errors - before} errors, longest wait {wait:.2f} s")

    @property
    def events(self) -> int:
        return sum(writer.count for writer in self.writing)

def tell(line: str) -> None:
    print(f"  {line}", flush=True)


def longest(callers: Sequence[Caller]) -> float:
    return max((caller.longest for caller in callers), default=0.0)


async def full(cluster: Cluster, port: int, result: Result) -> str:
    """Fills one shard: it refuses creations, and its bars go on without their logs."""
    bars = writers(port, range(BARS, BARS + 24), result)
    victim = cluster.nodes[0]
    await asyncio.gather(*(writer.create() for writer in bars))
    await asyncio.gather(*(writer.post(8) for writer in bars))
    victim.ask("CONFIG", "SET", "maxmemory", "1")
    for writer in bars:
        # A repetition of an event that the log does not have any more is refused.
        writer.sent.clear()
        await writer.post(8)
        expected = 410 if cluster.primary(writer.path) is victim else 200
        await writer.insist("GET", f"{writer.path}/states?at=0", None, (expected,))
    made: list[str] = []
    refused = 0
    for number in range(1, 9):
        client = Caller(Client(port, f"127.0.20.{number}"), result)
        places = 0
        for _ in range(10 * SHARE):
            answer = await client.insist("POST", "/v1/bars", NEW_BAR, (201, 429))
            if "location" in answer:
                made.append(answer["location"])
                places += 1
            elif answer["type"] == "/problems/client-share":
                break
            else:
                refused += 1
        client.client.close()
        # If the share of the client is in the full shard, all of its creations are refused.
        if places not in (0, SHARE):
            raise Wrong(f"a client has {places} bars instead of {SHARE} while a shard is full")
    if not made or not refused or any(cluster.primary(path) is victim for path in made):
        raise Wrong(f"{len(made)} creations and {refused} refusals while a shard is full")
    victim.ask("CONFIG", "SET", "maxmemory", "0")
    return f"a full shard: {len(made)} creations in the others, {refused} refused; {len(bars)} bars are written"


async def emptied(cluster: Cluster, bars: list[Writer], observers: list[Observer]) -> str:
    """Empties all primaries: all bars are gone, and their streams end."""
    for node in cluster.nodes[:PRIMARIES]:
        node.ask("FLUSHALL")
    for writer in bars:
        writer.sent.clear()
        await writer.post(8, 404)
        await writer.insist("GET", writer.path, None, (404,))
    streams = [observer.stream for observer in observers if observer.stream]
    await asyncio.to_thread(
        within, 15, "streams end with reset", lambda: all(stream.reason == "reset" for stream in streams)
    )
    await bars[0].create()
    return f"FLUSHALL: 404 for {len(bars)} bars; {len(streams)} streams end with reset"


def run(server: str | None, events: int) -> bool:
    """Sends numbered events while the cluster is out of order; prints the counts."""
    with parts.run_folder() as (folder, stack):
        cluster = Cluster(folder, stack, server)
        environment = {
            "SPRINGBAR_REDIS_URL": cluster.url, "SPRINGBAR_MAX_SESSIONS_PER_CLIENT": str(SHARE),
            "SPRINGBAR_TRUSTED_PROXIES": "127.0.0.1", "SPRINGBAR_LOG_LEVEL": "warning",
        }  # fmt: skip
        replicas, port = parts.balanced(stack, folder, environment, parts.HASH)
        ports = [replica.port for replica in replicas]
        print(f"a cluster of {cluster.nodes[0].version}")
        began = time.monotonic()
        result = Result()
        asyncio.run(everything(cluster, events, port, ports, result))
        print(f"  {'seconds':40} {time.monotonic() - began:>8.1f}")
        return result.print()


async def everything(cluster: Cluster, events: int, port: int, ports: list[int], result: Result) -> None:
    bars = writers(port, range(BARS), result)
    observers = [Observer(writer, replica, result) for writer in bars[:WATCHED] for replica in ports]
    creators = [Creator(number, port, result) for number in range(CREATORS)]
    steps = Steps(cluster, bars, result)
    disorder = [steps.primary_dies, steps.slots_move, steps.failover, steps.shard_is_away]
    await run_events([*bars, *observers, *creators], events, disorder, result)
    try:
        tell(await full(cluster, port, result))
        tell(await emptied(cluster, bars, observers))
    except (Wrong, Refused, OSError) as error:
        result.failures.append(f"{type(error).__name__}: {error}")
