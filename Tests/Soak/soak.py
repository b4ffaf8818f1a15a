"""Runs the service for minutes under mixed traffic and disturbances; `script/soak` calls this.

The traffic consists of ordinary clients, clients that disconnect early, hostile requests, writers of numbered events,
and streams. There is one disturbance at a time: responses that are not read, faults of the photo
library, a standard output that is not read, or no free descriptors. At the end, the revision and the log of every bar
are compared with the events sent. Every stream must have had the final state, and memory and descriptors must not
have grown.
"""

import argparse
import asyncio
import contextlib
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

from bars import Watcher, Writer
from client import Client
from conditions import Conditions
from disturbances import Disturbances, LogReader
from library import Library
from record import Record, Sample
from report import MEBIBYTE, tables
from service import Service
from traffic import Mix, Pace, Worker

WRITERS, WATCHERS, WORKERS, PHOTO_WORKERS = 8, 24, 12, 12
#: Requests per second.
RATE = 700
#: The largest growth over the second half.
BOUNDS = {"resident": 8.0 * MEBIBYTE, "descriptors": 8.0}
#: Seconds for the end of the run: the longest time-out of the service, 30 s, and a margin.
END = 45.0
#: Descriptors that may stay open after all clients have disconnected, mostly connections to the photo library.
SPARE = 40
#: The file for the service's standard error, where the runtime reports a trap.
ERRORS = Path(__file__).resolve().parents[2] / "artifacts/soak/service.err"


class Soak:
    """One run."""

    def __init__(self, service: Service, library: Library, minutes: float, left_out: set[str]) -> None:
        self.service = service
        self.library = library
        self.seconds = minutes * 60
        self.left_out = left_out
        self.conditions = Conditions()
        self.record = Record(self.conditions)
        self.stop = asyncio.Event()

    async def run(self) -> None:
        log = LogReader(self.record)
        await log.start(self.service.process.stdout)
        at_rest = self.service.descriptors()
        photos = await self.photos()
        step = max(3.0, min(10.0, self.seconds / 60))
        disturbances = Disturbances(self.service, self.library, log, self.record, self.conditions, step, self.left_out)
        pace = Pace(RATE)
        writers = [Writer(number, self.service.port, self.record, pace) for number in range(WRITERS)]
        watchers = [Watcher(number, self.service.port, self.record, writers) for number in range(WATCHERS)]
        workers = [self.worker(number, pace, photos) for number in range(WORKERS + PHOTO_WORKERS)]
        tasks = [asyncio.create_task(part.run(self.stop)) for part in [*writers, *workers, disturbances]]
        watching = [asyncio.create_task(watcher.run(self.stop)) for watcher in watchers]
        try:
            await self.sample_until_the_end(disturbances, tasks + watching)
            self.stop.set()
            await self.finish(tasks, "a client or a disturbance has not ended")
            comparing = [asyncio.create_task(writer.compare(writer.bar)) for writer in writers if writer.bar]
            await self.finish(comparing, "a bar does not respond")
            await self.finish(watching, "a stream did not get the final state")
            self.record.counts["streams that got the final state"] = sum(watcher.has_final for watcher in watchers)
            await self.count_bars(sum(writer.bar is not None for writer in writers))
            await self.recover(photos)
            for part in [*writers, *workers]:
                part.client.close()
            await self.check_end(at_rest)
        finally:
            for task in [*tasks, *watching]:
                task.cancel()
            await asyncio.gather(*tasks, *watching, return_exceptions=True)

    def worker(self, number: int, pace: Pace, photos: list[str]) -> Worker:
        mix = Mix(f"worker {number}", photos, self.left_out)
        next = mix.ordinary if number < WORKERS else mix.of_photos
        return Worker(number, self.service.port, self.record, pace, mix, next)

    async def photos(self) -> list[str]:
        client = Client(self.service.port)
        answer = await client.ask("GET", "/v1/photos?page=1&perPage=100")
        client.close()
        return [photo["id"] for photo in answer.json()["items"]]

    async def sample_until_the_end(self, disturbances: Disturbances, tasks: list[asyncio.Task[None]]) -> None:
        """Takes a sample each second; ends early if the service has ended or the run itself fails."""
        began = time.monotonic()
        while (elapsed := time.monotonic() - began) < self.seconds:
            if not self.service.is_running:
                self.record.is_over = True
                raise EndedEarly(f"the service ended with {self.service.process.returncode}; see {ERRORS}")
            for task in tasks:
                if task.done() and (error := task.exception()):
                    raise error
            self.record.samples.append(
                Sample(elapsed, self.service.resident(), self.service.descriptors(), disturbances.is_quiet)
            )
            await asyncio.sleep(min(1.0, self.seconds / 60))

    async def finish(self, tasks: list[asyncio.Task[None]], failure: str) -> None:
        """Waits for tasks to end, and records a failure for each that does not."""
        if not tasks:
            return
        done, pending = await asyncio.wait(tasks, timeout=END)
        for _ in pending:
            self.record.fail(failure)
        for task in done:
            task.result()

    async def count_bars(self, expected: int) -> None:
        """Checks the number of bars: one for each writer, even if its creation was sent several times."""
        client = Client(self.service.port)
        found = (await client.ask("GET", "/v1/status")).json()["bars"]["sessions"]
        client.close()
        if found != expected:
            self.record.fail(f"there are {found} bars instead of {expected}")
        self.record.counts["bars at the end, one for each writer"] = found

    async def recover(self, photos: list[str]) -> None:
        """Checks that the photo library is used again without faults; the breaker pauses for at most 30 s."""
        began = time.monotonic()
        photo = f"/v1/photos/{photos[-1]}"
        targets = ["/v1/photos?page=9&perPage=10", f"{photo}?detail=full", f"{photo}/image?w=320"]
        while time.monotonic() - began < END:
            client = Client(self.service.port)
            with contextlib.suppress(OSError):
                if all([(await client.ask("GET", target)).status == 200 for target in targets]):
                    self.record.counts["seconds until recovery after the last fault"] = round(time.monotonic() - began)
                    return
            client.close()
            await asyncio.sleep(0.5)
        self.record.fail(f"photos are not served {END:g} s after the last fault")

    async def check_end(self, at_rest: int) -> None:
        """Checks that the descriptors of all clients are closed and that SIGTERM ends the service with 0."""
        deadline = time.monotonic() + END
        while self.service.descriptors() > at_rest + SPARE and time.monotonic() < deadline:
            await asyncio.sleep(0.1)
        left = self.service.descriptors() - at_rest
        if left > SPARE:
            self.record.fail(f"{left} descriptors more than at the start after all clients have disconnected")
        self.record.counts["descriptors more than at the start"] = max(0, left)
        for name, bound in BOUNDS.items():
            slope = self.record.slope(name)
            if slope.exceeds(bound):
                self.record.fail(f"{name} grows: {slope}")
        self.service.process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + END
        while self.service.is_running and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
        if self.service.process.returncode != 0:
            self.record.fail(f"SIGTERM did not end the service with 0: {self.service.process.returncode}")


class EndedEarly(Exception):
    """The service ended during the run."""


def start(stack: contextlib.ExitStack) -> tuple[Service, Library]:
    """Starts the service and its photo library; both are stopped at the end of the stack."""
    library = stack.enter_context(Library(picture_bytes=None, photos=200))
    settings = library.environment | {
        "SPRINGBAR_RATE_LIMIT_PER_HOUR": "1000000",
        # Small limits, so that both are full within the first minute and later growth is a leak.
        "SPRINGBAR_IMAGE_CACHE_BYTES": str(4 * MEBIBYTE),
        "SPRINGBAR_MEMORY_BYTES": str(32 * MEBIBYTE),
    }
    ERRORS.parent.mkdir(parents=True, exist_ok=True)
    errors = stack.enter_context(ERRORS.open("wb"))
    return stack.enter_context(Service(settings, output=subprocess.PIPE, errors=errors)), library


async def run(soak: Soak) -> None:
    """Runs until the end, or until SIGINT or SIGTERM."""
    task = asyncio.current_task()
    assert task
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    try:
        await soak.run()
    except EndedEarly as error:
        soak.record.fail(str(error))


def main() -> int:
    parser = argparse.ArgumentParser(prog="script/soak", description=__doc__.splitlines()[0])
    parser.add_argument("minutes", type=float, help="length of the run, 0.2 to 600")
    parser.add_argument(
        "--leave-out", default="", metavar="NAMES",
        help="disturbances to leave out, to find the cause of a failure: hostile, stalled, blocked, descriptors, fault",
    )  # fmt: skip
    options = parser.parse_args()
    if not 0.2 <= options.minutes <= 600:
        parser.error("minutes must be from 0.2 to 600")
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with contextlib.ExitStack() as stack:
        soak = Soak(*start(stack), options.minutes, set(options.leave_out.split(",")))
        try:
            asyncio.run(run(soak))
        except asyncio.CancelledError:
            print("stopped before its end", file=sys.stderr)
            return 130
    if not soak.record.samples:
        print("\n".join(soak.record.failures), file=sys.stderr)
        return 1
    print(tables(soak.record, BOUNDS), flush=True)
    return 1 if soak.record.failure_count else 0


if __name__ == "__main__":
    sys.exit(main())
