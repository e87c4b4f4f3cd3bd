"""The gallery of components: compiled once, served by a process of its own."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from portal.launch import ROOT
from portal.reflex_adapter.build import compiler_environment
from tests.support.polling import fetch
from tests.support.ports import free_port

_APP = ROOT / "tests" / "gallery"

_SOURCES = ("portal", "assets", "locale")


class GalleryServer:
    """The running gallery.

    Attributes:
        base_url: Its address.
    """

    def __init__(self, web_dir: Path) -> None:
        self._web_dir = web_dir
        self.port = free_port()
        self.base_url = f"http://localhost:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start and wait for the first page."""
        command = ["granian", "--interface", "asgi", "--factory", "--port", str(self.port), "gallery.gallery:app"]
        self._process = subprocess.Popen(
            [sys.executable, "-m", *command], cwd=_APP, env=_environment(self._web_dir), stdout=subprocess.DEVNULL
        )
        for _attempt in range(600):
            try:
                fetch(self.base_url, timeout=60)
            except httpx.TransportError:
                assert self._process.poll() is None, "the gallery did not start"
                time.sleep(0.05)
            else:
                return
        raise RuntimeError("the gallery did not answer")

    def stop(self) -> None:
        """Stop it; connections are refused until the next start."""
        if self._process:
            self._process.terminate()
            self._process.wait(60)
            self._process = None


def _environment(web_dir: Path) -> dict[str, str]:
    return {
        **compiler_environment(os.environ, web_dir),
        "PYTHONPATH": f"{ROOT}{os.pathsep}{_APP}",
        "__REFLEX_SKIP_COMPILE": "true",
    }


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for top in [_APP / "gallery", _APP / "rxconfig.py", *(ROOT / name for name in _SOURCES)]:
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.is_file() and path.suffix != ".pyc" and "external" not in path.parts:
                digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _build() -> Path:
    web_dir = Path(os.environ.get("PORTAL_GALLERY_DIR") or ROOT / "var" / "gallery").absolute()
    web_dir.mkdir(parents=True, exist_ok=True)
    mark = web_dir / "gallery.sha256"
    with (web_dir / "gallery.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = _fingerprint()
        if not mark.is_file() or mark.read_text() != wanted:
            # The same browser packages as the portal itself.
            shutil.copytree(ROOT / "reflex.lock", _APP / "reflex.lock", dirs_exist_ok=True)
            environment = _environment(web_dir)
            del environment["__REFLEX_SKIP_COMPILE"]
            run = subprocess.run(
                [sys.executable, "-m", "reflex", "export", "--no-zip", "--frontend-only"],
                cwd=_APP,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            assert run.returncode == 0, run.stdout + run.stderr
            mark.write_text(wanted)
    return web_dir


@pytest.fixture(scope="session")
def gallery_server() -> Iterator[GalleryServer]:
    """The gallery, running."""
    server = GalleryServer(_build())
    server.start()
    yield server
    server.stop()
