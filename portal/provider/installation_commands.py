"""Commands for whoever runs an installation: `check`, `test-mail`, `staff`, `staff-access` and `adopt-files`."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from email.utils import make_msgid
from html import escape
from typing import Any, TypeVar

from portal.backend import health
from portal.backend.context import Context
from portal.backend.faults import CommandFailed
from portal.backend.mail import MailContent, compose
from portal.backend.transports import MessageRefused, OutgoingMessage, mail_directory, mail_transport
from portal.contract.errors import InvalidInput
from portal.flow.provider.service import adopt
from portal.kernel.codes import MESSAGES
from portal.kernel.texts import gettext_for
from portal.provider.cases import TransitionRefused, in_application
from portal.settings import Settings
from portal.staff.api.people import Person, PersonEntry
from portal.staff.provider.people import add_person, restore_access
from portal.vocabulary.staff import Role

T = TypeVar("T")
COMMAND_LINE = "command line"


ADVICE: Mapping[str, str] = {
    "database": "correct PORTAL_DATABASE_URL or start the server; tables of an older release: migrate",
    "codes": "start a process with PORTAL_JOBS=true, and look at `mail`",
    "jobs": "start a process with PORTAL_JOBS=true; the log says why a job failed",
    "outgoing": "look at what was restored, then `go-live`",
    "files": "correct PORTAL_FILES__…, or the rights of the folder files/ in PORTAL_DATA_DIR",
    "disk": "make room in PORTAL_DATA_DIR",
    "redis": "correct PORTAL_REDIS_URL or start the server",
    "clock": "let machine and database server follow the same time server",
    "mail": "correct PORTAL_SMTP__…; `test-mail` sends an email to you",
    "certificate": "renew it; it must name the host of PORTAL_PUBLIC_URL",
}
"""What to do about a part that is not as it should be."""


def add_installation_commands(commands: Any) -> None:
    check: argparse.ArgumentParser = commands.add_parser("check", help="look at everything that the portal needs")
    check.set_defaults(run=check_parts)
    mail: argparse.ArgumentParser = commands.add_parser("test-mail", help="send an email to test the mail settings")
    mail.add_argument("address", help="email address to send it to")
    mail.set_defaults(run=send_test)
    staff: argparse.ArgumentParser = commands.add_parser("staff", help="add someone who can log in to the staff site")
    staff.add_argument("name", help="first and last name")
    staff.add_argument("email", help="email address: login codes go there, or it identifies the first login")
    staff.add_argument("role", choices=[role.value for role in Role if role is not Role.UNKNOWN])
    staff.add_argument("--store", action="append", default=[], help="id or name of a store; can be repeated")
    staff.set_defaults(run=add_staff)
    access: argparse.ArgumentParser = commands.add_parser(
        "staff-access", help="let people log in again after a change at the OpenID provider, or someone who was blocked"
    )
    who = access.add_mutually_exclusive_group(required=True)
    who.add_argument("email", nargs="?", default="", help="present email address of the person")
    who.add_argument("--everybody", action="store_true", help="the provider knows everybody by another identifier")
    access.add_argument("--new-email", default="", help="the address that the provider sends from now on")
    access.set_defaults(run=restore_staff)
    files: argparse.ArgumentParser = commands.add_parser(
        "adopt-files", help="join the file store and the database, although they belong to others"
    )
    files.set_defaults(run=adopt_files)


def check_parts(options: Settings, _asked: argparse.Namespace) -> None:
    """Print a line for each part, with what to do; fails if customers cannot work."""
    found = in_application(options, health.checks)
    for name, part in found.items():
        if part["state"] == "current":
            print(f"ok       {name}")
        else:
            word = "warning" if part["usable"] else "FAILED "
            print(f"{word}  {name}: {part['state']}, {part.get('reason', '')}\n         {ADVICE[name]}")
    if broken := [name for name, part in found.items() if not part["usable"]]:
        raise CommandFailed(f"customers cannot work: {', '.join(broken)}")


def send_test(options: Settings, asked: argparse.Namespace) -> None:
    text = f"Emails from {options.brand.name} reach you. The links in them lead to {options.address}."
    content = MailContent(f"{options.brand.name}: a test of the mail settings", text + "\n", f"<p>{escape(text)}</p>\n")
    identifier, now = make_msgid(), datetime.now(UTC)
    server = f"{options.smtp.host}:{options.smtp.port}" if options.smtp.host else str(mail_directory(options.data_dir))
    try:
        mail = compose(options.mail_from, asked.address, content, "en", identifier, now, reply_to=options.brand.email)
        message = OutgoingMessage(identifier, asked.address, mail, now)
        asyncio.run(mail_transport(options).send(message))
    except ValueError:
        raise TransitionRefused(f"{asked.address!r} is not an email address") from None
    except MessageRefused as refused:
        raise TransitionRefused(f"{server} refused the email: {refused}") from None
    except Exception as error:  # whatever the library for mails raises: the reason is what was asked for
        raise TransitionRefused(f"{server}: {type(error).__name__}: {error}") from None
    print(f"{server} accepted the email for {asked.address}, from {options.mail_from}")


def add_staff(options: Settings, asked: argparse.Namespace) -> None:
    entry = PersonEntry(name=asked.name, email=asked.email, role=asked.role, stores=asked.store)

    async def add(context: Context) -> Person:
        async with context.database.transaction() as session:
            return await add_person(session, entry, None, context.clock(), actor=COMMAND_LINE)

    person = _described(options, add)
    print(f"{person.name} <{person.email}> can log in as {person.role.value}")


def restore_staff(options: Settings, asked: argparse.Namespace) -> None:
    async def restore(context: Context) -> list[str]:
        async with context.database.transaction() as session:
            found = await restore_access(session, asked.email, asked.new_email, context.clock(), actor=COMMAND_LINE)
            return [row.email for row in found]

    for email in _described(options, restore):
        print(f"{email} leads to this person at the next login")


def _described(options: Settings, work: Callable[[Context], Awaitable[T]]) -> T:
    """Do something with people, or say which field is wrong."""
    try:
        return in_application(options, work)
    except InvalidInput as refusal:
        field, code = next(iter(refusal.fields.items()))
        raise TransitionRefused(f"{field}: {gettext_for('en')(MESSAGES[code])}") from None


def adopt_files(options: Settings, _asked: argparse.Namespace) -> None:
    """Join them, and say how many files have no row."""
    files, unknown = in_application(options, adopt)
    print(f"The file store belongs to this database now. Of the first {files} files, {unknown} have no row in it.")
