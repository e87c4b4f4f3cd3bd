"""Operations on the recalls that concern a customer (part-1 §13)."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.database import find_one
from portal.backend.security import reader
from portal.backend.sessions import Service
from portal.bikes.provider.queries import BikeQueries
from portal.contract.account import LocalizedText
from portal.contract.errors import Conflict, InvalidInput, NotFound
from portal.contract.models import Document
from portal.kernel.codes import Code
from portal.kernel.validation import is_short_id
from portal.recalls.api import Recall, RecalledItem, RecallsApi, RemedyChoice
from portal.recalls.provider.publishing import has_recalled_number
from portal.tables.bikes import BikeRow, RecallItemRow, RecallNoticeRow, RecallRow
from portal.vocabulary.departures import Dependent, goes_on
from portal.vocabulary.services import RecalledKind, Remedy


@dataclass(frozen=True, slots=True)
class _Own:
    notice: RecallNoticeRow
    recall: RecallRow


class RecallsService(Service, RecallsApi):
    @override
    async def recall(self, token: str, recall_id: str) -> Recall:
        async with self._sessions.reading(token) as (owner, session):
            return await _recall(session, await _own(session, owner.customer_id, recall_id))

    @override
    async def recall_picture(self, token: str, recall_id: str) -> Document:
        async with self._sessions.reading(token) as (owner, session):
            recall = (await _own(session, owner.customer_id, recall_id)).recall
        if not recall.picture:
            raise NotFound
        return Document(name=f"{recall.code}.jpg", media_type="image/jpeg", content=recall.picture)

    @override
    async def acknowledge_recall(self, token: str, recall_id: str) -> Recall:
        owner = await self._sessions.owner(token)
        async with self._context.database.transaction() as session:
            own = await _own(session, owner.customer_id, recall_id)
            own.notice.acknowledged_at = own.notice.acknowledged_at or self._context.clock()
            return await _recall(session, own)

    @override
    async def choose_remedy(self, token: str, recall_id: str, choice: RemedyChoice) -> Recall:
        owner = await self._sessions.owner(token)
        async with self._context.database.transaction() as session:
            own = await _own(session, owner.customer_id, recall_id)
            remedy = _wanted(own.recall, choice)
            if not (await _recall(session, own)).items:
                raise NotFound
            now = self._context.clock()
            # The database decides between two tabs: the first choice counts.
            done = await session.exec(
                update(RecallNoticeRow)
                .where(col(RecallNoticeRow.id) == own.notice.id, col(RecallNoticeRow.remedy).is_(None))
                .values(remedy=remedy, chosen_at=now, acknowledged_at=own.notice.acknowledged_at or now)
            )
            await session.refresh(own.notice)
            if done.rowcount == 0 and own.notice.remedy is not remedy:
                raise Conflict(Code.REMEDY_CHOSEN)
            return await _recall(session, own)


def _wanted(recall: RecallRow, choice: RemedyChoice) -> Remedy:
    if not choice.remedy:
        raise InvalidInput(Code.REQUIRED, fields={"remedy": Code.REQUIRED})
    if choice.remedy not in recall.remedies:
        raise InvalidInput(Code.INVALID_INPUT, fields={"remedy": Code.INVALID_INPUT})
    return Remedy(choice.remedy)


async def _own(session: AsyncSession, customer_id: int, public_id: str) -> _Own:
    if not is_short_id(public_id):
        raise NotFound
    query = (
        select(RecallNoticeRow, RecallRow)
        .join(RecallRow, col(RecallRow.id) == RecallNoticeRow.recall_id)
        .where(RecallNoticeRow.public_id == public_id, RecallNoticeRow.customer_id == customer_id)
    )
    return _Own(*await find_one(session, query))


async def _recall(session: AsyncSession, own: _Own) -> Recall:
    recall, notice = own.recall, own.notice
    query = (
        select(RecallItemRow.kind, BikeRow)
        .join(BikeRow, has_recalled_number())
        .where(RecallItemRow.recall_id == recall.id, BikeRow.customer_id == notice.customer_id)
        .order_by(col(BikeRow.id))
    )
    bikes = (await session.exec(query)).all()
    departures = await BikeQueries(session, notice.customer_id).departures([bike.id for _, bike in bikes])
    items = [
        RecalledItem(
            kind=RecalledKind(kind),
            number=(bike.frame_number or "") if kind is RecalledKind.FRAME else bike.battery_number,
            bike=bike.name_in(reader()),
        )
        for kind, bike in bikes
        if goes_on(departures.get(bike.id), Dependent.RECALL)
    ]

    def text(name: str) -> LocalizedText:
        return LocalizedText(nl=recall.texts["nl"][name], en=recall.texts["en"][name])

    return Recall(
        recall_id=notice.public_id,
        product=text("product"),
        description=text("description"),
        hazard=text("hazard"),
        action=text("action"),
        items=items,
        remedies=[Remedy(value) for value in recall.remedies],
        remedy=notice.remedy,
        acknowledged=notice.acknowledged_at is not None,
        published_at=recall.published_at,
        has_picture=bool(recall.picture),
        phone=recall.phone,
        email=recall.email,
    )
