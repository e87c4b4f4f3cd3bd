"""Commands that change a status: `python -m portal.provider work-order REFERENCE STATUS`."""

from __future__ import annotations

import argparse
import asyncio
from datetime import date
from typing import Any

from pydantic import ValidationError

from portal.backend.backoffice import NotAllowed, Transition, TransitionRequest
from portal.contract.errors import InvalidInput, NotFound, ProviderError, Unavailable
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import gettext_for
from portal.settings import Settings


class TransitionRefused(Exception):
    """The status was not changed; the message is one line."""


def add_commands(commands: Any) -> None:
    """Add a command for each kind of case."""
    from portal.provider.registry import BACK_OFFICE_CASES

    for case in BACK_OFFICE_CASES:
        parser: argparse.ArgumentParser = commands.add_parser(case.name, help=f"move one {case.name}")
        parser.add_argument("reference", help="reference or order number of the case")
        parser.add_argument("status", choices=case.targets, metavar="status", help=", ".join(case.targets))
        parser.add_argument("--note", default="", help="note shown to the customer")
        parser.add_argument("--partner", default="", help="id or name of the service location")
        parser.add_argument("--planned-date", type=_day, help="day the work is planned for, as 2026-03-31")
        parser.add_argument("--received", nargs="*", default=[], help="of a return, what arrived, as 900000001-3*2")
        parser.add_argument("--amount", help="of a return, what is refunded in euro, as 12.50")
        parser.add_argument(
            "--battery-collected", action="store_true", help="of a return, that a specialist has its unsafe battery"
        )
        parser.add_argument("--policy-number", default="", help="of an insurance that is finished")
        parser.set_defaults(run=move, case=case.name)


def move(options: Settings, asked: argparse.Namespace) -> None:
    """Change a status and print the result.

    Raises:
        TransitionRefused: the status was not changed.
    """
    if options.api_root is not None:
        raise TransitionRefused("the provider runs elsewhere (PORTAL_API_ROOT); run this command there")
    try:
        request = TransitionRequest(
            status=asked.status,
            note=asked.note,
            partner=asked.partner,
            planned_date=asked.planned_date,
            received=asked.received,
            amount=asked.amount,
            battery_collected=asked.battery_collected,
            policy_number=asked.policy_number,
        )
    except ValidationError as error:
        first = error.errors()[0]
        wrong = "is too long" if first["type"] == "string_too_long" else "cannot be used"
        raise TransitionRefused(f"--{str(first['loc'][0]).replace('_', '-')} {wrong}") from None
    name = f"{asked.case} {asked.reference}"
    try:
        moved = asyncio.run(_move(options, asked.case, asked.reference, request))
    except NotFound:
        raise TransitionRefused(f"there is no {name}") from None
    except NotAllowed as refusal:
        ways = f"it can become {' or '.join(refusal.possible)}" if refusal.possible else "that is the end"
        raise TransitionRefused(f"{name} is {refusal.present}; {ways}") from None
    except InvalidInput as refusal:
        if "policy_number" in refusal.fields:
            raise TransitionRefused("an insurance that is finished has a policy number: --policy-number") from None
        if Code.NOT_FOUND in refusal.fields.values():
            raise TransitionRefused(f"there is no service location {asked.partner!r}") from None
        raise TransitionRefused(gettext_for("en")(MESSAGES[refusal.code])) from None
    except Unavailable:
        raise TransitionRefused("the database does not answer") from None
    except ProviderError as refusal:
        raise TransitionRefused(gettext_for("en")(MESSAGES[refusal.code])) from None
    print(f"{name}: {moved.before} → {moved.status}" if moved.changed else f"{name}: {moved.status} already")


async def _move(options: Settings, case: str, reference: str, request: TransitionRequest) -> Transition:
    from portal.provider.application import Application

    application = Application(options)
    try:
        return await application.back_office.move(case, reference, request)
    finally:
        await application.context.database.close()


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError("a day is written as 2026-03-31") from None
