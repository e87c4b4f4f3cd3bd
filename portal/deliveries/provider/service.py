"""The operations on order status and delivery day, and the links that follow a delivery (decision 0127).

Such a link needs no login. It is an encrypted, signed code of the order and a last moment. Nothing of it
is stored: it shows no more than where the delivery is, and dies by itself.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from sqlalchemy.exc import IntegrityError
from sqlmodel import select
from sqlmodel.ext.asyncio.session import AsyncSession
from typing_extensions import override

from portal.backend import live
from portal.backend.context import Context
from portal.backend.database import find_one
from portal.backend.security import Purpose, decrypt, encrypt, reader
from portal.backend.sessions import Owner, Service, Sessions
from portal.contract.account import LocalizedText
from portal.contract.errors import Conflict, InvalidInput, NotFound, Refused
from portal.conversations.provider.queries import asked_of
from portal.deliveries.api import (
    DateChange,
    DateChangeSent,
    DateChoice,
    DeliveriesApi,
    DeliveryDates,
    DeliveryDay,
    DeliveryWeek,
    OrderStatus,
    TrackedPart,
    Tracking,
    TrackingEntry,
)
from portal.deliveries.provider import moving as mapping
from portal.deliveries.provider.confirmation import renew, send_link
from portal.deliveries.provider.documents import DeliveryDocumentService
from portal.deliveries.provider.moving import days_with_places, load_status, still_waits, why_not, window
from portal.deliveries.provider.queries import DateChangeQueries, ShipmentQueries, give_back, move, record_case
from portal.deliveries.rules import weeks
from portal.kernel import validation
from portal.kernel.codes import Code
from portal.kernel.validation import short_id
from portal.links.api import LinkSent
from portal.links.provider import Links, Subject
from portal.login.provider.queries import CustomerQueries
from portal.orders.provider.queries import OrderQueries, to_scheduled
from portal.settings import Settings
from portal.tables.deliveries import DateChangeRow
from portal.tables.orders import OrderRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.deliveries import PENDING, DateChangeStatus
from portal.vocabulary.links import LIFETIME, TRACKING_LIFETIME, LinkPurpose


def tracking_code(settings: Settings, order: OrderRow, now: datetime) -> str:
    """The last part of the address of a link to a delivery, valid from `now` for `TRACKING_LIFETIME`."""
    until = int((now + TRACKING_LIFETIME).timestamp())
    return encrypt(settings, f"{order.id} {until}", Purpose.TRACKING).rstrip("=")


def order_of(settings: Settings, code: str, now: datetime) -> int:
    try:
        order, until = decrypt(settings, code + "=" * (-len(code) % 4), Purpose.TRACKING).split()
    except ValueError:
        raise NotFound from None
    if datetime.fromtimestamp(int(until), UTC) <= now:
        raise NotFound
    return int(order)


class TrackingService(Service, DeliveriesApi):
    @override
    async def tracking(self, entry: TrackingEntry) -> Tracking:
        key = order_of(self._context.settings, entry.code, self._context.clock())
        async with self._context.database.session() as session:
            order = await find_one(session, select(OrderRow).where(OrderRow.id == key))
            return _shown(await load_status(session, order))


def _shown(order: OrderStatus) -> Tracking:
    account = order.account
    return Tracking(
        status=account.status,
        meaning=account.meaning,
        phases=account.phases,
        phase=account.phase,
        when=account.handover.when if account.handover else LocalizedText(),
        parts=[
            TrackedPart(
                status=part.account.status,
                when=part.account.handover.when if part.account.handover else LocalizedText(),
                carrier=part.carrier,
                tracking_code=part.tracking_code,
                tracking_url=part.tracking_url,
            )
            for part in order.shipments
        ],
    )


REFERENCE_LENGTH = 8
TRY_AGAIN = timedelta(hours=1)
"""How long a customer waits before trying again when no day is free (part-2 §8)."""


class DeliveryDateService(Service, DeliveriesApi):
    def __init__(self, context: Context, sessions: Sessions) -> None:
        super().__init__(context, sessions)
        self._links = Links(context)

    @override
    async def delivery_dates(self, token: str, order_number: str) -> DeliveryDates:
        async with self._sessions.reading(token) as (owner, session):
            mapping.known_number(order_number)
            now = self._context.clock()
            orders = OrderQueries(session, owner.customer_id)
            order = await orders.get(order_number)
            lines = await orders.lines(order)
            refusal = why_not(order, await ShipmentQueries(session, owner.customer_id).all(order))
            free = await days_with_places(session, self._context.settings, order.country_code, now)
            change = await DateChangeQueries(session, owner.customer_id).latest(order)
            described = await self._described(session, owner, order, lines, change, now) if change else None
        if refusal is None and change is not None and still_waits(change, free, now):
            refusal = Code.DATE_CHANGE_PENDING
        # The planned day cannot be chosen again.
        free.pop(order.scheduled_day or date.min, None)
        if refusal is None and not any(free.values()):
            refusal = Code.NO_DELIVERY_OPTIONS
        return DeliveryDates(
            order_number=order.order_number,
            name=lines[0][0].name_in(reader()) if lines else "",
            scheduled=to_scheduled(order, order.delivery_status),
            refusal=refusal,
            retry_at=now + TRY_AGAIN if refusal is Code.NO_DELIVERY_OPTIONS else None,
            weeks=[] if refusal else _weeks(free),
            change=described,
        )

    @override
    async def request_delivery_date(self, token: str, order_number: str, choice: DateChoice) -> DateChangeSent:
        owner = await self._sessions.owner(token)
        mapping.known_number(order_number)
        day, now = _day(choice), self._context.clock()
        async with self._context.database.transaction() as session:
            changes = DateChangeQueries(session, owner.customer_id)
            order = await changes.order(order_number)
            if order is None:
                raise NotFound
            if refusal := why_not(order, await ShipmentQueries(session, owner.customer_id).all(order)):
                raise Refused(refusal)
            free = await days_with_places(session, self._context.settings, order.country_code, now)
            await self._free_place(session, owner, order, free, now)
            self._check(day, order, free, now)
            first, last = window(order)
            change = DateChangeRow(
                reference=short_id(REFERENCE_LENGTH),
                customer_id=owner.customer_id,
                order_id=order.id,
                status=DateChangeStatus.WAITING_FOR_CUSTOMER,
                country_code=order.country_code,
                original_day=order.scheduled_day or day,
                new_day=day,
                from_time=first,
                until_time=last,
                link_expires_at=now + LIFETIME,
                created_at=now,
            )
            session.add(change)
            try:
                await session.flush()
            except IntegrityError:
                raise Conflict(Code.DATE_CHANGE_PENDING) from None
            await record_case(session, change, now, by_customer=True)
            customer = await CustomerQueries(session, owner.customer_id).get()
            mail = await send_link(self._context, session, customer, order, change)
            await live.publish(session, owner.customer_id, Topic.DELIVERIES, now)
            return await self._sent(session, owner, order, change, mail)

    @override
    async def resend_delivery_date(self, token: str, order_number: str) -> DateChangeSent:
        owner = await self._sessions.owner(token)
        mapping.known_number(order_number)
        async with self._context.database.transaction() as session:
            order, change = await self._pending(session, owner, order_number)
            if change.status is not DateChangeStatus.WAITING_FOR_CUSTOMER:
                raise NotFound
            mail = await renew(self._context, session, Subject(change.id, owner.customer_id))
            return await self._sent(session, owner, order, change, mail)

    @override
    async def cancel_delivery_date(self, token: str, order_number: str) -> DateChange:
        owner = await self._sessions.owner(token)
        mapping.known_number(order_number)
        now = self._context.clock()
        async with self._context.database.transaction() as session:
            order, change = await self._pending(session, owner, order_number)
            if change.holds_place:
                await give_back(session, change.country_code, change.new_day)
            cancelled = DateChangeStatus.CANCELLED
            if not await move(session, change, cancelled, now, by_customer=True, holds_place=False, decided_at=now):
                raise Conflict(Code.STATUS_CHANGED)
            about = Subject(change.id, owner.customer_id)
            await self._links.withdraw(session, LinkPurpose.DELIVERY_DATE, about)
            await live.publish(session, owner.customer_id, Topic.DELIVERIES, now)
            lines = await OrderQueries(session, owner.customer_id).lines(order)
            return mapping.date_change(order, lines, change, now)

    async def _pending(self, session: AsyncSession, owner: Owner, order_number: str) -> tuple[OrderRow, DateChangeRow]:
        changes = DateChangeQueries(session, owner.customer_id)
        order = await changes.order(order_number)
        change = await changes.latest(order) if order else None
        if order is None or change is None or change.status not in PENDING:
            raise NotFound
        return order, change

    async def _free_place(
        self, session: AsyncSession, owner: Owner, order: OrderRow, free: dict[date, bool], now: datetime
    ) -> None:
        """Close a stale request to make room for a new one. Raises Conflict if one is still pending (part-2 §4)."""
        change = await DateChangeQueries(session, owner.customer_id).latest(order)
        if change is None or change.status not in PENDING:
            return
        if still_waits(change, free, now):
            raise Conflict(Code.DATE_CHANGE_PENDING)
        expired = change.link_expires_at <= now
        await move(session, change, DateChangeStatus.EXPIRED if expired else DateChangeStatus.CANCELLED, now)
        about = Subject(change.id, owner.customer_id)
        if not expired:
            await self._links.withdraw(session, LinkPurpose.DELIVERY_DATE, about)

    @staticmethod
    def _check(day: date, order: OrderRow, free: dict[date, bool], now: datetime) -> None:
        if not any(place for offered, place in free.items() if offered != order.scheduled_day):
            raise Refused(Code.NO_DELIVERY_OPTIONS, retry_at=now + TRY_AGAIN)
        code = None
        if day == order.scheduled_day:
            code = Code.SAME_DELIVERY_DAY
        elif day not in free:
            code = Code.INVALID_CHOICE
        elif not free[day]:
            code = Code.DELIVERY_DAY_TAKEN
        if code:
            raise InvalidInput(code, fields={"day": code})

    async def _described(
        self,
        session: AsyncSession,
        owner: Owner,
        order: OrderRow,
        lines: Sequence[mapping.Line],
        change: DateChangeRow,
        now: datetime,
    ) -> DateChange:
        about = Subject(change.id, owner.customer_id)
        pending = await self._links.pending(session, LinkPurpose.DELIVERY_DATE, about)
        asked = change.reference in await asked_of(session, owner.customer_id)
        return mapping.date_change(order, lines, change, now, pending, asked=asked)

    async def _sent(
        self, session: AsyncSession, owner: Owner, order: OrderRow, change: DateChangeRow, mail: LinkSent
    ) -> DateChangeSent:
        lines = await OrderQueries(session, owner.customer_id).lines(order)
        described = await self._described(session, owner, order, lines, change, self._context.clock())
        return DateChangeSent(change=described, mail=mail)


def _day(choice: DateChoice) -> date:
    if not choice.day.strip():
        raise InvalidInput(Code.REQUIRED, fields={"day": Code.REQUIRED})
    if (found := validation.day(choice.day)) is None:
        raise InvalidInput(Code.INVALID_CHOICE, fields={"day": Code.INVALID_CHOICE})
    return found


def _weeks(free: dict[date, bool]) -> list[DeliveryWeek]:
    return [
        DeliveryWeek(
            year=week.year,
            week=week.number,
            monday=week.first,
            sunday=week.first + timedelta(days=6),
            days=[DeliveryDay(day=day, free=free[day]) for day in week.days],
        )
        for week in weeks(sorted(free))
    ]


class DeliveriesService(DeliveryDateService, DeliveryDocumentService, TrackingService):
    @override
    async def order_status(self, token: str, order_number: str) -> OrderStatus:
        async with self._sessions.reading(token) as (owner, session):
            mapping.known_number(order_number)
            settings, now = self._context.settings, self._context.clock()
            orders = OrderQueries(session, owner.customer_id)
            order = await orders.get(order_number)
            status = await mapping.load_status(session, order)
            parts = await ShipmentQueries(session, owner.customer_id).all(order)
            change = await DateChangeQueries(session, owner.customer_id).latest(order)
            refusal, described = why_not(order, parts), None
            if change is not None:
                lines = await orders.lines(order)
                described = await self._described(session, owner, order, lines, change, now)
                free = await days_with_places(session, settings, order.country_code, now)
                if refusal is None and still_waits(change, free, now):
                    refusal = Code.DATE_CHANGE_PENDING
        return status.model_copy(update={"change_refusal": refusal, "change": described})
