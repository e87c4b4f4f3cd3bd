"""Mapping of rows and entries to the models of the API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from portal.backend.security import reader
from portal.contract.models import Picture
from portal.conversations.provider.asked import asked_words
from portal.kernel.address import address_parts
from portal.kernel.codes import Code
from portal.kernel.days import local_day
from portal.orders.provider.mapping import line_picture
from portal.pictures.provider.lookup import ArticlePicture
from portal.returns.api import (
    PendingConfirmation,
    ReturnableItem,
    Returnables,
    ReturnDetail,
    ReturnedItem,
    ReturnEvent,
    ReturnStore,
    ReturnSummary,
    Settlement,
)
from portal.returns.provider.account import ReturnCase, account_of, pickup_place, status_of, title_of
from portal.returns.provider.queries import ReturnedUnit
from portal.returns.provider.refunds import takes_account
from portal.returns.provider.stock import has_battery
from portal.returns.provider.wording import battery_asked, may_be_brought, may_be_sent
from portal.returns.rules import settlement as amounts
from portal.settings import Brand
from portal.tables.bikes import BikeRow
from portal.tables.orders import OrderLineRow, PartnerRow
from portal.tables.returns import ReturnEventRow, ReturnRow
from portal.vocabulary.returns import CANCELLABLE, NEVER_REQUESTED, ReturnKind, ReturnMethod, ReturnStatus, phases_done


def returnable_item(entry: Mapping[str, Any]) -> ReturnableItem:
    return ReturnableItem(
        item_id=entry["id"],
        refusal=Code(entry["refusal"]) if entry["refusal"] else None,
        order_number=entry["order"],
        order_day=entry["order_day"],
        name=entry["name"],
        kind=entry["kind"],
        is_bike=entry["is_bike"],
        item_color=entry["color"],
        frame_size=entry["size"],
        bundle=entry["bundle"],
        bike_id=entry["bike_id"],
        frame_number=entry["frame_number"],
        battery=entry["battery"],
        sold=entry["sold"],
        shipped=entry["shipped"],
        most=entry["max"],
        until=entry["until"] or None,
        amount=sum((Decimal(unit[0]) for unit in entry["worths"]), Decimal("0.00")),
    )


def returnables(
    order_number: str, items: Sequence[Mapping[str, Any]], orders: Sequence[Mapping[str, Any]], refusal: Code | None
) -> Returnables:
    """Map what can be returned of one order, or of all orders when `order_number` is empty."""
    order = orders[0] if order_number and orders else {}
    return Returnables(
        order_number=order_number,
        refusal=refusal,
        items=[returnable_item(entry) for entry in items],
        withdraw_until=order.get("withdraw_until") or None,
        withdrawable=bool(order.get("withdrawable")),
    )


def settlement(stored: Mapping[str, Any]) -> Settlement:
    """Map a stored settlement; without lines when nothing is stored."""
    return Settlement.model_validate(stored or amounts.ComputedSettlement().to_json())


def items(
    units: Sequence[ReturnedUnit], bikes: Mapping[int, Sequence[BikeRow]], found: Mapping[int, ArticlePicture]
) -> list[ReturnedItem]:
    """Group units by order line; `found` is what is known of the pictures of lines."""
    lines: dict[int, list[ReturnedUnit]] = {}
    for unit in units:
        lines.setdefault(unit.line.id, []).append(unit)
    return [
        ReturnedItem(
            name=own[0].line.name_in(reader()),
            kind=own[0].line.kind,
            picture=line_picture(own[0].line, found),
            item_color=own[0].line.color_in(reader()),
            frame_size=own[0].line.frame_size,
            order_number=own[0].order_number,
            frame_numbers=[bike.frame_number for bike in bikes.get(key, ()) if bike.frame_number],
            count=len(own),
            battery=has_battery(own[0].line),
            received=sum(unit.unit.received for unit in own),
            given_back=sum(unit.unit.released_at is not None for unit in own),
        )
        for key, own in lines.items()
    ]


_PICTURES = 3
"""Items of a return that the list shows; the others are named."""


def shown_lines(case: ReturnCase) -> list[OrderLineRow]:
    """The order lines of a return whose pictures the list shows, each once."""
    return list({unit.line.id: unit.line for unit in case.units}.values())[:_PICTURES]


def summary(
    case: ReturnCase,
    found: Mapping[int, ArticlePicture] = MappingProxyType({}),
    *,
    can_resend: bool,
    asked: bool = False,
) -> ReturnSummary:
    row, units = case.row, case.units
    label, meaning = asked_words() if asked else status_of(case)
    pictures = [line_picture(line, found) for line in shown_lines(case)]
    return ReturnSummary(
        return_id=row.public_id,
        reference=row.reference,
        kind=row.kind,
        status=case.status,
        title=title_of(row.kind, units),
        label=label,
        meaning=meaning,
        order_number=row.order_number,
        order_numbers=case.order_numbers,
        requested_on=local_day(row.created_at),
        names=list(dict.fromkeys(unit.line.name_in(reader()) for unit in units)),
        picture=pictures[0] if pictures else Picture(),
        others=pictures[1:],
        count=len(units),
        can_resend=can_resend,
        asked=asked,
    )


def detail(
    case: ReturnCase,
    bikes: Mapping[int, Sequence[BikeRow]],
    events: Sequence[ReturnEventRow],
    pending: PendingConfirmation | None,
    brand: Brand,
    found: Mapping[int, ArticlePicture] = MappingProxyType({}),
) -> ReturnDetail:
    """Map a return with everything that its page shows; `found` is what is known of the pictures of lines."""
    row, status = case.row, case.status
    requested = status not in NEVER_REQUESTED
    return ReturnDetail(
        return_id=row.public_id,
        reference=row.reference,
        kind=row.kind,
        status=status,
        account=account_of(case, brand),
        order_number=row.order_number,
        order_numbers=case.order_numbers,
        requested_on=local_day(row.created_at),
        requested_at=row.created_at,
        items=items(case.units, bikes, found),
        reason=row.reason,
        reason_text=row.reason_text,
        state=row.state,
        mileage=row.mileage,
        battery=row.battery,
        method=row.method,
        store=_store(case.store) if case.store else None,
        pickup_day=row.pickup_day,
        pickup_window=row.pickup_window,
        pickup_address=[*pickup_place(row)[0], *_country(row)],
        phone=row.phone,
        remarks=row.remarks,
        exchange_type=row.exchange_type,
        product=row.product,
        settlement=settlement(row.settlement),
        phases_done=phases_done(row.kind, status, brought=may_be_brought(row)),
        refund_amount=row.refund_amount,
        refunded_at=row.refunded_at,
        refund_by=case.refund_by,
        timeline=[_event(case, event) for event in events if requested and event.status not in NEVER_REQUESTED],
        pending=pending,
        can_cancel=status in CANCELLABLE,
        has_label=has_label(row, status),
        battery_asked=battery_asked(row),
        instructions=row.urgent,
        statement=row.statement,
        account_wanted=takes_account(row, exported=case.exported),
    )


def _event(case: ReturnCase, event: ReturnEventRow) -> ReturnEvent:
    label, meaning = status_of(replace(case, status=event.status))
    return ReturnEvent(status=event.status, label=label, meaning=meaning, note=event.note, happened_at=event.created_at)


def _country(row: ReturnRow) -> list[str]:
    code = (row.address or {}).get("country_code")
    return [str(code)] if code else []


def has_label(row: ReturnRow, status: ReturnStatus) -> bool:
    """Whether a label can be downloaded: the items may travel and have not arrived."""
    travels = row.method is not ReturnMethod.NONE or row.kind is ReturnKind.WITHDRAWAL
    return travels and may_be_sent(row) and status in CANCELLABLE - NEVER_REQUESTED


def _store(row: PartnerRow) -> ReturnStore:
    return ReturnStore(name=row.name, **address_parts(row), phone=row.phone)
