"""No channel of the demonstration says a sentence in the other language."""

from collections.abc import AsyncIterator, Awaitable
from functools import partial
from typing import Any

import pypdfium2
import pytest
from sqlmodel import col, select

from portal.backend.mail import Template
from portal.backend.text_messages import TEXTS
from portal.contract.errors import ProviderError
from portal.contract.models import Document, Locale
from portal.contracts.api import ContractsApi
from portal.deliveries.api import DeliveriesApi
from portal.insurance.api import InsuranceApi
from portal.kernel.texts import LOCALES, gettext_for
from portal.orders.api import OrdersApi
from portal.overview.api import OverviewApi
from portal.returns.api import ReturnsApi
from portal.tables.customers import CustomerRow
from portal.tables.orders import OrderLineRow, OrderRow
from portal.work_orders.api import WorkOrdersApi
from tests.support.furnished import Furnished
from tests.support.languages import foreign_sentences, localized
from tests.support.posted_mails import sent_mails


def _written(document: Document) -> str:
    if document.media_type != "application/pdf":
        # Long lines of a calendar are folded.
        return document.content.decode().replace("\r\n ", "").replace("\\n", "\n").replace("\\,", ",")
    pages = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(document.content)]
    return "\n".join(pages).replace("\r", "").replace("\N{ZERO WIDTH SPACE}", "")


async def _customers(shop: Furnished) -> list[tuple[str, str]]:
    """An order number and the e-mail address of every customer who can log in."""
    query = select(OrderRow.order_number, CustomerRow.email).join(
        CustomerRow, col(CustomerRow.id) == OrderRow.customer_id
    )
    async with shop.context.database.session() as session:
        rows = (await session.exec(query.where(~col(OrderRow.is_lease)).order_by(col(OrderRow.order_number)))).all()
    return [(number, email) for email, number in {email: number for number, email in rows}.items()]


async def _document(name: str, asked: Awaitable[Document]) -> tuple[str, str]:
    try:
        return name, _written(await asked)
    except ProviderError:
        return name, ""  # There is none in this status.


def _shown(locale: Locale, name: str, answer: Any) -> tuple[str, str]:
    entries = answer if isinstance(answer, list) else [answer]
    return name, "\n".join(text for entry in entries for text in localized(entry.model_dump(), locale))


def _is_first(printed: set[tuple[object, ...]], *kind: object) -> bool:
    known = kind in printed
    printed.add(kind)
    return not known


async def _deliveries(
    shop: Furnished, token: str, locale: Locale, printed: set[tuple[object, ...]]
) -> AsyncIterator[tuple[str, str]]:
    deliveries = shop.ask(DeliveriesApi)
    for order in (await shop.ask(OrdersApi).orders(token)).items[:4]:
        number = order.order_number
        status = await deliveries.order_status(token, number)
        yield _shown(locale, f"status {number}", status)
        if _is_first(printed, "order", status.status):
            yield await _document(f"other day {number}", deliveries.delivery_date_pdf(token, number, locale))
            yield await _document(f"calendar {number}", deliveries.delivery_calendar(token, number, locale))


async def _answers(
    shop: Furnished, token: str, locale: Locale, printed: set[tuple[object, ...]]
) -> AsyncIterator[tuple[str, str]]:
    """Every text that a customer can be shown or can download, with a name for it.

    Args:
        shop: the demonstration.
        token: of the customer.
        locale: language of the documents.
        printed: the kinds and statuses of which there is a document already; one of each is enough.
    """
    orders, returns, works = shop.ask(OrdersApi), shop.ask(ReturnsApi), shop.ask(WorkOrdersApi)
    told = partial(_shown, locale)
    first = partial(_is_first, printed)
    yield told("dashboard", await shop.ask(OverviewApi).dashboard(token))
    yield told("contracts", await shop.ask(ContractsApi).contracts(token))
    yield told("insurance", await shop.ask(InsuranceApi).insurance_requests(token))
    async for text in _deliveries(shop, token, locale, printed):
        yield text
    for invoice in (await orders.invoices(token)).items:
        if not first("invoice", invoice.status):
            continue
        yield await _document(f"invoice {invoice.number}", orders.invoice_pdf(token, invoice.invoice_id, locale))
    for entry in (await returns.returns(token)).items:
        yield told(f"return {entry.reference}", await returns.return_detail(token, entry.return_id))
        if not first(entry.kind, entry.status):
            continue
        yield await _document(f"label {entry.reference}", returns.return_label(token, entry.return_id, locale))
        yield await _document(f"summary {entry.reference}", returns.return_summary_pdf(token, entry.return_id, locale))
    for request in (await works.service_requests(token)).items:
        yield told(f"request {request.reference}", await works.service_request(token, request.reference))
        if not first(request.kind, request.status):
            continue
        yield await _document(f"paper {request.reference}", works.request_document(token, request.reference, locale))
        yield await _document(f"day {request.reference}", works.request_calendar(token, request.reference, locale))


async def _names(shop: Furnished) -> frozenset[str]:
    """What is no sentence: names of products, and what people typed."""
    async with shop.context.database.session() as session:
        lines = (await session.exec(select(OrderLineRow.name, OrderLineRow.name_en))).all()
    return frozenset(str(name) for line in lines for name in line if name)


@pytest.mark.parametrize("locale", LOCALES)
async def test_no_channel_says_a_sentence_of_the_other_language(furnished: Furnished, locale: Locale) -> None:
    texts: dict[str, str] = {}
    printed: set[tuple[object, ...]] = set()
    for number, email in await _customers(furnished):
        token = await furnished.log_in((number, email))
        texts |= {f"{email}: {name}": text async for name, text in _answers(furnished, token, locale, printed)}
    texts |= {str(name): gettext_for(locale)(text) for name, text in TEXTS.items()}
    assert foreign_sentences(texts, locale, await _names(furnished)) == {}


@pytest.mark.parametrize("locale", LOCALES)
async def test_no_mail_says_a_sentence_of_the_other_language(furnished: Furnished, locale: Locale) -> None:
    texts: dict[str, str] = {}
    written: set[Template] = set()
    async for template, name, text in sent_mails(furnished, locale):
        texts[name] = text
        written.add(template)
    # This one is always Dutch: it goes to the shop.
    assert set(Template) - written == ({Template.URGENT_BATTERY} if locale == "en" else set())
    assert foreign_sentences(texts, locale, await _names(furnished)) == {}


def test_a_sentence_of_the_other_language_is_found() -> None:
    assert foreign_sentences({"mail": "Halen · Free"}, "nl") == {"Free": "mail"}
    assert foreign_sentences({"mail": "Bring it · Gratis"}, "en") == {"Gratis": "mail"}
    within = "Your bike has been returned to you"
    assert within in foreign_sentences({"paper": f"Status: {within}, zei ze."}, "nl")
