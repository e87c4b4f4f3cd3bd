"""Opening and using a mailed link. Who holds it needs no session: it may be opened in another browser."""

from __future__ import annotations

from collections.abc import Mapping

from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.contract.errors import InvalidInput, Refused
from portal.contract.links import LinkEntry, LinkSent, LinkView
from portal.contract.links_api import LinksApi
from portal.domain.codes import Code
from portal.provider.confirming.desk import ConfirmationDesk
from portal.provider.context import Context
from portal.provider.links import Links, Subject
from portal.provider.tables.links import ConfirmationLinkRow
from portal.vocabulary.links import LinkPurpose, LinkState


class LinksService(LinksApi):
    """Operations on mailed links."""

    def __init__(self, context: Context, desks: Mapping[LinkPurpose, ConfirmationDesk]) -> None:
        self._context = context
        self._links = Links(context)
        self._desks = desks

    @override
    async def link(self, entry: LinkEntry) -> LinkView:
        """Changes nothing, so that a mail scanner does no harm."""
        self._require(entry)
        async with self._context.database.session() as session:
            state, row = await self._links.find(session, entry.purpose, entry.hash)
            if row is None or entry.purpose not in self._desks:
                return LinkView(state=LinkState.INVALID)
            return await self._view(session, row, state)

    @override
    async def confirm_link(self, entry: LinkEntry) -> LinkView:
        self._require(entry)
        desk = self._desk(entry)
        async with self._context.database.transaction() as session:
            if used := await self._links.use(session, entry.purpose, entry.hash):
                await desk.confirm(self._context, session, _subject(used), entry.answer)
                return await self._view(session, used, LinkState.CONFIRMED)
            state, row = await self._links.find(session, entry.purpose, entry.hash)
            if row is None:
                raise Refused(Code.INVALID_HASH)
            return await self._view(session, row, state)

    @override
    async def resend_link(self, entry: LinkEntry) -> LinkSent:
        self._require(entry)
        desk = self._desk(entry)
        async with self._context.database.transaction() as session:
            state, row = await self._links.find(session, entry.purpose, entry.hash)
            if row is None:
                raise Refused(Code.INVALID_HASH)
            if state is LinkState.USED:
                raise Refused(Code.LINK_USED)
            return await desk.renew(self._context, session, _subject(row))

    async def _view(self, session: AsyncSession, row: ConfirmationLinkRow, state: LinkState) -> LinkView:
        about = await self._desks[row.purpose].about(session, _subject(row))
        return LinkView(state=state, email=row.recipient, expires_at=row.expires_at, about=about)

    def _desk(self, entry: LinkEntry) -> ConfirmationDesk:
        desk = self._desks.get(entry.purpose)
        if desk is None:
            raise Refused(Code.INVALID_HASH)
        return desk

    @staticmethod
    def _require(entry: LinkEntry) -> None:
        if not entry.hash.strip():
            raise InvalidInput(Code.MISSING_HASH, fields={"hash": Code.REQUIRED})


def _subject(row: ConfirmationLinkRow) -> Subject:
    return Subject(row.subject, row.customer_id)
