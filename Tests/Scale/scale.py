"""Runs two replicas on one Redis in all its states, and behind nginx while parts are killed, for script/scale."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
import tempfile
import time
from pathlib import Path

import events
import parts
import states


def main() -> int:
    parser = argparse.ArgumentParser(prog="script/scale", description=__doc__)
    parser.add_argument("--events", type=int, default=100_000, help="numbered events of each run")
    parser.add_argument("--balancing", choices=["hash", "round-robin"], action="append", help="default: both")
    arguments = parser.parse_args()
    passed = [state_run()]
    passed += [kill_run(balancing, arguments.events) for balancing in arguments.balancing or ["hash", "round-robin"]]
    print("passed" if all(passed) else "FAILED")
    return 0 if all(passed) else 1


def state_run() -> bool:
    """Checks what replicas respond in each state of Redis, and that none of them ends."""
    with tempfile.TemporaryDirectory(prefix="scale-", dir="/tmp") as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        redis, url = parts.redis(folder)
        stack.enter_context(redis)
        replicas = []
        for number in (1, 2):
            replica, port = parts.replica(number, folder, url)
            replicas.append((stack.enter_context(replica), port))
        print("states of Redis")
        passed = states.run(redis, folder / "redis.sock", [port for _, port in replicas])
        for replica, _ in replicas:
            if not replica.is_running:
                print(f"  FAILURE: {replica.name} has ended")
                passed = False
        return passed


def kill_run(balancing: str, count: int) -> bool:
    """Sends numbered events while replica 1, Redis and replica 2 are killed with SIGKILL; prints the counts."""
    # The path of a Unix socket has 107 bytes at most.
    with tempfile.TemporaryDirectory(prefix="scale-", dir="/tmp") as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        # nginx's worker has another user if this process is root's.
        folder.chmod(0o755)
        redis, url = parts.redis(folder)
        stack.enter_context(redis)
        first, first_port = parts.replica(1, folder, url)
        stack.enter_context(first)
        second, second_port = parts.replica(2, folder, url)
        stack.enter_context(second)
        balancer, port = parts.nginx(folder, [first_port, second_port], balancing)
        stack.enter_context(balancer)
        began = time.monotonic()
        result = asyncio.run(events.run(port, count, [first, redis, second]))
        print(f"{balancing}: {count} events in {time.monotonic() - began:.1f} s")
        for label, number in sorted(result.counts.items()):
            print(f"  {label:40} {number:>8}")
        print(f"  {'longest time until a usable response, s':40} {result.longest_retry:>8.2f}")
        for failure in result.failures[:20]:
            print(f"  FAILURE: {failure}")
        return not result.failures


if __name__ == "__main__":
    sys.exit(main())
