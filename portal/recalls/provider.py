"""Loading a recall, finding the owners, warning each once, their answers, and the operations (part-1 §13)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, and_, func, or_
from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend.context import Context
from portal.backend.database import find_one
from portal.backend.files.checks import BadFile, Version
from portal.backend.files.incoming import IncomingFiles
from portal.backend.files.inspection import redrawn
from portal.backend.mail import Template
from portal.backend.outbox import Outbox
from portal.backend.security import reader
from portal.backend.sessions import Service
from portal.bikes.provider.queries import BikeQueries
from portal.contract.account import LocalizedText
from portal.contract.errors import Conflict, InvalidInput, NotFound
from portal.contract.models import Document, Model
from portal.kernel.address import readable_phone
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.kernel.validation import is_short_id
from portal.recalls.api import Recall, RecalledItem, RecallsApi, RemedyChoice
from portal.recalls.rules import RecallContent
from portal.tables.bikes import BikeRow, RecallItemRow, RecallNoticeRow, RecallRow
from portal.tables.columns import insert_into
from portal.tables.customers import CustomerRow
from portal.vocabulary.departures import Dependent, goes_on
from portal.vocabulary.services import RecalledKind, Remedy

NOTICE_PATH = "/recalls"
_AT_ONCE = 500
"""Numbers per statement; SQLite limits the parameters of one."""
_PICTURE_SIDE = 1200
"""Longest side of the picture in pixels."""


class Published(Model):
    """The outcome of loading a recall: all its `numbers`, those that were `added`, and the owners `warned` now."""

    code: str
    numbers: int
    added: int
    warned: int


class OwnerAnswer(Model):
    """The answer of one owner. Days are ISO 8601, and empty for what has not happened."""

    customer: str
    email: str
    warned_on: str
    acknowledged_on: str
    remedy: str
    chosen_on: str


async def publish_recall(
    context: Context, content: RecallContent, numbers: Mapping[RecalledKind, set[str]]
) -> Published:
    picture = await prepared(context, content.picture)
    async with context.database.transaction() as session:
        return await store_recall(context, session, content, numbers, picture)


async def store_recall(
    context: Context,
    session: AsyncSession,
    content: RecallContent,
    numbers: Mapping[RecalledKind, set[str]],
    picture: bytes,
) -> Published:
    """Do the same as `publish_recall`, in the given transaction and with a prepared picture."""
    recall = await _stored(context, session, content, picture)
    added = sum([await _add(session, recall, kind, sorted(values)) for kind, values in numbers.items()])
    warned = await _warn(context, session, recall)
    query = select(func.count()).select_from(RecallItemRow).where(RecallItemRow.recall_id == recall.id)
    return Published(code=recall.code, numbers=(await session.exec(query)).one(), added=added, warned=warned)


async def warn_new_owners(context: Context) -> int:
    """Warn owners whose numbers became known after a recall was loaded; return how many there were."""
    async with context.database.transaction() as session:
        recalls = (await session.exec(select(RecallRow))).all()
        return sum([await _warn(context, session, recall) for recall in recalls])


async def _stored(context: Context, session: AsyncSession, content: RecallContent, picture: bytes) -> RecallRow:
    brand = context.settings.brand
    values = {
        "texts": {"nl": content.nl.model_dump(), "en": content.en.model_dump()},
        "remedies": [remedy.value for remedy in content.remedies],
        "phone": content.phone or brand.phone,
        "email": content.email or brand.email,
    }
    statement = insert_into(session.get_bind(), RecallRow).values(
        code=content.code, published_at=context.clock(), picture=picture, **values
    )
    changed = {**values, "picture": picture} if picture else values
    await session.exec(statement.on_conflict_do_update(index_elements=["code"], set_=changed))
    query = select(RecallRow).where(RecallRow.code == content.code).execution_options(populate_existing=True)
    return (await session.exec(query)).one()


async def _add(session: AsyncSession, recall: RecallRow, kind: RecalledKind, numbers: list[str]) -> int:
    added = 0
    for start in range(0, len(numbers), _AT_ONCE):
        rows = [
            {"recall_id": recall.id, "kind": kind, "number": number} for number in numbers[start : start + _AT_ONCE]
        ]
        statement = insert_into(session.get_bind(), RecallItemRow).values(rows)
        new = statement.on_conflict_do_nothing().returning(col(RecallItemRow.id))
        added += len((await session.exec(new)).all())
    return added


def has_recalled_number() -> ColumnElement[bool]:
    """SQL condition that joins a bike with the recalled numbers."""
    return or_(
        and_(
            col(RecallItemRow.kind) == RecalledKind.FRAME,
            col(RecallItemRow.number) == _comparable(col(BikeRow.frame_number)),
        ),
        and_(
            col(RecallItemRow.kind) == RecalledKind.BATTERY,
            col(RecallItemRow.number) == _comparable(col(BikeRow.battery_number)),
        ),
    )


def _comparable(number: Any) -> ColumnElement[str]:
    """`rules.comparable` in SQL; numbers of bikes contain no other signs."""
    for sign in (" ", "-", "."):
        number = func.replace(number, sign, "")
    return func.upper(number)


async def _warn(context: Context, session: AsyncSession, recall: RecallRow) -> int:
    warned_before = select(RecallNoticeRow.customer_id).where(RecallNoticeRow.recall_id == recall.id)
    query = (
        select(BikeRow.customer_id, BikeRow.public_id)
        .join(RecallItemRow, has_recalled_number())
        .where(RecallItemRow.recall_id == recall.id, col(BikeRow.customer_id).not_in(warned_before))
        .order_by(col(BikeRow.customer_id))
    )
    candidates: dict[int, set[str]] = {}
    for customer_id, bike in (await session.exec(query)).all():
        candidates.setdefault(customer_id, set()).add(bike)
    warned = 0
    for customer_id, bikes in candidates.items():
        owned = await BikeQueries(session, customer_id).named(bikes)
        if any(goes_on(entry.departure, Dependent.RECALL) for entry in owned):
            warned += await _warn_owner(context, session, recall, customer_id)
    return warned


async def _warn_owner(context: Context, session: AsyncSession, recall: RecallRow, customer_id: int) -> int:
    notice = RecallNoticeRow(recall_id=recall.id, customer_id=customer_id, created_at=context.clock())
    values = notice.model_dump(exclude={"id"})
    # Two commands at once: the database lets one of them warn.
    statement = insert_into(session.get_bind(), RecallNoticeRow).values(**values).on_conflict_do_nothing()
    if (await session.exec(statement.returning(col(RecallNoticeRow.id)))).first() is None:
        return 0
    customer = (await session.exec(select(CustomerRow).where(CustomerRow.id == customer_id))).one()
    locale = "en" if customer.locale == "en" else "nl"
    texts = recall.texts[locale]
    await Outbox(context).post(
        session,
        Template.PRODUCT_RECALL,
        recipient=customer.email,
        locale=locale,
        customer_id=customer_id,
        details={
            **{name: texts[name] for name in ("product", "description", "hazard", "action")},
            "remedies": list(recall.remedies),
            "path": f"{NOTICE_PATH}/{notice.public_id}",
            "recall_phone": readable_phone(recall.phone),
            "recall_email": recall.email,
        },
    )
    return 1


async def owner_answers(session: AsyncSession, code: str) -> list[OwnerAnswer] | None:
    """Who was warned of a recall and what they answered, in the order of the warnings; None if there is none."""
    recall = (await session.exec(select(RecallRow).where(RecallRow.code == code))).one_or_none()
    if recall is None:
        return None
    query = (
        select(RecallNoticeRow, CustomerRow)
        .join(CustomerRow, col(CustomerRow.id) == RecallNoticeRow.customer_id)
        .where(RecallNoticeRow.recall_id == recall.id)
        .order_by(col(RecallNoticeRow.id))
    )
    return [
        OwnerAnswer(
            customer=customer.full_name,
            email=customer.email,
            warned_on=local_day(notice.created_at).isoformat(),
            acknowledged_on=local_day(notice.acknowledged_at).isoformat() if notice.acknowledged_at else "",
            remedy=notice.remedy.value if notice.remedy else "",
            chosen_on=local_day(notice.chosen_at).isoformat() if notice.chosen_at else "",
        )
        for notice, customer in (await session.exec(query)).all()
    ]


async def prepared(context: Context, content: bytes) -> bytes:
    """A picture as an upright JPEG on white, with a bounded size and without metadata; empty for an empty one."""
    if not content:
        return b""
    place = await IncomingFiles(context.settings.data_dir).write(content)
    try:
        (picture,) = (await redrawn(place, [Version("JPEG", _PICTURE_SIDE, {"quality": 85})])).versions
    except BadFile as error:
        raise InvalidInput(Code.INVALID_INPUT, fields={"picture": Code.FILE_DAMAGED}) from error
    return picture


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
