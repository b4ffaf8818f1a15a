"""The added time for a picture that is not cached."""

import json
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager

from cores import LOAD_CORE, on_core
from programs import Springbar
from servers import Client, Server, running
from service import free_port
from settings import QUIET

WIDTHS = (400, 640)


@contextmanager
def library(springbar: Springbar) -> Iterator[Server]:
    """Starts the fake library as a separate process, as the real library is one; its pictures cost it no drawing."""
    port = free_port()
    command = [str(springbar.binary.with_name("fake-library")), "--port", str(port), "--picture-bytes", "40000"]
    with running(command, port, springbar.environment(port, {})) as server:
        yield server


def cold_fetch_milliseconds(springbar: Springbar) -> float:
    """Returns the median over some pictures: the time through the service, less the time from the library itself."""
    with library(springbar) as upstream:
        authority = f"127.0.0.1:{upstream.port}"
        settings = {
            **QUIET,
            "UNSPLASH_ACCESS_KEY": "any",
            "SPRINGBAR_UNSPLASH_API_URL": f"http://{authority}",
            "SPRINGBAR_UNSPLASH_IMAGE_HOSTS": authority,
        }
        with (
            springbar.running(settings) as service,
            upstream.connected() as direct,
            service.connected() as proxied,
            on_core(LOAD_CORE),
        ):
            photos = json.loads(proxied.ask("GET", "/v1/photos?limit=30").content)["items"]
            differences = []
            for photo in photos:
                for width in WIDTHS:
                    raw = photo["hotlinks"]["raw"].removeprefix(f"http://{authority}") + f"&w={width}&q=80&fit=max"
                    there, _ = seconds(direct, raw)
                    through, status = seconds(proxied, f"/v1/photos/{photo['id']}/image?w={width}")
                    if "fwd=miss" not in status:
                        raise RuntimeError(f"the picture was cached: {status}")
                    differences.append(through - there)
            return statistics.median(differences) * 1000


def seconds(client: Client, target: str) -> tuple[float, str]:
    """Returns the time until the last byte of a response, and its Cache-Status."""
    begin = time.monotonic()
    answer = client.ask("GET", target)
    return time.monotonic() - begin, answer.fields.get("cache-status", "")
