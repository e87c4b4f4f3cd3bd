"""Returns of two customers of the demonstration shop: every case of a return, and large ones."""

from dataclasses import asdict, dataclass
from datetime import datetime
from decimal import Decimal

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.security import challenge_hash, masked_email
from portal.demo.customers import customer_of
from portal.demo.plans import (
    Days,
    stable_id,
)
from portal.returns.provider.queries import StockQueries
from portal.returns.rules.settlement import Returned, Terms, settle
from portal.tables.customers import CustomerRow
from portal.tables.messages import ConfirmationLinkRow
from portal.tables.returns import ReturnEventRow, ReturnRow, ReturnUnitRow
from portal.vocabulary.deliveries import Window
from portal.vocabulary.links import LIFETIME, LinkPurpose, new_hash
from portal.vocabulary.returns import RETURNS, ItemState, ReturnKind, ReturnMethod, ReturnReason, ReturnStatus

RETURNED, PENDING, UNCLEAR = "900000724", "900000725", "900000726"
AT_ONCE, BEFORE = "900000741", "900000742"
"""Orders of which several items go back."""

_ROOS, _TESS = "roos@example.com", "tess@example.com"


@dataclass(frozen=True, slots=True)
class _Plan:
    name: str
    order: str
    kind: ReturnKind
    status: ReturnStatus
    method: ReturnMethod
    ago: int
    why: str = ""
    email: str = _ROOS
    lines: int = 1


_TOO_LARGE = "De helm valt te groot uit en blijft niet goed zitten."
_OTHER_BIKE = "We hebben toch een andere fiets gekocht, en daar past dit niet op."

_PLANS = (
    _Plan("done", RETURNED, ReturnKind.ACCESSORIES, ReturnStatus.REFUND_PROCESSED, ReturnMethod.STORE, 30, _TOO_LARGE),
    _Plan("open", RETURNED, ReturnKind.ACCESSORIES, ReturnStatus.PICKUP_CONFIRMED, ReturnMethod.PICK_UP, 3, _TOO_LARGE),
    _Plan("waiting", PENDING, ReturnKind.ORDER_RETURN, ReturnStatus.PENDING_CONFIRMATION, ReturnMethod.PICK_UP, 0),
    _Plan(
        "several", AT_ONCE, ReturnKind.ACCESSORIES, ReturnStatus.PICKUP_CONFIRMED, ReturnMethod.PICK_UP, 2,
        _OTHER_BIKE, _TESS, 4,
    ),
    _Plan(
        "several before", BEFORE, ReturnKind.ACCESSORIES, ReturnStatus.REFUND_PROCESSED, ReturnMethod.STORE, 50,
        _OTHER_BIKE, _TESS, 3,
    ),
)  # fmt: skip


async def complete_returns(session: AsyncSession, days: Days, now: datetime) -> None:
    for plan in _PLANS:
        customer = (await session.exec(select(CustomerRow).where(CustomerRow.email == plan.email))).one_or_none()
        if customer is None:
            continue
        public_id = stable_id("return", plan.name)
        row = (await session.exec(select(ReturnRow).where(ReturnRow.public_id == public_id))).one_or_none()
        if row is None:
            await _add(session, customer, plan, public_id, days, now)
        elif row.status is plan.status:
            await _young(session, row, plan, days, now)


async def _add(
    session: AsyncSession, customer: CustomerRow, plan: _Plan, public_id: str, days: Days, now: datetime
) -> None:
    owner = customer.id
    stock = await StockQueries(session, owner, now).all(plan.order)
    lines = stock[0].lines[: plan.lines] if stock else []
    free = [(line.row, next((unit for unit in line.units or [] if unit.hold == "free"), None)) for line in lines]
    going = [(line, unit) for line, unit in free if unit]
    if not going:
        return
    comes, person = plan.method is ReturnMethod.PICK_UP, customer_of(plan.email).person
    returned = [Returned(line.name, (unit.worth,), plan.order) for line, unit in going]
    reason = ReturnReason.PRODUCT_IS_DEFECT if plan.kind is ReturnKind.ORDER_RETURN else None
    found = settle(returned, Terms(pick_up=comes, at_our_expense=reason is not None))
    row = ReturnRow(
        public_id=public_id,
        reference=stable_id("return reference", plan.name)[:8],
        customer_id=owner,
        kind=plan.kind,
        status=plan.status,
        order_number=plan.order,
        reason=reason,
        reason_text=plan.why,
        state=ItemState.UNUSED,
        method=plan.method,
        pickup_window=Window.DAY if comes else None,
        address={"name": person.full_name, **asdict(person.place)} if comes else None,
        phone=person.phone if comes else "",
        settlement=found.to_json(),
        refund_amount=found.refund if plan.status is ReturnStatus.REFUND_PROCESSED else None,
        created_at=now,
        updated_at=now,
    )
    session.add(row)
    await session.flush()
    session.add_all(
        ReturnUnitRow(
            return_id=row.id,
            order_line_id=line.id,
            number=unit.number,
            paid=unit.worth.paid,
            package=Decimal("0.00"),
            insurance=Decimal("0.00"),
            received=plan.status is ReturnStatus.REFUND_PROCESSED,
        )
        for line, unit in going
    )
    way = RETURNS.path_to(plan.status) if plan.kind is ReturnKind.ORDER_RETURN else RETURNS.path_to(plan.status)[1:]
    session.add_all(ReturnEventRow(return_id=row.id, status=status, created_at=now) for status in way)
    if plan.status is ReturnStatus.PENDING_CONFIRMATION:
        session.add(
            ConfirmationLinkRow(
                link_hash=challenge_hash(new_hash()),
                purpose=LinkPurpose.ORDER_RETURN,
                subject=row.id,
                customer_id=owner,
                recipient=masked_email(customer.email),
                created_at=now,
                expires_at=now + LIFETIME,
            )
        )
    await session.flush()
    await _young(session, row, plan, days, now)


async def _young(session: AsyncSession, row: ReturnRow, plan: _Plan, days: Days, now: datetime) -> None:
    begun = days.moment(plan.ago, 9, 20) if plan.ago else now
    row.created_at = row.updated_at = begun
    if row.method is ReturnMethod.PICK_UP:
        row.pickup_day = days.working_day(3, customer_of(plan.email).person.place.country_code)
    events = await session.exec(
        select(ReturnEventRow).where(ReturnEventRow.return_id == row.id).order_by(col(ReturnEventRow.id))
    )
    for step, event in enumerate(events):
        ago = plan.ago - round(step * plan.ago / 8)
        event.created_at = row.updated_at = days.moment(ago, 9 + step, 20) if plan.ago else begun
        if event.status is ReturnStatus.REFUND_PROCESSED:
            row.refunded_at = event.created_at
    if row.status is ReturnStatus.PENDING_CONFIRMATION:
        row.confirm_until = now + LIFETIME
        link = select(ConfirmationLinkRow).where(
            ConfirmationLinkRow.purpose == LinkPurpose.ORDER_RETURN, ConfirmationLinkRow.subject == row.id
        )
        for entry in await session.exec(link):
            entry.created_at, entry.expires_at = now, now + LIFETIME
