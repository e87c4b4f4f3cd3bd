"""Compiles the frontend of a site once; later starts reuse it until a source changes.

Customers' pages and staff pages are two sites: two apps, compiled into two directories from one configuration
(`rxconfig.py`), of which `PORTAL_SITE` chooses one.

`python -m portal.reflex_adapter.build` runs the command line of Reflex to compile the pages.

Reaches: the layout of Reflex' output directory (`build/client`), and the environment variables that set this directory
    and the start mode (`compiler_environment`, `SERVER_ENVIRONMENT`), one of them private.
Why: `reflex run` compiles at every start and deletes the stored states.
Gain: a later start takes less than half of its time (measurements M10); compiling alone takes 42 s of CPU time.
Test: test_reflex_still_reads_these_variables (tests/reflex_adapter/test_build.py).
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import runpy
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from portal.kernel.processes import end_with, file_lock

RELEASE = "RELEASE"
"""A file that a release has and a checkout has not: a release builds no pages."""

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
    "portal/drawing",
    "portal/wiring.py",
    "portal/launch.py",
    "portal/dev.py",
    "portal/reflex_adapter/development.py",
    "portal/reflex_adapter/worker.py",
)


@dataclass(frozen=True, slots=True)
class Site:
    name: str
    module: str
    directory: str
    variable: str
    hidden: tuple[str, ...]


CUSTOMERS = Site(
    name="customers",
    module="portal.portal",
    directory=".web",
    variable="PORTAL_WEB_DIR",
    hidden=(
        "portal/desk",
        "portal/desk_*.py",
        "portal/staff",
        "portal/*/desk",
        "portal/*/desk.py",
        "portal/ui/browser/desk*.js",
    ),
)
DESK = Site(
    name="desk",
    module="portal.desk_app",
    directory=".web-desk",
    variable="PORTAL_DESK_WEB_DIR",
    hidden=("portal/portal.py", "portal/routes.py"),
)
SITES = {site.name: site for site in (CUSTOMERS, DESK)}
SITE = "PORTAL_SITE"


def site_of_process() -> Site:
    return SITES[os.environ.get(SITE) or CUSTOMERS.name]


_IGNORED_PARTS = {"__pycache__", "external"}
_STORED_LINES = 60
_LAUNCHER = "PORTAL_COMPILER_OF"
_SKIP_COMPILE = "__REFLEX_SKIP_COMPILE"
SERVER_ENVIRONMENT = {
    _SKIP_COMPILE: "true",
    # The server notices a phone that lost its network within half a minute instead of two minutes.
    "REFLEX_SOCKET_INTERVAL": "12s",
    "REFLEX_SOCKET_TIMEOUT": "18s",
}
"""Variables of the server beyond `compiler_environment`: skip compiling, and the ping interval of the socket."""


def serves_build() -> bool:
    """Whether this process serves pages that are built, and compiles none."""
    return os.environ.get(_SKIP_COMPILE) == "true"


class BuildError(RuntimeError):
    """The frontend could not be compiled. The message ends with the last lines of the compiler's output."""


@dataclass(frozen=True, slots=True)
class Build:
    """A compiled frontend. `seconds`: Duration of compiling; 0 if an existing build was reused."""

    web_dir: Path
    fingerprint: str
    seconds: float

    @property
    def static_dir(self) -> Path:
        return _static_dir(self.web_dir)


def web_dir(root: Path, site: Site = CUSTOMERS) -> Path:
    return Path(os.environ.get(site.variable) or root / site.directory).absolute()


def static_dir(root: Path, site: Site = CUSTOMERS) -> Path:
    return _static_dir(web_dir(root, site))


def _static_dir(target: Path) -> Path:
    return target / "build" / "client"


def fingerprint(root: Path, site: Site = CUSTOMERS) -> str:
    digest = hashlib.sha256(f"{sys.version_info[:2]} {version('reflex')}".encode())
    for path in _source_files(root, site):
        digest.update(f"\0{os.path.relpath(path, root)}\0".encode())
        with open(path, "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def _source_files(root: Path, site: Site) -> Iterator[str]:
    """The paths of all sources, as texts: every start looks at them."""
    hidden = {str(path) for name in (*_NOT_SHIPPED, *site.hidden) for path in root.glob(name)}
    for name in _SOURCES:
        top = str(root / name)
        if os.path.isfile(top):
            yield top
        for folder, folders, files in os.walk(top):
            folders[:] = sorted(
                {*folders} - _IGNORED_PARTS - {path for path in folders if f"{folder}/{path}" in hidden}
            )
            for path in (f"{folder}/{file}" for file in sorted(files)):
                if path not in hidden and not path.endswith((".pyc", ".mo")):
                    yield path


def ensure_built(root: Path, site: Site = CUSTOMERS, *, gentle: int = 0) -> Build:
    """Compile a site unless a build of the same sources exists. A build knows no settings."""
    target = web_dir(root, site)
    # Nothing is written then: a release may belong to somebody else.
    if _is_built(target, wanted := fingerprint(root, site)):
        return Build(target, wanted, 0.0)
    if (root / RELEASE).exists():
        raise BuildError(
            f"the pages of this release ({site.directory}) were made from other sources or with another Python; unpack "
            "it anew, and use the Python that its wheels are for"
        )
    target.mkdir(parents=True, exist_ok=True)
    # Beside the directory: the first build of a site makes the directory anew.
    with file_lock(target.with_name(f"{target.name}.lock")):
        wanted = fingerprint(root, site)
        if _is_built(target, wanted):
            return Build(target, wanted, 0.0)
        (target / _MARK).unlink(missing_ok=True)
        with one_compiler(root):
            started, sources = time.monotonic(), _made_by_hand(root, site)
            _export(root, target, site, gentle)
            seconds = round(time.monotonic() - started, 2)
        # Hash again: the first build writes the lock file of the browser packages, which is one of the sources.
        done = Build(target, fingerprint(root, site), seconds)
        if _made_by_hand(root, site) != sources:
            return done  # a source was edited during the build: the next start compiles again
        partial = target / f"{_MARK}.new"
        partial.write_text(json.dumps({"fingerprint": done.fingerprint, "seconds": done.seconds}), encoding="utf-8")
        partial.replace(target / _MARK)
        return done


def one_compiler(root: Path) -> AbstractContextManager[None]:
    """Let one compiler of a project run at a time.

    All share the lock files of the browser packages. One that reads `package.json` while another writes it would take
    it for empty, and write that back.
    """
    return file_lock(root / ".compiler.lock")


def _made_by_hand(root: Path, site: Site) -> dict[str, int]:
    """Modification times of all sources except the lock files, which the compiler writes."""
    sources = (path for path in _source_files(root, site) if Path(path).parent.name != "reflex.lock")
    return {path: os.stat(path).st_mtime_ns for path in sources}


def _is_built(target: Path, wanted: str) -> bool:
    try:
        made_from = json.loads((target / _MARK).read_text(encoding="utf-8"))["fingerprint"]
    except (OSError, ValueError, KeyError):
        return False
    return made_from == wanted and (_static_dir(target) / "index.html").is_file()


def _export(root: Path, target: Path, site: Site, gentle: int) -> None:
    compiler = [*(["nice", "-n", str(gentle)] if gentle else []), sys.executable, "-m", __name__]
    run = subprocess.run(  # noqa: S603 - our own interpreter
        [*compiler, "export", "--no-zip", "--frontend-only", "--loglevel", "info"],
        cwd=root,
        env={**compiler_environment(os.environ, target, site), _LAUNCHER: str(os.getpid())},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if run.returncode or not (_static_dir(target) / "index.html").is_file():
        lines = run.stdout.splitlines()[-_STORED_LINES:]
        raise BuildError("the frontend could not be compiled:\n" + "\n".join(lines))


def compiler_environment(environment: Mapping[str, str], target: Path, site: Site = CUSTOMERS) -> dict[str, str]:
    tools = Path(sys.executable).parent
    return {
        **environment,
        # bun is installed with the Python requirements, in the directory of the interpreter.
        "PATH": f"{tools}{os.pathsep}{environment.get('PATH', '')}",
        "REFLEX_USE_SYSTEM_BUN": "1",
        SITE: site.name,
        "REFLEX_WEB_WORKDIR": str(target),
        "REFLEX_ENV_MODE": "prod",
        "REFLEX_TELEMETRY_ENABLED": "false",
        "REFLEX_CHECK_LATEST_VERSION": "false",
        "REFLEX_STATE_MANAGER_MODE": environment.get("REFLEX_STATE_MANAGER_MODE", "memory"),
    }


if __name__ == "__main__":
    gc.disable()  # Garbage collection takes a sixth of the time and frees nothing before the end.
    if launcher := os.environ.get(_LAUNCHER):
        end_with(int(launcher))
    runpy.run_module("reflex", run_name="__main__", alter_sys=True)
