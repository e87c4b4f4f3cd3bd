"""The outbox: a mail is stored as a row in the transaction of the change it reports, and a job delivers it.

Every committed change gets its mail, and no response waits for a mail server. A mail is delivered at least once, and
every attempt has the same Message-ID. Its content is erased once it is sent or given up.
"""

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parseaddr
from typing import Any

import structlog
from sqlmodel import case, col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend import jobs
from portal.backend.context import Context
from portal.backend.jobs import GiveUp
from portal.backend.mail import MailContent, Template, compose, render
from portal.backend.security import decrypt, encrypt
from portal.backend.shops import settings_for
from portal.backend.staff import acting, first_name, in_name
from portal.backend.transports import MessageRefused, OutgoingMessage, Transport
from portal.contract.models import Document, Locale
from portal.settings import Settings
from portal.tables.cases import CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.exchange import WebhookDeliveryRow, WebhookRow
from portal.tables.messages import OutboxMail
from portal.tables.orders import PartnerRow
from portal.vocabulary.exchange import EVENT_TYPES, DeliveryState


async def get(session: AsyncSession, mail_id: int) -> OutboxMail | None:
    """The mail with this primary key."""
    return (await session.exec(select(OutboxMail).where(OutboxMail.id == mail_id))).one_or_none()


async def close(session: AsyncSession, mail_id: int, *, sent_at: datetime | None, dropped_at: datetime | None) -> None:
    """Mark a mail as sent or dropped, and erase its content.

    The confirmation of an erasure loses its recipient as well: it is the last place that holds the address.
    """
    is_last = col(OutboxMail.template) == Template.DATA_ERASED.value
    await session.exec(
        update(OutboxMail)
        .where(col(OutboxMail.id) == mail_id)
        .values(
            sent_at=sent_at,
            dropped_at=dropped_at,
            details={},
            sealed="",
            recipient=case((is_last, ""), else_=OutboxMail.recipient),
        )
    )


log = structlog.get_logger(__name__)
KIND = "mail"
SEND_FOR = timedelta(hours=24)
"""Default time after which delivery attempts stop."""


class Unwritable(Exception):
    """The mail cannot be composed: its code was encrypted with another secret, or the recipient is invalid."""


@dataclass(frozen=True, slots=True)
class WrittenMail:
    """The content of a mail and its attachments."""

    content: MailContent
    documents: tuple[Document, ...] = ()


Writer = Callable[[OutboxMail], Awaitable[WrittenMail]]
"""Composes a mail that needs more data than its row has, at delivery. Raises `Unwritable` if it never can."""


class Outbox:
    """Adds mails to the outbox."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def post(
        self,
        session: AsyncSession,
        template: Template,
        *,
        recipient: str,
        locale: Locale,
        customer_id: int | None = None,
        details: Mapping[str, Any] | None = None,
        code: str = "",
        expires_at: datetime | None = None,
        name: str = "",
    ) -> int:
        """Add a mail to the outbox in the caller's transaction.

        `recipient`: the stored address. If empty, the same work is done but nothing is sent.
        `details`: values for the template, without the code. Who does this in the customer's name is added.
        `code`: a secret, stored encrypted until the mail is sent. Its customer waits for it, so the mail goes first.
        `expires_at`: time after which the mail is not sent any more; by default after `SEND_FOR`.
        `name`: unique name of a message that may exist only once; the database refuses a second one.
        """
        now = self._context.clock()
        until = expires_at or now + SEND_FOR
        domain = parseaddr(self._context.settings.mail_from)[1].rpartition("@")[2]
        mail = OutboxMail(
            message_id=f"<{name or secrets.token_hex(16)}@{domain}>",
            customer_id=customer_id,
            template=template,
            locale=locale,
            recipient=recipient,
            details={**(details or {}), **(_done_by() if customer_id is not None else {})},
            sealed=encrypt(self._context.settings, code) if code else "",
            created_at=now,
            expires_at=until,
        )
        session.add(mail)
        await session.flush()
        assert mail.id is not None  # noqa: S101 - set by the flush
        await self._context.jobs.enqueue(session, KIND, mail.id, give_up_at=until, urgent=bool(code))
        return mail.id


DONE_BY = "done_by"
"""Value of every template: first name of the person of staff who did this in the customer's name."""


def _done_by() -> dict[str, str]:
    member = acting.get() if in_name.get() else None
    return {DONE_BY: first_name(member.name)} if member else {}


class MailDelivery:
    """Delivers the mails in the outbox."""

    def __init__(
        self, context: Context, transport: Transport, writers: Mapping[Template, Writer] | None = None
    ) -> None:
        """Set up the delivery.

        `writers`: compose the mails that need more data than their row has.
        """
        self._context = context
        self._transport = transport
        self._writers = dict(writers or {})

    async def deliver(self, mail_id: int) -> None:
        """Send one mail, unless it was already sent or dropped. Temporary failures are raised, so the job retries."""
        async with self._context.database.session() as session:
            mail = await get(session, mail_id)
            settings = await settings_for(session, self._context.settings, mail.customer_id if mail else None)
            greeted = await _first_name(session, mail) if mail else ""
            reply_to = (await _store_email(session, mail) if mail else "") or settings.brand.email
        if mail is None or mail.sent_at or mail.dropped_at:
            return
        now = self._context.clock()
        if not mail.recipient or now >= mail.expires_at:
            await self._close(mail_id, dropped_at=now)
            if mail.recipient:
                log.warning("mail expired", template=mail.template, mail=mail_id)
            return
        try:
            write = self._writers.get(Template(mail.template))
            written = await write(mail) if write else None
            # In a thread: rendering the first mail of a language would block the event loop noticeably.
            content = await asyncio.to_thread(_message, mail, written, settings, greeted, reply_to)
            message = OutgoingMessage(
                mail.message_id, mail.recipient, content, mail.created_at, parseaddr(settings.mail_from)[1]
            )
            await self._transport.send(message)
        except (MessageRefused, Unwritable) as refusal:
            await self._close(mail_id, dropped_at=self._context.clock())
            raise GiveUp(str(refusal)) from None
        await self._close(mail_id, sent_at=self._context.clock())
        log.info("mail sent", template=mail.template, mail=mail_id, seconds=(now - mail.created_at).total_seconds())

    async def _close(
        self, mail_id: int, *, sent_at: datetime | None = None, dropped_at: datetime | None = None
    ) -> None:
        async with self._context.database.transaction() as session:
            await close(session, mail_id, sent_at=sent_at, dropped_at=dropped_at)


async def _first_name(session: AsyncSession, mail: OutboxMail) -> str:
    """The first name of the customer; empty if the mail is about a customer and goes to somebody else."""
    query = select(CustomerRow.first_name).where(
        CustomerRow.id == mail.customer_id, CustomerRow.email == mail.recipient
    )
    return (await session.exec(query)).one_or_none() or ""


async def _store_email(session: AsyncSession, mail: OutboxMail) -> str:
    """The address of the store that handles the request which a mail is about; empty without one."""
    reference = str(mail.details.get("reference", "")).replace(" ", "")
    if not reference or mail.customer_id is None:
        return ""
    query = (
        select(PartnerRow.email)
        .join(CaseRow, col(CaseRow.partner_id) == col(PartnerRow.id))
        .where(col(CaseRow.reference) == reference, CaseRow.customer_id == mail.customer_id)
    )
    return (await session.exec(query)).first() or ""


def _message(mail: OutboxMail, written: WrittenMail | None, settings: Settings, greeted: str, reply_to: str) -> bytes:
    locale: Locale = "en" if mail.locale == "en" else "nl"
    try:
        if written is None:
            code = {"code": decrypt(settings, mail.sealed)} if mail.sealed else {}
            written = WrittenMail(
                render(Template(mail.template), locale, settings, {**mail.details, **code, "greeted": greeted})
            )
        return compose(
            settings.mail_from,
            mail.recipient,
            written.content,
            locale,
            mail.message_id,
            mail.created_at,
            written.documents,
            reply_to=reply_to,
        )
    except ValueError as error:
        raise Unwritable(type(error).__name__) from None


WEBHOOK_JOB = "webhook"
RETRY_FOR = timedelta(days=3)
"""How long a delivery is tried, and after which a webhook that only fails is paused."""


def iso(moment: datetime) -> str:
    """A moment as events write it: ISO 8601 in UTC."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


async def send(
    session: AsyncSession,
    type_: str,
    subject: str,
    data: Mapping[str, Any],
    now: datetime,
    *,
    event: str = "",
    only: int | None = None,
) -> None:
    """Send an event to every webhook that wants its type, in the transaction of the change.

    `type_`: one of `EVENT_TYPES`.
    `subject`: what it is about, such as 'repair ABCD2345'; its events arrive in the order of these calls, as long as
    the caller holds a lock on it.
    `data`: references and statuses, never personal data.
    `now`: when it happened (UTC).
    `event`: identifier, for a caller that may repeat the call; a webhook gets each event once.
    `only`: primary key of the only webhook that gets it.
    """
    if type_ not in EVENT_TYPES:
        raise ValueError(f"{type_} is no type of event")
    query = select(WebhookRow).where(col(WebhookRow.active)).order_by(col(WebhookRow.id))
    webhooks = (await session.exec(query if only is None else query.where(WebhookRow.id == only))).all()
    event = event or secrets.token_hex(12)
    content = json.dumps({"type": type_, "timestamp": iso(now), "data": dict(data)}, separators=(",", ":"))
    for webhook in webhooks:
        if only is None and webhook.event_types and type_ not in webhook.event_types:
            continue
        row = WebhookDeliveryRow(
            webhook_id=webhook.id,
            message_id=f"msg_{secrets.token_urlsafe(18)}",
            event=event,
            type=type_,
            subject=subject,
            content=content,
            state=DeliveryState.WAITING,
            created_at=now,
        )
        session.add(row)
        await session.flush()
        if webhook.paused_at is None:
            await queue(session, row, now)


async def queue(session: AsyncSession, row: WebhookDeliveryRow, now: datetime) -> None:
    """Add the job of a delivery, unless it has one."""
    # The handler gives up by itself; the job has to outlive that.
    await jobs.add_once(session, WEBHOOK_JOB, row.id, now, give_up_at=now + 10 * RETRY_FOR)
