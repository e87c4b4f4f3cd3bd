"""Starting the portal: check the settings, prepare the database, build the pages once, print the address, serve."""

from __future__ import annotations

import gc
import os
import sys
from functools import partial
from pathlib import Path

from pydantic import ValidationError
from pydantic_settings import SettingsError

from portal.reflex_adapter.build import SERVER_ENVIRONMENT, BuildError, compiler_environment, ensure_built, web_dir
from portal.reflex_adapter.worker import Preparation, is_free, serve
from portal.settings import Settings
from portal.wiring import NotReady, prepare

ROOT = Path(__file__).resolve().parents[1]
COMPILED_SETTINGS = {"brand", "code_minutes", "idle_minutes", "lease_portal_url"}
"""Settings that are part of the compiled pages: a new value needs a new build."""

_SERVER = {
    "__REFLEX_SKIP_COMPILE": "true",
    # Detect a phone that lost its network within half a minute, not after two.
    "REFLEX_SOCKET_INTERVAL": "12s",
    "REFLEX_SOCKET_TIMEOUT": "18s",
}


def main() -> int:
    """Start the portal and serve until stopped.

    Returns:
        0 when it was stopped, 2 when a setting is wrong or the port is taken, 1 when the pages cannot be built, the
        database cannot be prepared, or the worker crashes repeatedly.
    """
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
    return serve("portal.portal:app", options.bind, options.port, preparation=preparation)


def _prepare(options: Settings) -> int:
    try:
        prepare(options)
    except NotReady as error:
        return _refuse(str(error), 1)
    return 0


def compiled_settings(options: Settings) -> str:
    """The settings that the compiled pages depend on, as JSON."""
    return options.model_dump_json(include=COMPILED_SETTINGS)


def explain(error: ValidationError | SettingsError) -> str:
    """Describe in one line which setting is wrong and why."""
    if isinstance(error, SettingsError):
        return str(error)
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    name = "__".join(str(part) for part in first["loc"]).upper()
    reason = first["msg"].removeprefix("Value error, ")
    if not name:
        return reason
    return f"{name if name in {'PORT', 'PORTAL_PORT'} else f'PORTAL_{name}'}: {reason}"


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
