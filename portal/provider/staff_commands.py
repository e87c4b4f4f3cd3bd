"""The command about people of the retailer: `python -m portal.provider staff NAME EMAIL ROLE`."""

from __future__ import annotations

import argparse
from typing import Any

from portal.backend.context import Context
from portal.contract.errors import InvalidInput
from portal.kernel.codes import MESSAGES
from portal.kernel.texts import gettext_for
from portal.provider.command_line import TransitionRefused, in_application
from portal.settings import Settings
from portal.staff.api.people import Person, PersonEntry
from portal.staff.provider.people import add_person
from portal.vocabulary.staff import Role

COMMAND_LINE = "command line"
"""Who did it, in the audit."""


def add_staff_commands(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("staff", help="add someone who can log in to the staff site")
    parser.add_argument("name", help="first and last name")
    parser.add_argument("email", help="email address: login codes go there, or it identifies the first login")
    parser.add_argument("role", choices=[role.value for role in Role if role is not Role.UNKNOWN])
    parser.add_argument("--store", action="append", default=[], help="id or name of a store; can be repeated")
    parser.set_defaults(run=add_staff)


def add_staff(options: Settings, asked: argparse.Namespace) -> None:
    entry = PersonEntry(name=asked.name, email=asked.email, role=asked.role, stores=asked.store)

    async def add(context: Context) -> Person:
        async with context.database.transaction() as session:
            return await add_person(session, entry, None, context.clock(), actor=COMMAND_LINE)

    try:
        person = in_application(options, add)
    except InvalidInput as refusal:
        field, code = next(iter(refusal.fields.items()))
        raise TransitionRefused(f"{field}: {gettext_for('en')(MESSAGES[code])}") from None
    print(f"{person.name} <{person.email}> can log in as {person.role.value}")
