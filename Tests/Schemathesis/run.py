"""Tries openapi.yaml out against the command: generated requests, good and bad, alone and in sequences.

    .venv/bin/python Tests/Schemathesis/run.py [option of schemathesis...]

Fails when an answer is not what the document says, and when the service has ended or does not answer any more. The
command is `SPRINGBAR_BINARY`, or the debug build.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# One client sends all requests, and the sandbox's hour of calls must not end in the middle of them.
SETTINGS = {
    "SPRINGBAR_RATE_LIMIT_PER_HOUR": "1000000",
    "SPRINGBAR_MAX_CONNECTIONS_PER_CLIENT": "0",
    "SPRINGBAR_MAX_STREAMS_PER_CLIENT": "0",
    "SPRINGBAR_MAX_SESSIONS_PER_CLIENT": "0",
}
# Beyond what a run takes on two busy cores.
LIMIT = 900


def main() -> int:
    binary = os.environ.get("SPRINGBAR_BINARY", str(ROOT / ".build/debug/springbar"))
    service = subprocess.Popen(
        [binary, "serve", "--port", "0", "--log-format", "json", "--log-level", "notice"],
        env={"PATH": os.environ["PATH"], **SETTINGS}, stdout=subprocess.PIPE, text=True,
    )
    try:
        port = listening_port(service)
        status = schemathesis(port)
        if service.poll() is not None:
            print(f"The service has ended with {service.returncode}.")
            return 1
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
            print(f"The service is alive: /healthz is {answer.status}.")
        return status
    finally:
        service.terminate()
        service.wait(timeout=10)


def schemathesis(port: int) -> int:
    # The program beside the interpreter that runs this file; its module cannot be run with `-m`.
    program = Path(sys.executable).with_name("schemathesis")
    return subprocess.run(
        [
            program, "--config-file", ROOT / "Tests/Schemathesis/schemathesis.toml", "run", ROOT / "openapi.yaml",
            "--url", f"http://127.0.0.1:{port}", "--checks", "all", "--no-color", *sys.argv[1:],
        ],
        cwd=ROOT / "artifacts", timeout=LIMIT, check=False,
    ).returncode


def listening_port(service: subprocess.Popen[str]) -> int:
    assert service.stdout
    for line in service.stdout:
        record = json.loads(line)
        if record["message"] == "listening":
            # Read on, or the service would wait for its log to be taken.
            threading.Thread(target=service.stdout.read, daemon=True).start()
            return record["port"]
    raise RuntimeError("the service ended before it listened")


if __name__ == "__main__":
    (ROOT / "artifacts").mkdir(exist_ok=True)
    sys.exit(main())
