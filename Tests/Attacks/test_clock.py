"""The system clock is set back by an hour, or forward by two, while the service runs."""

import shutil
import struct
import subprocess
import time
from datetime import datetime
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest

from service import Service, eventually
from shapes import NEW_BAR, scroll

#: clock_gettime(2), which adds the seconds in the file CLOCK_OFFSET to the time of day.
SHIFTED = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *result) {
    static int (*next)(clockid_t, struct timespec *);
    if (!next) next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int status = next(clock, result);
    if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) return status;
    long long offset = 0;
    int file = open(getenv("CLOCK_OFFSET"), O_RDONLY);
    if (file >= 0) { if (read(file, &offset, sizeof offset) != sizeof offset) offset = 0; close(file); }
    result->tv_sec += offset;
    return status;
}
time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}
"""
#: Seconds that a bar lives without a request.
LIFETIME = 10


class Clock:
    def __init__(self, folder: Path) -> None:
        self.offset, self.library = folder / "offset", folder / "clock.so"
        self.set(0)
        (folder / "clock.c").write_text(SHIFTED)
        command = ["clang", "-shared", "-fPIC", "-o", self.library, folder / "clock.c", "-ldl"]
        subprocess.run(command, check=True, timeout=60)

    def set(self, seconds: int) -> None:
        self.offset.write_bytes(struct.pack("q", seconds))


@pytest.fixture(scope="module")
def clock(tmp_path_factory: pytest.TempPathFactory) -> Clock:
    if shutil.which("clang") is None:
        pytest.skip("clang is missing; it is part of Swift's toolchain")
    return Clock(tmp_path_factory.mktemp("clock"))


@pytest.fixture
def service(clock: Clock) -> Iterator[Service]:
    clock.set(0)
    environment = {"LD_PRELOAD": str(clock.library), "CLOCK_OFFSET": str(clock.offset), "SPRINGBAR_SESSION_TTL": str(LIFETIME)}
    with Service(environment) as service:
        yield service


def remaining(service: Service, path: str) -> float:
    """The seconds of life of a bar on the clock of this test, which does not move. A request starts them again."""
    return datetime.fromisoformat(service.get(path).json()["expiresAt"]).timestamp() - time.time()


def time_of_day(service: Service) -> float:
    return parsedate_to_datetime(service.get("/healthz").fields["date"]).timestamp()


@pytest.mark.parametrize("offset", [-3600, 7200])
def test_a_clock_that_is_set_changes_no_bar_and_no_photo(service: Service, clock: Clock, offset: int) -> None:
    key = {"Idempotency-Key": "a key of the clock"}
    path = service.ask("POST", "/v1/bars", NEW_BAR, key).fields["location"]
    events = {"events": [scroll(-190) | {"sequence": 1}, scroll(-150) | {"sequence": 2}]}
    moved = service.ask("POST", f"{path}/events", events)
    page = service.get("/v1/photos?limit=3")
    assert (moved.status, page.status) == (200, 200)

    clock.set(offset)
    assert eventually(lambda: abs(time_of_day(service) - time.time() - offset) < 5)

    assert LIFETIME - 2 < remaining(service, path) <= LIFETIME + 1
    assert service.ask("POST", "/v1/bars", NEW_BAR, key).fields["location"] == path
    assert service.ask("POST", f"{path}/events", events).json()["state"] == moved.json()["state"]
    more = service.ask("POST", f"{path}/events", {"events": [scroll(-120) | {"sequence": 3}]})
    assert (more.status, more.json()["lastSequence"]) == (200, 3)
    cached = service.get("/v1/photos?limit=3")
    assert cached.json() == page.json()
    assert 0 <= int(cached.fields["age"]) < 60

    time.sleep(remaining(service, path) - 3)
    assert service.get("/v1/status").json()["bars"]["sessions"] == 1
    assert eventually(lambda: service.get("/v1/status").json()["bars"]["sessions"] == 0, LIFETIME + 30)
