"""One core for the server and the other for the load, with real-time priority if it is allowed."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator

SERVER_CORE = 0
LOAD_CORE = 1


@contextlib.contextmanager
def on_core(core: int, ahead: bool = True) -> Iterator[None]:
    """Processes started in this block inherit the core and, if it is allowed, real-time scheduling.

    With `ahead=False` they are scheduled normally: real-time threads of one process do not yield to each other within
    their tenth of a second.

    At normal priority, every wake-up on a busy machine waits for other processes, and ratios of equal servers spread
    over 0.9 to 1.2. Round-robin scheduling brings them within 0.98 to 1.01. The scheduling is set here and not by
    taskset(1) and chrt(1), because their own start would be part of a measured start.
    """
    cores, policy, parameters = os.sched_getaffinity(0), os.sched_getscheduler(0), os.sched_getparam(0)
    os.sched_setaffinity(0, {core})
    if ahead and real_time_allowed():
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    try:
        yield
    finally:
        os.sched_setscheduler(0, policy, parameters)
        os.sched_setaffinity(0, cores)


def real_time_allowed() -> bool:
    """Returns whether this process may use real-time scheduling, as root or with CAP_SYS_NICE."""
    policy, parameters = os.sched_getscheduler(0), os.sched_getparam(0)
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except PermissionError:
        return False
    os.sched_setscheduler(0, policy, parameters)
    return True


@contextlib.contextmanager
def kept_awake(core: int) -> Iterator[None]:
    """Keeps the core from idling in this block, with a process that yields all the time.

    Waking an idle core of a virtual machine costs the process that does it about 2 µs. wrk is kept awake by
    wrk/polling.c.
    """
    yielding = f"import os\nwhile os.getppid() == {os.getpid()}: os.sched_yield()"
    with on_core(core):
        process = subprocess.Popen([sys.executable, "-I", "-S", "-c", yielding])
    try:
        yield
    finally:
        process.kill()
        process.wait()
