"""What is in which parcel of the demonstration."""

from __future__ import annotations

from collections.abc import Sequence

from portal.provider.demo.plans import OrderPlan
from portal.provider.tables.orders import OrderLineRow, ShipmentLineRow, ShipmentRow

Contents = list[tuple[ShipmentRow, OrderLineRow, ShipmentLineRow]]
NOT_SAVED = 0


def contents(plan: OrderPlan, shipments: Sequence[ShipmentRow], lines: Sequence[OrderLineRow]) -> Contents:
    """The lines of each parcel: as planned; else all in the only one, or the first line in the first of several."""
    found: Contents = []
    for place, (parcel, shipment) in enumerate(zip(plan.shipments, shipments, strict=True)):
        chosen = parcel.lines
        if chosen is None:
            only = len(shipments) == 1
            chosen = tuple(
                (line.position, line.quantity)
                for index, line in enumerate(lines)
                if only or (min(index, 1) == min(place, 1) and place < 2)
            )
        for position, quantity in chosen:
            entry = ShipmentLineRow(shipment_id=NOT_SAVED, order_line_id=NOT_SAVED, quantity=quantity)
            found.append((shipment, lines[position - 1], entry))
    return found
