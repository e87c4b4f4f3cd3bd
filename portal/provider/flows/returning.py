"""Facts of every kind of return."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from portal.domain import delivery_options
from portal.domain.codes import Code
from portal.domain.countries import PICKUP_COUNTRIES
from portal.domain.dates import local_day, now
from portal.domain.flow import Answers, Findings
from portal.domain.terms import RETURN_PICK_UP_COST
from portal.flows.bike import PIN_KNOWN
from portal.flows.exchange import CATALOGUE
from portal.flows.returned import ITEM, ITEMS
from portal.provider.flows.addresses import address_facts
from portal.provider.repositories import delivery_days, products
from portal.provider.repositories.customers import CustomerRepository
from portal.provider.repositories.stock import LineStock, StockRepository
from portal.provider.returns.entries import Fits, item_entries, item_id, order_entries
from portal.provider.returns.stores import store_entries
from portal.provider.sessions import Owner


def bikes_and_parts(line: LineStock) -> bool:
    """Bikes, batteries, and parts of a set that was sold with a bike."""
    return line.is_bike or line.has_battery or bool(line.row.bundle)


def accessories(line: LineStock) -> bool:
    """Everything that is no bike."""
    return not line.is_bike


def everything(_line: LineStock) -> bool:
    """All that was sold."""
    return True


async def return_facts(
    session: AsyncSession, owner: Owner, fits: Fits, moment: datetime | None = None
) -> dict[str, Any]:
    """What can be returned, why the rest cannot, and how it can come back."""
    moment = moment or now()
    day = local_day(moment)
    stock = await StockRepository(session, owner.customer_id, moment).all()
    customer = await CustomerRepository(session, owner.customer_id).get()
    full = await delivery_days.without_places(session, day)
    items = item_entries(stock, day, fits)
    shown = {entry["order"] for entry in items}
    return {
        ITEMS: items,
        "orders": order_entries([order for order in stock if order.row.order_number in shown], day),
        **await address_facts(session, owner),
        "name": " ".join(part for part in (customer.first_name, customer.prefix, customer.last_name) if part),
        "email": customer.email,
        "stores": await store_entries(session, customer, day),
        "pickup_days": {
            country.value: [
                offered.isoformat()
                for offered in delivery_options.days(moment, country)
                if (country, offered) not in full
            ]
            for country in PICKUP_COUNTRIES
        },
        "fee": f"{RETURN_PICK_UP_COST:.2f}",
    }


async def exchange_facts(session: AsyncSession, owner: Owner) -> dict[str, Any]:
    """The same, with what the shop has in exchange."""
    return {
        **await return_facts(session, owner, bikes_and_parts),
        CATALOGUE: [
            {
                "id": row.public_id,
                "refusal": "" if row.stock > 0 else Code.PRODUCT_GONE.value,
                "name": row.name,
                "kind": row.kind.value,
                "is_bike": row.kind.value != "accessory",
                "color": row.item_color,
                "color_code": row.color_code,
                "size": row.frame_size,
                "price": f"{row.price:.2f}",
            }
            for row in await products.on_sale(session)
        ],
    }


async def right_pin(session: AsyncSession, owner: Owner, answers: Answers) -> Findings:
    """Compare the pin code with the ones that are known of the chosen bikes. They never leave the provider."""
    if answers.get("pin_known") != PIN_KNOWN:
        return {}
    name = str(answers.get(ITEM, ""))
    stock = await StockRepository(session, owner.customer_id, now()).all(name.partition("-")[0])
    known = [
        bike.pin_code
        for order in stock
        for line in order.lines
        if item_id(order, line) == name
        for bike in line.bikes
        if bike.pin_code
    ]
    return {} if answers.get("pin_code") in known else {"pin_code": Code.WRONG_PIN_CODE}
