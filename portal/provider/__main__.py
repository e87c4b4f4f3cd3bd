"""Command line of the provider: `python -m portal.provider`."""

from __future__ import annotations

import argparse
import gc
import json
import re
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module

from pydantic import ValidationError
from pydantic_settings import SettingsError
from sqlalchemy.exc import SQLAlchemyError

from portal.backend.faults import CommandFailed, in_one_line
from portal.contract.errors import Unavailable
from portal.kernel.processes import NotConfined, check
from portal.settings import Settings, explain

GROUPS: Mapping[str, frozenset[str]] = {
    "portal.provider.commands:add_commands": frozenset(
        {
            "work-order",
            "return",
            "shipment",
            "date-change",
            "insurance",
            "withdrawal",
            "contract-end",
            "insurance-document",
        }
    ),
    "portal.provider.export_commands:add_recall_commands": frozenset({"recall", "recall-answers"}),
    "portal.provider.installation_commands:add_installation_commands": frozenset(
        {"check", "test-mail", "staff", "staff-access", "adopt-files"}
    ),
    "portal.provider.backup:add_commands": frozenset({"backup", "restore", "go-live"}),
    "portal.provider.key_commands:add_key_commands": frozenset({"api-key", "rotate-keys"}),
    "portal.provider.webhook_commands:add_webhook_commands": frozenset({"events", "webhook"}),
    "portal.provider.export_commands:add_export_commands": frozenset(
        {"refunds", "refund-batch", "insurance-list", "case-list"}
    ),
    "portal.imports.provider.command:add_command": frozenset({"import"}),
}
"""Functions that add commands, with the names of these. A command imports only what its own group needs."""


def main(arguments: Sequence[str] | None = None, module: str = "portal.provider") -> int:
    given = sys.argv[1:] if arguments is None else arguments
    gc.disable()  # What is imported lives as long as the process: looking for garbage in it took a third of a command.
    try:
        asked = _parser(module, given[0] if given else "").parse_args(given)
    finally:
        gc.freeze()
        gc.enable()
    try:
        options = Settings()
    except (ValidationError, SettingsError) as error:
        return _refuse(module, explain(error), 2)
    if given[0] == "import":
        # An import can cancel orders; its package stands below the list of what follows then.
        import_module("portal.provider.cases").register_followers()
    try:
        asked.run(options, asked)
    except CommandFailed as error:
        return _refuse(module, str(error), 1)
    except Unavailable as error:
        return _refuse(module, _of_database(error.__cause__ or error), 1)
    except (SQLAlchemyError, OSError) as error:
        return _refuse(module, _of_database(error), 1)
    return 0


def _parser(module: str, command: str) -> argparse.ArgumentParser:
    """The command line. It has all commands unless it is known which one is given."""
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
    known = any(command in names for names in GROUPS.values())
    for path, names in GROUPS.items():
        if command in names or (not known and command not in commands.choices):
            of_module, _, function = path.partition(":")
            getattr(import_module(of_module), function)(commands)
    return parser


def _of_database(error: BaseException) -> str:
    """One line about a fault of the database or the system; how to repair it, where tables are missing."""
    reason = in_one_line(error)
    if re.search(r"no such (table|column)|(relation|column) .* does not exist", reason):
        return "the database does not have the tables of this version; run python -m portal.provider migrate"
    return reason


def _port(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError("a port is a number from 1 to 65535")
    return int(text)


def _serve(options: Settings, asked: argparse.Namespace) -> None:
    from portal.contract.models import PREFIX
    from portal.reflex_adapter.worker import is_free, leave, serve

    port, bind = asked.port or options.port, asked.bind or options.bind
    if not is_free(bind, port):
        raise CommandFailed(f"port {port} on {bind} is in use; choose another with --port")
    _prepare(options)
    print(f"Provider API  http://{bind}:{port}{PREFIX}/openapi.json", flush=True)
    leave(serve("portal.provider.api:create_app", bind, port, websockets=False))


def _prepare(options: Settings) -> None:
    from portal.backend.faults import claim
    from portal.provider.application import Application

    try:
        check(required=options.confinement_required)
        if not options.database_url.startswith("postgresql"):
            claim(options, "customers")
        Application.prepare(options)
    except NotConfined as error:
        raise CommandFailed(str(error)) from error


def _migrate(options: Settings, _asked: argparse.Namespace) -> None:
    from portal.backend.migrations import migrate

    migrate(options.database)
    print("The database has the tables of this version.")


def _demo(options: Settings, asked: argparse.Namespace) -> None:
    if not options.demonstration:
        raise CommandFailed("the demonstration shop is not for production; PORTAL_ENV is production")
    from portal.provider.application import load_demo

    print(load_demo(options, reset=asked.reset))


def _openapi(options: Settings, _asked: argparse.Namespace) -> None:
    from portal.contract.registry import Provider
    from portal.provider.api import create_api

    def nobody() -> Provider:
        raise CommandFailed("this app only describes itself")

    print(json.dumps(create_api(nobody, options).openapi(), indent=2, ensure_ascii=False))


def _refuse(module: str, reason: str, status: int) -> int:
    print(f"{module}: {reason}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
