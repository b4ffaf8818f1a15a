"""Runs several replicas on one Redis behind nginx and kills parts of them; `script/scale` calls this."""

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


def main() -> int:
    parser = argparse.ArgumentParser(prog="script/scale", description=__doc__)
    parser.add_argument("--events", type=int, default=100_000, help="numbered events of each run")
    parser.add_argument("--balancing", choices=["hash", "round-robin"], action="append", help="default: both")
    arguments = parser.parse_args()
    passed = [kill_run(balancing, arguments.events) for balancing in arguments.balancing or ["hash", "round-robin"]]
    print("passed" if all(passed) else "FAILED")
    return 0 if all(passed) else 1


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
