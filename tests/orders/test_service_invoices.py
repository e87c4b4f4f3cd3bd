"""Invoices: the list and the document."""

from __future__ import annotations

from decimal import Decimal

import pytest
from sqlmodel import select

from portal.backend.letter import money
from portal.contract.errors import NotFound
from portal.contract.models import Locale
from portal.demo import many_orders
from portal.kernel.days import today
from portal.kernel.texts import gettext_for
from portal.orders.api import InvoiceSelection, OrdersApi
from portal.orders.provider.invoice_document import PAID_BY_RETURN, next_step
from portal.orders.provider.invoice_pdf import invoice_page
from portal.orders.provider.invoices import InvoiceQueries
from portal.overview.api import OverviewApi
from portal.tables.columns import ZERO
from portal.tables.orders import InvoiceRow
from portal.vocabulary.orders import InvoiceStatus
from tests.support.customers import EVA, MAX, NOOR, PIETER, ROOS, SANNE
from tests.support.furnished import Furnished
from tests.support.returning import ACCESSORIES, PAY_LATER, REASON, RETURN, accessories, facts, send


async def test_forty_invoices_come_in_two_pages_newest_first(furnished: Furnished) -> None:
    token = await furnished.log_in(MAX)
    first, second = await furnished.ask(OrdersApi).invoices(token), await furnished.ask(OrdersApi).invoices(token, 2)
    assert (first.total, first.pages, len(first.items), len(second.items)) == (40, 2, 25, 15)
    days = [invoice.invoice_date for invoice in (*first.items, *second.items)]
    assert days == sorted(days, reverse=True)
    assert len({invoice.invoice_id for invoice in (*first.items, *second.items)}) == 40


async def test_every_state_of_an_invoice_is_there(furnished: Furnished) -> None:
    token = await furnished.log_in(MAX)
    invoices = [
        *(await furnished.ask(OrdersApi).invoices(token)).items,
        *(await furnished.ask(OrdersApi).invoices(token, 2)).items,
    ]
    assert {invoice.status for invoice in invoices} == set(InvoiceStatus) - {InvoiceStatus.UNKNOWN}
    for invoice in invoices:
        match invoice.status:
            case InvoiceStatus.PAID | InvoiceStatus.CANCELLED:
                assert invoice.due == Decimal("0.00")
            case InvoiceStatus.OPEN:
                assert invoice.due == invoice.total
                assert invoice.expire_date >= today()
            case InvoiceStatus.UNPAID:
                assert invoice.due == invoice.total
                assert invoice.expire_date < today()
            case InvoiceStatus.UNKNOWN:
                raise AssertionError("the shop writes only states that it knows")


async def test_an_unpaid_invoice_says_what_is_due(furnished: Furnished) -> None:
    unpaid = [
        invoice
        for invoice in (await furnished.ask(OrdersApi).invoices(await furnished.log_in(NOOR))).items
        if invoice.status is InvoiceStatus.UNPAID
    ]
    assert [(invoice.order_number, invoice.due) for invoice in unpaid] == [("900000005", Decimal("749.00"))]


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


async def test_a_generated_order_is_invoiced_too(furnished: Furnished) -> None:
    await many_orders(furnished, "eva@example.com", 3)
    assert (await furnished.ask(OrdersApi).invoices(await furnished.log_in(EVA))).total == 3


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


async def test_every_invoice_of_the_shop_can_be_laid_out(furnished: Furnished) -> None:
    for customer in (SANNE, NOOR, MAX):
        token = await furnished.log_in(customer)
        for invoice in (await furnished.ask(OrdersApi).invoices(token)).items[:8]:
            assert (await furnished.ask(OrdersApi).invoice_pdf(token, invoice.invoice_id, "nl")).content.startswith(
                b"%PDF-"
            )


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


async def test_the_invoice_of_another_customer_is_not_found(furnished: Furnished) -> None:
    (unpaid,) = (
        await furnished.ask(OrdersApi).invoices(await furnished.log_in(NOOR), selection=InvoiceSelection.OPEN)
    ).items
    token = await furnished.log_in(SANNE)
    for invoice_id in (unpaid.invoice_id, "ABCDEFGH23", "../x"):
        with pytest.raises(NotFound):
            await furnished.ask(OrdersApi).invoice(token, invoice_id)
