"""All attacks at once, on a service with default settings under the memory limit of compose.yaml."""

import collections
import contextlib
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from container import Container
from library import Library
from service import MEBIBYTE, Samples, Service, eventually
from shapes import NEW_BAR, scroll
from wire import Answer

SECONDS = 15
OTHER = "127.0.3.1"


@pytest.mark.parametrize("photos", ["sandbox", "library"])
def test_all_attacks_at_once_under_the_limit_of_compose(container: Container, photos: str) -> None:
    """compose.yaml starts the sandbox library if there is no key; the other library has pictures of 8 MB."""
    for remark in container.remarks:
        print(f"measured: NOT AS IN A CONTAINER: {remark}")
    with contextlib.ExitStack() as stack:
        settings = dict(container.environment)
        if photos == "library":
            settings |= stack.enter_context(Library(picture_bytes=8_000_000)).environment
        # Standard output is a pipe that is never read, which is another attack.
        service = stack.enter_context(Service(settings, prefix=container.prefix, output=subprocess.PIPE))
        samples = stack.enter_context(Samples(service))
        command = [sys.executable, str(Path(__file__).with_name("crowd.py")), str(service.port), str(SECONDS)]
        crowd = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        stack.callback(crowd.kill)
        outcomes = use_meanwhile(service, crowd)
        highest = max(samples.resident, service.highest_resident() if service.is_running else 0)
        print(
            f"measured: RSS at most {highest / MEBIBYTE:.0f} of {container.limit / MEBIBYTE:.0f} MiB, "
            f"at most {samples.descriptors} descriptors"
        )
        if (group := container.highest()) is not None:
            print(f"measured: its control group at most {group / MEBIBYTE:.0f} MiB, kernel and file cache included")
        print(f"measured: another client's requests: {dict(sorted(outcomes.items()))}")
        if service.is_running:
            attacks, _ = crowd.communicate(timeout=30)
            print(f"measured: attacks: {attacks.strip()}")
            # The attacks with large answers are not refused for another reason.
            assert {"huge answers: 422", "allowed answers: 200"} <= json.loads(attacks).keys()

        assert service.is_running, f"the service ended with {service.process.returncode}"
        assert container.killed() == 0
        assert highest < container.limit
        unexplained = {outcome: count for outcome, count in outcomes.items() if not is_explained(outcome)}
        assert not unexplained
        asked, answered = (sum(n for key, n in outcomes.items() if good in key) for good in (":", ": 2"))
        assert {key.partition(":")[0] for key in outcomes} >= {"health", "spring", "bar"}
        assert answered >= asked / 2
        # After the attacks everything works as before.
        assert eventually(lambda: service.ask("POST", "/v1/bars", NEW_BAR, source=OTHER).status == 201, 30)
        assert eventually(lambda: service.get("/v1/photos?limit=5", source=OTHER).status == 200, 45)
        assert service.terminate(30) == 0


def use_meanwhile(service: Service, crowd: subprocess.Popen[str]) -> collections.Counter[str]:
    """Sends ordinary requests every 50 ms during the attacks, and counts their outcomes."""
    outcomes: collections.Counter[str] = collections.Counter()
    bar = ""
    step = 0
    while crowd.poll() is None and service.is_running:
        step += 1
        outcomes[f"health: {outcome(service, 'GET', '/healthz').status or 'no answer'}"] += 1
        spring = outcome(service, "GET", f"/v1/springs?dampingRatio=0.8&response=0.{step % 9 + 1}")
        outcomes[f"spring: {described(spring)}"] += 1
        if not bar:
            created = outcome(service, "POST", "/v1/bars", NEW_BAR)
            outcomes[f"bar: {described(created)}"] += 1
            bar = created.fields.get("location", "")
        else:
            answer = outcome(service, "POST", bar + "/events", scroll(-200 + step % 100))
            outcomes[f"event: {described(answer)}"] += 1
            # Other clients cannot remove the oldest bars, so this bar exists until it expires.
            assert answer.status != 404
        time.sleep(0.05)
    return outcomes


def outcome(service: Service, method: str, target: str, body: object = None) -> Answer:
    """Returns a response; its status is 0 if there is none. The time-out only ends a hang."""
    try:
        return service.ask(method, target, body, source=OTHER, timeout=30)
    except (OSError, ValueError):
        return Answer(0, {}, b"")


def described(answer: Answer) -> str:
    if answer.status == 0:
        return "no answer"
    waits = " with Retry-After" if "retry-after" in answer.fields else ""
    return f"{answer.status} {answer.problem}{waits}".strip()


def is_explained(outcome: str) -> bool:
    """Returns whether an outcome is allowed.

    Health is always 200. Other requests succeed or are refused because of memory, with Retry-After.
    """
    what, _, answer = outcome.partition(": ")
    if what == "health":
        return answer == "200"
    return answer.startswith("2") or answer == "503 overloaded with Retry-After"
