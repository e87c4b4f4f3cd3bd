"""No channel of the demonstration says a sentence in the other language."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
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

Ask = Callable[[str, str, Locale], Awaitable[Document]]


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


def _is_first(printed: set[tuple[object, ...]], *kind: object) -> bool:
    known = kind in printed
    printed.add(kind)
    return not known


async def _answers(
    shop: Furnished, token: str, printed: set[tuple[object, ...]]
) -> tuple[dict[str, Any], list[tuple[Ask, str]]]:
    """Every answer with texts, by a name for it, and how to ask for every document, with what it is about.

    Args:
        shop: the demonstration.
        token: of the customer.
        printed: the kinds and statuses of which there are documents already; one of each is enough.
    """
    orders, returns, works = shop.ask(OrdersApi), shop.ask(ReturnsApi), shop.ask(WorkOrdersApi)
    deliveries, first = shop.ask(DeliveriesApi), partial(_is_first, printed)
    shown: dict[str, Any] = {
        "dashboard": await shop.ask(OverviewApi).dashboard(token),
        "contracts": await shop.ask(ContractsApi).contracts(token),
        "insurance": await shop.ask(InsuranceApi).insurance_requests(token),
    }
    files: list[tuple[Ask, str]] = []
    for order in (await orders.orders(token)).items[:4]:
        number = order.order_number
        shown[f"status {number}"] = status = await deliveries.order_status(token, number)
        if first("order", status.status):
            files += [(deliveries.delivery_date_pdf, number), (deliveries.delivery_calendar, number)]
    files += [
        (orders.invoice_pdf, invoice.invoice_id)
        for invoice in (await orders.invoices(token)).items
        if first("invoice", invoice.status)
    ]
    for entry in (await returns.returns(token)).items:
        shown[f"return {entry.reference}"] = await returns.return_detail(token, entry.return_id)
        if first(entry.kind, entry.status):
            files += [(returns.return_label, entry.return_id), (returns.return_summary_pdf, entry.return_id)]
    for request in (await works.service_requests(token)).items:
        shown[f"request {request.reference}"] = await works.service_request(token, request.reference)
        if first(request.kind, request.status):
            files += [(works.request_document, request.reference), (works.request_calendar, request.reference)]
    return shown, files


async def _names(shop: Furnished) -> frozenset[str]:
    """What is no sentence: names of products, and what people typed."""
    async with shop.context.database.session() as session:
        lines = (await session.exec(select(OrderLineRow.name, OrderLineRow.name_en))).all()
    return frozenset(str(name) for line in lines for name in line if name)


async def test_no_channel_says_a_sentence_of_the_other_language(furnished: Furnished) -> None:
    texts = {locale: {str(name): gettext_for(locale)(text) for name, text in TEXTS.items()} for locale in LOCALES}
    printed: set[tuple[object, ...]] = set()
    for number, email in await _customers(furnished):
        token = await furnished.log_in((number, email))
        shown, files = await _answers(furnished, token, printed)
        for locale, said in texts.items():
            for name, answer in shown.items():
                entries = answer if isinstance(answer, list) else [answer]
                parts = (text for entry in entries for text in localized(entry.model_dump(), locale))
                said[f"{email}: {name}"] = "\n".join(parts)
            for place, (ask, about) in enumerate(files):
                with suppress(ProviderError):  # There is none in this status.
                    said[f"{email}: file {place} of {about}"] = _written(await ask(token, about, locale))
    names = await _names(furnished)
    assert {locale: foreign_sentences(said, locale, names) for locale, said in texts.items()} == {"nl": {}, "en": {}}


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
