"""The command that tries the mail settings: `python -m portal.provider test-mail ADDRESS`."""

from __future__ import annotations

import argparse
import asyncio
from datetime import UTC, datetime
from email.utils import make_msgid
from html import escape
from typing import Any

from portal.backend.mail import MailContent, compose
from portal.backend.transports import MessageRefused, OutgoingMessage, mail_directory, mail_transport
from portal.provider.command_line import TransitionRefused
from portal.settings import Settings


def add_mail_commands(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("test-mail", help="send an email to test the mail settings")
    parser.add_argument("address", help="email address to send it to")
    parser.set_defaults(run=send_test)


def send_test(options: Settings, asked: argparse.Namespace) -> None:
    """Send a mail at once and say where it went."""
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
