"""Replicas with their bars in memory, behind the nginx configuration of docs/scaling.md that routes by prefix."""

import re

import parts
from service import ROOT
from shapes import NEW_BAR, scroll
from states import Wrong, run_each

#: The bars that are created.
BARS = 20


def groups(ports: list[int]) -> str:
    """Returns the configuration of the page with the addresses of the replicas."""
    page = (ROOT / "docs/scaling.md").read_text()
    snippet = re.search(r"```nginx\n(.*?)```", page, re.DOTALL)
    if snippet is None:
        raise RuntimeError("docs/scaling.md has no configuration of nginx")
    text = snippet[1]
    for number, port in enumerate(ports, 1):
        text = text.replace(f"replica-{number}:8080", f"127.0.0.1:{port}")
    return text


def prefixes() -> str:
    """Creates bars through any replica, and uses each through the balancer."""
    with parts.run_folder() as (folder, stack):
        replicas = [
            stack.enter_context(parts.replica(number, folder, {"SPRINGBAR_REPLICA": f"{number:02}"})) for number in (1, 2)
        ]
        text = groups([replica.port for replica in replicas])
        call = stack.enter_context(parts.nginx_with(text, "$replica", folder)).ask
        bars = [call("POST", "/v1/bars", NEW_BAR).fields["location"] for _ in range(BARS)]
        for prefix in ("01", "02"):
            if not any(bar.startswith(f"/v1/bars/{prefix}") for bar in bars):
                raise Wrong(f"no bar begins with {prefix}: {bars}")
        for bar in bars:
            for method, path, body in [
                ("POST", f"{bar}/events", scroll(-150)), ("GET", bar, None), ("GET", f"{bar}/events", None),
                ("GET", bar.replace("/v1/bars/", "/watch/"), None),
            ]:  # fmt: skip
                answer = call(method, path, body)
                if answer.status != 200:
                    raise Wrong(f"{method} {path}: {answer}")
        fork = call("POST", f"{bars[0]}/fork")
        if fork.status != 201 or fork.fields["location"][:11] != bars[0][:11]:
            raise Wrong(f"a fork of {bars[0]} is {fork}")
        # The bars of a replica that is down are lost; its clients learn it from a 404 of the other one.
        replicas[0].kill()
        for bar in bars:
            answer = call("GET", bar)
            if answer.status != (404 if bar.startswith("/v1/bars/01") else 200):
                raise Wrong(f"GET {bar} without replica 1: {answer}")
        return f"{BARS} bars reach their replicas"


def run() -> bool:
    print("replicas without Redis, routed by prefix")
    return run_each([prefixes])
