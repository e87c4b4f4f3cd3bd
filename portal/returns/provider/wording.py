"""The wording of a return that mails, summary and label share, in the customer's language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from portal.backend.letter import clock, day, money
from portal.contract.models import Locale
from portal.kernel.address import NAMES, address_lines
from portal.kernel.days import local_day
from portal.kernel.texts import gettext_for
from portal.returns.provider.queries import ReturnedUnit
from portal.returns.rules.settlement import SETTLEMENT_NAMES, ComputedSettlement, SettlementKind
from portal.settings import Brand
from portal.tables.orders import PartnerRow
from portal.tables.returns import ReturnRow
from portal.vocabulary.deliveries import WINDOW_NAMES
from portal.vocabulary.returns import (
    BATTERY_FIRST,
    CANCELLABLE,
    EXCHANGE_NAMES,
    METHOD_NAMES,
    PICKUP_DAY_OPEN,
    PICKUP_TEXTED,
    REASON_NAMES,
    RETURN_KIND_NAMES,
    STATE_NAMES,
    ReturnKind,
    ReturnMethod,
    ReturnStatus,
)


def battery_unanswered(row: ReturnRow) -> bool:
    """Whether the battery question has no answer. Only a withdrawal is received without one."""
    has_question = row.kind is ReturnKind.WITHDRAWAL and bool((row.statement or {}).get("battery"))
    return has_question and row.battery is None


def battery_asked(row: ReturnRow) -> bool:
    """Whether the customer is asked about the battery now: no answer yet, and the items have not arrived."""
    return battery_unanswered(row) and row.status in CANCELLABLE - {ReturnStatus.PENDING_CONFIRMATION}


def may_be_sent(row: ReturnRow) -> bool:
    """Whether the items may travel. If not, there is no label, no return address and no pick-up."""
    return not row.urgent and not battery_unanswered(row)


def item_lines(units: Iterable[ReturnedUnit]) -> list[str]:
    """One text per order line, such as '2 × Kettingslot ART 3, 110 cm'."""
    counts: dict[int, int] = {}
    names: dict[int, str] = {}
    for unit in units:
        key = unit.line.id or 0
        counts[key] = counts.get(key, 0) + 1
        parts = (unit.line.name, unit.line.item_color, unit.line.frame_size)
        names[key] = ", ".join(part for part in parts if part)
    return [f"{count} × {names[key]}" for key, count in counts.items()]


def amount_lines(stored: dict[str, Any], locale: Locale) -> list[list[str]]:
    """Label and amount of each line of a stored settlement."""
    _ = gettext_for(locale)
    lines = []
    for line in ComputedSettlement.from_json(stored).lines:
        name = _(SETTLEMENT_NAMES[line.kind])
        item = f"{line.quantity} × {line.item}" if line.quantity > 1 else line.item
        if line.kind is SettlementKind.NOT_PAID:
            item = _("Order {number}").format(number=line.item)
        lines.append([f"{item}: {name}" if item else name, money(line.amount, locale)])
    return lines


def total_line(stored: dict[str, Any], locale: Locale) -> list[str]:
    """Label and amount of the refund or the charge; empty for a return without amounts."""
    _ = gettext_for(locale)
    if not stored.get("lines"):
        return []
    settlement = ComputedSettlement.from_json(stored)
    if settlement.charge:
        return [_("You pay"), money(settlement.charge, locale)]
    return [_("You get back"), money(settlement.refund, locale)]


def open_line(stored: dict[str, Any], locale: Locale) -> list[str]:
    """Label and amount of what is still to be paid for the orders; empty when they are paid."""
    _ = gettext_for(locale)
    settlement = ComputedSettlement.from_json(stored) if stored.get("lines") else ComputedSettlement()
    return [_("Still to pay for your order"), money(settlement.open, locale)] if settlement.open else []


def payment_note(stored: dict[str, Any], locale: Locale, kind: ReturnKind) -> str:
    """When the refund or the charge is paid; empty when there is neither."""
    _ = gettext_for(locale)
    settlement = ComputedSettlement.from_json(stored) if stored.get("lines") else ComputedSettlement()
    if settlement.charge:
        return _("You do not have to pay yet. We contact you about it.")
    if not settlement.refund:
        return ""
    if kind is ReturnKind.WITHDRAWAL:
        return _("We refund within {refund_days} days, as soon as it is with us or you show that you sent it.")
    if kind is ReturnKind.EXCHANGE:
        return _("We refund within {refund_days} days after your exchange has been processed.")
    return _("We refund within {refund_days} days after your return has been processed.")


def method_lines(row: ReturnRow, store: PartnerRow | None, locale: Locale) -> list[str]:
    """How the items come back: the method, and the store or the day and address of the pick-up."""
    _ = gettext_for(locale)
    if row.kind is ReturnKind.WITHDRAWAL:
        if battery_unanswered(row):
            return [_(BATTERY_FIRST)]
        return [
            _("You send it back within {send_back_days} days")
            if may_be_sent(row)
            else _(METHOD_NAMES[ReturnMethod.NONE])
        ]
    lines = [_(METHOD_NAMES[row.method])]
    if store is not None:
        lines += [store.name, *address_lines(store)]
    if row.method is ReturnMethod.PICK_UP and row.pickup_day and row.pickup_window:
        lines += [day(row.pickup_day, locale), _(WINDOW_NAMES[row.pickup_window])]
        lines += pickup_address_lines(row, locale)
    return lines


def pickup_notes(row: ReturnRow) -> list[str]:
    """Notes on a confirmed pick-up: the text message on the day before, or that the day is not known yet."""
    if row.status is not ReturnStatus.PICKUP_CONFIRMED or row.method is not ReturnMethod.PICK_UP:
        return []
    return [PICKUP_TEXTED if row.pickup_day else PICKUP_DAY_OPEN]


def department_lines(brand: Brand, locale: Locale) -> list[str]:
    """The address to which items are sent back."""
    _ = gettext_for(locale)
    return [brand.name, _("Returns department"), *address_lines(brand)]


def pickup_lines(row: ReturnRow) -> list[str]:
    """Name and address of the pick-up; the last line is the country code."""
    address = row.address or {}
    lines = [address.get("name", ""), *address_lines(address), address.get("country_code", "")]
    return [str(line) for line in lines if line]


def pickup_address_lines(row: ReturnRow, locale: Locale) -> list[str]:
    """Name and address of the pick-up; the last line is the name of the country."""
    names = {country.value: name for country, name in NAMES.items()}
    return [gettext_for(locale)(names[line]) if line in names else line for line in pickup_lines(row)]


def answer_lines(row: ReturnRow, locale: Locale) -> list[list[str]]:
    """Label and value of each answer of the customer."""
    _ = gettext_for(locale)
    reason = _(REASON_NAMES[row.reason]) if row.reason else ""
    declared_by = str((row.statement or {}).get("name", ""))
    received = f"{day(local_day(row.created_at), locale)}, {clock(row.created_at)}" if declared_by else ""
    pairs: Sequence[tuple[str, str]] = (
        (_(RETURN_KIND_NAMES[ReturnKind.EXCHANGE]), _(EXCHANGE_NAMES[row.exchange_type]) if row.exchange_type else ""),
        (_(SETTLEMENT_NAMES[SettlementKind.NEW_ITEM]), str((row.product or {}).get("name", ""))),
        (_("Declared by"), declared_by),
        (_("Received on"), received),
        (_("Reason"), " – ".join(part for part in (reason, row.reason_text) if part)),
        (_("State"), _(STATE_NAMES[row.state]) if row.state else ""),
        (_("Mileage"), f"{row.mileage} km" if row.mileage else ""),
        (_("Remarks for the driver"), row.remarks),
    )
    return [[label, value] for label, value in pairs if value]


def money_or_empty(amount: Decimal | None, locale: Locale) -> str:
    """An amount; empty when it is zero or `None`."""
    return money(amount, locale) if amount else ""
