"""Tests the command against openapi.yaml with generated requests, valid and invalid, single and in sequences.

    .venv/bin/python Tests/Schemathesis/run.py [option of schemathesis...]

Fails if a response differs from the document, or if the service has ended or no longer responds. The command is
`SPRINGBAR_BINARY`, or the debug build.
"""

import json
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "Harness"))
from service import ROOT, Service  # noqa: E402

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
    with Service(SETTINGS) as service:
        status = schemathesis(service.port)
        if not service.is_running:
            print(f"The service ended with {service.process.returncode}.")
            return 1
        print(f"The service is alive: /healthz is {service.get('/healthz').status}.")
        return status


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


if __name__ == "__main__":
    (ROOT / "artifacts").mkdir(exist_ok=True)
    sys.exit(main())
