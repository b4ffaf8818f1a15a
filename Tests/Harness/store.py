"""The server that the replicas share, Redis or Valkey, with a client for its commands."""

import contextlib
import re
import shutil
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

from nginx import Missing
from service import Server

#: The servers, in the order of preference, with the names of their programs in Debian's packages redis-tools and
#: valkey-tools. A program decides by the name under which it is called.
SERVERS = {"redis-server": "redis-check-rdb", "valkey-server": "valkey-check-rdb"}


class Refused(Exception):
    """An error that the server replied."""


def find(server: str | None = None) -> tuple[str, str]:
    """Returns the name and the path of a server: the given one, a name or a path, else the first that is installed."""
    for name in [server] if server else SERVERS:
        short = Path(name).name
        path = shutil.which(name) or shutil.which(SERVERS.get(short, short))
        if path:
            return short, path
    wanted = server or "redis-server or valkey-server"
    raise Missing(f"{wanted} is not installed; `script/bootstrap` installs Redis (redis-tools)")


class Store(Server):
    """A server with a log of writes, on a Unix socket in a folder; later settings replace earlier ones."""

    def __init__(
        self, folder: Path, server: str | None = None, settings: Sequence[str] = (), label: str = "redis"
    ) -> None:
        name, path = find(server)
        program = folder / name
        program.symlink_to(path)
        # The path of a Unix socket has 107 bytes at most.
        self.socket = folder / "store.sock"
        command = [
            str(program), "--port", "0", "--unixsocket", str(self.socket), "--dir", str(folder), "--save", "",
            # The kernel keeps what a killed process has written. With `everysec`, Redis would delay its writes while the
            # disk is slow, and a killed one would lose them.
            "--appendonly", "yes", "--appendfsync", "no", "--maxmemory-policy", "noeviction", *settings,
        ]  # fmt: skip
        super().__init__(command, name=label, output=folder / f"{label}.log", is_ready=self.is_loaded)

    @property
    def url(self) -> str:
        return f"unix://{self.socket}"

    def is_loaded(self) -> bool:
        """Returns whether the server has read its files and replies to commands."""
        with contextlib.suppress(OSError, Refused):
            return bool(self.ask("PING") == "PONG")
        return False

    def ask(self, *words: str | bytes) -> Any:
        """Sends a command on a new connection and returns its reply; an error is raised."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(10)
            connection.connect(str(self.socket))
            texts = [word if isinstance(word, bytes) else word.encode() for word in words]
            parts = [b"$%d\r\n%s\r\n" % (len(text), text) for text in texts]
            connection.sendall(b"*%d\r\n" % len(parts) + b"".join(parts))
            with connection.makefile("rb") as replies:
                return read_reply(replies)

    def figures(self, section: str) -> dict[str, str]:
        """Returns the lines of a section of INFO."""
        return dict(re.findall(r"^(\w+):(.*?)\r?$", self.ask("INFO", section).decode(), re.MULTILINE))

    def calls(self, command: str) -> int:
        """Returns the number of calls of a command since the last CONFIG RESETSTAT."""
        found = re.match(r"calls=(\d+)", self.figures("commandstats").get(f"cmdstat_{command}", ""))
        return int(found[1]) if found else 0

    @property
    def version(self) -> str:
        figures = self.figures("server")
        if "valkey_version" in figures:
            return f"Valkey {figures['valkey_version']}"
        return f"Redis {figures['redis_version']}"


def read_reply(replies: BinaryIO) -> Any:
    """Reads one reply of RESP2."""
    line = replies.readline()
    kind, text = line[:1], line[1:-2].decode()
    match kind:
        case b"+":
            return text
        case b"-":
            raise Refused(text)
        case b":":
            return int(text)
        case b"$":
            return None if text == "-1" else replies.read(int(text) + 2)[:-2]
        case b"*":
            return None if text == "-1" else [read_reply(replies) for _ in range(int(text))]
    raise ConnectionError(f"the connection ended, or its reply is malformed: {line!r}")
