"""Builds and starts the peers. What they need is installed below `var/peers`, apart from the portal."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from bench.harness import ROOT, Login, read_code
from bench.peers.shop import write
from bench.start import wait_for_answer
from portal.reflex_adapter.build import static_dir

_HERE = Path(__file__).parent
_WORK = ROOT / "var" / "peers"
_PYTHON = _WORK / "venv" / "bin" / "python"
_DJANGO = _HERE / "django_htmx"
_API = _HERE / "fastapi_react"
_SITE = _WORK / _API.name
_LOGIN_LIMIT = 15
_TOKEN = "csrfmiddlewaretoken"  # noqa: S105 - the name of a field


@dataclass(frozen=True, slots=True)
class Peer:
    """An app that does what the portal does.

    Attributes:
        name: how it is called in the report.
        source: its directory.
        serve: arguments of Python that start its server at a port.
        log_in: logs a customer in, over HTTP.
        prepare: makes its database and what it serves.
    """

    name: str
    source: Path
    serve: Callable[[int], list[str]]
    log_in: Callable[[httpx.Client, Path, tuple[str, str]], None]
    prepare: Callable[[Path, dict[str, str]], None]


@dataclass(frozen=True, slots=True)
class Running:
    """A peer that is served. `command` and `environment` start it once more, at another port."""

    peer: Peer
    port: int
    data_dir: Path
    pid: int
    environment: dict[str, str] = field(repr=False)

    def command(self, port: int) -> list[str]:
        """What starts it at a port."""
        return [str(_PYTHON), *self.peer.serve(port)]

    def log_in(self, who: tuple[str, str]) -> Login:
        """Log a customer in: number of an order, and the address."""
        with httpx.Client(base_url=f"http://localhost:{self.port}", timeout=30, follow_redirects=True) as client:
            started = time.monotonic()
            self.peer.log_in(client, self.data_dir / "mail", who)
            return Login(dict(client.cookies), time.monotonic() - started)


def install() -> None:
    """Install what the peers need and build the single page app; nothing is done that was done before."""
    _WORK.mkdir(parents=True, exist_ok=True)
    requirements = _HERE / "requirements.txt"
    if _changed("requirements", requirements):
        venv.create(_WORK / "venv", with_pip=True, clear=True)
        _run([_PYTHON, "-m", "pip", "install", "--quiet", "-r", requirements], ROOT)
        _done("requirements", requirements)
    style = next(static_dir(ROOT).glob("assets/__reflex_global_styles-*.css"))
    sources = [*sorted(path for path in _API.rglob("*") if path.is_file()), _HERE / "texts.json", style]
    if _changed("site", *sources):
        shutil.copytree(_API, _SITE, dirs_exist_ok=True)
        shutil.copy(_HERE / "texts.json", _WORK)
        # The same look for all: the style sheet that the portal compiles.
        shutil.copy(style, _SITE / "src" / "site.css")
        bun = Path(sys.executable).with_name("bun")
        _run([bun, "install", "--frozen-lockfile"], _SITE)
        _run([bun, "--bun", "run", "build"], _SITE)
        _done("site", *sources)


@contextmanager
def served(peer: Peer, people: list[dict[str, Any]], folder: Path, port: int) -> Iterator[Running]:
    """A peer with a shop of its own, ended with the block."""
    folder.mkdir()
    write(people, folder / "shop.json")
    environment = {**os.environ, "PEER_DATA_DIR": str(folder), "PEER_SECRET": secrets.token_hex(32)}
    peer.prepare(folder, environment)
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [_PYTHON, *peer.serve(port)], cwd=peer.source, env=environment, stdout=log, stderr=log
        )
    try:
        wait_for_answer(port, process)
        yield Running(peer, port, folder, process.pid, environment)
    finally:
        process.terminate()
        process.wait(20)


def _prepare_django(folder: Path, environment: dict[str, str]) -> None:
    styles = folder / "styles"
    styles.mkdir()
    shutil.copy(_SITE / "src" / "site.css", styles)
    for command in (["migrate", "--run-syncdb"], ["seed", folder / "shop.json"], ["collectstatic", "--no-input"]):
        _run([_PYTHON, "manage.py", *command], _DJANGO, environment)


def _prepare_api(folder: Path, environment: dict[str, str]) -> None:
    shutil.copytree(_SITE / "dist", folder / "dist")
    _run([_PYTHON, "api.py", "seed", folder / "shop.json"], _API, environment)


def _mailed(folder: Path, before: set[Path]) -> str:
    limit = time.monotonic() + _LOGIN_LIMIT
    while time.monotonic() < limit:
        if fresh := set(folder.glob("*.*")) - before:
            return read_code(fresh.pop())
        time.sleep(0.005)
    raise RuntimeError("no mail came")


def _log_in_django(client: httpx.Client, mails: Path, who: tuple[str, str]) -> None:
    client.get("/").raise_for_status()
    before = set(mails.glob("*.*"))
    token = {_TOKEN: client.cookies["csrftoken"]}
    client.post("/", data={"order_number": who[0], "email": who[1], **token}).raise_for_status()
    answer = client.post("/login/code", data={"code": _mailed(mails, before), **token}).raise_for_status()
    if not answer.url.path.endswith("/dashboard"):
        raise RuntimeError("Django did not log in")


def _log_in_api(client: httpx.Client, mails: Path, who: tuple[str, str]) -> None:
    before = set(mails.glob("*.*"))
    client.post("/api/code", json={"order_number": who[0], "email": who[1]}).raise_for_status()
    client.post("/api/session", json={"code": _mailed(mails, before)}).raise_for_status()


def _run(command: list[Any], folder: Path, environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(
        command, cwd=folder, env=environment, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(str(part) for part in command)}:\n{done.stdout[-3000:]}")


def _mark(*files: Path) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _changed(name: str, *files: Path) -> bool:
    stamp = _WORK / f"{name}.stamp"
    return not stamp.is_file() or stamp.read_text() != _mark(*files)


def _done(name: str, *files: Path) -> None:
    (_WORK / f"{name}.stamp").write_text(_mark(*files))


DJANGO = Peer(
    "Django + htmx",
    _DJANGO,
    lambda port: [
        "-m",
        "gunicorn",
        "shop.wsgi",
        "--threads=4",
        f"--bind=127.0.0.1:{port}",
        "--keep-alive=30",
        "--no-control-socket",
    ],
    _log_in_django,
    _prepare_django,
)
REACT = Peer(
    "FastAPI + React",
    _API,
    lambda port: ["-m", "uvicorn", "api:app", f"--port={port}", "--no-access-log"],
    _log_in_api,
    _prepare_api,
)
