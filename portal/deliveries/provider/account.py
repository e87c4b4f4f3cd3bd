"""The accounts of a delivery and of a request for another day: what every channel says about them (part-2 §4).

A part of an order that travels in several shipments has an account of its own. Page, mailed link, mail, PDF and
calendar file render these accounts.
"""

from collections.abc import Sequence
from datetime import date, datetime
from functools import partial

from portal.backend import letter
from portal.contract.account import Account, AccountFact, AccountHandover, LocalizedText
from portal.kernel.address import address_lines
from portal.kernel.days import local_day
from portal.kernel.texts import N_, Locale
from portal.kernel.validation import in_groups
from portal.orders.api import ScheduledDelivery
from portal.tables.deliveries import DateChangeRow
from portal.tables.orders import OrderAddressRow, OrderLineRow, OrderRow, ShipmentRow
from portal.vocabulary.deliveries import (
    ANSWER_WITHIN,
    DATE_CHANGE_LABELS,
    DATE_CHANGE_MEANINGS,
    DATE_OPEN,
    DELIVERY_LABELS,
    DELIVERY_MEANINGS,
    PHASES,
    DateChangeStatus,
    DeliveryEnd,
    DeliveryStatus,
    current_status,
    end,
    handed_over,
    phase,
)
from portal.vocabulary.orders import DELIVERY_METHODS, STORE_PICKUP

OrderedUnits = tuple[OrderLineRow, int]
_ORDERED = N_("Ordered")
_RECEIVED = N_("We’ve received your order. Here you can see how it’s going.")


def delivery_account(
    order: OrderRow,
    status: DeliveryStatus | None,
    items: Sequence[OrderedUnits],
    place: Sequence[str],
    scheduled: ScheduledDelivery | None,
) -> Account:
    pickup = order.delivery_method == STORE_PICKUP
    at = phase(status)
    method = DELIVERY_METHODS.get(order.delivery_method, "")
    return Account(
        reference=order.order_number,
        title=LocalizedText.of(N_("Status of order {number}"), number=order.order_number),
        status=LocalizedText.of(DELIVERY_LABELS[status] if status else _ORDERED),
        meaning=LocalizedText.of(DELIVERY_MEANINGS[status] if status else _RECEIVED),
        phases=[]
        if at is None
        else [LocalizedText.of(name) for name in PHASES[DeliveryEnd.PICKUP if pickup else end(status)]],
        phase=at,
        handover=AccountHandover(
            how=LocalizedText.of(method) if method else LocalizedText.same(order.delivery_method),
            place=list(place),
            when=day_and_hours(scheduled.day, scheduled.from_time, scheduled.until_time)
            if scheduled
            else LocalizedText(),
            day=scheduled.day if scheduled else None,
        ),
        facts=[
            AccountFact.of(N_("Order number"), LocalizedText.same(order.order_number)),
            AccountFact.of(N_("Ordered on"), letter.localized_day(local_day(order.ordered_at))),
            AccountFact(label=LocalizedText.of(N_("Items")), lines=item_lines(items)),
        ],
        next_steps=[] if scheduled or handed_over(status) else [LocalizedText.of(DATE_OPEN)],
    )


def place_of(order: OrderRow, address: OrderAddressRow | None, shipments: Sequence[ShipmentRow]) -> list[str]:
    """Lines of the place where the customer gets the order: the store for a pick-up, else the shipping address."""
    if order.delivery_method == STORE_PICKUP:
        return [shipment.carrier for shipment in shipments[:1] if shipment.carrier]
    return [line for line in (address.name, *address_lines(address)) if line] if address else []


_S = DateChangeStatus
_TITLES: dict[DateChangeStatus, str] = {
    _S.WAITING_FOR_CUSTOMER: N_("One more step: confirm the new day by email"),
    _S.WAITING_FOR_RETAILER: N_("We’re checking whether your new day works"),
    _S.ACCEPTED: N_("Your new delivery day is set"),
    _S.REFUSED: N_("Your new delivery day isn’t possible"),
    _S.EXPIRED: N_("Your request for another delivery day has expired"),
    _S.CANCELLED: N_("Your request for another delivery day was cancelled"),
    _S.UNKNOWN: N_("Your request for another delivery day"),
}


def date_change_account(
    order: OrderRow, items: Sequence[OrderedUnits], change: DateChangeRow, now: datetime
) -> Account:
    status = current_status(change.status, change.link_expires_at, now)
    new_day = day_and_hours(change.new_day, change.from_time, change.until_time)
    facts = [
        AccountFact.of(N_("Order number"), LocalizedText.same(order.order_number)),
        AccountFact(label=LocalizedText.of(N_("Items")), lines=item_lines(items)),
        AccountFact.of(N_("Originally planned"), letter.localized_weekday(change.original_day)),
        AccountFact.of(N_("New delivery day"), new_day),
        AccountFact.of(N_("Requested on"), letter.localized_moment(change.created_at)),
    ]
    if change.confirmed_at:
        facts.append(AccountFact.of(N_("Confirmed on"), letter.localized_moment(change.confirmed_at)))
    if change.note:
        facts.append(AccountFact.of(N_("Message from us"), LocalizedText.same(change.note)))
    return Account(
        reference=in_groups(change.reference),
        title=LocalizedText.of(_TITLES[status]),
        status=LocalizedText.of(DATE_CHANGE_LABELS[status]),
        meaning=LocalizedText.of(DATE_CHANGE_MEANINGS[status]),
        handover=AccountHandover(how=LocalizedText.of(N_("New delivery day")), when=new_day),
        facts=facts,
        next_steps=_next_steps(status, change),
    )


def _next_steps(status: DateChangeStatus, change: DateChangeRow) -> list[LocalizedText]:
    stays = LocalizedText.of(N_("Until then, the planned day stays as it is."))
    if status is _S.WAITING_FOR_CUSTOMER:
        return [
            LocalizedText.of(
                N_("Open the link in our email, and confirm the new day before {moment}."),
                moment=letter.localized_moment(change.link_expires_at),
            ),
            LocalizedText.of(N_("After that we’ll let you know within {date_answer_hours} hours whether it works.")),
            stays,
        ]
    if status is _S.WAITING_FOR_RETAILER:
        answer = LocalizedText.of(
            N_("We’ll email you before {moment} to say whether the new day works."),
            moment=letter.localized_moment((change.confirmed_at or change.created_at) + ANSWER_WITHIN),
        )
        return [answer, stays]
    return []


def item_lines(items: Sequence[OrderedUnits]) -> list[LocalizedText]:
    """One line per item, with the quantity if there are several: '2 × Kettingslot'."""
    return [LocalizedText.each(partial(_item_line, line, count)) for line, count in items]


def _item_line(line: OrderLineRow, count: int, locale: Locale) -> str:
    return f"{count} × {line.name_in(locale)}" if count > 1 else line.name_in(locale)


def day_and_hours(day: date, from_time: str, until_time: str) -> LocalizedText:
    """'dinsdag 9 juni 2026, tussen 09:00 en 20:00'."""
    return LocalizedText.of(
        N_("{day}, between {start} and {end}"), day=letter.localized_weekday(day), start=from_time, end=until_time
    )
