"""Many readers of one event stream, and the server's cost of sending an event to all of them."""

import contextlib
import os
import selectors
import socket
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from cores import LOAD_CORE, kept_awake, on_core
from load import busy_seconds, children_seconds
from servers import Client, Server

END_OF_EVENT = b"\n\n"


class Reader:
    """A connection that reads a stream."""

    def __init__(self, port: int, target: str):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.socket.sendall(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        self.events = 0
        self.last_event_bytes = 0
        self.rest = b""
        # Readers connect one after the other and wait for the first state; a thousand concurrent requests would be
        # another measurement.
        while not self.events:
            self.read()

    def read(self) -> None:
        """Reads the available bytes; counts events by the empty line at the end of each."""
        data = self.socket.recv(65536)
        if not data:
            raise RuntimeError("a stream ended")
        found = (self.rest + data).count(END_OF_EVENT)
        if found:
            self.events += found
            self.last_event_bytes = len(data)
        # The end of an event may be split over two reads, and must not be counted twice.
        self.rest = data[-1:] if not data.endswith(END_OF_EVENT) else b""


class Crowd:
    """Readers that have all received the first event."""

    def __init__(self, readers: list[Reader]):
        self.readers = readers
        self.selector = selectors.EpollSelector()
        for reader in readers:
            self.selector.register(reader.socket, selectors.EVENT_READ, reader)

    def read_until(self, events: int) -> None:
        """Reads until each reader has received a number of events."""
        missing = sum(1 for reader in self.readers if reader.events < events)
        deadline = time.monotonic() + 30
        while missing:
            for key, _ in self.selector.select(timeout=1):
                before = key.data.events
                key.data.read()
                if before < events <= key.data.events:
                    missing -= 1
            if time.monotonic() > deadline:
                raise RuntimeError(f"{missing} readers did not get an event")


@contextlib.contextmanager
def crowd(server: Server, target: str, count: int) -> Iterator[Crowd]:
    """Opens a number of readers of a stream, until the end of the block."""
    readers: list[Reader] = []
    try:
        for _ in range(count):
            readers.append(Reader(server.port, target))
        yield Crowd(readers)
    finally:
        for reader in readers:
            reader.socket.close()


@dataclass(frozen=True)
class FanOut:
    """The results of one round."""

    cpu_microseconds: float
    """The server's processor time, user and system, per event and reader, including the posts."""
    post_milliseconds: float
    """The median time from sending an event to its response."""
    delivery_milliseconds: float
    """The median time from sending an event until the last reader has received it."""
    foreign_cores: float


def run_fan_out(
    server: Server,
    readers: Crowd,
    writer: Client,
    post: Callable[[Client, int], None],
    events: int,
) -> FanOut:
    """Posts events; each waits until all readers have received the previous one."""
    posts: list[float] = []
    delivered: list[float] = []
    first = readers.readers[0].events
    cpu_before, machine_before, own_before = server.cpu_seconds(), busy_seconds(), own_seconds()
    begin = time.monotonic()
    with kept_awake(LOAD_CORE), on_core(LOAD_CORE):
        for number in range(events):
            start = time.monotonic()
            post(writer, number)
            posts.append(time.monotonic() - start)
            readers.read_until(first + number + 1)
            delivered.append(time.monotonic() - start)
    elapsed = time.monotonic() - begin
    cpu = server.cpu_seconds() - cpu_before
    foreign = busy_seconds() - machine_before - cpu - (own_seconds() - own_before)
    return FanOut(
        cpu_microseconds=cpu / (events * len(readers.readers)) * 1e6,
        post_milliseconds=statistics.median(posts) * 1000,
        delivery_milliseconds=statistics.median(delivered) * 1000,
        foreign_cores=max(0.0, foreign / elapsed),
    )


def own_seconds() -> float:
    """Returns the processor time of this process, which reads, and of its ended children."""
    times = os.times()
    return times.user + times.system + children_seconds()
