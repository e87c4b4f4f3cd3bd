"""The retailer's side of mailed links: creates, mails, finds and uses them, for every purpose.

A link ends in 256 random bits. The database stores only their hash; the outbox encrypts them until the mail is sent.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Update
from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend import limits
from portal.backend.context import Context
from portal.backend.letter import localized_moment
from portal.backend.limits import Limit, subject
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.backend.security import challenge_hash, masked_email, shown_email
from portal.contract.errors import InvalidInput, Refused, TooMany
from portal.contract.models import Locale
from portal.kernel.codes import Code
from portal.links.api import LinkAbout, LinkEntry, LinksApi, LinkSent, LinkView
from portal.tables.messages import ConfirmationLinkRow, OutboxMail
from portal.vocabulary.links import PATHS, LinkPurpose, LinkState, is_hash, lifetime, new_hash


async def find(session: AsyncSession, purpose: LinkPurpose, link_hash: str) -> ConfirmationLinkRow | None:
    """Find a link; none if it is unknown, withdrawn, or has another purpose."""
    query = select(ConfirmationLinkRow).where(
        ConfirmationLinkRow.link_hash == link_hash,
        ConfirmationLinkRow.purpose == purpose,
        col(ConfirmationLinkRow.withdrawn_at).is_(None),
    )
    return (await session.exec(query)).one_or_none()


async def use(session: AsyncSession, purpose: LinkPurpose, link_hash: str, now: datetime) -> ConfirmationLinkRow | None:
    """Mark a link as used, in one statement; none if it cannot be used (any more)."""
    statement = (
        update(ConfirmationLinkRow)
        .where(
            col(ConfirmationLinkRow.link_hash) == link_hash,
            col(ConfirmationLinkRow.purpose) == purpose,
            col(ConfirmationLinkRow.used_at).is_(None),
            col(ConfirmationLinkRow.withdrawn_at).is_(None),
            col(ConfirmationLinkRow.expires_at) > now,
        )
        .values(used_at=now)
        .returning(ConfirmationLinkRow)
        # Overwrite the row that the session may have loaded before.
        .execution_options(populate_existing=True)
    )
    return (await session.exec(statement)).scalars().first()


async def use_all(session: AsyncSession, purpose: LinkPurpose, subject: int, customer_id: int, now: datetime) -> None:
    await session.exec(_unused(purpose, subject, customer_id).values(used_at=now))


async def withdraw(session: AsyncSession, purpose: LinkPurpose, subject: int, customer_id: int, now: datetime) -> None:
    await session.exec(_unused(purpose, subject, customer_id).values(withdrawn_at=now))


def _unused(purpose: LinkPurpose, subject: int, customer_id: int) -> Update:
    return update(ConfirmationLinkRow).where(
        col(ConfirmationLinkRow.purpose) == purpose,
        col(ConfirmationLinkRow.subject) == subject,
        col(ConfirmationLinkRow.customer_id) == customer_id,
        col(ConfirmationLinkRow.used_at).is_(None),
    )


async def newest(
    session: AsyncSession, purpose: LinkPurpose, subjects: Collection[int], customer_id: int
) -> dict[int, tuple[ConfirmationLinkRow, bool]]:
    """The newest link of each of these requests of a customer that has one, and whether its mail failed."""
    if not subjects:
        return {}
    query = (
        select(ConfirmationLinkRow, OutboxMail.dropped_at)
        .join(OutboxMail, col(OutboxMail.id) == ConfirmationLinkRow.mail_id, isouter=True)
        .where(
            ConfirmationLinkRow.purpose == purpose,
            col(ConfirmationLinkRow.subject).in_(subjects),
            ConfirmationLinkRow.customer_id == customer_id,
        )
        .order_by(col(ConfirmationLinkRow.id))
    )
    return {link.subject: (link, dropped_at is not None) for link, dropped_at in await session.exec(query)}


@dataclass(frozen=True, slots=True)
class Subject:
    key: int
    customer_id: int


@dataclass(frozen=True, slots=True)
class Addressee:
    email: str
    locale: Locale


@dataclass(frozen=True, slots=True)
class PendingLink:
    """The newest link of a request that waits for confirmation.

    `expires_at`: when the link expires or expired (UTC).
    `resend_at`: when another mail can be requested (UTC).
    """

    email: str
    expires_at: datetime
    resend_at: datetime
    failed: bool


class Links:
    """Creates, finds and uses links. Methods that take a session work in the caller's transaction."""

    def __init__(self, context: Context) -> None:
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
        """Create a link and put its mail into the outbox. Older links stay valid.

        The template gets the path of the page as `path`, the secret part of the link as `code`, and its end as `until`.
        """
        now, mail_limits = self._context.clock(), self._limits(purpose, about)
        if retry_at := await limits.take(session, mail_limits, now):
            raise TooMany(Code.MAIL_SENT_RECENTLY, retry_at=retry_at)
        expires_at, secret = now + lifetime(purpose), new_hash()
        mail_id = await self._outbox.post(
            session,
            template,
            recipient=to.email,
            locale=to.locale,
            customer_id=about.customer_id,
            details={**details, "path": PATHS[purpose], "until": localized_moment(expires_at).text(to.locale)},
            code=secret,
            expires_at=expires_at,
        )
        session.add(
            ConfirmationLinkRow(
                link_hash=challenge_hash(secret),
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
        resend_at = await limits.next_at(session, mail_limits, now)
        return LinkSent(email=shown_email(to.email), expires_at=expires_at, resend_at=resend_at)

    async def find(
        self, session: AsyncSession, purpose: LinkPurpose, secret: str
    ) -> tuple[LinkState, ConfirmationLinkRow | None]:
        row = await find(session, purpose, challenge_hash(secret)) if is_hash(secret) else None
        if row is None:
            return LinkState.INVALID, None
        if row.used_at is not None:
            return LinkState.USED, row
        return (LinkState.EXPIRED if row.expires_at <= self._context.clock() else LinkState.VALID), row

    async def use(self, session: AsyncSession, purpose: LinkPurpose, secret: str) -> ConfirmationLinkRow | None:
        """Use a link; none if it cannot be used. Of concurrent calls, only one succeeds."""
        now = self._context.clock()
        used = await use(session, purpose, challenge_hash(secret), now) if is_hash(secret) else None
        if used is not None:
            await use_all(session, used.purpose, used.subject, used.customer_id, now)
        return used

    async def settle(self, session: AsyncSession, purpose: LinkPurpose, about: Subject) -> None:
        await use_all(session, purpose, about.key, about.customer_id, self._context.clock())

    async def withdraw(self, session: AsyncSession, purpose: LinkPurpose, about: Subject) -> None:
        await withdraw(session, purpose, about.key, about.customer_id, self._context.clock())

    async def pending(self, session: AsyncSession, purpose: LinkPurpose, about: Subject) -> PendingLink | None:
        """The newest link of a request; none if there is no link."""
        return (await self.pending_of(session, purpose, [about.key], about.customer_id)).get(about.key)

    async def pending_of(
        self, session: AsyncSession, purpose: LinkPurpose, keys: Collection[int], customer_id: int
    ) -> dict[int, PendingLink]:
        gap = timedelta(seconds=self._context.settings.code_wait_seconds)
        return {
            key: PendingLink(shown_email(link.recipient), link.expires_at, link.created_at + gap, failed)
            for key, (link, failed) in (await newest(session, purpose, keys, customer_id)).items()
        }

    def _limits(self, purpose: LinkPurpose, about: Subject) -> list[Limit]:
        settings = self._context.settings
        name = subject(settings, "link", purpose, str(about.key))
        return [Limit(name, settings.codes_per_account_hour, gap=timedelta(seconds=settings.code_wait_seconds))]


Lock = Callable[[AsyncSession, Subject], Awaitable[object]]
Describe = Callable[[Context, AsyncSession, Subject], Awaitable[LinkAbout]]
Confirm = Callable[[Context, AsyncSession, Subject, str], Awaitable[None]]
Renew = Callable[[Context, AsyncSession, Subject], Awaitable[LinkSent]]


@dataclass(frozen=True, slots=True)
class LinkHandler:
    """The handler of one purpose.

    `lock`: locks the request until the end of the transaction. Whoever changes a request locks it before its links; in
    another order two transactions would wait for each other.
    `confirm`: confirms the request with the answer, empty if the purpose has no question. It runs in the transaction
    that uses the link, and raises `Refused` if a rule no longer allows it; the link is then not used.
    `renew`: lets an expired or waiting request wait again and mails a new link; raises `Refused` if it cannot.
    """

    lock: Lock
    about: Describe
    confirm: Confirm
    renew: Renew


class LinksService(LinksApi):
    def __init__(self, context: Context, handlers: Mapping[LinkPurpose, LinkHandler]) -> None:
        self._context = context
        self._links = Links(context)
        self._handlers = handlers

    @override
    async def link(self, entry: LinkEntry) -> LinkView:
        self._require(entry)
        async with self._context.database.session() as session:
            state, row = await self._links.find(session, entry.purpose, entry.hash)
            if row is None or entry.purpose not in self._handlers:
                return LinkView(state=LinkState.INVALID)
            return await self._view(session, row, state)

    @override
    async def confirm_link(self, entry: LinkEntry) -> LinkView:
        self._require(entry)
        handler = self._handler(entry)
        async with self._context.database.transaction() as session:
            state, row = await self._links.find(session, entry.purpose, entry.hash)
            if row is not None and state is LinkState.VALID:
                await handler.lock(session, _subject(row))
            if used := await self._links.use(session, entry.purpose, entry.hash):
                await handler.confirm(self._context, session, _subject(used), entry.answer)
                return await self._view(session, used, LinkState.CONFIRMED)
            state, row = await self._links.find(session, entry.purpose, entry.hash)
            if row is None:
                raise Refused(Code.INVALID_HASH)
            return await self._view(session, row, state)

    @override
    async def resend_link(self, entry: LinkEntry) -> LinkSent:
        self._require(entry)
        handler = self._handler(entry)
        async with self._context.database.transaction() as session:
            state, row = await self._links.find(session, entry.purpose, entry.hash)
            if row is None:
                raise Refused(Code.INVALID_HASH)
            if state is LinkState.USED:
                raise Refused(Code.LINK_USED)
            return await handler.renew(self._context, session, _subject(row))

    async def _view(self, session: AsyncSession, row: ConfirmationLinkRow, state: LinkState) -> LinkView:
        about = await self._handlers[row.purpose].about(self._context, session, _subject(row))
        return LinkView(state=state, email=row.recipient, expires_at=row.expires_at, about=about)

    def _handler(self, entry: LinkEntry) -> LinkHandler:
        handler = self._handlers.get(entry.purpose)
        if handler is None:
            raise Refused(Code.INVALID_HASH)
        return handler

    @staticmethod
    def _require(entry: LinkEntry) -> None:
        if not entry.hash.strip():
            raise InvalidInput(Code.MISSING_HASH, fields={"hash": Code.REQUIRED})


def _subject(row: ConfirmationLinkRow) -> Subject:
    return Subject(row.subject, row.customer_id)
