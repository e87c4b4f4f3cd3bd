"""The commands of the page about the installation, followed word by word, make a portal that customers can open."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import httpx
import pytest

from portal.launch import ROOT
from tests.support.bucket import s3_server
from tests.support.ports import free_port
from tests.support.postgres import PostgresCluster
from tests.support.production import certificate
from tests.support.smtp import MailServer
from tests.support.waiting import wait_until

pytestmark = pytest.mark.timeout(600)

_TITLES = {
    "mijn.shop.example": "Inloggen – Fietsland",
    "retouren.shop.example": "Inloggen – Fietsland",
    "balie.shop.example": "Inloggen – Fietsland balie",
}


def _commands() -> str:
    """The shell commands of the section, in their order."""
    page = (ROOT / "docs/operations.md").read_text("utf-8")
    section = page.partition("\n### Installation\n")[2].partition("\n### ")[0]
    return "\n".join(line.removeprefix("    ") for line in section.splitlines() if line.startswith("    "))


_PROGRAMS = {
    # Its packages are there, and its user is that of the tests.
    "apt-get": "exit 0",
    "useradd": "exit 0",
    "sudo": 'shift 2; PGHOST=127.0.0.1 PGUSER=portal PGDATABASE=postgres exec "$@"',
    "systemctl": f'PYTHONPATH={ROOT} exec {sys.executable} -m tests.support.systemctl "$@"',
}
"""Commands of the machine that do something else here."""

_HERE = {
    "python3 -m venv .venv": f"ln --symbolic {sys.prefix} .venv",
    ".venv/bin/pip install --no-index": ": not a network, and no wheels",
    " --owner portal": "",
    " --owner postgres": "",
    # The role of the tests is the superuser.
    "CREATE ROLE portal": "ALTER ROLE portal",
}
"""Words of the commands that are others here, beside folders, ports and addresses."""


@pytest.fixture
def machine(
    tmp_path: Path, release: Path, postgres_cluster: PostgresCluster, mails: tuple[MailServer, Path]
) -> Iterator[tuple[int, Callable[[], str]]]:
    """The port of nginx after the commands were run in a folder, and the last of them, which looks at everything."""
    ports = {name: free_port() for name in ("8000", "8001", "8002", "6379", "443", "80")}
    with s3_server() as store:
        changed = {
            **_HERE,
            **{f"/{name}": f"{tmp_path}/{name}" for name in ("etc/", "srv", "var/")},
            **{f"listen {name}": f"listen {ports[name]}" for name in ("443", "80")},
            **{name: str(ports[name]) for name in ("8000", "8001", "8002", "6379")},
            "127.0.0.1/portal": f"127.0.0.1:{postgres_cluster.port}/portal",
            "https://s3.shop.example": store.endpoint,
            "BUCKET=portal-files": f"BUCKET={store.bucket}",
            "HOST=mail.shop.example": f"HOST=127.0.0.1\nPORTAL_SMTP__PORT={mails[0].port}\nPORTAL_SMTP__SECURITY=none",
        }
        pattern = re.compile("|".join(map(re.escape, sorted(changed, key=len, reverse=True))))

        def here(text: str) -> str:
            return pattern.sub(lambda found: changed[found[0]], text)

        _furnish(tmp_path, release, here)
        programs = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        environment = {
            "PATH": f"{tmp_path}/bin:{programs}:/usr/sbin:/usr/bin:/bin",
            "HOME": str(tmp_path),
            "MACHINE": str(tmp_path),
            "PGPORT": str(postgres_cluster.port),
        }
        *installing, settings, check = here(_commands()).splitlines()
        try:
            _run("\n".join(installing), tmp_path / "empty", environment)
            yield ports["443"], partial(_run, f"{settings}\n{check}", tmp_path / "srv/portal", environment, 1)
        finally:
            for process in (tmp_path / "started").read_text().split():
                with suppress(ProcessLookupError):
                    os.killpg(int(process), signal.SIGTERM)
            postgres_cluster.drop_database("/portal")


def _run(commands: str, folder: Path, environment: dict[str, str], code: int = 0) -> str:
    ended = subprocess.run(["bash", "-euc", commands], cwd=folder, env=environment, capture_output=True, text=True)
    assert ended.returncode == code, ended.stdout + ended.stderr
    return ended.stdout


def _furnish(machine: Path, release: Path, here: Callable[[str], str]) -> None:
    """What an empty machine has: folders of Debian, programs, the release and a certificate."""
    for name in ("bin", "empty", "srv", "etc/redis", "etc/nginx/conf.d", "etc/postgresql/15/main/conf.d",
                 "etc/systemd/system", "var/lib/portal", "var/log/nginx"):  # fmt: skip
        (machine / name).mkdir(parents=True, exist_ok=True)
    for name, code in _PROGRAMS.items():
        (machine / "bin" / name).write_text(f"#!/bin/bash\n{code}\n")
        (machine / "bin" / name).chmod(0o755)
    subprocess.run(["tar", "--extract", "--file", release, "--directory", machine / "empty"], check=True)
    (unpacked,) = (machine / "empty").iterdir()
    for path in (unpacked / "ops").iterdir():
        path.write_text(here(path.read_text("utf-8")), "utf-8")
    subprocess.run(["tar", "--create", "--gzip", "--file", f"{unpacked.name}.tar.gz", unpacked.name],
                   cwd=machine / "empty", check=True)  # fmt: skip
    shutil.rmtree(unpacked)
    certificate(machine / "empty")
    included = f"include {machine}/etc/nginx/conf.d/*.conf;"
    (machine / "nginx.conf").write_text(
        f"pid {machine}/nginx.pid;\ndaemon off;\nevents {{}}\nhttp {{\n{included}\n}}\n"
    )


def test_the_documented_installation_serves_all_hosts(machine: tuple[int, Callable[[], str]]) -> None:
    port, check = machine

    def title(host: str) -> str:
        with suppress(httpx.TransportError), httpx.Client(verify=False) as client:  # noqa: S501 - a certificate of our own
            page = client.get(f"https://127.0.0.1:{port}/", headers={"Host": host}, follow_redirects=True).text
            return "".join(re.findall("<title>(.*?)</title>", page))
        return ""

    for host, expected in _TITLES.items():
        wait_until(lambda host=host, expected=expected: title(host) == expected, 240)
    # Nothing is wrong but the host name, which nobody resolves.
    assert re.findall("^FAILED +([a-z]+)", check(), re.MULTILINE) == ["certificate"]
