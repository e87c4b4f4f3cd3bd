"""What mails and documents of a return share: its items, whether they may travel, and the rows of its account."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from portal.backend.letter import money
from portal.contract.account import AccountAmount, AccountHandover, AccountMoney
from portal.contract.models import Locale
from portal.kernel.address import address_lines
from portal.kernel.texts import N_, gettext_for
from portal.returns.provider.queries import ReturnedUnit
from portal.settings import Brand
from portal.tables.orders import OrderLineRow
from portal.tables.returns import ReturnRow
from portal.vocabulary.returns import CANCELLABLE, ReturnKind, ReturnMethod, ReturnStatus

DEPARTMENT = N_("Returns department")


def battery_unanswered(row: ReturnRow) -> bool:
    """Whether the battery question has no answer. Only a withdrawal is received without one."""
    has_question = row.kind is ReturnKind.WITHDRAWAL and bool((row.statement or {}).get("battery"))
    return has_question and row.battery is None


def never_sent(row: ReturnRow) -> bool:
    """Whether it is a withdrawal of what was never sent, so that nothing has to come back."""
    return bool((row.statement or {}).get("unsent"))


def battery_asked(row: ReturnRow) -> bool:
    """Whether the customer is asked about the battery now: no answer yet, and the items have not arrived."""
    return battery_unanswered(row) and row.status in CANCELLABLE - {ReturnStatus.PENDING_CONFIRMATION}


def may_be_sent(row: ReturnRow) -> bool:
    """Whether the items may travel. If not, there is no label, no return address and no pick-up."""
    return not row.urgent and not battery_unanswered(row)


def may_be_brought(row: ReturnRow) -> bool:
    """Whether the customer brings the items to a store. That needs no permission: nobody has to look at it first."""
    return row.method is ReturnMethod.STORE and may_be_sent(row)


def item_lines(units: Iterable[ReturnedUnit], locale: Locale) -> list[str]:
    """One text per order line, such as '2 × Kettingslot ART 3, 110 cm'."""
    counts: dict[int, int] = {}
    names: dict[int, str] = {}
    for unit in units:
        key = unit.line.id
        counts[key] = counts.get(key, 0) + 1
        parts = (unit.line.name_in(locale), unit.line.color_in(locale), unit.line.frame_size)
        names[key] = ", ".join(part for part in parts if part)
    return [f"{count} × {names[key]}" for key, count in counts.items()]


def item_mark(order_number: str, line: OrderLineRow, locale: Locale) -> str:
    """What tells a returned item from others of its name: colour, size and order."""
    _ = gettext_for(locale)
    order = _("order {number}").replace("{number}", order_number)
    return ", ".join(part for part in (line.color_in(locale), line.frame_size, order) if part)


def department_lines(brand: Brand, locale: Locale) -> list[str]:
    """The address to which items are sent back."""
    return [brand.name, gettext_for(locale)(DEPARTMENT), *address_lines(brand)]


def amount_rows(amounts: Sequence[AccountAmount], locale: Locale) -> list[list[str]]:
    """Label and amount of each line."""
    return [[line.label.text(locale), money(line.amount, locale)] for line in amounts]


def total_row(amounts: AccountMoney, locale: Locale) -> list[str]:
    """Label and amount of the total; empty without amounts."""
    return [amounts.label.text(locale), money(amounts.total, locale)] if amounts.lines else []


def handover_lines(handover: AccountHandover | None, locale: Locale) -> list[str]:
    """How, when and where the items come back, and what that costs; empty if nothing comes back."""
    if handover is None:
        return []
    _ = gettext_for(locale)
    cost = _("Costs {amount}").format(amount=money(handover.cost, locale)) if handover.cost else ""
    lines = [
        handover.how.text(locale),
        handover.when.text(locale),
        *handover.place,
        handover.country.text(locale),
        cost,
    ]
    return [line for line in lines if line]
