"""Starting the portal: check the settings, prepare the database, build the pages once, print the address, serve."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from pydantic import ValidationError
from pydantic_settings import SettingsError

from portal.kernel.terms import Terms
from portal.reflex_adapter.build import SERVER_ENVIRONMENT, BuildError, compiler_environment, ensure_built, web_dir
from portal.reflex_adapter.worker import Preparation, is_free, serve
from portal.settings import Settings, explain
from portal.wiring import NotReady, prepare

ROOT = Path(__file__).resolve().parents[1]
COMPILED_SETTINGS = {
    "brand",
    "code_minutes",
    "idle_minutes",
    "lease_portal_url",
    "legal",
    "retention",
    *Terms.model_fields,
}
"""Settings that are part of the compiled pages: a new value needs a new build."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Start the portal and serve until stopped.

    Args:
        arguments: of the command line; there are none to give but `--help`.

    Returns:
        0 when it was stopped, 2 when a setting is wrong or the port is taken, 1 when the pages cannot be built, the
        database cannot be prepared, or the worker crashes repeatedly.
    """
    command_line("portal", "Build the pages when necessary, and serve the portal.", arguments)
    gc.disable()  # Imports leave no garbage. The worker enables the collector once the app is loaded.
    os.chdir(ROOT)
    try:
        options = Settings()
    except (ValidationError, SettingsError) as error:
        return _refuse(explain(error))
    if not is_free(options.bind, options.port):
        return _refuse(f"port {options.port} on {options.bind} is in use; choose another with PORT=…")
    preparation = Preparation(partial(_prepare, options))
    try:
        build = ensure_built(ROOT, compiled_settings(options))
    except BuildError as error:
        preparation.end()
        return _refuse(str(error), 1)
    print(announcement(options, build.seconds), flush=True)
    os.environ.update(compiler_environment({**os.environ, **SERVER_ENVIRONMENT}, web_dir(ROOT)))
    return serve("portal.portal:served", options.bind, options.port, preparation=preparation)


def command_line(module: str, description: str, arguments: Sequence[str] | None = None) -> None:
    """Read the command line of a module that takes no arguments; any argument ends the process with code 2.

    Args:
        module: what stands behind `python -m`.
        description: what the command does.
        arguments: of the command line; by default those of the process.
    """
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
            "Log in with       order number 900000001, e-mail address sanne@example.com",
            f"The mailed code   {options.address}/mailbox (files: {options.data_dir / 'mail'})",
        ]
    return "\n".join(lines)


def _refuse(reason: str, code: int = 2) -> int:
    print(f"portal: {reason}", file=sys.stderr, flush=True)
    return code
