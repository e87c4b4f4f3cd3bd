"""Links that are mailed to have a request confirmed: made, sent, used. One mechanism for every kind of request.

A link ends in 256 random bits, of which only a hash is kept. It is encrypted in the outbox until its mail is sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.base import Locale
from portal.contract.errors import TooMany
from portal.contract.links import LinkSent
from portal.domain.codes import Code
from portal.provider import limits
from portal.provider.codes import challenge_hash
from portal.provider.context import Context
from portal.provider.limits import Limit, subject
from portal.provider.mail.texts import Template
from portal.provider.masks import masked_email
from portal.provider.outbox import Outbox
from portal.provider.repositories import links as rows
from portal.provider.tables.links import ConfirmationLinkRow
from portal.vocabulary.links import PATHS, LinkPurpose, LinkState, is_hash, lifetime, new_hash


@dataclass(frozen=True, slots=True)
class Subject:
    """What a link confirms.

    Attributes:
        key: primary key in the table of the purpose.
        customer_id: whose it is.
    """

    key: int
    customer_id: int


@dataclass(frozen=True, slots=True)
class Addressee:
    """Whom a link is mailed to: the stored address, and the language of the mail."""

    email: str
    locale: Locale


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request that waits for its link.

    Attributes:
        email: masked address of the last mail.
        expires_at: when the last link expires, or has.
        resend_at: from when another mail can be asked for.
        failed: the last mail could not be sent (`email_failed`); nothing of the request is lost.
    """

    email: str
    expires_at: datetime
    resend_at: datetime
    failed: bool


class Links:
    """The mechanism."""

    def __init__(self, context: Context) -> None:
        """Work with the parts of the house."""
        self._context = context
        self._outbox = Outbox(context)

    async def send(
        self,
        session: AsyncSession,
        purpose: LinkPurpose,
        about: Subject,
        to: Addressee,
        template: Template,
        details: Mapping[str, Any],
    ) -> LinkSent:
        """Make a link and put its mail into the outbox, in the caller's transaction. Older links stay good.

        The template finds the path of the page as `path` and the end of the link as `code`.

        Raises:
            TooMany: `mail_sent_recently` with `retry_at`.
        """
        now, held = self._context.clock(), self._limits(purpose, about)
        if retry_at := await limits.take(session, held, now):
            raise TooMany(Code.MAIL_SENT_RECENTLY, retry_at=retry_at)
        expires_at, end = now + lifetime(purpose), new_hash()
        mail_id = await self._outbox.post(
            session,
            template,
            recipient=to.email,
            locale=to.locale,
            customer_id=about.customer_id,
            details={**details, "path": PATHS[purpose]},
            code=end,
            expires_at=expires_at,
        )
        session.add(
            ConfirmationLinkRow(
                link_hash=challenge_hash(end),
                purpose=purpose,
                subject=about.key,
                customer_id=about.customer_id,
                recipient=masked_email(to.email),
                mail_id=mail_id,
                created_at=now,
                expires_at=expires_at,
            )
        )
        await session.flush()
        resend_at = await limits.next_at(session, held, now)
        return LinkSent(email=masked_email(to.email), expires_at=expires_at, resend_at=resend_at)

    async def find(
        self, session: AsyncSession, purpose: LinkPurpose, end: str
    ) -> tuple[LinkState, ConfirmationLinkRow | None]:
        """What stands behind the end of a link, and what can be done with it. Changes nothing."""
        row = await rows.find(session, purpose, challenge_hash(end)) if is_hash(end) else None
        if row is None:
            return LinkState.INVALID, None
        if row.used_at is not None:
            return LinkState.USED, row
        return (LinkState.EXPIRED if row.expires_at <= self._context.clock() else LinkState.VALID), row

    async def use(self, session: AsyncSession, purpose: LinkPurpose, end: str) -> ConfirmationLinkRow | None:
        """Use a link up, in the caller's transaction; of any number at once, one does. None when it cannot be used."""
        now = self._context.clock()
        used = await rows.use(session, purpose, challenge_hash(end), now) if is_hash(end) else None
        if used is not None:
            await rows.use_all(session, used.purpose, used.subject, used.customer_id, now)
        return used

    async def settle(self, session: AsyncSession, purpose: LinkPurpose, about: Subject) -> None:
        """Mark every link to a request as used: it was answered without one."""
        await rows.use_all(session, purpose, about.key, about.customer_id, self._context.clock())

    async def withdraw(self, session: AsyncSession, purpose: LinkPurpose, about: Subject) -> None:
        """Make every unused link to a request worthless: it was cancelled or replaced."""
        await rows.withdraw(session, purpose, about.key, about.customer_id, self._context.clock())

    async def waiting(self, session: AsyncSession, purpose: LinkPurpose, about: Subject) -> Waiting | None:
        """How the last mail about a request stands; none when there was none. Reads only."""
        found = await rows.newest(session, purpose, about.key, about.customer_id)
        if found is None:
            return None
        link, failed = found
        gap = self._limits(purpose, about)[0].gap
        return Waiting(link.recipient, link.expires_at, link.created_at + gap, failed)

    def _limits(self, purpose: LinkPurpose, about: Subject) -> list[Limit]:
        settings = self._context.settings
        name = subject(settings, "link", purpose, str(about.key))
        return [Limit(name, settings.codes_per_account_hour, gap=timedelta(seconds=settings.code_wait_seconds))]
