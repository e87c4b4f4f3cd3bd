"""Compile the frontend once; the next start finds it built.

`python -m portal.reflex_adapter.build` is the command line of Reflex, for compiling the pages.

Reaches: the layout of the directory that Reflex compiles into (`build/client`), and the environment variables that
    say where it is and how to start (`compiler_environment`, `SERVER_ENVIRONMENT`); one begins with underscores.
Why: `reflex run` compiles with every start, and deletes the stored states.
Gain: a second start answers after 3.4 to 4.9 s; compiling alone takes 42 s of processor time.
Test: test_reflex_still_reads_these_variables (tests/reflex_adapter/test_build.py).
"""

from __future__ import annotations

import fcntl
import gc
import hashlib
import json
import os
import runpy
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

_MARK = "portal-build.json"
# What the compiled pages are made of. The retailer's side never reaches the browser.
_SOURCES = ("rxconfig.py", "requirements.txt", "assets", "locale", "portal", "reflex.lock")
_NOT_SHIPPED = (
    "portal/provider",
    "portal/*/provider",
    "portal/*/provider.py",
    "portal/backend",
    "portal/tables",
    "portal/demo",
    "portal/client",
    "portal/wiring.py",
    "portal/launch.py",
    "portal/dev.py",
    "portal/reflex_adapter/development.py",
    "portal/reflex_adapter/worker.py",
)
_IGNORED_PARTS = {"__pycache__", "external"}
_STORED_LINES = 60
SERVER_ENVIRONMENT = {
    "__REFLEX_SKIP_COMPILE": "true",
    # A telephone that lost its network is noticed within half a minute, not after two.
    "REFLEX_SOCKET_INTERVAL": "12s",
    "REFLEX_SOCKET_TIMEOUT": "18s",
}
"""What the server is told besides `compiler_environment`: the pages are there, and how long a socket may be silent."""


class BuildError(RuntimeError):
    """The frontend could not be compiled; the message ends with the compiler's last lines."""


@dataclass(frozen=True, slots=True)
class Build:
    """A compiled frontend.

    Attributes:
        web_dir: Working directory of the compiler.
        fingerprint: Hash of everything that it was made of.
        seconds: How long compiling took; 0 when it was there already.
    """

    web_dir: Path
    fingerprint: str
    seconds: float

    @property
    def static_dir(self) -> Path:
        """The files to serve."""
        return _static_dir(self.web_dir)


def web_dir(root: Path) -> Path:
    """Where the compiler works: `PORTAL_WEB_DIR`, by default `.web` in the project."""
    return Path(os.environ.get("PORTAL_WEB_DIR") or root / ".web").absolute()


def static_dir(root: Path) -> Path:
    """Where the files to serve are, once they are compiled."""
    return _static_dir(web_dir(root))


def _static_dir(target: Path) -> Path:
    return target / "build" / "client"


def fingerprint(root: Path, extra: str = "") -> str:
    """Hash the sources of the frontend.

    Args:
        root: Directory of the project.
        extra: Settings that are compiled into the pages, such as the brand.
    """
    digest = hashlib.sha256(f"{sys.version_info[:2]} {version('reflex')} {extra}".encode())
    for path in _source_files(root):
        digest.update(f"\0{path.relative_to(root).as_posix()}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _source_files(root: Path) -> Iterator[Path]:
    hidden = tuple(path for name in _NOT_SHIPPED for path in root.glob(name))
    for name in _SOURCES:
        top = root / name
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            made = path.suffix in {".pyc", ".mo"} or _IGNORED_PARTS & set(path.parts)
            if path.is_file() and not made and not any(path.is_relative_to(other) for other in hidden):
                yield path


def ensure_built(root: Path, extra: str = "") -> Build:
    """Compile the frontend unless the present one was made of the same sources.

    Two starts at once do not build at once: the second waits and finds the first one's result.

    Raises:
        BuildError: When the compiler fails.
    """
    target = web_dir(root)
    target.mkdir(parents=True, exist_ok=True)
    with _locked(target / "portal-build.lock"):
        wanted = fingerprint(root, extra)
        if _built_from(target) == wanted and (_static_dir(target) / "index.html").is_file():
            return Build(target, wanted, 0.0)
        (target / _MARK).unlink(missing_ok=True)
        started, sources = time.monotonic(), _made_by_hand(root)
        _export(root, target)
        seconds = round(time.monotonic() - started, 2)
        # The first build writes the lock of the browser packages, which is one of the sources.
        done = Build(target, fingerprint(root, extra), seconds)
        if _made_by_hand(root) != sources:
            return done  # edited meanwhile: the next start compiles again
        partial = target / f"{_MARK}.new"
        partial.write_text(json.dumps({"fingerprint": done.fingerprint, "seconds": done.seconds}), encoding="utf-8")
        partial.replace(target / _MARK)
        return done


def _made_by_hand(root: Path) -> dict[Path, int]:
    """When each source was last edited, without what the compiler writes itself."""
    return {path: path.stat().st_mtime_ns for path in _source_files(root) if path.parent.name != "reflex.lock"}


def _built_from(target: Path) -> str | None:
    try:
        return json.loads((target / _MARK).read_text(encoding="utf-8"))["fingerprint"]
    except (OSError, ValueError, KeyError):
        return None


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _export(root: Path, target: Path) -> None:
    compiler = [sys.executable, "-m", __name__]
    run = subprocess.run(  # noqa: S603 - our own interpreter
        [*compiler, "export", "--no-zip", "--frontend-only", "--loglevel", "info"],
        cwd=root,
        env=compiler_environment(os.environ, target),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if run.returncode or not (_static_dir(target) / "index.html").is_file():
        lines = run.stdout.splitlines()[-_STORED_LINES:]
        raise BuildError("the frontend could not be compiled:\n" + "\n".join(lines))


def compiler_environment(environment: Mapping[str, str], target: Path) -> dict[str, str]:
    """Add to an environment what the compiler and the server have to agree on.

    Args:
        environment: What the process was started with.
        target: Working directory of the compiler.
    """
    tools = Path(sys.executable).parent
    return {
        **environment,
        # bun comes with the Python requirements, beside the interpreter.
        "PATH": f"{tools}{os.pathsep}{environment.get('PATH', '')}",
        "REFLEX_USE_SYSTEM_BUN": "1",
        "REFLEX_WEB_WORKDIR": str(target),
        "REFLEX_ENV_MODE": "prod",
        "REFLEX_TELEMETRY_ENABLED": "false",
        "REFLEX_CHECK_LATEST_VERSION": "false",
        "REFLEX_STATE_MANAGER_MODE": environment.get("REFLEX_STATE_MANAGER_MODE", "memory"),
    }


if __name__ == "__main__":
    gc.disable()  # Looking for what is of no use takes a sixth of the time, and finds nothing before the end.
    runpy.run_module("reflex", run_name="__main__", alter_sys=True)
