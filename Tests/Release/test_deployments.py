"""docs/kubernetes.yaml and docs/springbar.service are valid and give the service few privileges.

Tests/Contract/test_deployment.py compares the first with the running service.
"""

import configparser
import re
import subprocess
from typing import Any

import kubernetes_validate
import pytest
import yaml

from checkout import BINARY, ROOT, output

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


def test_the_pods_satisfy_the_level_restricted() -> None:
    """Kubernetes' Pod Security Standards: the members that it requires, and no other one, which could allow more."""
    pod = TEMPLATE["spec"]
    assert pod.keys() == {
        "automountServiceAccountToken", "enableServiceLinks", "securityContext", "terminationGracePeriodSeconds",
        "topologySpreadConstraints", "containers",
    }  # fmt: skip
    assert pod["securityContext"] == {
        "runAsNonRoot": True, "runAsUser": 65532, "runAsGroup": 65532, "seccompProfile": {"type": "RuntimeDefault"},
    }  # fmt: skip
    (container,) = pod["containers"]
    probes = {"startupProbe", "livenessProbe", "readinessProbe"}
    assert container.keys() == probes | {"name", "image", "ports", "envFrom", "env", "resources", "lifecycle", "securityContext"}
    assert container["securityContext"] == {
        "readOnlyRootFilesystem": True, "allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]},
    }  # fmt: skip
    assert container["ports"] == [{"name": "http", "containerPort": 8080}]
    assert all(container[probe]["httpGet"].keys() == {"path", "port"} for probe in probes)
    assert container["lifecycle"].keys() == {"preStop"} and container["lifecycle"]["preStop"].keys() == {"exec"}
    assert TEMPLATE["metadata"]["annotations"].keys() == {"prometheus.io/scrape", "prometheus.io/port"}


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
