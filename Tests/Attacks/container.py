"""Runs a command as in a container: with an enforced memory limit that the command can read.

A control group enforces the limit (cgroups(7), version 1 or 2). A bind mount in a new mount namespace shows the limit
at the path where a container shows it. Both need root. If the machine does not allow one of them, it is skipped and
noted in `remarks`; resident memory is measured in any case.
"""

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")


class Container:
    """A memory limit for one command; `prefix` precedes the command's arguments."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.remarks: list[str] = []
        #: The control group; None if it cannot be created.
        self.group: Path | None = None
        #: The name of the file with the limit, and the directory where a container finds it.
        self.version = 1 if (CGROUPS / "memory/memory.limit_in_bytes").exists() else 2
        self.seen_at = CGROUPS / "memory" if self.version == 1 else CGROUPS
        self.limit_name = "memory.limit_in_bytes" if self.version == 1 else "memory.max"
        self._make_group()
        #: Shows the limit if there is no control group.
        self.stand_in: Path | None = None
        if self.group is None:
            self.stand_in = Path(tempfile.mkdtemp(prefix="springbar-limit-"))
            (self.stand_in / self.limit_name).write_text(f"{limit}\n")
        #: Whether the command can read the limit.
        self.is_seen = self._can_mount()
        if not self.is_seen:
            self.remarks.append("no mount namespace here: the service cannot read the limit and gets it as settings")

    def _make_group(self) -> None:
        group = self.seen_at / f"springbar-attacks-{os.getpid()}-{time.monotonic_ns()}"
        try:
            if self.version == 2:
                (CGROUPS / "cgroup.subtree_control").write_text("+memory")
            group.mkdir()
            (group / self.limit_name).write_text(str(self.limit))
            if self.version == 2:
                # Without this, memory above the limit is swapped out instead of refused.
                with contextlib.suppress(OSError):
                    (group / "memory.swap.max").write_text("0")
            # Some groups can be created but not joined.
            subprocess.run([*joining(group), "true"], check=True, capture_output=True)
            self.group = group
        except (OSError, subprocess.CalledProcessError) as error:
            self.remarks.append(f"no control group here ({error}): the limit is not enforced, only measured")
            with contextlib.suppress(OSError):
                group.rmdir()

    @property
    def _mount(self) -> list[str]:
        source = self.group or self.stand_in
        # `unshare` and the shell replace themselves, so the command keeps the process id.
        script = f'mount --bind "{source}" "{self.seen_at}" && exec "$@"'
        return ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh"]

    def _can_mount(self) -> bool:
        if shutil.which("unshare") is None:
            return False
        command = [*self._mount, "cat", str(self.seen_at / self.limit_name)]
        result = subprocess.run(command, capture_output=True, text=True)
        return result.returncode == 0 and result.stdout.strip() == str(self.limit)

    @property
    def prefix(self) -> list[str]:
        return (joining(self.group) if self.group else []) + (self._mount if self.is_seen else [])

    @property
    def environment(self) -> dict[str, str]:
        """The settings that the service derives from the limit (`MemoryPlan`), if it cannot read the limit."""
        if self.is_seen:
            return {}
        return {
            "SPRINGBAR_IMAGE_CACHE_BYTES": str(self.limit // 16 * 3),
            "SPRINGBAR_MEMORY_BYTES": str(self.limit // 4),
            "SPRINGBAR_SESSION_BYTES": str(self.limit // 8),
            "SPRINGBAR_MAX_CONNECTIONS": str(self.limit // 16 * 3 // (96 << 10)),
        }

    def killed(self) -> int:
        """Returns the number of processes that were killed because of the limit."""
        if self.group is None:
            return 0
        file = self.group / ("memory.oom_control" if self.version == 1 else "memory.events")
        counts = dict(line.split() for line in file.read_text().splitlines())
        return int(counts.get("oom_kill", 0))

    def highest(self) -> int | None:
        """Returns the peak memory of the control group in bytes, including the kernel's part; None if it is not
        available.
        """
        names = ("memory.max_usage_in_bytes", "memory.peak")
        files = [self.group / name for name in names if self.group] if self.group else []
        return next((int(file.read_text()) for file in files if file.exists()), None)

    def close(self) -> None:
        """Removes the control group. Its command must have ended."""
        if self.stand_in is not None:
            shutil.rmtree(self.stand_in, ignore_errors=True)
        deadline = time.monotonic() + 5
        while self.group is not None and time.monotonic() < deadline:
            try:
                self.group.rmdir()
                self.group = None
            except OSError:
                time.sleep(0.05)


def joining(group: Path) -> list[str]:
    """Returns a command prefix that joins a control group. The shell replaces itself, so the process id stays the same.
    """
    return ["sh", "-c", f'echo $$ > "{group}/cgroup.procs" && exec "$@"', "sh"]
