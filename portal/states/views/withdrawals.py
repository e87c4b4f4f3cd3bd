"""Withdrawing from a purchase: what is offered, what was chosen, the receipt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from portal.contract.withdrawals import Withdrawable, WithdrawalReceipt, WithdrawnItem
from portal.domain.identifiers import spoken
from portal.states.views.amounts import Amounts, amounts


@dataclass(frozen=True, slots=True)
class OfferedItem:
    """An item that can be withdrawn from. `counts`: from 1 to all of it; `count`: how many are chosen, 0 for none."""

    item_id: str
    name: str
    details: str
    most: int
    counts: list[int]
    count: int


@dataclass(frozen=True, slots=True)
class ReceiptView:
    """A declaration that was received.

    Attributes:
        return_id: empty for somebody without a session.
        battery: whether it has to be said how the battery is before anything is sent.
        unsafe: whether the battery must not travel.
    """

    reference: str = ""
    spoken: str = ""
    order_number: str = ""
    name: str = ""
    received_at: str = ""
    lines: list[str] = field(default_factory=list)
    email: str = ""
    amounts: Amounts = field(default_factory=Amounts)
    return_id: str = ""
    battery: bool = False
    unsafe: bool = False


def offered_items(found: Withdrawable, chosen: Mapping[str, int]) -> list[OfferedItem]:
    """Tell what can be withdrawn from.

    Args:
        found: the offer.
        chosen: how many of each item are chosen.
    """
    return [
        OfferedItem(
            item_id=item.item_id,
            name=item.name,
            details=", ".join(part for part in (item.item_color, item.frame_size) if part),
            most=item.most,
            counts=list(range(1, item.most + 1)),
            count=min(chosen.get(item.item_id, 0), item.most),
        )
        for item in found.items
    ]


def lines_of(items: list[OfferedItem], chosen: Mapping[str, int]) -> list[str]:
    """What is withdrawn from, line by line.

    Args:
        items: what is offered.
        chosen: how many of each item; without any, all of everything.
    """
    counts = chosen or {item.item_id: item.most for item in items}
    return [
        f"{counts[item.item_id]} × " + ", ".join(part for part in (item.name, item.details) if part)
        for item in items
        if item.item_id in counts
    ]


def withdrawn_items(chosen: Mapping[str, int]) -> list[WithdrawnItem]:
    """The choice as it travels."""
    return [WithdrawnItem(item_id=item_id, count=count) for item_id, count in chosen.items()]


def receipt_view(found: WithdrawalReceipt) -> ReceiptView:
    """Tell a receipt."""
    reference = found.reference
    return ReceiptView(
        reference=reference,
        spoken=spoken(reference),
        order_number=found.order_number,
        name=found.name,
        received_at=found.received_at.isoformat(),
        lines=found.lines,
        email=found.email,
        amounts=amounts(found.settlement),
        return_id=found.return_id,
        battery=found.battery,
    )
