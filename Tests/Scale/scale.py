"""Runs replicas on one Redis and on a cluster, in all their states and while parts are killed, for script/scale."""

import argparse
import asyncio
import functools
import sys
import time

import cluster
import counts
import events
import parts
import photos
import prefixes
import ratios
import states
import upgrade
from nginx import Missing, nginx_program
from service import Server
from store import Store, find
from table import print_rows


def main() -> int:
    parser = argparse.ArgumentParser(prog="script/scale", description=__doc__)
    parser.add_argument("--events", type=int, default=100_000, help="numbered events of each run")
    parser.add_argument("--server", metavar="NAME", help="redis-server, valkey-server or a path")
    parser.add_argument("--ratios", action="store_true", help="measure costs instead, on an idle machine")
    parser.add_argument("--former", metavar="PATH", help="a former binary to upgrade from")
    arguments = parser.parse_args()
    try:
        find(arguments.server)
        nginx_program()
        passed = costs(arguments) if arguments.ratios else behaviour(arguments)
    except Missing as error:
        print(f"script/scale: {error}", file=sys.stderr)
        return 1
    print("passed" if passed else "FAILED")
    return 0 if passed else 1


def costs(arguments: argparse.Namespace) -> bool:
    return print_rows(ratios.run(arguments.server) + counts.run(arguments.server))


def behaviour(arguments: argparse.Namespace) -> bool:
    passed = [state_run(arguments.server)]
    print("counts")
    passed.append(print_rows(counts.run(arguments.server)))
    passed.append(prefixes.run())
    passed.append(photos.run(arguments.server))
    for balancing in (parts.HASH, parts.TURNS):
        passed.append(kill_run(balancing, arguments.events, arguments.server))
    passed.append(cluster.run(arguments.server, arguments.events))
    if arguments.former:
        passed.append(upgrade.run(arguments.former, arguments.server))
    return all(passed)


def state_run(server: str | None) -> bool:
    """Checks what replicas respond in each state of Redis, and that none of them ends."""
    with photos.running(server, 2) as cluster:
        print(f"states of {cluster.store.version}")
        passed = states.run(cluster.store, cluster.ports, photos.TOKEN)
        for replica in cluster.replicas:
            if not replica.is_running:
                print(f"  FAILURE: {replica.name} has ended")
                passed = False
        return passed


def kill_run(balancing: str, count: int, server: str | None) -> bool:
    """Sends numbered events while replica 1, Redis and replica 2 are killed with SIGKILL; prints the counts."""
    with parts.run_folder() as (folder, stack):
        store = stack.enter_context(Store(folder, server))
        (first, second), port = parts.balanced(stack, folder, {"SPRINGBAR_REDIS_URL": store.url}, balancing)
        result = events.Result()

        def restart(part: Server) -> None:
            part.kill()
            part.start()
            result.counts[f"{part.name} was killed"] += 1

        began = time.monotonic()
        steps = [functools.partial(restart, part) for part in (first, store, second)]
        asyncio.run(events.run(events.writers(port, range(events.BARS), result), count, steps, result))
        print(f"{balancing}: {count} events in {time.monotonic() - began:.1f} s")
        return result.print()


if __name__ == "__main__":
    sys.exit(main())
