"""Commands of staff: change a status (`python -m portal.provider work-order REFERENCE STATUS`), add a document."""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from portal.backend.backoffice import BackOffice, NotAllowed, TransitionRequest, targets_of
from portal.backend.context import Context
from portal.contract.errors import InvalidInput, NotFound, ProviderError, Unavailable
from portal.insurance.provider.queries import DocumentRejected, add_document
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import gettext_for
from portal.provider.cases import STATUSES, TransitionRefused, back_office_case, in_application
from portal.settings import Settings
from portal.vocabulary.insurance import INSURING, InsuranceType, Insurer


def add_commands(commands: Any) -> None:
    for name, statuses in STATUSES.items():
        targets = targets_of(statuses)
        parser: argparse.ArgumentParser = commands.add_parser(name, help=f"move one {name}")
        parser.add_argument("reference", help="reference or order number of the case")
        parser.add_argument("status", choices=targets, metavar="status", help=", ".join(targets))
        parser.add_argument("--note", default="", help="note shown to the customer")
        parser.add_argument("--partner", default="", help="id or name of the service location")
        parser.add_argument("--planned-date", type=_day, help="day the work is planned for, such as 2026-03-31")
        parser.add_argument(
            "--received", nargs="*", default=[], help="for a return: what arrived, such as 900000001-3*2"
        )
        parser.add_argument("--amount", help="for a return: the refund in euros, such as 12.50")
        parser.add_argument(
            "--battery-collected",
            action="store_true",
            help="for a return: a specialist has collected the unsafe battery",
        )
        parser.add_argument(
            "--under-warranty",
            action=argparse.BooleanOptionalAction,
            default=None,
            help="for a repair: whether the warranty of the bike covers it",
        )
        parser.add_argument(
            "--policy-number", default="", help="for an insurance request that is finished: the number of the policy"
        )
        parser.set_defaults(run=move, case=name)
    document: argparse.ArgumentParser = commands.add_parser(
        "insurance-document", help="add a version of an insurance product information document"
    )
    document.add_argument("insurer", choices=[entry.value for entry in Insurer if entry is not Insurer.UNKNOWN])
    document.add_argument("type", choices=sorted(entry.value for entry in INSURING))
    document.add_argument("version", help="the insurer's name for this version, such as 2026-01")
    document.add_argument("dutch", type=Path, help="PDF in Dutch")
    document.add_argument("english", type=Path, nargs="?", help="PDF in English, if there is one")
    document.set_defaults(run=add_insurance_document)


def move(options: Settings, asked: argparse.Namespace) -> None:
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
            under_warranty=asked.under_warranty,
        )
    except ValidationError as error:
        first = error.errors()[0]
        wrong = "is too long" if first["type"] == "string_too_long" else "cannot be used"
        raise TransitionRefused(f"--{str(first['loc'][0]).replace('_', '-')} {wrong}") from None
    name = f"{asked.case} {asked.reference}"
    try:
        moved = in_application(
            options,
            lambda context: BackOffice(context, [back_office_case(asked.case)]).move(
                asked.case, asked.reference, request
            ),
        )
    except NotFound:
        raise TransitionRefused(f"there is no {name}") from None
    except NotAllowed as refusal:
        ways = f"it can become {' or '.join(refusal.possible)}" if refusal.possible else "that status is final"
        raise TransitionRefused(f"{name} is {refusal.present}; {ways}") from None
    except InvalidInput as refusal:
        if "policy_number" in refusal.fields:
            raise TransitionRefused("an insurance request that is finished needs --policy-number") from None
        if Code.NOT_FOUND in refusal.fields.values():
            raise TransitionRefused(f"there is no service location {asked.partner!r}") from None
        raise TransitionRefused(gettext_for("en")(MESSAGES[refusal.code])) from None
    except Unavailable:
        raise  # `main` tells the fault of the database
    except ProviderError as refusal:
        raise TransitionRefused(gettext_for("en")(MESSAGES[refusal.code])) from None
    print(f"{name}: {moved.before} → {moved.status}" if moved.changed else f"{name}: already {moved.status}")


def add_insurance_document(options: Settings, asked: argparse.Namespace) -> None:
    dutch = asked.dutch.read_bytes()
    english = asked.english.read_bytes() if asked.english else None
    insurer, kind = Insurer(asked.insurer), InsuranceType(asked.type)

    async def add(context: Context) -> bool:
        async with context.database.transaction() as session:
            return await add_document(session, insurer, kind, asked.version, dutch, english, now=context.clock())

    try:
        added = in_application(options, add)
    except DocumentRejected as rejected:
        raise TransitionRefused(str(rejected)) from None
    name = f"insurance-document {asked.insurer} {asked.type} {asked.version}"
    print(f"{name}: added" if added else f"{name}: already there")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError("write a day as 2026-03-31") from None
