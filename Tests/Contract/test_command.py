"""The command: its help, its statuses, and what it says about faults of the settings, the machine and the files."""

import os
import re
import resource
import signal
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from contract import ROOT
from service import Service, binary, eventually
from store import Store

#: The variables of docs/operating.md with their defaults, which ConfigurationTests compares with those of the service.
TABLE = (ROOT / "docs/operating.md").read_text().partition("| variable | default |")[2].partition("\n\n")[0]
SETTINGS: dict[str, str] = dict(re.findall(r"^\| `(\w+)` \|(?: `(.*?)`)? \|", TABLE, re.MULTILINE))
SECRETS = {"SPRINGBAR_REDIS_URL", "UNSPLASH_ACCESS_KEY", "SPRINGBAR_API_TOKENS"}
TOKEN = '{"a": {"sheet": {"$type": "spring", "$value": {"dampingRatio": %s, "response": 0.3}}}}'
MINUS = "/a/sheet/$value: `dampingRatio` must be"


def run(*words: object, prefix: tuple[str, ...] = (), **environment: str) -> tuple[int, str]:
    """Runs the command to its end; returns its status and all that it prints."""
    command = [*prefix, binary(), *map(str, words)]
    environment = {"PATH": os.environ["PATH"]} | environment
    done = subprocess.run(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=20)
    return done.returncode, done.stdout


def fault(*words: object, prefix: tuple[str, ...] = (), **environment: str) -> str:
    """Returns the only fault of the configuration."""
    status, output = run(*words, prefix=prefix, **environment)
    assert (status, output.partition("\n  ")[0]) == (78, "The configuration has a fault:"), output
    return output.partition("\n  ")[2].strip()


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    """A file of design tokens with a fault."""
    (tmp_path / "a.tokens.json").write_text(TOKEN % "-1")
    return tmp_path / "a.tokens.json"


@pytest.mark.parametrize("text", ["+1", "0x10", " 1", "1e3"])
def test_the_numbers_of_the_sandbox_have_the_grammar_of_the_settings(text: str) -> None:
    for flag in ("--port", "--photos", "--requests-per-hour"):
        status, output = run("sandbox", f"{flag}={text}")
        assert status == 64 and "must be a whole number" in output


def test_the_printed_configuration_has_no_secrets() -> None:
    assert len(SETTINGS) > 30 and SECRETS < SETTINGS.keys()
    status, output = run("--print-config", "--port", 9, UNSPLASH_ACCESS_KEY="hush" * 3, SPRINGBAR_API_TOKENS="hush" * 5)
    assert status == 0 and "9  [flag]" in output and "hush" not in output
    assert all(variable in output for variable in SETTINGS)


def test_the_help_has_the_flag_the_default_and_the_variable_of_every_setting() -> None:
    status, output = run("serve", "--help")
    words = " ".join(output.split())
    assert status == 0
    for variable, default in SETTINGS.items():
        flag = "--" + variable.removeprefix("SPRINGBAR_").lower().replace("_", "-")
        assert (f"{flag} <" in words, f"[{variable}]" in words) == (variable not in SECRETS,) * 2, variable
        assert variable in words
        assert not default or f"(default: {default}) [{variable}]" in words


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["--print-config"], ["design-tokens", "FILE", "--platform", "css"]])
def test_output_that_cannot_be_written_is_a_failure(words: list[str]) -> None:
    words = [str(ROOT / "Examples/motion.tokens.json") if word == "FILE" else word for word in words]
    with open("/dev/full", "w") as full:
        done = subprocess.run([binary(), *words], stdout=full, stderr=subprocess.PIPE, text=True, timeout=20)
    assert (done.returncode, done.stderr) == (74, "standard output: No space left on device\n")
    # A reader that wants no more of it is none.
    subprocess.run(f"{binary()} --help | head -c 1", shell=True, check=True, stdout=subprocess.DEVNULL)


def test_the_sandbox_says_how_to_reach_it() -> None:
    with subprocess.Popen([binary(), "sandbox", "--host", "0.0.0.0", "--port", "0"], stdout=subprocess.PIPE) as sandbox:
        try:
            assert sandbox.stdout and b"http://127.0.0.1:" in sandbox.stdout.readline()
        finally:
            sandbox.terminate()


@pytest.mark.parametrize("host", ["*.example.com", "a*", "example.com:80", ".", ".example.com", "bücher.example", "a/b"])
def test_a_host_that_can_never_be_allowed_is_refused(host: str) -> None:
    assert "must be a host without a port, or *" in fault("--print-config", SPRINGBAR_ALLOWED_HOSTS=host)


def test_health_is_0_while_the_service_runs_and_1_if_nothing_listens() -> None:
    with Service() as service:
        assert run("health", "--port", service.port)[0] == 0
        # The container listens on all addresses, and its health check reads the same variables.
        assert run("health", SPRINGBAR_HOST="0.0.0.0", SPRINGBAR_PORT=str(service.port))[0] == 0
    status, output = run("health", "--port", service.port)
    assert status == 1 and f"no healthy answer from 127.0.0.1 port {service.port}" in output
    # A setting that does not change the question is refused.
    assert run("health", "--app-name", "a")[0] == 64


def test_health_of_all_addresses_is_asked_over_ipv4_where_ipv6_does_not_lead_to_the_service() -> None:
    with Service({"SPRINGBAR_HOST": "127.0.0.1"}) as service:
        assert run("health", SPRINGBAR_HOST="::", SPRINGBAR_PORT=str(service.port)) == (0, "healthy\n")


@pytest.mark.parametrize("first", ["\u200d", "\u0301"])
def test_a_setting_that_begins_with_a_character_that_joins_the_sign_before_it_is_read(first: str) -> None:
    status, output = run("--print-config", SPRINGBAR_API_TOKENS=f"{first}secret-token-0123456789")
    assert status == 78 and "at least 16 printable characters" in output


def test_connections_are_lowered_to_the_descriptors_with_a_warning(tmp_path: Path) -> None:
    few = {"SPRINGBAR_MAX_CONNECTIONS": "100"}
    with Service(few, prefix=["prlimit", "--nofile=200:200"], output=tmp_path / "log") as service:
        assert eventually(lambda: "connections lowered" in service.log)
        assert '"connections":72' in next(line for line in service.log.splitlines() if "connections lowered" in line)
    with Service(few, prefix=["prlimit", "--nofile=200:"], output=tmp_path / "raised") as service:
        assert eventually(lambda: '"message":"listening"' in service.log)
        soft, hard = resource.prlimit(service.process.pid, resource.RLIMIT_NOFILE)
        assert soft == hard and "connections lowered" not in service.log


def test_the_welcome_has_the_address_the_pages_the_library_and_three_requests(tmp_path: Path) -> None:
    with Service({"SPRINGBAR_LOG_FORMAT": "text"}, output=tmp_path / "log") as service:
        assert eventually(lambda: "Ctrl-C" in service.log)
        assert f"listens on {service.base}" in service.log and "built-in sandbox library" in service.log
        assert len(re.findall("^  curl ", service.log, re.M)) == 3
        assert {"/", "/docs", "/problems"} <= set(re.findall(rf"{service.base}(/\w*)(?=[\s,;.])", service.log))


# Faults of the listening address, which the system finds.


def test_a_port_in_use_is_a_fault_of_its_setting() -> None:
    with Service() as service:
        rule = f'must be free at 127.0.0.1, was "{service.port}"; choose another one, or 0 for a free one'
        for command in ("serve", "sandbox"):
            assert fault(command, "--port", service.port) == f"--port: {rule}"
        assert fault("serve", SPRINGBAR_PORT=str(service.port)) == f"SPRINGBAR_PORT: {rule}"


# With fewer than eight, libdispatch may end the process before the command begins.
@pytest.mark.parametrize("limit", [12, 34, 40, 63])
def test_too_few_descriptors_are_a_fault_before_anything_starts(limit: int) -> None:
    told = fault("serve", "--port", 0, prefix=("prlimit", f"--nofile={limit}:{limit}"))
    assert told == f"the limit of open descriptors (ulimit -n) must be at least 64, was {limit}"


@pytest.mark.parametrize("command", ["serve", "sandbox"])
def test_an_address_that_cannot_be_listened_on_is_a_fault_of_its_setting(command: str) -> None:
    # The second one is link-local, and valid only with an interface.
    for host in ("192.0.2.1", "fe80::1"):
        told = fault(command, "--port", 0, "--host", host)
        assert told.startswith(f'--host: must be an address of this machine, was "{host}"; choose 127.0.0.1 ')
    told = fault(command, "--port", 0, "--host", "no.such.host.invalid")
    rule = "--host: must be an IPv4 or IPv6 address, such as 127.0.0.1 or ::1"
    assert told.startswith(f'{rule}, was "no.such.host.invalid"'), "without a look-up"


@pytest.mark.parametrize("command", ["serve", "sandbox"])
def test_a_port_that_needs_a_privilege_is_a_fault_of_its_setting(command: str) -> None:
    if int(Path("/proc/sys/net/ipv4/ip_unprivileged_port_start").read_text()) <= 81:
        pytest.skip("this system lets every user listen on the port")
    prefix = ("setpriv", "--bounding-set=-net_bind_service") if os.geteuid() == 0 else ()
    if run("--version", prefix=prefix)[0] != 0:
        pytest.skip("this user cannot drop the privilege")
    told = fault(command, "--port", 81, prefix=prefix)
    assert told.startswith('--port: must be a port that this user may listen on, was "81"; choose one above 1023')


# The photo API and Redis.


@pytest.mark.parametrize("url", ["http://10.1.2.3:8080", "https://[fd00::1]", "http://169.254.1.1"])
def test_a_photo_api_at_a_private_address_is_a_fault(url: str) -> None:
    setting = {"UNSPLASH_ACCESS_KEY": "k", "SPRINGBAR_UNSPLASH_API_URL": url}
    rule = "SPRINGBAR_UNSPLASH_API_URL: must have a name, a public or a loopback address"
    assert fault("--print-config", **setting) == f'{rule}, was "{url}"'


def test_wrong_settings_of_redis_end_the_start(tmp_path: Path) -> None:
    user = ["--user", "less", "on", ">pw", "~*", "&*", "+@all", "-evalsha"]
    with Store(tmp_path, settings=user) as store:
        for login, told in [
            ("less:wrong", "Redis refuses the user name or the password of SPRINGBAR_REDIS_URL: "),
            ("less:pw", "SPRINGBAR_REDIS_URL does not have a command, or its user lacks a permission"),
        ]:
            url = store.url.replace("unix://", f"unix://{login}@")
            status, output = run("serve", "--port", 0, SPRINGBAR_REDIS_URL=url)
            assert status == 78 and told in output and login not in output, output
    wrong = {"SPRINGBAR_REDIS_URL": "http://x", "SPRINGBAR_SESSION_TTL": "x", "SPRINGBAR_REDIS_CA": "/none"}
    status, output = run("serve", "--port", "x", **wrong)
    assert status == 78 and "The configuration has 4 faults:" in output


# Design tokens.


def test_the_command_prints_the_source_that_the_service_sends(port: int, tokens: Path) -> None:
    tokens.write_text(TOKEN % 0.8)
    for platform in ("swiftui", "compose", "flutter", "css", "reactnative", "motion", "json"):
        address = f"http://127.0.0.1:{port}/v1/design-tokens?platform={platform}"
        request = urllib.request.Request(address, tokens.read_bytes(), {"Content-Type": "application/json"})
        assert run("design-tokens", tokens, "--platform", platform) == (0, urllib.request.urlopen(request).read().decode())


def test_faults_of_the_use_the_content_and_the_file_have_statuses(tokens: Path) -> None:
    names = "swiftui, compose, flutter, css, reactnative, motion, json"
    faults: list[tuple[list[Any], int, str]] = [
        ([], 64, "the file of design tokens is missing"),
        (["--platform", "css"], 64, "the file of design tokens is missing"),
        ([tokens], 64, f"--platform must be one of {names}"),
        ([tokens, "--platform", "uikit"], 64, "--platform must be one of swiftui"),
        ([tokens, "--platform", "css"], 65, f"{tokens}: {MINUS}"),
        (["/none", "--platform", "css"], 66, "/none: No such file or directory"),
        (["/", "--platform", "css"], 66, "/: Is a directory"),
    ]
    for words, expected, message in faults:
        status, output = run("design-tokens", *words)
        assert status == expected and message in output, output
    assert f"SPRINGBAR_DESIGN_TOKENS: {tokens}: {MINUS}" in fault("serve", "--port", 0, SPRINGBAR_DESIGN_TOKENS=str(tokens))
    status, output = run("serve", "--port", "x", SPRINGBAR_DESIGN_TOKENS=str(tokens))
    assert status == 78 and "The configuration has 2 faults:" in output
    # A file that is being changed says nothing about the running service.
    with Service() as service:
        assert run("health", "--port", service.port, SPRINGBAR_DESIGN_TOKENS=str(tokens))[0] == 0


def test_sighup_reads_the_file_again_and_a_fault_keeps_the_last_one(tokens: Path, tmp_path: Path) -> None:
    tokens.write_text(TOKEN % 0.8)
    with Service({"SPRINGBAR_DESIGN_TOKENS": str(tokens)}, output=tmp_path / "log") as service:

        def ratio() -> float:
            return service.read("/v1/design-tokens/sheet")["spring"]["dampingRatio"]

        def after_sighup(ratio: object, line: str) -> str:
            tokens.write_text(TOKEN % ratio)
            service.process.send_signal(signal.SIGHUP)
            assert eventually(lambda: line in service.log)
            return service.log

        assert ratio() == 0.8
        after_sighup(0.5, "design tokens read")
        assert ratio() == 0.5
        assert "`dampingRatio` must be" in after_sighup(-1, "design tokens not read")
        assert ratio() == 0.5
        assert service.terminate(10) == 0


def test_sighup_without_a_file_ends_nothing(tmp_path: Path) -> None:
    with Service(output=tmp_path / "log") as service:
        service.process.send_signal(signal.SIGHUP)
        assert eventually(lambda: '"message":"nothing to read again"' in service.log)
        assert service.get("/healthz").status == 200
        assert service.terminate(10) == 0
