"""Stands in for `systemctl` where systemd is not process 1: starts what the units of a folder say.

    python -m tests.support.systemctl enable --now portal@8000

`MACHINE` is the folder of the machine. The processes stand in its `started`; whoever made the folder ends them.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

_MACHINE = Path(os.environ["MACHINE"])
_OF_DEBIAN = {
    "redis-server": f"/usr/bin/redis-server {_MACHINE}/etc/redis/redis.conf --dir {_MACHINE}",
    "nginx": f"/usr/sbin/nginx -e {_MACHINE}/nginx.log -c {_MACHINE}/nginx.conf",
}
"""The commands of units that are not ours. PostgreSQL runs already."""


def _settings(unit: Path, name: str) -> Iterator[tuple[str, str]]:
    for line in unit.read_text("utf-8").replace("%i", name).splitlines():
        key, _, value = line.partition("=")
        if value and not line.startswith("#"):
            yield key, value


def _start(name: str) -> None:
    template, _, instance = name.partition("@")
    environment, command, credentials = dict(os.environ), _OF_DEBIAN.get(name, ""), _MACHINE / "credentials"
    unit = _MACHINE / f"etc/systemd/system/{template}{'@' if instance else ''}.service"
    folder = _MACHINE
    for key, value in _settings(unit, instance) if not command else ():
        match key:
            case "EnvironmentFile":
                text = shlex.split(Path(value).read_text("utf-8"), comments=True)
                environment |= dict(line.split("=", 1) for line in text)
            case "Environment":
                environment |= dict(pair.split("=", 1) for pair in value.split())
            case "LoadCredential":
                credentials.mkdir(exist_ok=True)
                secret, path = value.split(":")
                (credentials / secret).write_bytes(Path(path).read_bytes())
                environment["CREDENTIALS_DIRECTORY"] = str(credentials)
            case "WorkingDirectory":
                folder = Path(value)
            case "ExecStart":
                command = value
    with (_MACHINE / f"{name}.log").open("wb") as log, (_MACHINE / "started").open("a") as started:
        process = subprocess.Popen(
            shlex.split(command), cwd=folder, env=environment, stdout=log, stderr=log, start_new_session=True
        )
        started.write(f"{process.pid}\n")


if __name__ == "__main__":
    for asked in sys.argv[2:]:
        if not asked.startswith("--") and not asked.endswith(".timer") and asked != "postgresql":
            _start(asked)
