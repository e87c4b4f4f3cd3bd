"""Mails that came back: reports of mail servers (RFC 3464) in the mailbox of the sender, `PORTAL_BOUNCES__HOST`.

A mail that was refused at once was dropped already; one that comes back later is sent and dropped. The desk sees at its
customer that the address does not work.
"""

from __future__ import annotations

import asyncio
import imaplib
from collections.abc import Iterator
from email import message_from_bytes, message_from_string
from email.message import Message

import structlog
from sqlmodel import col, update

from portal.backend.context import Context
from portal.setting_groups import Bounces
from portal.tables.messages import OutboxMail

_MOST = 500
"""Reports that are read at a time; the rest is read an hour later."""

log = structlog.get_logger(__name__)


async def read_bounces(context: Context) -> None:
    """Note which mails came back since the last time."""
    box = context.settings.bounces
    if not box.host:
        return
    try:
        found = await asyncio.to_thread(lambda: [*_reported(box)])
    except (OSError, imaplib.IMAP4.error) as error:
        log.warning("mailbox of bounces does not answer", error=type(error).__name__)
        return
    sent = col(OutboxMail.message_id).in_(found) & col(OutboxMail.sent_at).is_not(None)
    async with context.database.transaction() as session:
        back = await session.exec(update(OutboxMail).where(sent).values(dropped_at=context.clock()))
    if back.rowcount:
        log.warning("mails came back", count=back.rowcount)


def _reported(box: Bounces) -> Iterator[str]:
    """The Message-IDs in reports that nobody has read; reading marks them."""
    connect = imaplib.IMAP4_SSL if box.security == "tls" else imaplib.IMAP4
    with connect(box.host, box.port, timeout=box.timeout_seconds) as server:
        server.login(box.username, box.password.get_secret_value())
        server.select()
        for number in server.search(None, "UNSEEN", "SMALLER", "1000000")[1][0].split()[:_MOST]:
            for part in server.fetch(number, "(BODY[])")[1]:
                if isinstance(part, tuple) and (identifier := undelivered(message_from_bytes(part[1]))):
                    yield identifier


def undelivered(report: Message) -> str:
    """The Message-ID of the mail that a report says can never be delivered; empty for other messages and delays."""
    if report.get_content_type() != "multipart/report":
        return ""
    parts = [*report.walk()][1:]
    if not any(part.get("Action", "").lower() == "failed" and part.get("Status", "")[:1] == "5" for part in parts):
        return ""
    headers = [part for part in parts if part.get_content_type() == "text/rfc822-headers"]
    mails = [*parts, *(message_from_string(str(part.get_payload())) for part in headers)]
    return next((part["Message-ID"].strip() for part in mails if part["Message-ID"]), "")
