"""What is delivered in exchange is bought like anything else: it can be returned, too (edge-cases 32).

What comes back pays for it, as far as it was paid itself. The rest is to be paid for the new order from then on, and no
longer for the old one. Neither counts as paid by the customer: it is settled.
"""

from __future__ import annotations

import secrets

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.domain.returns.settlement import Settlement, SettlementKind
from portal.provider.context import Context
from portal.provider.repositories.returns import ReturnRepository
from portal.provider.repositories.stock import StockRepository
from portal.provider.returns.billing import credit
from portal.provider.tables.orders import OrderAddressRow, OrderLineRow, OrderRow, ShipmentLineRow, ShipmentRow
from portal.provider.tables.returns import ReturnRow
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.orders import ItemKind, PaymentStatus

_CARRIER = "Bovenbuis bezorgdienst"


async def replace(context: Context, session: AsyncSession, row: ReturnRow) -> str:
    """Make the order of the new item, sent today, at the price that was agreed; its number."""
    repository = ReturnRepository(session, row.customer_id)
    units = (await repository.units([row])).get(row.id or 0, [])
    old = units[0].line
    before = (
        await session.exec(select(OrderRow).where(OrderRow.customer_id == row.customer_id, OrderRow.id == old.order_id))
    ).one()
    agreed, now = Settlement.from_json(row.settlement), context.clock()
    price = -next(line.amount for line in agreed.lines if line.kind is SettlementKind.NEW_ITEM)
    (stock,) = await StockRepository(session, row.customer_id, now).all(before.order_number)
    worth = min(price, agreed.credit)
    moved = min(worth, stock.outstanding)
    credit(before, moved)
    product = row.product or {}
    order = OrderRow(
        order_number=await _number(session),
        customer_id=row.customer_id,
        country_code=before.country_code,
        features=list(before.features),
        ordered_at=row.created_at,
        delivery_status=DeliveryStatus.READY_FOR_TRANSPORT,
        payment_status=PaymentStatus.OPEN,
        payment_method=before.payment_method,
        delivery_method=before.delivery_method,
        service_package=before.service_package,
        insurance=before.insurance,
        subtotal=price,
        total=price,
    )
    credit(order, worth - moved)
    session.add(order)
    await session.flush()
    line = OrderLineRow(
        order_id=order.id or 0,
        position=1,
        name=str(product.get("name") or old.name),
        sku=str(product.get("sku") or old.sku),
        kind=ItemKind(product["kind"]) if product.get("kind") else old.kind,
        item_color=str(product.get("color", "")) if product else old.item_color,
        frame_size=str(product.get("size", "")) if product else old.frame_size,
        battery=str(product.get("battery", "")) if product else old.battery,
        quantity=1,
        unit_price=price,
        price=price,
    )
    shipment = ShipmentRow(order_id=order.id or 0, carrier=_CARRIER, shipped_at=now)
    session.add_all([line, shipment])
    await session.flush()
    session.add(ShipmentLineRow(shipment_id=shipment.id or 0, order_line_id=line.id or 0, quantity=1))
    for address in await session.exec(select(OrderAddressRow).where(OrderAddressRow.order_id == before.id)):
        values = address.model_dump(exclude={"id", "order_id"})
        session.add(OrderAddressRow(order_id=order.id or 0, **values))
    await session.flush()
    return order.order_number


async def _number(session: AsyncSession) -> str:
    """A free order number."""
    while True:
        number = f"9{secrets.randbelow(10**8):08}"
        if (await session.exec(select(OrderRow.id).where(col(OrderRow.order_number) == number))).first() is None:
            return number
