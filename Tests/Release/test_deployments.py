"""docs/kubernetes.yaml and docs/springbar.service are valid and give the service few privileges.

Tests/Contract/test_deployment.py compares the first with the running service.
"""

from __future__ import annotations

import configparser
import copy
import re
import subprocess
from typing import Any

import kubernetes_validate
import pytest
import yaml

from checkout import BINARY, ROOT, output
from pod_security import RULES, violations

OBJECTS = list(yaml.safe_load_all((ROOT / "docs/kubernetes.yaml").read_text()))
TEMPLATE = next(each for each in OBJECTS if each["kind"] == "Deployment")["spec"]["template"]
UNIT = "docs/springbar.service"


# The oldest version that has a schema here, and the newest.
@pytest.mark.parametrize("version", ["1.25", "1.37"])
@pytest.mark.parametrize("content", OBJECTS, ids=lambda content: content["kind"])
def test_the_schema_of_kubernetes_accepts_an_object(content: dict[str, Any], version: str) -> None:
    kubernetes_validate.validate(content, version, strict=True)
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate({**content, "unknown": 1}, version, strict=True)


def test_pod_security_restricted_accepts_the_pods() -> None:
    assert violations(TEMPLATE) == set()


def edited(*path: str | int, value: Any) -> dict[str, Any]:
    template = copy.deepcopy(TEMPLATE)
    place = template
    for part in path[:-1]:
        place = place[part] if isinstance(part, int) else place.setdefault(part, {})
    place[path[-1]] = value
    return template


POD = ("spec", "securityContext")
CONTAINER = ("spec", "containers", 0)
BREAKS = {
    "HostProcess": (*POD, "windowsOptions", {"hostProcess": True}),
    "Host Namespaces": ("spec", "hostPID", True),
    "Privileged Containers": (*CONTAINER, "securityContext", "privileged", True),
    "HostPath Volumes": ("spec", "volumes", [{"name": "root", "emptyDir": {}, "hostPath": {"path": "/"}}]),
    "Host Ports": (*CONTAINER, "ports", [{"containerPort": 8080, "hostPort": 80}]),
    "Host Probes / Lifecycle Hooks": (*CONTAINER, "livenessProbe", "httpGet", "host", "10.0.0.1"),
    "AppArmor": (*POD, "appArmorProfile", {"type": "Unconfined"}),
    "SELinux": (*POD, "seLinuxOptions", {"role": "sysadm_r"}),
    "/proc Mount Type": (*CONTAINER, "securityContext", "procMount", "Unmasked"),
    "Sysctls": (*POD, "sysctls", [{"name": "kernel.msgmax", "value": "1"}]),
    "Volume Types": ("spec", "volumes", [{"name": "disk", "nfs": {"server": "nas", "path": "/"}}]),
    "Privilege Escalation": (*CONTAINER, "securityContext", "allowPrivilegeEscalation", True),
    "Running as Non-root": (*POD, "runAsNonRoot", False),
    "Running as Non-root user": (*CONTAINER, "securityContext", "runAsUser", 0),
    "Seccomp": (*POD, "seccompProfile", {"type": "Unconfined"}),
    "Capabilities": (*CONTAINER, "securityContext", "capabilities", {"drop": ["ALL"], "add": ["SYS_ADMIN"]}),
}


@pytest.mark.parametrize("rule", RULES)
def test_pod_security_finds_a_violation(rule: str) -> None:
    *path, value = BREAKS[rule]
    assert rule in violations(edited(*path, value=value))


def exposure(path: str) -> float:
    text = output("systemd-analyze", "security", "--offline=true", "--threshold=100", path)
    return float(re.findall(r"exposure level for \S+: ([\d.]+)", text)[-1])


def test_the_unit_exposes_little(tmp_path: Any) -> None:
    assert exposure(UNIT) <= 2.0
    weak = tmp_path / "weak.service"
    weak.write_text(re.sub(r"^(SystemCall|Protect).*\n", "", (ROOT / UNIT).read_text(), flags=re.MULTILINE))
    assert exposure(str(weak)) > 2.0


def test_the_unit_is_started_again_however_often_it_ends() -> None:
    """systemd.unit(5): by default a unit that was started five times within ten seconds is not started again."""
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(ROOT / UNIT)
    assert unit["Unit"]["StartLimitIntervalSec"] == "0"
    assert unit["Service"]["Restart"] == "on-failure"
    assert int(unit["Service"]["RestartSec"]) >= 1


def faults(path: Any) -> str:
    return subprocess.run(["systemd-analyze", "verify", path], text=True, capture_output=True).stderr


def test_the_unit_is_valid(tmp_path: Any) -> None:
    unit = tmp_path / "springbar.service"
    text = (ROOT / UNIT).read_text().replace("/usr/local/bin/springbar", str(BINARY))
    unit.write_text(text)
    assert faults(unit) == ""
    unit.write_text(text.replace("MemoryMax=512M", "MemoryMax=much"))
    assert "Invalid memory limit" in faults(unit)
    unit.write_text(text.replace("StartLimitIntervalSec=0", "").replace("RestartSec=2", "StartLimitIntervalSec=0"))
    assert "'StartLimitIntervalSec' in section [Service], ignoring" in faults(unit)
