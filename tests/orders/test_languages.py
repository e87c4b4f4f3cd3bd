"""Articles have a name and a colour in two languages: in answers, searches, mails and documents."""

from decimal import Decimal
from typing import Any

import pytest
from sqlmodel import select

from portal.backend.backoffice import TransitionRequest
from portal.bikes.api import BikesApi
from portal.bikes.provider.queries import BikeQueries
from portal.contract.common_api import SessionApi
from portal.contract.session import LocaleChoice
from portal.deliveries.api import DeliveriesApi
from portal.deliveries.provider.backoffice import move
from portal.demo.plans import ACCESSORIES, BIKES
from portal.imports.provider.importer import Importer
from portal.orders.api import Order, OrdersApi
from portal.tables.customers import CustomerRow
from portal.tables.messages import OutboxMail
from portal.tables.orders import OrderLineRow
from tests.support.furnished import Furnished
from tests.support.invoices import text_of
from tests.support.shop_records import bike, customer, order, raw

NOOR = ("870000001", "noor1@example.com")
LINES = [
    {"name": "Kuststreek", "sku": "KS-1", "kind": "city_bike", "unit_price": "999.00",
     "item_color": "Bosgroen", "item_color_en": "Forest green"},
    {"name": "Kettingslot", "name_en": "Chain lock", "sku": "L-1", "kind": "accessory", "quantity": 2,
     "unit_price": "25.45", "bundle": "Forensenset", "bundle_en": "Commuter set"},
]  # fmt: skip
INVOICE: dict[str, Any] = {
    "external_id": "i1", "order": "o1", "number": "F870000001-1", "invoice_date": "2026-03-02",
    "expire_date": "2026-03-16", "status": "paid", "paid": "1049.90",
    "lines": [{key: value for key, value in line.items() if key not in {"sku", "kind", "bundle", "bundle_en"}}
              for line in LINES],
}  # fmt: skip


async def _shop(furnished: Furnished, **changes: Any) -> str:
    """Import an order with its bike and invoice; returns the token of its customer, whose language is Dutch."""
    importer = Importer(furnished.context, "shop")
    lines: dict[str, Any] = {"lines": LINES}
    records: dict[str, dict[str, Any]] = {
        "customers": customer(),
        "orders": order(**(lines | changes)),
        "bikes": bike(name="Duifje", name_en="Little Dove", color="Bosgroen", color_en="Forest green"),
        "invoices": INVOICE,
    }
    for kind, record in records.items():
        report = await importer.store(kind, raw(record))
        assert report.created == 1, report
    return await furnished.log_in(NOOR)


async def _order(furnished: Furnished, token: str) -> Order:
    return await furnished.ask(OrdersApi).order(token, NOOR[0])


async def test_an_answer_names_articles_in_the_language_of_the_session(furnished: Furnished) -> None:
    token = await _shop(furnished)
    dutch = await _order(furnished, token)
    assert [(line.name, line.item_color) for line in dutch.lines] == [("Kuststreek", "Bosgroen"), ("Kettingslot", "")]
    await furnished.ask(SessionApi).change_locale(token, LocaleChoice(locale="en"))
    english = await _order(furnished, token)
    # What has no English name keeps its only one.
    assert [(line.name, line.item_color) for line in english.lines] == [
        ("Kuststreek", "Forest green"),
        ("Chain lock", ""),
    ]
    (listed,) = (await furnished.ask(OrdersApi).orders(token)).items
    assert listed.names == ["Kuststreek", "Chain lock"]
    (own,) = (await furnished.ask(BikesApi).bikes(token)).items
    assert (own.name, own.color) == ("Little Dove", "Forest green")
    status = await furnished.ask(DeliveriesApi).order_status(token, NOOR[0])
    items = next(fact for fact in status.account.facts if fact.label.en == "Items")
    assert [(line.nl, line.en) for line in items.lines] == [
        ("Kuststreek", "Kuststreek"),
        ("2 × Kettingslot", "2 × Chain lock"),
    ]


@pytest.mark.each_database
@pytest.mark.parametrize("text", ["kettingsl", "CHAIN lock"])
async def test_a_search_finds_an_order_by_either_name(furnished: Furnished, text: str) -> None:
    token = await _shop(furnished)
    found = await furnished.ask(OrdersApi).orders(token, 1, text)
    assert [each.order_number for each in found.items] == [NOOR[0]]


@pytest.mark.parametrize("text", ["duifje", "little d", "bosgroen", "forest"])
async def test_a_search_finds_a_bike_by_either_name_or_colour(furnished: Furnished, text: str) -> None:
    await _shop(furnished)
    async with furnished.context.database.session() as session:
        owner = (await session.exec(select(CustomerRow.id).where(CustomerRow.email == NOOR[1]))).one()
        assert len((await BikeQueries(session, owner or 0).part(1, text=text)).rows) == 1


async def test_an_invoice_names_articles_in_its_language(furnished: Furnished) -> None:
    token = await _shop(furnished)
    (listed,) = (await furnished.ask(OrdersApi).invoices(token)).items
    texts = {
        locale: text_of((await furnished.ask(OrdersApi).invoice_pdf(token, listed.invoice_id, locale)).content)
        for locale in ("nl", "en")
    }
    assert "Kettingslot" in texts["nl"]
    assert "Bosgroen" in texts["nl"]
    assert "Chain lock" in texts["en"]
    assert "Forest green" in texts["en"]
    assert "Kettingslot" not in texts["en"]


async def test_a_mail_names_articles_in_the_language_of_the_customer(furnished: Furnished) -> None:
    await _shop(furnished, lines=LINES[1:], shipments=[], payment_status="open", paid="0.00")
    await furnished.change(CustomerRow, {"locale": "en"}, email=NOOR[1])
    async with furnished.context.database.transaction() as session:
        # Staff act, in whatever language.
        await move(furnished.context, session, NOOR[0], TransitionRequest(status="order_cancelled"))
    (mail,) = await furnished.rows(OutboxMail, recipient=NOOR[1], template="delivery_status")
    assert mail.details["picture"]["name"] == "Chain lock"
    assert "2 × Chain lock" in str(mail.details["account"])
    assert "Kettingslot" not in str(mail.details)


async def test_an_import_without_english_names_empties_none_of_the_dutch(furnished: Furnished) -> None:
    await _shop(furnished)
    plain = [{key: value for key, value in line.items() if not key.endswith("_en")} for line in LINES]
    await Importer(furnished.context, "shop").store("orders", raw(order(lines=plain)))
    rows = await furnished.rows(OrderLineRow, sku="L-1")
    assert [(row.name, row.name_en, row.bundle_in("en"), row.price) for row in rows] == [
        ("Kettingslot", "", "Forensenset", Decimal("50.90"))
    ]


def test_the_demonstration_shop_names_everything_that_needs_a_translation_in_both_languages() -> None:
    assert [product.sku for product in ACCESSORIES if not product.english] == []
    colors = {color for product in (*BIKES, *ACCESSORIES) for color in product.colors}
    assert [color.name for color in colors if not color.english] == []
