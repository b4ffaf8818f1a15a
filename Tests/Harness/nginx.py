"""nginx as one process, in a folder."""

import os
import shutil
from pathlib import Path
from typing import Any

from service import Server, free_port

#: Debian's folder of nginx, which is not on the path of every user.
SYSTEM_PROGRAMS = "/usr/sbin"


class Missing(Exception):
    """A program that is not installed."""


def nginx_program() -> str:
    """Returns the path of nginx."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:{SYSTEM_PROGRAMS}")
    if program is None:
        raise Missing("nginx is not installed; `script/bootstrap` installs it (nginx-light)")
    return program


class Nginx(Server):
    """nginx on a free port. `text` is the content of its block `http`, or a whole file; PORT and FOLDER are replaced."""

    def __init__(self, folder: Path, text: str, **options: Any) -> None:
        port = free_port()
        if "\nhttp {" not in text:
            paths = "".join(f"{kind}_temp_path FOLDER/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
            text = f"pid FOLDER/nginx.pid;\nevents {{ worker_connections 1024; }}\nhttp {{ access_log off; {paths}\n{text} }}\n"
        (folder / "nginx.conf").write_text(text.replace("PORT", str(port)).replace("FOLDER", str(folder)))
        # A worker would survive its killed master.
        whole = ["-p", str(folder), "-c", "nginx.conf", "-e", "stderr", "-g", "daemon off; master_process off;"]
        super().__init__([nginx_program(), *whole], port=port, name="nginx", output=folder / "nginx.log", **options)
