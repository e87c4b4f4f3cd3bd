"""Starting a site: check the settings, prepare the database, build the pages once, print the address, serve.

`PORTAL_SITE` chooses the site. The customers' site starts that of staff beside it, in a process of its own.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread

from pydantic import ValidationError
from pydantic_settings import SettingsError

from portal.kernel.processes import end_with
from portal.reflex_adapter.build import (
    CUSTOMERS,
    DESK,
    SERVER_ENVIRONMENT,
    SITE,
    BuildError,
    Site,
    compiler_environment,
    ensure_built,
    site_of_process,
    web_dir,
)
from portal.reflex_adapter.worker import is_free, serve
from portal.settings import Settings, explain
from portal.wiring import NotReady, prepare

ROOT = Path(__file__).resolve().parents[1]
_LAUNCHER = "PORTAL_LAUNCHER"
_desk: list[subprocess.Popen[bytes]] = []
"""The process of the staff site, in that of customers."""

_GENTLE = 10
"""How much a build of staff pages stands back for customers (nice)."""


def main(arguments: Sequence[str] | None = None) -> int:
    given = sys.argv[1:] if arguments is None else arguments
    if given == ["build"]:
        return _build()
    if given[:1] == ["import"]:
        # Loaded here, because starting the portal does not need it.
        from portal.provider.__main__ import main as provider

        return provider(given, "portal")
    command_line(
        "portal",
        "Build the pages when necessary, and serve the portal. `python -m portal import` stores the data of a shop, "
        "`python -m portal build` only builds the pages.",
        arguments,
    )
    os.chdir(ROOT)
    site, launcher = site_of_process(), os.environ.pop(_LAUNCHER, "")
    if launcher:
        end_with(int(launcher))
    try:
        options = Settings()
    except (ValidationError, SettingsError) as error:
        return refuse(explain(error))
    starts_desk = site is CUSTOMERS and options.desk
    if not all(port_is_free(options, each) for each in ([CUSTOMERS, DESK] if starts_desk else [site])):
        return 2
    try:
        prepare(options, site.name)
        build = ensure_built(ROOT, site, gentle=_GENTLE if site is DESK else 0)
    except (NotReady, BuildError) as error:
        return refuse(str(error), 1)
    print(announcement(options, build.seconds) if site is CUSTOMERS else f"Staff  {options.desk_address}", flush=True)
    if starts_desk:
        # The process of the customers' site runs the jobs, which is always there.
        environment = {**os.environ, SITE: DESK.name, _LAUNCHER: str(os.getpid()), "PORTAL_JOBS": "false"}
        Thread(target=_keep_desk, args=(environment,), daemon=True).start()
    os.environ.update(compiler_environment({**os.environ, **SERVER_ENVIRONMENT}, web_dir(ROOT, site), site))
    # Loaded here, because it loads the framework, which reads its environment then.
    from portal.shown_settings import WrongLegalText, of_process

    try:
        of_process()
        return serve(f"{site.module}:served", options.bind, options.port_of(staff=site is DESK))
    except WrongLegalText as error:
        return refuse(str(error), 1)
    finally:
        for desk in _desk:
            with suppress(ProcessLookupError):
                os.killpg(desk.pid, signal.SIGTERM)
            desk.wait()


def _build() -> int:
    """Build the pages of both sites, for a release."""
    try:
        for site in (CUSTOMERS, DESK):
            ensure_built(ROOT, site)
    except BuildError as error:
        return refuse(str(error), 1)
    return 0


def _keep_desk(environment: dict[str, str]) -> None:
    """Start the process of the staff site, and again when it was killed."""
    command = [sys.executable, "-m", "portal"]
    while not _desk or _desk[0].wait() < 0:
        # A group of its own, so that a build that runs ends with it.
        desk = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, start_new_session=True)  # noqa: S603 - our own
        _desk[:] = [desk]


def port_is_free(options: Settings, site: Site) -> bool:
    """Whether a site can listen on its port; otherwise says so."""
    port, name = options.port_of(staff=site is DESK), "PORTAL_DESK_PORT" if site is DESK else "PORT"
    if free := is_free(options.bind, port):
        return free
    refuse(f"port {port} on {options.bind} is in use; choose another with {name}=…")
    return False


def command_line(module: str, description: str, arguments: Sequence[str] | None = None) -> None:
    """Read the command line of a module that takes no arguments; any argument ends the process with code 2."""
    description += " Settings come from PORT and PORTAL_*; the retailer's commands are in python -m portal.provider."
    argparse.ArgumentParser(prog=f"python -m {module}", description=description).parse_args(arguments)


def announcement(options: Settings, build_seconds: float) -> str:
    lines = [f"Pages built in {build_seconds} s."] if build_seconds else []
    lines.append(f"{options.brand.name} portal  {options.address}")
    if options.demonstration:
        lines += [
            f"Returns variant   http://retouren.localhost:{options.port}",
            *([f"Staff (balie)     {options.desk_address}"] if options.desk else []),
            "Log in with       order number 900000001, email address sanne@example.com",
            f"The mailed code   {options.address}/mailbox (files: {options.data_dir / 'mail'})",
        ]
    return "\n".join(lines)


def refuse(reason: str, code: int = 2) -> int:
    print(f"portal: {reason}", file=sys.stderr, flush=True)
    return code
