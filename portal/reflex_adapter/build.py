"""Compiles the frontend once; later starts reuse it until a source changes.

`python -m portal.reflex_adapter.build` runs the command line of Reflex to compile the pages.

Reaches: the layout of Reflex' output directory (`build/client`), and the environment variables that set this directory
    and the start mode (`compiler_environment`, `SERVER_ENVIRONMENT`), one of them private.
Why: `reflex run` compiles at every start and deletes the stored states.
Gain: a later start responds after 3.4 to 4.9 s; compiling alone takes 42 s of CPU time.
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
# The sources of the compiled pages. The retailer's side is excluded: it is never sent to the browser.
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
    # The server notices a phone that lost its network within half a minute instead of two minutes.
    "REFLEX_SOCKET_INTERVAL": "12s",
    "REFLEX_SOCKET_TIMEOUT": "18s",
}
"""Variables of the server beyond `compiler_environment`: skip compiling, and the ping interval of the socket."""


class BuildError(RuntimeError):
    """The frontend could not be compiled. The message ends with the last lines of the compiler's output."""


@dataclass(frozen=True, slots=True)
class Build:
    """A compiled frontend.

    Attributes:
        web_dir: Working directory of the compiler.
        fingerprint: Hash of all sources.
        seconds: Duration of compiling; 0 if an existing build was reused.
    """

    web_dir: Path
    fingerprint: str
    seconds: float

    @property
    def static_dir(self) -> Path:
        """Directory of the files to serve."""
        return _static_dir(self.web_dir)


def web_dir(root: Path) -> Path:
    """The compiler's working directory: `PORTAL_WEB_DIR`, by default `.web` in the project."""
    return Path(os.environ.get("PORTAL_WEB_DIR") or root / ".web").absolute()


def static_dir(root: Path) -> Path:
    """The directory of the compiled files to serve."""
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
    """Compile the frontend unless a build of the same sources exists.

    If two processes start at once, the second waits and reuses the build of the first.

    Raises:
        BuildError: The compiler failed.
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
        # Hash again: the first build writes the lock file of the browser packages, which is one of the sources.
        done = Build(target, fingerprint(root, extra), seconds)
        if _made_by_hand(root) != sources:
            return done  # a source was edited during the build: the next start compiles again
        partial = target / f"{_MARK}.new"
        partial.write_text(json.dumps({"fingerprint": done.fingerprint, "seconds": done.seconds}), encoding="utf-8")
        partial.replace(target / _MARK)
        return done


def _made_by_hand(root: Path) -> dict[Path, int]:
    """Modification times of all sources except the lock files, which the compiler writes."""
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
    """Add the variables on which the compiler and the server must agree.

    Args:
        environment: The environment of the current process.
        target: Working directory of the compiler.
    """
    tools = Path(sys.executable).parent
    return {
        **environment,
        # bun is installed with the Python requirements, in the directory of the interpreter.
        "PATH": f"{tools}{os.pathsep}{environment.get('PATH', '')}",
        "REFLEX_USE_SYSTEM_BUN": "1",
        "REFLEX_WEB_WORKDIR": str(target),
        "REFLEX_ENV_MODE": "prod",
        "REFLEX_TELEMETRY_ENABLED": "false",
        "REFLEX_CHECK_LATEST_VERSION": "false",
        "REFLEX_STATE_MANAGER_MODE": environment.get("REFLEX_STATE_MANAGER_MODE", "memory"),
    }


if __name__ == "__main__":
    gc.disable()  # Garbage collection takes a sixth of the time and frees nothing before the end.
    runpy.run_module("reflex", run_name="__main__", alter_sys=True)
