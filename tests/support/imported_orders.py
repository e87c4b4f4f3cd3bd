"""Orders as shops send them, imported, and what the portal then says of them."""

import copy
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlmodel import select

from portal.backend.sessions import Sessions
from portal.imports.provider.importer import Importer
from portal.imports.provider.report import Report
from portal.imports.rules.reading import RawRecord
from portal.imports.rules.shopify import SHOPIFY
from portal.imports.rules.woocommerce import WOOCOMMERCE
from portal.kernel.days import local_day
from portal.orders.api import Order
from portal.orders.provider.service import OrdersService
from portal.returns.provider.entries import order_entries, order_refusal
from portal.returns.provider.queries import OrderStock, StockQueries
from portal.returns.rules.units import Unit, returnable
from portal.tables.bikes import BikeRow
from portal.tables.customers import CustomerRow
from portal.tables.orders import OrderRow
from portal.withdrawals.provider.receiving import offers
from tests.support.application import TestApplication
from tests.support.furnished import Furnished
from tests.support.shop_records import customer, raw

PLACE = {
    "first_name": "Jip", "last_name": "Veenstra", "address_1": "Havenweg 3", "address_2": "", "city": "Lemmer",
    "postcode": "8531 EE", "country": "NL", "email": "jip@example.com", "phone": "0612340000",
}  # fmt: skip
BELL = {
    "id": 21,
    "name": "Bel",
    "product_id": 8,
    "quantity": 1,
    "sku": "BEL-9",
    "subtotal": "33.06",
    "subtotal_tax": "6.94",
}
"""40.00 with tax."""
BIKE = {**BELL, "id": 22, "name": "Poldergang", "sku": "PG-1", "subtotal": "826.45", "subtotal_tax": "173.55",
        "meta_data": [{"key": "kind", "value": "e_bike"}]}  # fmt: skip
"""1,000.00 with tax."""


def day(moment: datetime) -> str:
    """As WooCommerce writes a moment."""
    return f"{moment:%Y-%m-%dT%H:%M:%S}"


def woo(clock: datetime, *lines: dict[str, Any], ago: int = 10, **changes: Any) -> dict[str, Any]:
    """An order of WooCommerce that was completed some days ago, two days after it was paid."""
    ordered = clock - timedelta(days=ago + 2)
    total = sum(Decimal(line["subtotal"]) + Decimal(line["subtotal_tax"]) for line in lines)
    return {
        "id": 700 + ago, "number": f"{870300000 + ago}", "status": "completed", "currency": "EUR",
        "date_created_gmt": day(ordered), "date_paid_gmt": day(ordered),
        "date_completed_gmt": day(clock - timedelta(days=ago)), "discount_total": "0", "discount_tax": "0",
        "shipping_total": "0", "shipping_tax": "0", "total": f"{total:.2f}", "customer_id": 1,
        "payment_method": "ideal", "billing": PLACE, "shipping": {}, "line_items": copy.deepcopy(list(lines)),
        "shipping_lines": [{"method_id": "parcel"}], "fee_lines": [], "refunds": [], "meta_data": [], **changes,
    }  # fmt: skip


def euro(amount: str) -> dict[str, Any]:
    """An amount of Shopify."""
    return {"shopMoney": {"amount": amount, "currencyCode": "EUR"}}


def fulfilment(clock: datetime, *numbers: str, ago: int = 5, **changes: Any) -> dict[str, Any]:
    """What Shopify says of parcels that are on their way."""
    sent = f"{day(clock - timedelta(days=ago))}Z"
    parcels = [{"company": "Kwiekpost", "number": number, "url": f"http://volg.example/{number}"} for number in numbers]
    return {"createdAt": sent, "deliveredAt": None, "displayStatus": "IN_TRANSIT", "trackingInfo": parcels, **changes}


def shopify(clock: datetime, quantity: int = 1, **changes: Any) -> dict[str, Any]:
    """An order of Shopify of bikes for 900.00 each, all sent."""
    place = {
        "name": "Jip Veenstra",
        "address1": "Havenweg 3",
        "zip": "8531 EE",
        "city": "Lemmer",
        "countryCodeV2": "NL",
    }
    line = {
        "id": "gid://shopify/LineItem/5", "name": "Wadgang", "sku": "WG-1", "quantity": quantity,
        "originalUnitPriceSet": euro("900.0"), "product": {"productType": "E-bikes", "tags": []},
    }  # fmt: skip
    total = euro(f"{900.0 * quantity}")
    return {
        "id": "gid://shopify/Order/801", "name": "#870300801", "createdAt": f"{day(clock - timedelta(days=7))}Z",
        "cancelledAt": None, "displayFinancialStatus": "PAID", "displayFulfillmentStatus": "FULFILLED",
        "paymentGatewayNames": ["ideal"], "totalDiscountsSet": euro("0.0"), "totalShippingPriceSet": euro("0.0"),
        "totalReceivedSet": total, "totalPriceSet": total, "shippingLine": {"code": "parcel"},
        "customer": {"id": "gid://shopify/Customer/1"}, "shippingAddress": place, "billingAddress": place,
        "fulfillments": [fulfilment(clock, "KP1")], "lineItems": [line], **changes,
    }  # fmt: skip


@dataclass
class Imported:
    """What the portal says of an order."""

    order: Order
    stock: OrderStock
    withdrawable: bool
    refusal: str
    left: Decimal | None
    bikes: list[BikeRow]
    day: date

    @property
    def free(self) -> list[Unit]:
        """The units that can be returned."""
        lines = () if self.refusal else self.stock.lines
        return [unit for line in lines for unit in returnable(line.units or (), self.day)]

    @property
    def worth(self) -> Decimal:
        """What the units that can be returned are worth together."""
        return sum((unit.worth.paid for unit in self.free), Decimal(0))


async def put(shop: TestApplication | Furnished, form: str, kind: str, *values: dict[str, Any]) -> Report:
    """Import records as a shop sends them; `own` is our own form."""
    found = raw(*values)
    if form != "own":
        lines = (RawRecord(place, value) for place, value in enumerate(values, 1))
        found = (WOOCOMMERCE if form == "woo" else SHOPIFY).records(kind, lines)
    return await Importer(shop.context, "shop").store(kind, found)


async def told(shop: TestApplication, form: str, *orders: dict[str, Any]) -> Imported:
    """Import the orders of one customer, and read the last one."""
    await put(shop, "own", "customers", {**customer(), "external_id": "1"})
    await put(shop, form, "orders", *orders)
    return await again(shop)


async def again(shop: TestApplication) -> Imported:
    """Read the newest imported order."""
    async with shop.context.database.session() as session:
        person = (await session.exec(select(CustomerRow).where(CustomerRow.email == customer()["email"]))).one()
        rows = (await session.exec(select(OrderRow).where(OrderRow.customer_id == person.id))).all()
        number, now = rows[-1].order_number, shop.clock()
        opened = await Sessions(shop.context).open(session, person.id, person.public_id, number)
        await session.commit()
    order = await OrdersService(shop.context, shop.sessions).order(opened.jwt, number)
    async with shop.context.database.session() as session:
        (stock,) = await StockQueries(session, person.id, now).all(number)
        found = await offers(session, person.id, now, "nl")
        bikes = list((await session.exec(select(BikeRow).where(BikeRow.order_id == rows[-1].id))).all())
    today = local_day(now)
    (entry,) = order_entries([stock], today)
    refusal = order_refusal(stock, today)
    offered = number in {each.order_number for each in found}
    assert offered == entry.withdrawable
    return Imported(order, stock, offered, refusal or "", entry.left, bikes, today)
