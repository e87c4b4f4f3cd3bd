"""A request that was sent becomes a return: units are taken, amounts kept, the customer is told."""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.contract.errors import Refused
from portal.domain.codes import Code
from portal.domain.dates import local_day
from portal.domain.flow import Flow
from portal.domain.returns.units import Unit, returnable
from portal.flows import pickup
from portal.flows.address import home
from portal.flows.returned import BATTERY, METHOD, MILEAGE, STATE, STORE, chosen, is_safe
from portal.provider.flows.desk import Submission
from portal.provider.repositories.partners import PartnerRepository
from portal.provider.repositories.stock import LineStock, StockRepository
from portal.provider.returns.entries import item_id
from portal.provider.returns.moving import enter, expire
from portal.provider.tables.returns import ReturnRow, ReturnUnitRow
from portal.vocabulary.deliveries import Window
from portal.vocabulary.returns import BatteryState, ItemState, ReturnKind, ReturnMethod, ReturnStatus

Taken = list[tuple[LineStock, list[Unit]]]


async def make_return(
    session: AsyncSession, submission: Submission, flow: Flow, kind: ReturnKind, status: ReturnStatus, **more: Any
) -> ReturnRow:
    """Make the return in the transaction that marks the draft as sent.

    Args:
        session: of the transaction.
        submission: the request.
        flow: its flow.
        kind: of return.
        status: it begins with.
        more: further columns.

    Raises:
        Refused: `amounts_changed` since the customer saw them; `return_request_already_exists` when another return
            took one of the units at the same moment.
    """
    answers = submission.answers
    settlement = flow.settlement(answers).to_json() if flow.settlement else {}
    if flow.settlement and settlement != flow.settlement(submission.seen).to_json():
        raise Refused(Code.AMOUNTS_CHANGED)
    await expire(submission.context, session, submission.owner.customer_id)
    taken = await _units(session, submission)
    safe, way = is_safe(answers), _method(submission, kind)
    store = await PartnerRepository(session).get(answers.text(STORE)) if way is ReturnMethod.STORE else None
    row = ReturnRow(
        customer_id=submission.owner.customer_id,
        kind=kind,
        status=status,
        order_number=chosen(answers)[0].entry["order"],
        state=ItemState(answers.text(STATE)),
        mileage=answers.text(MILEAGE),
        battery=BatteryState(answers.text(BATTERY)) if answers.text(BATTERY) else None,
        method=way,
        store_id=store.id if store else None,
        settlement=settlement,
        draft_key=submission.key,
        urgent=not safe,
        created_at=submission.now,
        updated_at=submission.now,
        **(_pickup(submission) if way is ReturnMethod.PICK_UP else {}),
        **more,
    )
    await save(session, row, taken)
    await enter(session, row, status, submission.now)
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


def _method(submission: Submission, kind: ReturnKind) -> ReturnMethod:
    if not is_safe(submission.answers):
        return ReturnMethod.NONE
    return ReturnMethod.PICK_UP if kind is ReturnKind.ORDER_RETURN else ReturnMethod(submission.answers.text(METHOD))


def _pickup(submission: Submission) -> dict[str, Any]:
    answers, address = submission.answers, home(submission.answers)
    phone = address.pop("phone", "")
    return {
        "pickup_day": date.fromisoformat(answers.text(pickup.DAY)),
        "pickup_window": Window(answers.text(pickup.WINDOW)),
        "address": {**address, "name": answers.text(pickup.NAME) or submission.answers.facts.get("name", "")},
        "phone": phone,
        "remarks": answers.text(pickup.REMARKS),
    }


async def _units(session: AsyncSession, submission: Submission) -> Taken:
    """The units that go back: those whose time runs out first."""
    stock = await StockRepository(session, submission.owner.customer_id, submission.now).all()
    lines = {item_id(order, line): line for order in stock for line in order.lines}
    taken: Taken = []
    for item in chosen(submission.answers):
        line = lines[item.entry["id"]]
        free = returnable(line.units or (), local_day(submission.now))
        if len(free) < item.count:
            raise Refused(Code.RETURN_REQUEST_ALREADY_EXISTS)
        taken.append((line, free[: item.count]))
    return taken
