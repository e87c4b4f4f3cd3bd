"""Starting the portal: check the settings, prepare the database, build the pages once, print the address, serve.

The staff site starts beside it, in a process of its own.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Thread

from pydantic import ValidationError
from pydantic_settings import SettingsError

from portal.kernel.terms import Terms
from portal.reflex_adapter.build import SERVER_ENVIRONMENT, BuildError, compiler_environment, ensure_built, web_dir
from portal.reflex_adapter.worker import Preparation, free_port, is_free, serve
from portal.settings import Settings, explain
from portal.wiring import NotReady, load_provider, prepare

ROOT = Path(__file__).resolve().parents[1]
COMPILED_SETTINGS = {
    "brand",
    "code_minutes",
    "country_domains",
    "hours",
    "idle_minutes",
    "lease_portal_url",
    "legal",
    "order_number",
    "retention",
    *Terms.model_fields,
}
"""Settings that are part of the compiled pages: a new value needs a new build."""

_END_SECONDS = 8
"""How long the staff site may take to end."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Start the portal and serve until stopped, or import the data of a shop."""
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["import"]:
        # Loaded here, because starting the portal does not need it.
        from portal.provider.__main__ import main as provider

        return provider(given, "portal")
    command_line(
        "portal",
        "Build the pages when necessary, and serve the portal. `python -m portal import` stores the data of a shop.",
        arguments,
    )
    os.chdir(ROOT)
    try:
        options = Settings()
    except (ValidationError, SettingsError) as error:
        return _refuse(explain(error))
    if not is_free(options.bind, options.port):
        return _refuse(f"port {options.port} on {options.bind} is in use; choose another with PORT=…")
    load_provider(options)  # before the fork of the preparation, which then has nothing to import
    preparation = Preparation(partial(_prepare, options))
    try:
        build = ensure_built(ROOT, compiled_settings(options))
    except BuildError as error:
        preparation.end()
        return _refuse(str(error), 1)
    print(announcement(options, build.seconds), flush=True)
    desk = start_desk(options) if options.desk else None
    os.environ.update(compiler_environment({**os.environ, **SERVER_ENVIRONMENT}, web_dir(ROOT)))
    try:
        return serve(
            "portal.portal:served", options.bind, options.port, workers=options.workers, preparation=preparation
        )
    finally:
        if desk is not None:
            end_desk(desk)


def start_desk(options: Settings) -> subprocess.Popen[bytes]:
    """Start the process of the staff site, and name its port in the environment of the customers' site."""
    port = options.desk_port or free_port()
    os.environ["PORTAL_DESK_PORT"] = str(port)
    reachable = "127.0.0.1" if options.bind in {"0.0.0.0", "::"} else options.bind  # noqa: S104 - compared only
    environment = {
        **os.environ,
        "PORTAL_LAUNCHER": str(os.getpid()),
        "PORTAL_SITE_TO_WAIT_FOR": f"{reachable}:{options.port}",
        # The process of the customers' site runs them, which is always there.
        "PORTAL_JOBS": "false",
        # The staff site always has a process in front that names the address of the browser.
        "PORTAL_TRUSTED_PROXY_HOPS": str(max(1, options.trusted_proxy_hops)),
    }
    desk = subprocess.Popen(
        [sys.executable, "-m", "portal.desk_launch"],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        # A group of its own, so that a build that runs ends with it.
        start_new_session=True,
    )
    Thread(target=desk.wait, daemon=True).start()  # otherwise it would stay a zombie if it ended first
    return desk


def end_desk(desk: subprocess.Popen[bytes]) -> None:
    """End the process of the staff site and what it started."""
    with suppress(ProcessLookupError):
        os.killpg(desk.pid, signal.SIGTERM)
    try:
        desk.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(desk.pid, signal.SIGKILL)
        desk.wait()


def command_line(module: str, description: str, arguments: Sequence[str] | None = None) -> None:
    """Read the command line of a module that takes no arguments; any argument ends the process with code 2."""
    description += " Settings come from PORT and PORTAL_*; the retailer's commands are in python -m portal.provider."
    argparse.ArgumentParser(prog=f"python -m {module}", description=description).parse_args(arguments)


def _prepare(options: Settings) -> int:
    try:
        prepare(options)
    except NotReady as error:
        return _refuse(str(error), 1)
    return 0


def compiled_settings(options: Settings) -> str:
    """The settings that the compiled pages depend on, as JSON, and the legal texts that they name."""
    texts = (getattr(page, language) for _, page in options.legal for language in ("nl", "en"))
    return "\0".join([options.model_dump_json(include=COMPILED_SETTINGS), *(text.read_text("utf-8") for text in texts)])


def announcement(options: Settings, build_seconds: float) -> str:
    """The text that is printed when the portal starts."""
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


def _refuse(reason: str, code: int = 2) -> int:
    print(f"portal: {reason}", file=sys.stderr, flush=True)
    return code
