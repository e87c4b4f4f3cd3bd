"""A request that was sent becomes a return: units are taken, amounts kept, the customer is told."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import Refused
from portal.domain.codes import Code
from portal.domain.dates import local_day
from portal.domain.returns.units import Unit, returnable
from portal.flows import pickup
from portal.flows.address import home
from portal.flows.returned import BATTERY, METHOD, MILEAGE, STATE, STORE, chosen, is_safe
from portal.flows.settlements import settlement_of
from portal.provider.flows.desk import Case
from portal.provider.repositories.partners import PartnerRepository
from portal.provider.repositories.stock import LineStock, StockRepository
from portal.provider.returns.entries import item_id
from portal.provider.returns.moving import enter, expire
from portal.provider.tables.returns import ReturnRow, ReturnUnitRow
from portal.vocabulary.deliveries import Window
from portal.vocabulary.returns import BatteryState, ItemState, ReturnKind, ReturnMethod, ReturnStatus

Taken = list[tuple[LineStock, list[Unit]]]


async def make_return(
    session: AsyncSession, case: Case, flow: str, kind: ReturnKind, status: ReturnStatus, **more: Any
) -> ReturnRow:
    """Make the return in the transaction that marks the draft as sent.

    Args:
        session: of the transaction.
        case: the request.
        flow: name of its flow.
        kind: of return.
        status: it begins with.
        more: further columns.

    Raises:
        Refused: `amounts_changed` since the customer saw them; `return_request_already_exists` when another return
            took one of the units at the same moment.
    """
    asked = case.asked
    seen = type(asked)(case.answers, case.seen, asked.day)
    settlement = settlement_of(flow, asked)
    if settlement.to_json() != settlement_of(flow, seen).to_json():
        raise Refused(Code.AMOUNTS_CHANGED)
    await expire(case.context, session, case.owner.customer_id)
    taken = await _units(session, case)
    safe, way = is_safe(asked), _method(case, kind)
    store = await PartnerRepository(session).get(asked.text(STORE)) if way is ReturnMethod.STORE else None
    row = ReturnRow(
        customer_id=case.owner.customer_id,
        kind=kind,
        status=status,
        order_number=chosen(asked)[0].entry["order"],
        state=ItemState(asked.text(STATE)),
        mileage=asked.text(MILEAGE),
        battery=BatteryState(asked.text(BATTERY)) if asked.text(BATTERY) else None,
        method=way,
        store_id=store.id if store else None,
        settlement=settlement.to_json(),
        draft_key=case.key,
        urgent=not safe,
        created_at=case.now,
        updated_at=case.now,
        **(_pickup(case) if way is ReturnMethod.PICK_UP else {}),
        **more,
    )
    await save(session, row, taken)
    await enter(session, row, status, case.now)
    return row


async def save(session: AsyncSession, row: ReturnRow, taken: Taken) -> None:
    """Write a return with its units.

    Raises:
        Refused: `return_request_already_exists`; the database lets a unit be in one return only.
    """
    session.add(row)
    await session.flush()
    session.add_all(
        ReturnUnitRow(
            return_id=row.id or 0,
            order_line_id=line.row.id or 0,
            number=unit.number,
            paid=unit.worth.paid,
            package=unit.worth.package,
            insurance=unit.worth.insurance,
        )
        for line, units in taken
        for unit in units
    )
    try:
        await session.flush()
    except IntegrityError:
        raise Refused(Code.RETURN_REQUEST_ALREADY_EXISTS) from None


def _method(case: Case, kind: ReturnKind) -> ReturnMethod:
    if not is_safe(case.asked):
        return ReturnMethod.NONE
    return ReturnMethod.PICK_UP if kind is ReturnKind.ORDER_RETURN else ReturnMethod(case.asked.text(METHOD))


def _pickup(case: Case) -> dict[str, Any]:
    asked, address = case.asked, home(case.asked)
    phone = address.pop("phone", "")
    return {
        "pickup_day": date.fromisoformat(asked.text(pickup.DAY)),
        "pickup_window": Window(asked.text(pickup.WINDOW)),
        "address": {**address, "name": asked.text(pickup.NAME) or case.asked.facts.get("name", "")},
        "phone": phone,
        "remarks": asked.text(pickup.REMARKS),
    }


async def _units(session: AsyncSession, case: Case) -> Taken:
    """The units that go back: those whose time runs out first."""
    stock = await StockRepository(session, case.owner.customer_id, case.now).all()
    lines = {item_id(order, line): line for order in stock for line in order.lines}
    taken: Taken = []
    for item in chosen(case.asked):
        line = lines[item.entry["id"]]
        free = returnable(line.units or (), local_day(case.now))
        if len(free) < item.count:
            raise Refused(Code.RETURN_REQUEST_ALREADY_EXISTS)
        taken.append((line, free[: item.count]))
    return taken
