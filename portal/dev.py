"""The development server: `python -m portal.dev` shows a change of the pages within seconds.

With `PORTAL_SITE=desk` it serves the staff site, and the mailbox with the codes to log in.

Vite serves the pages and pushes changes to the browser. The portal runs in front of it as in production: login,
cookies, downloads, sockets. Only opened pages are compiled, because compiling all of them takes too long.

A change of a source file starts a new worker. The new worker compiles the opened pages and then replaces the previous
one. If the change cannot be imported, the previous worker keeps serving.
"""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path

from starlette.routing import Router
from starlette.types import ASGIApp, Receive, Scope, Send

from portal.launch import ROOT, announcement, command_line, port_is_free, refuse
from portal.reflex_adapter.build import CUSTOMERS, DESK, compiler_environment, site_of_process
from portal.reflex_adapter.static import NOT_FOUND
from portal.reflex_adapter.worker import is_free
from portal.settings import Settings, explain
from portal.shown_settings import filled
from portal.web import mailbox
from portal.wiring import NotReady, prepare

_SOURCES = ("portal", "locale", "assets/theme.css", "rxconfig.py")
_POLL_SECONDS = 0.2
_VITE_PORT = "PORTAL_DEV_VITE_PORT"
_OPENED = "portal-opened.txt"
MAILBOX = "/mailbox"
_FIRST_PAGES = {CUSTOMERS: {"index", NOT_FOUND, "dashboard"}, DESK: {NOT_FOUND, "login", "cases"}}


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until stopped."""
    command_line("portal.dev", "Serve the portal to whoever works on its pages.", arguments)
    os.chdir(ROOT)
    try:
        options = Settings()
        prepare(options, site_of_process().name)
    except ValueError as error:  # also what pydantic says of a wrong setting
        # pyrefly: ignore[bad-argument-type]  # settings raise no other kinds
        return refuse(explain(error))
    except NotReady as error:
        return refuse(str(error), 1)
    if not port_is_free(options, site_of_process()):
        return 2
    os.environ.update(_environment(options))
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    worker = vite = None
    try:
        if (worker := _next_worker(None)) is None:
            return 1
        vite = _vite()
        print(_announcement(options), flush=True)
        for _ in _changes():
            worker = _next_worker(worker)
    except KeyboardInterrupt:
        pass
    finally:
        for process in (worker, vite):
            if process is not None:
                process.terminate()
                process.wait()
    return 0


def _announcement(options: Settings) -> str:
    """The text that is printed when the site can be opened. Only the site of this process is served."""
    if site_of_process() is CUSTOMERS:
        return announcement(options.model_copy(update={"desk": False}), 0)
    lines = [f"{options.brand.name} staff site  {options.desk_address}"]
    if options.demonstration:
        lines.append("Log in as         one of the people on the page")
        lines.append(f"The mailed code   {options.desk_address}{MAILBOX}")
    return "\n".join(lines)


def _environment(options: Settings) -> dict[str, str]:
    site = site_of_process()
    target = (options.data_dir / ("dev-web-desk" if site is DESK else "dev-web")).absolute()
    port = options.port + 1
    while not is_free("127.0.0.1", port):
        port += 1
    return {
        **compiler_environment(os.environ, target, site),
        "REFLEX_ENV_MODE": "dev",
        "PORTAL_DRAWN": "false",  # Vite serves the documents.
        "PORTAL_DATA_DIR": str(options.data_dir.absolute()),
        _VITE_PORT: str(port),
    }


def _next_worker(before: subprocess.Popen[bytes] | None) -> subprocess.Popen[bytes] | None:
    """Start a worker that replaces `before`; return `before` when the new worker fails."""
    started = time.monotonic()
    read_end, write_end = os.pipe()
    command = [sys.executable, "-c", f"from portal.dev import work; work({write_end})"]
    worker = subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=[write_end])  # noqa: S603 - our own
    os.close(write_end)
    try:
        with os.fdopen(read_end, "rb") as pipe:
            ready = bool(pipe.read())
    except KeyboardInterrupt:
        worker.terminate()
        raise
    if not ready:
        worker.wait()
        print("Not compiled: the pages stay as they were.", flush=True)
        return before
    if before is not None:
        before.terminate()
        before.wait()
    print(f"Ready after {time.monotonic() - started:.1f} s.", flush=True)
    return worker


def _vite() -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PORT": os.environ[_VITE_PORT], "NODE_OPTIONS": "--conditions=development"}
    return subprocess.Popen(
        ["bun", "run", "dev"],  # noqa: S607 - the one beside the interpreter
        cwd=_web_dir(),
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )


def _changes() -> Iterator[None]:
    """Yield whenever a source file changed or a page was opened for the first time."""
    seen = _modification_times()
    while True:
        time.sleep(_POLL_SECONDS)
        now = _modification_times()
        if now != seen:
            seen = now
            yield


def _modification_times() -> dict[str, int]:
    tops = [*(ROOT / name for name in _SOURCES), _web_dir() / _OPENED]
    files = [path for top in tops for path in (top.rglob("*") if top.is_dir() else [top])]
    found: dict[str, int] = {}
    for path in files:
        if path.suffix != ".pyc":
            with suppress(FileNotFoundError):
                found[str(path)] = path.stat().st_mtime_ns if path.is_file() else 0
    return found


def _web_dir() -> Path:
    return Path(os.environ["REFLEX_WEB_WORKDIR"])


def _opened() -> set[str]:
    with suppress(FileNotFoundError):
        return {*_FIRST_PAGES[site_of_process()], *(_web_dir() / _OPENED).read_text(encoding="utf-8").split()}
    return set(_FIRST_PAGES[site_of_process()])


def work(ready_pipe: int) -> None:
    from portal.reflex_adapter import development

    gc.disable()  # Collecting garbage takes a sixth of the start-up time; the server enables it again.
    options = Settings()
    if not (_web_dir() / "package.json").is_file():
        development.install_frontend()
    site = import_module(site_of_process().module)
    app, served = site.app, site.served
    routes, compiled = development.compile_pages(app, _opened())
    os.environ["__REFLEX_SKIP_COMPILE"] = "true"
    app.register_lifespan_task(_report_ready, pipe=ready_pipe)
    pages = development.PagesOfVite(int(os.environ[_VITE_PORT]), routes, compiled, _remember, filled)
    served = served if site_of_process() is CUSTOMERS else partial(_with_mailbox, served)
    port = options.port_of(staff=site_of_process() is DESK)
    development.serve_pages(app, pages, served, options.bind, port)


def _with_mailbox(served: Callable[[], ASGIApp]) -> ASGIApp:
    """The staff site with the mails of the demonstration, which the customers' site shows otherwise."""
    site, mails = served(), Router(mailbox.routes())

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        is_mail = scope["type"] == "http" and scope["path"].startswith(MAILBOX)
        await (mails if is_mail else site)(scope, receive, send)

    return answer


def _remember(route: str) -> None:
    """Add an opened page to the list of pages that the next worker compiles."""
    if route not in (opened := _opened()):
        (_web_dir() / _OPENED).write_text("\n".join(sorted(opened | {route})), encoding="utf-8")


async def _report_ready(pipe: int) -> None:
    """Report that the pages are compiled. Until then the previous worker serves."""
    os.write(pipe, b"ready")
    os.close(pipe)


if __name__ == "__main__":
    sys.exit(main())
