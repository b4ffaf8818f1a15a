"""Tests the command against openapi.yaml with generated requests, valid and invalid, single and in sequences.

    .venv/bin/python Tests/Schemathesis/run.py [option of schemathesis...]

Fails if a response differs from the document, or if the service has ended or no longer responds. The command is
`SPRINGBAR_BINARY`, or the debug build.
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
# One client sends all requests, and they must not use up the hour's calls to the sandbox library.
SETTINGS = {
    "SPRINGBAR_RATE_LIMIT_PER_HOUR": "1000000",
    "SPRINGBAR_MAX_CONNECTIONS_PER_CLIENT": "0",
    "SPRINGBAR_MAX_STREAMS_PER_CLIENT": "0",
    "SPRINGBAR_MAX_SESSIONS_PER_CLIENT": "0",
    "SPRINGBAR_DESIGN_TOKENS": str(ROOT / "Examples/motion.tokens.json"),
}
# Seconds; more than a run takes on two busy cores.
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
            print(f"The service ended with {service.returncode}.")
            return 1
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
            print(f"The service is alive: /healthz is {answer.status}.")
        return status
    finally:
        service.terminate()
        service.wait(timeout=30)


def schemathesis(port: int) -> int:
    # The program next to the interpreter; its module cannot be run with `-m`.
    program = Path(sys.executable).with_name("schemathesis")
    return subprocess.run(
        [
            program, "--config-file", ROOT / "Tests/Schemathesis/schemathesis.toml", "run", strict_contract(),
            "--url", f"http://127.0.0.1:{port}", "--checks", "all", "--no-color", *sys.argv[1:],
        ],
        cwd=ROOT / "artifacts", timeout=LIMIT, check=False,
    ).returncode


def strict_contract() -> Path:
    """Writes a copy of the contract without `default`, which would allow any status; the drop-in's stays.

    A list in a query may be longer than a request line, which is 414.
    """
    contract = json.loads((ROOT / "Clients/openapi.json").read_text())
    for path, item in contract["paths"].items():
        for operation in item.values():
            if not path.startswith("/unsplash"):
                other = operation["responses"].pop("default")
                if any(lists(parameter) for parameter in operation.get("parameters", [])):
                    operation["responses"]["414"] = other
    copy = ROOT / "artifacts/openapi-strict.json"
    copy.write_text(json.dumps(contract))
    return copy


def lists(parameter: dict[str, object]) -> bool:
    """Returns whether a parameter of a query is a list."""
    schema = parameter.get("schema")
    return parameter.get("in") == "query" and isinstance(schema, dict) and schema.get("type") == "array"


def listening_port(service: subprocess.Popen[str]) -> int:
    assert service.stdout
    for line in service.stdout:
        record = json.loads(line)
        if record["message"] == "listening":
            # The log must be read to its end; otherwise the pipe would fill.
            threading.Thread(target=service.stdout.read, daemon=True).start()
            return record["port"]
    raise RuntimeError("the service ended before it listened")


if __name__ == "__main__":
    (ROOT / "artifacts").mkdir(exist_ok=True)
    sys.exit(main())
