"""One core for the server, the other for the load; ahead of everybody else's work where that is allowed."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator

SERVER_CORE = 0
LOAD_CORE = 1


@contextlib.contextmanager
def on_core(core: int, ahead: bool = True) -> Iterator[None]:
    """What starts in this block inherits the core, and real-time scheduling where this process may have it.

    Not `ahead` of others it is scheduled as everybody is: real-time threads of one process do not give way to each
    other before their tenth of a second is over.

    At ordinary priority every wake-up of a busy machine waits behind foreign work, and ratios of equal servers
    spread over 0.9 to 1.2; round-robin scheduling brings them within 0.98 to 1.01. Set here instead of by taskset(1)
    and chrt(1), whose own start would be part of a measured start.
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
    """Whether this process may run ahead of ordinary ones: root may, and who has CAP_SYS_NICE."""
    policy, parameters = os.sched_getscheduler(0), os.sched_getparam(0)
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except PermissionError:
        return False
    os.sched_setscheduler(0, policy, parameters)
    return True


@contextlib.contextmanager
def kept_awake(core: int) -> Iterator[None]:
    """The core never idles in this block: a process there gives way to everybody, all the time.

    To wake an idle core of a virtual machine costs whoever does it about 2 µs. wrk does without: see wrk/polling.c.
    """
    yielding = f"import os\nwhile os.getppid() == {os.getpid()}: os.sched_yield()"
    with on_core(core):
        process = subprocess.Popen([sys.executable, "-I", "-S", "-c", yielding])
    try:
        yield
    finally:
        process.kill()
        process.wait()
