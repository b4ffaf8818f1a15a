"""compose.yaml and docs/kubernetes.yaml use settings, paths and metrics of the service."""

import ipaddress
import re
import subprocess
from typing import Any
from urllib.request import urlopen

import pytest
import yaml

from conftest import running
from contract import ROOT
from service import Service, binary

DRAIN = 5
"""The longest drain in seconds (docs/operating.md)."""


@pytest.fixture(scope="module")
def objects() -> dict[str, Any]:
    return {each["kind"]: each for each in yaml.safe_load_all((ROOT / "docs/kubernetes.yaml").read_text())}


@pytest.fixture(scope="module")
def container(objects: dict[str, Any]) -> dict[str, Any]:
    return objects["Deployment"]["spec"]["template"]["spec"]["containers"][0]


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]


def test_the_variables_are_settings(
    services: dict[str, Any], objects: dict[str, Any], container: dict[str, Any]
) -> None:
    names = {name for service in services.values() for name in service.get("environment", {})}
    names |= set(objects["Secret"]["stringData"]) | {each["name"] for each in container["env"]}
    known = set(re.findall(r"[A-Z]{2,}_[A-Z_]+", subprocess.check_output([binary(), "serve", "--help"], text=True)))
    assert names <= known
    assert len(names) >= 4


def test_only_the_addresses_of_a_proxy_are_trusted(
    services: dict[str, Any], container: dict[str, Any]
) -> None:
    name = "SPRINGBAR_TRUSTED_PROXIES"
    values = [each["value"] for each in container["env"] if each["name"] == name]
    values += [service["environment"][name] for service in services.values() if name in service.get("environment", {})]
    assert len(values) == 3
    for value in values:
        assert all(ipaddress.ip_network(network).num_addresses == 1 for network in value.split(","))
        with running(**{name: value}):
            pass


def test_the_probes_succeed_on_a_started_service(port: int, container: dict[str, Any]) -> None:
    paths = {container[f"{kind}Probe"]["httpGet"]["path"] for kind in ("startup", "liveness", "readiness")}
    assert {path: urlopen(f"http://127.0.0.1:{port}{path}").status for path in paths} == {
        "/healthz": 200, "/readyz": 200,
    }


def test_the_autoscaler_uses_a_metric_of_the_service(port: int, objects: dict[str, Any]) -> None:
    text = urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
    (pods,) = [each["pods"] for each in objects["HorizontalPodAutoscaler"]["spec"]["metrics"] if each["type"] == "Pods"]
    assert re.search(rf"^# TYPE {pods['metric']['name']} gauge$", text, re.MULTILINE)


def test_a_replica_has_more_connections_than_the_autoscaler_wants(objects: dict[str, Any], container: dict[str, Any]) -> None:
    (pods,) = [each["pods"] for each in objects["HorizontalPodAutoscaler"]["spec"]["metrics"] if each["type"] == "Pods"]
    limit = int(container["resources"]["limits"]["memory"].removesuffix("Mi"))
    # MemoryPlan: 3/16 of the memory, 96 KiB for each.
    assert int(pods["target"]["averageValue"]) < limit * 1024 * 3 // 16 // 96 * 2 // 3


def test_the_drain_ends_before_the_process_is_killed(
    services: dict[str, Any], objects: dict[str, Any], container: dict[str, Any]
) -> None:
    wait = int(container["lifecycle"]["preStop"]["exec"]["command"][1])
    assert objects["Deployment"]["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] > wait + DRAIN
    for name in ("springbar", "replica-1", "replica-2"):
        assert int(services[name]["stop_grace_period"].removesuffix("s")) > DRAIN


def test_the_default_of_compose_is_one_service(services: dict[str, Any]) -> None:
    assert [name for name, service in services.items() if "profiles" not in service] == ["springbar"]


def test_the_published_port_of_compose_is_protected_from_rebinding(services: dict[str, Any]) -> None:
    assert all(port.startswith("127.0.0.1:") for port in services["springbar"]["ports"])
    value = services["springbar"]["environment"]["SPRINGBAR_ALLOWED_HOSTS"].partition(":-")[2].removesuffix("}")
    with Service({"SPRINGBAR_HOST": "0.0.0.0", "SPRINGBAR_ALLOWED_HOSTS": value}) as service:
        hosts = ("localhost", "springbar", "127.0.0.1", "evil.example")
        statuses = [service.get("/healthz", {"Host": host}).status for host in hosts]
        assert statuses == [200, 200, 200, 421]


def test_the_objects_select_the_pods(objects: dict[str, Any]) -> None:
    labels = objects["Deployment"]["spec"]["template"]["metadata"]["labels"].items()
    spec = {kind: each["spec"] for kind, each in objects.items() if "spec" in each}
    selectors = [spec[kind]["selector"]["matchLabels"] for kind in ("Deployment", "PodDisruptionBudget")]
    assert all(selector.items() <= labels for selector in [*selectors, spec["Service"]["selector"]])
    target = spec["HorizontalPodAutoscaler"]["scaleTargetRef"]
    assert (target["kind"], target["name"]) == ("Deployment", objects["Deployment"]["metadata"]["name"])
