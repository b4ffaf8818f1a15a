"""The rules of the level "restricted" of Kubernetes' Pod Security Standards (version 1.36), for Linux pods, by name."""

from __future__ import annotations

from typing import Any, Callable

Pod = dict[str, Any]


def containers(pod: Pod) -> list[dict[str, Any]]:
    return [each for kind in ("containers", "initContainers", "ephemeralContainers") for each in pod.get(kind, [])]


def context(part: dict[str, Any]) -> dict[str, Any]:
    return part.get("securityContext", {})


def contexts(pod: Pod) -> list[dict[str, Any]]:
    return [context(pod), *map(context, containers(pod))]


def effective(pod: Pod, member: str) -> list[Any]:
    """Returns the value that each container has, which is the pod's if it has none of its own."""
    return [context(each).get(member, context(pod).get(member)) for each in containers(pod)]


def hooks(pod: Pod) -> list[dict[str, Any]]:
    """Returns the probes and life-cycle hooks."""
    probes = [each.get(f"{kind}Probe", {}) for each in containers(pod) for kind in ("startup", "liveness", "readiness")]
    return probes + [hook for each in containers(pod) for hook in each.get("lifecycle", {}).values()]


SYSCTLS = {
    "kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.ip_unprivileged_port_start",
    "net.ipv4.tcp_syncookies", "net.ipv4.ping_group_range", "net.ipv4.ip_local_reserved_ports",
    "net.ipv4.tcp_keepalive_time", "net.ipv4.tcp_fin_timeout", "net.ipv4.tcp_keepalive_intvl",
    "net.ipv4.tcp_keepalive_probes",
}  # fmt: skip
SELINUX_TYPES = {None, "", "container_t", "container_init_t", "container_kvm_t", "container_engine_t"}
VOLUMES = {
    "configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret",
}  # fmt: skip
APPARMOR = "container.apparmor.security.beta.kubernetes.io/"

# Each takes the specification of the pod and the annotations of its metadata.
RULES: dict[str, Callable[[Pod, dict[str, str]], bool]] = {
    "HostProcess": lambda pod, _: not any(
        each.get("windowsOptions", {}).get("hostProcess") for each in contexts(pod)
    ),
    "Host Namespaces": lambda pod, _: not any(pod.get(name) for name in ("hostNetwork", "hostPID", "hostIPC")),
    "Privileged Containers": lambda pod, _: not any(each.get("privileged") for each in contexts(pod)),
    "HostPath Volumes": lambda pod, _: all("hostPath" not in each for each in pod.get("volumes", [])),
    "Host Ports": lambda pod, _: not any(
        port.get("hostPort") for each in containers(pod) for port in each.get("ports", [])
    ),
    "Host Probes / Lifecycle Hooks": lambda pod, _: not any(
        hook.get(kind, {}).get("host") for hook in hooks(pod) for kind in ("httpGet", "tcpSocket")
    ),
    "AppArmor": lambda pod, annotations: all(
        each.get("appArmorProfile", {}).get("type") in (None, "RuntimeDefault", "Localhost") for each in contexts(pod)
    ) and all(
        value in ("", "runtime/default") or value.startswith("localhost/")
        for name, value in annotations.items() if name.startswith(APPARMOR)
    ),
    "SELinux": lambda pod, _: all(
        options.get("type") in SELINUX_TYPES and not options.get("user") and not options.get("role")
        for options in (each.get("seLinuxOptions", {}) for each in contexts(pod))
    ),
    "/proc Mount Type": lambda pod, _: all(each.get("procMount") in (None, "Default") for each in contexts(pod)),
    "Sysctls": lambda pod, _: {each["name"] for each in context(pod).get("sysctls", [])} <= SYSCTLS,
    "Volume Types": lambda pod, _: all(set(each) - {"name"} <= VOLUMES for each in pod.get("volumes", [])),
    "Privilege Escalation": lambda pod, _: all(
        context(each).get("allowPrivilegeEscalation") is False for each in containers(pod)
    ),
    "Running as Non-root": lambda pod, _: all(each is True for each in effective(pod, "runAsNonRoot")),
    "Running as Non-root user": lambda pod, _: all(each.get("runAsUser") != 0 for each in contexts(pod)),
    "Seccomp": lambda pod, _: all(
        (each or {}).get("type") in ("RuntimeDefault", "Localhost") for each in effective(pod, "seccompProfile")
    ),
    "Capabilities": lambda pod, _: all(
        "ALL" in capabilities.get("drop", []) and set(capabilities.get("add", [])) <= {"NET_BIND_SERVICE"}
        for capabilities in (context(each).get("capabilities", {}) for each in containers(pod))
    ),
}  # fmt: skip


def violations(template: dict[str, Any]) -> set[str]:
    """Returns the names of the rules that a pod template violates."""
    annotations = template.get("metadata", {}).get("annotations", {})
    return {name for name, holds in RULES.items() if not holds(template["spec"], annotations)}
