"""Command line of the provider: `python -m portal.provider`.

serve     serve the provider API without the portal
migrate   update the database to the tables of this version
demo      load the demonstration shop
openapi   print the description of the API
import    store the data of a shop
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence

from pydantic import ValidationError
from pydantic_settings import SettingsError
from sqlalchemy.exc import SQLAlchemyError

from portal.backend.faults import in_one_line
from portal.imports.command import ImportFailed
from portal.imports.command import add_command as add_import
from portal.provider.commands import TransitionRefused, add_commands
from portal.provider.export_commands import add_export_commands
from portal.provider.recall_commands import add_recall_commands
from portal.provider.staff_commands import add_staff_commands
from portal.provider.webhook_commands import add_webhook_commands
from portal.settings import Settings, explain


class CommandError(Exception):
    """The command failed; the message is one line."""


def main(arguments: Sequence[str] | None = None, module: str = "portal.provider") -> int:
    """Run a command.

    Args:
        arguments: of the command line; by default those of the process.
        module: what stood behind `python -m`, as usage and errors name it.

    Returns:
        0 when it was done, 1 when that failed, 2 when the command line or a setting is wrong.
    """
    asked = _parser(module).parse_args(arguments)
    try:
        options = Settings()
    except (ValidationError, SettingsError) as error:
        return _refuse(module, explain(error), 2)
    try:
        asked.run(options, asked)
    except (CommandError, ImportFailed, TransitionRefused) as error:
        return _refuse(module, str(error), 1)
    except (SQLAlchemyError, OSError) as error:
        return _refuse(module, in_one_line(error), 1)
    return 0


def _parser(module: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"python -m {module}", description="The retailer's side on its own. Settings: PORTAL_*."
    )
    commands = parser.add_subparsers(required=True, metavar="command")
    serve = commands.add_parser("serve", help="serve the provider API without the portal")
    serve.add_argument("--port", type=_port, help="default: the setting PORT")
    serve.add_argument("--bind", help="address to listen on; default: the setting PORTAL_BIND")
    serve.set_defaults(run=_serve)
    migrate = commands.add_parser("migrate", help="update the database to the tables of this version")
    migrate.set_defaults(run=_migrate)
    demo = commands.add_parser("demo", help="load the demonstration shop into an empty database")
    demo.add_argument("--reset", action="store_true", help="delete all data in the database first")
    demo.set_defaults(run=_demo)
    openapi = commands.add_parser("openapi", help="print the description of the API")
    openapi.set_defaults(run=_openapi)
    add_commands(commands)
    add_recall_commands(commands)
    add_staff_commands(commands)
    add_webhook_commands(commands)
    add_export_commands(commands)
    add_import(commands)
    return parser


def _port(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError("a port is a number from 1 to 65535")
    return int(text)


def _serve(options: Settings, asked: argparse.Namespace) -> None:
    from portal.contract.models import PREFIX
    from portal.provider.application import Application
    from portal.reflex_adapter.worker import is_free, serve

    port, bind = asked.port or options.port, asked.bind or options.bind
    if not is_free(bind, port):
        raise CommandError(f"port {port} on {bind} is in use; choose another with --port")
    # The process that answers reads its settings itself.
    os.environ["PORTAL_PORT"] = str(port)
    Application.prepare(options)
    print(f"Provider API  http://{bind}:{port}{PREFIX}/openapi.json", flush=True)
    if serve("portal.provider.api:create_app", bind, port, websockets=False):
        raise CommandError("the worker keeps crashing")


def _migrate(options: Settings, _asked: argparse.Namespace) -> None:
    from portal.backend.database import migrate

    migrate(options.database)
    print("The database has the tables of this version.")


def _demo(options: Settings, asked: argparse.Namespace) -> None:
    if not options.demonstration:
        raise CommandError("the demonstration shop is not for production; PORTAL_ENV is production")
    from portal.provider.application import load_demo

    print(load_demo(options, reset=asked.reset))


def _openapi(options: Settings, _asked: argparse.Namespace) -> None:
    from portal.contract.registry import Provider
    from portal.provider.api import create_api

    def nobody() -> Provider:
        raise CommandError("this app only describes itself")

    print(json.dumps(create_api(nobody, options).openapi(), indent=2, ensure_ascii=False))


def _refuse(module: str, reason: str, status: int) -> int:
    print(f"{module}: {reason}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
