"""Orders and invoices in the service."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from sqlalchemy import delete
from sqlmodel import col, select

from portal.account.api import AccountApi
from portal.backend.letter import money
from portal.contract.models import Locale
from portal.kernel.days import today
from portal.kernel.texts import gettext_for
from portal.orders.api import InvoiceSelection, OrdersApi, OrderSelection
from portal.orders.provider.invoice_document import PAID_BY_RETURN, next_step
from portal.orders.provider.invoice_pdf import invoice_page
from portal.orders.provider.invoices import InvoiceQueries
from portal.overview.api import OverviewApi
from portal.tables.columns import ZERO
from portal.tables.orders import AddressRole, InvoiceRow, OrderAddressRow, OrderRow
from portal.vocabulary.deliveries import DeliveryStatus
from portal.vocabulary.orders import InvoiceStatus, ItemKind, PaymentStatus
from portal.vocabulary.services import ServicePackage
from tests.account.test_service import MOVED
from tests.support.customers import EVA, IRIS, JORIS, MAX, NOOR, PIETER, ROOS, SANNE
from tests.support.furnished import Furnished
from tests.support.many_orders import many_orders
from tests.support.returning import ACCESSORIES, PAY_LATER, REASON, RETURN, accessories, facts, send


async def test_a_thousand_orders_come_a_page_at_a_time(furnished: Furnished) -> None:
    numbers = await many_orders(furnished, "eva@example.com", 1000)
    assert len(set(numbers)) == 1000
    token = await furnished.log_in(EVA)
    first = await furnished.ask(OrdersApi).orders(token)
    assert (first.total, first.pages, first.page, len(first.items)) == (1001, 41, 1, 25)
    seen = [
        order.order_number
        for page in range(1, 42)
        for order in (await furnished.ask(OrdersApi).orders(token, page)).items
    ]
    assert len(seen) == len(set(seen)) == 1001
    assert set(numbers) < set(seen)


@pytest.mark.parametrize(("asked", "given"), [(0, 1), (-7, 1), (3, 2), (10**30, 2)])
async def test_a_page_outside_the_list_is_the_nearest_one(furnished: Furnished, asked: int, given: int) -> None:
    await many_orders(furnished, "eva@example.com", 30)
    page = await furnished.ask(OrdersApi).orders(await furnished.log_in(EVA), asked)
    assert page.page == given
    assert page.items


async def test_a_customer_without_orders_gets_an_empty_page(furnished: Furnished) -> None:
    page = await furnished.ask(OrdersApi).orders(await furnished.log_in(IRIS))
    assert (page.items, page.page, page.pages, page.total) == ([], 1, 1, 0)


async def test_a_longer_list_of_orders_takes_no_more_statements(furnished: Furnished) -> None:
    few, many = await furnished.log_in(JORIS), await furnished.log_in(MAX)
    with furnished.statements() as for_one:
        await furnished.ask(OrdersApi).orders(few)
    with furnished.statements() as for_twenty_five:
        await furnished.ask(OrdersApi).orders(many)
    # Parcels, invoices, periods and pictures are each asked for all at once.
    assert len(for_one) == len(for_twenty_five) <= 9


@pytest.mark.each_database
async def test_orders_are_found_by_number_and_by_what_was_ordered(furnished: Furnished) -> None:
    token, api = await furnished.log_in(SANNE), furnished.ask(OrdersApi)
    every = await api.orders(token)
    number = every.items[0].order_number
    found = await api.orders(token, 1, f" {number[:4]} {number[4:]} ")
    assert [order.order_number for order in found.items] == [number]
    name = every.items[-1].names[0]
    found = await api.orders(token, 1, name[2:].upper())
    assert found.items
    assert all(any(name.lower() == each.lower() for each in order.names) for order in found.items)
    assert (await api.orders(token, 1, "%")).total == 0
    # What another customer ordered is not found.
    other = (await api.orders(await furnished.log_in(MAX))).items[0].order_number
    assert (await api.orders(token, 1, other)).total == 0


@pytest.mark.each_database
async def test_a_year_of_orders_begins_and_ends_at_local_midnight(furnished: Furnished) -> None:
    numbers = await many_orders(furnished, "eva@example.com", 4)
    local = ((2023, 12, 31, 22, 59), (2023, 12, 31, 23, 0), (2024, 12, 31, 22, 59), (2024, 12, 31, 23, 0))
    async with furnished.context.database.transaction() as session:
        for number, moment in zip(numbers, local, strict=True):
            row = (await session.exec(select(OrderRow).where(OrderRow.order_number == number))).one()
            row.ordered_at = datetime(*moment, tzinfo=UTC)
    token, api = await furnished.log_in(EVA), furnished.ask(OrdersApi)
    part = await api.orders(token, 1, "", 2024)
    assert {order.order_number for order in part.items} == set(numbers[1:3])
    assert part.years[-1] == 2023
    assert part.years == sorted(part.years, reverse=True)
    assert {2025, 2024, 2023} <= set(part.years)


@pytest.mark.parametrize("year", [1, 9999])
async def test_the_first_and_the_last_year_of_the_calendar_have_no_orders(furnished: Furnished, year: int) -> None:
    token, api = await furnished.log_in(EVA), furnished.ask(OrdersApi)
    assert (await api.orders(token, 1, "", year)).items == []


async def test_orders_with_a_bike_and_without_one_are_all_orders(furnished: Furnished) -> None:
    token, api = await furnished.log_in(MAX), furnished.ask(OrdersApi)
    numbers = {
        selection: {
            order.order_number for page in (1, 2) for order in (await api.orders(token, page, "", 0, selection)).items
        }
        for selection in OrderSelection
    }
    bikes, others = numbers[OrderSelection.BIKES], numbers[OrderSelection.ACCESSORIES]
    assert bikes
    assert others
    assert not bikes & others
    assert bikes | others == numbers[OrderSelection.ALL]
    kinds = [order.kinds for order in (await api.orders(token, 1, "", 0, OrderSelection.ACCESSORIES)).items]
    assert {kind for order in kinds for kind in order} == {ItemKind.ACCESSORY}


async def test_an_entry_names_the_first_items_and_counts_the_rest(furnished: Furnished) -> None:
    entry = (await furnished.ask(OrdersApi).orders(await furnished.log_in(SANNE))).items[-1]
    assert entry.order_number == "900000001"
    assert entry.names == ["Noordveld Horizon 5", "Duinroos Kuststreek 3", "Dubbele fietstas Kade, 28 liter"]
    assert entry.kinds == [ItemKind.E_BIKE, ItemKind.CITY_BIKE, ItemKind.ACCESSORY]
    assert entry.more == 1
    assert entry.payment_status is PaymentStatus.PAID


async def test_an_entry_says_what_can_be_done_with_the_order(furnished: Furnished) -> None:
    async def entries(customer: tuple[str, str]) -> dict[str, tuple[bool, bool, bool]]:
        found = await furnished.ask(OrdersApi).orders(await furnished.log_in(customer))
        return {entry.order_number: (entry.movable, entry.returnable, entry.invoice_id != "") for entry in found.items}

    sanne = await entries(SANNE)
    assert sanne["900000001"] == (False, True, True)
    assert sanne["900000031"][1:] == (False, False), "not shipped, not invoiced"
    assert (await entries(NOOR))["900000005"] == (False, False, True), "shipped too long ago"
    assert (await entries(PIETER))["900000004"][1] is False
    token = await furnished.log_in(SANNE)
    newest = [entry.invoice_id for entry in (await furnished.ask(OrdersApi).order(token, "900000001")).invoices][-1]
    (entry,) = (await furnished.ask(OrdersApi).orders(token, 1, "900000001")).items
    assert entry.invoice_id == newest


async def test_an_order_shows_everything_it_has(furnished: Furnished) -> None:
    order = await furnished.ask(OrdersApi).order(await furnished.log_in(SANNE), "900000001")
    assert order.delivery_status is DeliveryStatus.ORDER_DELIVERED
    assert order.service_package is ServicePackage.SERVICE42
    assert order.insurance
    assert order.subtotal == Decimal("3672.85")
    assert order.total == Decimal("3672.85") - 150 + 249 + 289
    assert (order.paid, order.due) == (order.total, Decimal("0.00"))
    assert order.shipping_address.name == "Sanne van Dijkstra"
    assert order.shipping_address.house_number_addon == "A"
    assert [line.bike_id is not None for line in order.lines] == [True, True, False, False]
    assert order.lines[0].battery == "500 Wh"
    assert order.lines[0].frame_size
    assert order.lines[0].item_color
    assert (order.lines[3].quantity, order.lines[3].price) == (2, Decimal("109.90"))
    assert len(order.invoices) == 2
    assert sum(invoice.total for invoice in order.invoices) == order.total
    assert order.invoiced_at == min(invoice.invoice_date for invoice in order.invoices)
    assert [bool(parcel.tracking_url) for parcel in order.shipments] == [True, False]
    assert not order.delivery_date_open


async def test_an_order_that_is_still_here_can_be_planned(furnished: Furnished) -> None:
    order = await furnished.ask(OrdersApi).order(await furnished.log_in(PIETER), "900000004")
    assert order.delivery_date_open
    assert order.scheduled
    assert order.scheduled.day > today()
    assert order.scheduled.day.isoweekday() != 7
    assert order.preferred_week == "{}-W{:02}".format(*order.scheduled.day.isocalendar()[:2])
    assert order.shipments == []
    assert order.invoices == []
    assert order.invoiced_at is None
    assert order.payment_status is PaymentStatus.PARTLY_PAID
    assert order.due == order.total - 500
    assert order.shipping_address.country_code == "BE"


@pytest.mark.each_database
async def test_amounts_are_exact_on_every_database(furnished: Furnished) -> None:
    order = await furnished.ask(OrdersApi).order(await furnished.log_in(JORIS), "900000002")
    assert order.shipping_costs == Decimal("49.95")
    assert all(
        isinstance(amount, Decimal) and amount.as_tuple().exponent == -2
        for amount in (order.subtotal, order.discount, order.shipping_costs, order.total, order.paid, order.due)
    )


async def test_the_invoice_address_may_be_another(furnished: Furnished) -> None:
    order = await furnished.ask(OrdersApi).order(await furnished.log_in(JORIS), "900000002")
    assert order.billing_address.city == "Den Haag"
    assert order.shipping_address.city == "Amsterdam"


async def test_without_an_invoice_address_the_delivery_address_counts(furnished: Furnished) -> None:
    async with furnished.context.database.transaction() as session:
        await session.exec(delete(OrderAddressRow).where(col(OrderAddressRow.role) == AddressRole.BILLING))
    order = await furnished.ask(OrdersApi).order(await furnished.log_in(JORIS), "900000002")
    assert order.billing_address == order.shipping_address


@pytest.mark.each_database
async def test_days_are_those_of_amsterdam(furnished: Furnished) -> None:
    late = datetime(2026, 6, 30, 22, 30, tzinfo=UTC)
    await furnished.change(OrderRow, {"ordered_at": late}, order_number="900000008")
    order = await furnished.ask(OrdersApi).order(await furnished.log_in(EVA), "900000008")
    assert order.order_date == date(2026, 7, 1)
    assert order.ordered_at == late


async def test_forty_invoices_come_in_two_pages_newest_first(furnished: Furnished) -> None:
    token = await furnished.log_in(MAX)
    first, second = await furnished.ask(OrdersApi).invoices(token), await furnished.ask(OrdersApi).invoices(token, 2)
    assert (first.total, first.pages, len(first.items), len(second.items)) == (40, 2, 25, 15)
    days = [invoice.invoice_date for invoice in (*first.items, *second.items)]
    assert days == sorted(days, reverse=True)
    assert len({invoice.invoice_id for invoice in (*first.items, *second.items)}) == 40


@pytest.mark.each_database
async def test_invoices_are_found_by_number_order_and_year(furnished: Furnished) -> None:
    token, api = await furnished.log_in(MAX), furnished.ask(OrdersApi)
    every = await api.invoices(token)
    some = every.items[3]
    assert [invoice.number for invoice in (await api.invoices(token, 1, some.number.lower())).items] == [some.number]
    assert some.number in {invoice.number for invoice in (await api.invoices(token, 1, some.order_number)).items}
    year = every.years[-1]
    found = await api.invoices(token, 1, "", year)
    assert {invoice.invoice_date.year for invoice in found.items} == {year}
    assert sum([(await api.invoices(token, 1, "", each)).total for each in every.years]) == every.total


async def test_open_invoices_are_those_with_an_amount_due(furnished: Furnished) -> None:
    token, api = await furnished.log_in(MAX), furnished.ask(OrdersApi)
    every = [*(await api.invoices(token)).items, *(await api.invoices(token, 2)).items]
    found = (await api.invoices(token, 1, "", 0, InvoiceSelection.OPEN)).items
    assert {invoice.number for invoice in found} == {invoice.number for invoice in every if invoice.due > 0}


async def test_an_order_that_is_not_invoiced_has_no_invoice(furnished: Furnished) -> None:
    assert (await furnished.ask(OrdersApi).invoices(await furnished.log_in(PIETER))).total == 0


async def test_a_longer_list_takes_no_more_statements(furnished: Furnished) -> None:
    few, many = await furnished.log_in(EVA), await furnished.log_in(MAX)
    with furnished.statements() as for_one:
        await furnished.ask(OrdersApi).invoices(few)
    with furnished.statements() as for_forty:
        await furnished.ask(OrdersApi).invoices(many)
    assert len(for_one) == len(for_forty) <= 6


async def test_the_document_is_a_pdf_named_in_the_language(furnished: Furnished) -> None:
    token = await furnished.log_in(SANNE)
    invoice = (await furnished.ask(OrdersApi).invoices(token)).items[0]
    dutch = await furnished.ask(OrdersApi).invoice_pdf(token, invoice.invoice_id, "nl")
    english = await furnished.ask(OrdersApi).invoice_pdf(token, invoice.invoice_id, "en")
    assert dutch.content.startswith(b"%PDF-")
    assert dutch.media_type == "application/pdf"
    assert dutch.content != english.content
    assert english.name == f"invoice-{invoice.number}.pdf"
    assert dutch.name == f"factuur-{invoice.number}.pdf"


async def test_an_open_invoice_says_how_it_is_paid(furnished: Furnished) -> None:
    token, api = await furnished.log_in(NOOR), furnished.ask(OrdersApi)
    (unpaid,) = (await api.invoices(token, selection=InvoiceSelection.OPEN)).items
    invoice = await api.invoice(token, unpaid.invoice_id)
    assert (invoice.number, invoice.due, invoice.expire_date) == (unpaid.number, unpaid.due, unpaid.expire_date)
    payment, brand = invoice.payment, furnished.context.settings.brand
    assert payment
    assert (payment.amount, payment.reference) == (Decimal("749.00"), unpaid.number)
    assert (payment.holder, payment.iban.replace(" ", "")) == (brand.name, brand.iban)
    async with furnished.context.database.session() as session:
        row = (await session.exec(select(InvoiceRow).where(InvoiceRow.public_id == unpaid.invoice_id))).one()
        document = await InvoiceQueries(session, row.customer_id).document(row)
    assert payment.code == next_step(document, "nl", brand)["qr"], "the code of the PDF"


@pytest.mark.parametrize("locale", ["nl", "en"])
async def test_list_page_dashboard_and_document_ask_the_same_while_a_return_is_open(
    furnished: Furnished, locale: Locale
) -> None:
    token, api, _ = await furnished.log_in(ROOS), furnished.ask(OrdersApi), gettext_for(locale)
    (before,) = (await api.invoices(token, text=PAY_LATER)).items
    assert (before.due, before.due_later) == (Decimal("838.95"), ZERO)
    bike = {
        "item": {"item": f"{PAY_LATER}-1"},
        "reason": {"fault": "none", "reason": REASON},
        "condition": {"state": "unused", "mileage": "1"},
        "method": {"method": "store", "store": (await facts(furnished.provider, token, RETURN))["stores"][0]["id"]},
    }
    bag = await accessories(furnished.provider, token, f"{PAY_LATER}-2*1")
    for flow, steps, still in ((ACCESSORIES, bag, Decimal("749.00")), (RETURN, bike, ZERO)):
        await send(furnished.provider, token, flow, steps)
        (listed,) = (await api.invoices(token, text=PAY_LATER)).items
        page = await api.invoice(token, listed.invoice_id)
        assert (listed.due, listed.due_later) == (page.due, page.due_later) == (still, before.due - still)
        dashboard = await furnished.ask(OverviewApi).dashboard(token)
        assert [entry.amount for entry in dashboard.ongoing if entry.reference == listed.invoice_id] == [still] * (
            still > ZERO
        )
        async with furnished.context.database.session() as session:
            row = (await session.exec(select(InvoiceRow).where(InvoiceRow.public_id == listed.invoice_id))).one()
            document = await InvoiceQueries(session, row.customer_id).document(row)
        printed = invoice_page(document, locale, furnished.context.settings.brand)
        assert (document.due, document.due_later, document.status) == (page.due, page.due_later, page.status)
        assert _(PAID_BY_RETURN) in printed["next"]["text"]
        assert printed["settled"][0][1] == money(page.due_later, locale)
        if page.payment:
            assert printed["due"][1] == dict(printed["next"]["facts"])[_("Amount")] == money(still, locale)
            assert printed["next"]["qr"] == page.payment.code
        else:
            assert (printed["next"]["title"], printed["next"]["qr"]) == (_("Nothing to pay now"), None)
            assert printed["settled"][1] == (_("Still to pay"), money(ZERO, locale))
    assert page.payment is None


async def test_an_invoice_without_an_amount_due_asks_for_nothing(furnished: Furnished) -> None:
    token, api = await furnished.log_in(MAX), furnished.ask(OrdersApi)
    settled = {}
    for listed in (*(await api.invoices(token)).items, *(await api.invoices(token, 2)).items):
        if listed.status in {InvoiceStatus.PAID, InvoiceStatus.CANCELLED}:
            settled[listed.status] = (await api.invoice(token, listed.invoice_id)).payment
    assert settled == {InvoiceStatus.PAID: None, InvoiceStatus.CANCELLED: None}


async def test_an_order_keeps_its_address_when_the_customer_moves(furnished: Furnished) -> None:
    token = await furnished.log_in(EVA)
    before = (await furnished.ask(OrdersApi).order(token, "900000008")).shipping_address
    await furnished.ask(AccountApi).update_customer(token, MOVED)
    assert (await furnished.ask(OrdersApi).order(token, "900000008")).shipping_address == before
