"""Files of a draft that come from the customer's telephone, by a link that opens one field of it (security C10)."""

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import select as columns
from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend import limits
from portal.backend.limits import Limit, subject
from portal.backend.live import publish
from portal.backend.security import SecurityEvent, challenge_hash, note
from portal.contract.errors import InvalidInput, NotAuthenticated, NotFound, TooMany
from portal.contract.models import Document
from portal.contract.session import calling_from
from portal.flow.api import PhoneLink, PhoneLinkState, PhonePlace, PhoneUploads, Upload, UploadPlace, UploadStart
from portal.flow.provider.facts import rule_of, upload_of
from portal.flow.provider.queries import DraftQueries
from portal.flow.provider.uploads import UploadService, preview_of
from portal.kernel.codes import Code
from portal.kernel.texts import Locale, known_locale
from portal.kernel.validation import is_short_id
from portal.tables.bikes import BikeRow
from portal.tables.columns import in_language
from portal.tables.customers import CustomerRow, SessionRow
from portal.tables.drafts import DraftRow, PhoneLinkRow, UploadRow, UploadState
from portal.vocabulary.actions import Topic
from portal.vocabulary.links import PHONE_LIFETIME, is_hash, new_hash

LINKS_PER_HOUR = 20
FILES_PER_LINK = 60
"""Files that can be announced with one link, so that it is no way to keep a server busy."""


class ActiveLink(NamedTuple):
    """A link that works.

    `name`, `name_en`: names of the bike, in Dutch or the only one, and in English; None if the request is about none.
    """

    id: int
    customer_id: int
    draft: str
    field: str
    flow: str
    name: str | None
    name_en: str | None
    locale: str
    opened_at: datetime | None

    @property
    def language(self) -> Locale:
        """The language of the customer."""
        return known_locale(self.locale)

    @property
    def bike(self) -> str:
        """The name of the bike in the language of the customer; empty if the request is about none."""
        return in_language(self.name or "", self.name_en or "", self.language)


class PhoneService(UploadService):
    """The operations with a link for a telephone."""

    @override
    async def open_phone_link(self, token: str, draft_id: str, place: PhonePlace) -> PhoneLink:
        owner = await self._sessions.owner(token)
        now, secret = self._context.clock(), new_hash()
        limit = Limit(subject(self._settings, "phone-link", str(owner.customer_id)), LINKS_PER_HOUR)
        async with self._context.database.transaction() as session:
            rule_of(await self._draft(session, owner.customer_id, draft_id), place.field)
            await limits.enforce(session, [limit], now, self._settings, customer=owner.customer_id)
            await _end(session, owner.customer_id, draft_id, now)
            link = PhoneLinkRow(
                link_hash=challenge_hash(secret),
                customer_id=owner.customer_id,
                jti=owner.jti,
                draft=draft_id,
                field=place.field,
                created_at=now,
                expires_at=now + PHONE_LIFETIME,
            )
            session.add(link)
        return PhoneLink(hash=secret, expires_at=link.expires_at)

    @override
    async def phone_link(self, token: str, draft_id: str) -> PhoneLinkState:
        async with self._sessions.reading(token) as (owner, session):
            await self._known(session, owner.customer_id, draft_id)
            found = (
                await session.exec(
                    self._active().where(
                        PhoneLinkRow.customer_id == owner.customer_id, col(PhoneLinkRow.draft) == draft_id
                    )
                )
            ).first()
        return PhoneLinkState(active=found is not None, opened=found is not None and found.opened_at is not None)

    @override
    async def end_phone_link(self, token: str, draft_id: str) -> None:
        owner = await self._sessions.owner(token)
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            await self._known(session, owner.customer_id, draft_id)
            await _end(session, owner.customer_id, draft_id, now)
            await publish(session, owner.customer_id, Topic.PHONE_FILES, now)

    async def _known(self, session: AsyncSession, customer_id: int, draft_id: str) -> None:
        if not is_short_id(draft_id):
            raise NotFound
        await DraftQueries(session, customer_id, self._context.clock()).get(draft_id)

    @override
    async def phone_uploads(self, token: str) -> PhoneUploads:
        async with self._context.database.session() as session:
            link = await self._link(session, token)
            query = (
                select(UploadRow)
                .where(
                    UploadRow.customer_id == link.customer_id,
                    UploadRow.phone_link_id == link.id,
                    col(UploadRow.state) == UploadState.COMPLETE,
                )
                .order_by(col(UploadRow.id))
            )
            files = [upload_of(row) for row in await session.exec(query)]
        if link.opened_at is None:
            await self._opened(link)
        return PhoneUploads(flow=link.flow, field=link.field, name=link.bike, locale=link.language, files=files)

    async def _opened(self, link: ActiveLink) -> None:
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            opened = await session.exec(
                update(PhoneLinkRow)
                .where(col(PhoneLinkRow.id) == link.id, col(PhoneLinkRow.opened_at).is_(None))
                .values(opened_at=now)
            )
            if opened.rowcount == 0:
                return
            await publish(session, link.customer_id, Topic.PHONE_FILES, now)
        note(self._settings, SecurityEvent.PHONE_LINK, customer=link.customer_id, address=calling_from.get())

    @override
    async def begin_phone_upload(self, token: str, start: UploadStart) -> UploadPlace:
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            link = await self._link(session, token)
            if start.field != link.field:
                self._refused(link, Code.FILE_PARAMS_MISSING)
                raise InvalidInput(Code.FILE_PARAMS_MISSING, fields={"field": Code.FILE_PARAMS_MISSING})
            limit = Limit(subject(self._settings, "phone-files", str(link.id)), FILES_PER_LINK)
            if retry_at := await limits.take(session, [limit], now):
                self._refused(link, Code.UPLOADS_TOO_MANY_AT_ONCE)
                raise TooMany(Code.UPLOADS_TOO_MANY_AT_ONCE, retry_at=retry_at)
        return await self._announce(link.customer_id, link.draft, start, link.id)

    @override
    async def receive_phone_upload(self, token: str, upload_id: str, body: AsyncIterator[bytes]) -> Upload:
        async with self._context.database.session() as session:
            link = await self._link(session, token)
            await self._own(session, link, upload_id)
            row, kinds = await self._announced(session, link.customer_id, upload_id)
        return await self._receive(link.customer_id, row, kinds, body)

    @override
    async def _before_completion(self, session: AsyncSession, row: UploadRow) -> None:
        """A file that arrives after its link has ended is refused."""
        if row.phone_link_id is None:
            return
        if (await session.exec(self._active().where(PhoneLinkRow.id == row.phone_link_id))).first() is None:
            raise NotAuthenticated(Code.SESSION_ENDED)
        await publish(session, row.customer_id, Topic.PHONE_FILES, self._context.clock())

    @override
    async def remove_phone_upload(self, token: str, upload_id: str) -> None:
        async with self._context.database.transaction() as session:
            link = await self._link(session, token)
            await self._own(session, link, upload_id)
            row = await self._remove_file(session, link.customer_id, upload_id)
            await publish(session, link.customer_id, Topic.PHONE_FILES, self._context.clock())
        await self._receiver.delete(row)

    @override
    async def phone_preview(self, token: str, upload_id: str) -> Document:
        async with self._context.database.session() as session:
            row = await self._own(session, await self._link(session, token), upload_id)
        if row.state is not UploadState.COMPLETE:
            raise NotFound
        return await preview_of(self._receiver.store, row)

    async def _own(self, session: AsyncSession, link: ActiveLink, upload_id: str) -> UploadRow:
        """A file that this link added. Raises `NotFound` for another one, too, which is noted."""
        query = select(UploadRow).where(
            UploadRow.customer_id == link.customer_id,
            UploadRow.phone_link_id == link.id,
            UploadRow.public_id == upload_id,
        )
        row = (await session.exec(query)).one_or_none()
        if row is None:
            self._refused(link, Code.NOT_FOUND)
            raise NotFound
        return row

    async def _link(self, session: AsyncSession, token: str) -> ActiveLink:
        """The link with this last part. Raises `NotAuthenticated`."""
        found = None
        if is_hash(token):
            query = self._active().where(PhoneLinkRow.link_hash == challenge_hash(token))
            found = (await session.exec(query)).first()
        if found is None:
            note(
                self._settings,
                SecurityEvent.PHONE_REFUSED,
                address=calling_from.get(),
                why=Code.SESSION_ENDED,
            )
            raise NotAuthenticated(Code.SESSION_ENDED)
        return ActiveLink(*found)

    def _refused(self, link: ActiveLink, code: Code) -> None:
        note(
            self._settings,
            SecurityEvent.PHONE_REFUSED,
            customer=link.customer_id,
            address=calling_from.get(),
            why=code,
        )

    def _active(self) -> Any:
        """The links that work: those of a draft that is not sent and of a session that has not ended."""
        now = self._context.clock()
        idle = timedelta(minutes=self._settings.idle_minutes)
        return (
            columns(
                col(PhoneLinkRow.id),
                col(PhoneLinkRow.customer_id),
                col(PhoneLinkRow.draft),
                col(PhoneLinkRow.field),
                col(DraftRow.flow),
                col(BikeRow.name),
                col(BikeRow.name_en),
                col(CustomerRow.locale),
                col(PhoneLinkRow.opened_at),
            )
            .join(
                DraftRow,
                (col(DraftRow.public_id) == PhoneLinkRow.draft)
                & (col(DraftRow.customer_id) == PhoneLinkRow.customer_id),
            )
            .join(SessionRow, col(SessionRow.jti) == PhoneLinkRow.jti)
            .join(CustomerRow, col(CustomerRow.id) == PhoneLinkRow.customer_id)
            .outerjoin(
                BikeRow,
                (col(BikeRow.public_id) == DraftRow.subject) & (col(BikeRow.customer_id) == PhoneLinkRow.customer_id),
            )
            .where(
                col(PhoneLinkRow.expires_at) > now,
                col(DraftRow.sent_at).is_(None),
                col(DraftRow.expires_at) > now,
                col(SessionRow.revoked_at).is_(None),
                col(SessionRow.expires_at) > now,
                col(SessionRow.last_used_at) > now - idle,
            )
        )


async def _end(session: AsyncSession, customer_id: int, draft: str, now: datetime) -> None:
    await session.exec(
        update(PhoneLinkRow)
        .where(
            col(PhoneLinkRow.customer_id) == customer_id,
            col(PhoneLinkRow.draft) == draft,
            col(PhoneLinkRow.expires_at) > now,
        )
        .values(expires_at=now)
    )
