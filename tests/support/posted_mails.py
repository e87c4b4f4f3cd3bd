"""Every mail that the demonstration gives reason for, written by the functions of its subject and sent."""

from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import replace
from email import message_from_bytes
from email.policy import default
from itertools import product
from types import SimpleNamespace
from typing import Any

from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.mail import Template
from portal.backend.outbox import MailDelivery, Outbox
from portal.backend.transports import OutgoingMessage
from portal.cases.provider.subjects import item_of
from portal.contract.account import LocalizedText
from portal.contract.errors import TooMany
from portal.contract.models import Locale
from portal.contracts.provider import ends
from portal.conversations.provider.outgoing import Dispatch, receiver_of
from portal.deliveries.provider.confirmation import notify_change, notify_delivery
from portal.deliveries.provider.confirmation import send_link as send_day_link
from portal.deliveries.provider.moving import load_status
from portal.exports.provider.cases import Distribution
from portal.exports.provider.digest import Digest
from portal.insurance.provider import backoffice as insurances
from portal.login.provider.queries import addressee
from portal.returns.provider import documents as mails
from portal.service_packages.provider import _notify as notify_of_package
from portal.service_packages.rules import PackageOffer
from portal.tables.bikes import BikeRow, PackageOrderRow
from portal.tables.cases import CaseEventRow, CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.deliveries import DateChangeRow
from portal.tables.insurance import ContractEndRow, InsuranceRequestRow
from portal.tables.messages import CaseMessageRow, OutboxMail
from portal.tables.orders import OrderRow
from portal.tables.returns import ReturnRow, WithdrawalDeclarationRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.cases import Asks, CaseEventType
from portal.vocabulary.contracts import DeclarationStatus
from portal.vocabulary.links import PATHS, LinkPurpose
from portal.vocabulary.returns import ReturnKind, ReturnMethod
from portal.vocabulary.services import Remedy
from portal.withdrawals.provider import declarations
from portal.work_orders.provider.backoffice import StatusNotice, notify_customer
from portal.work_orders.provider.confirmation import ConfirmationWriter
from portal.work_orders.provider.queries import WorkOrderMatch
from tests.support.furnished import Furnished

_PLAIN: dict[Template, dict[str, Any]] = {
    Template.LOGIN_CODE: {},
    Template.EMAIL_CHANGE_CODE: {"new_email": "sanne@example.org"},
    Template.EMAIL_CHANGED: {"new_email": "sanne@example.org"},
    Template.PASSWORD_RESET: {"path": PATHS[LinkPurpose.PASSWORD]},
    Template.PASSWORD_CHANGED: {},
    Template.PASSKEY_ADDED: {"device": "Windows Hello"},
    Template.PASSKEY_REMOVED: {"device": "Windows Hello"},
    Template.ERASURE_CODE: {},
    Template.DATA_ERASED: {"years": 7},
    Template.DATA_READY: {"day": "12-06"},
    Template.WEBHOOK_PAUSED: {"webhook": "ERP", "link": "http://localhost:8000/"},
    Template.PRODUCT_RECALL: {
        **dict.fromkeys(("product", "description", "hazard", "action"), "P4"),
        "remedies": [remedy.value for remedy in Remedy if remedy is not Remedy.UNKNOWN],
        "path": "/recall/1",
        "recall_phone": "030 200 1234",
        "recall_email": "terugroep@bovenbuis.example",
    },
}
"""Mails whose words all stand in their template, with their other values."""


class _Mailing:
    """Writes every mail about what is stored, by the functions of the subjects."""

    def __init__(self, context: Context, session: AsyncSession, locale: Locale) -> None:
        self.context, self.session, self.locale = context, session, locale

    async def all(self) -> None:
        """Post each mail into the outbox."""
        await self.session.exec(update(CustomerRow).values(locale=self.locale))
        for template, details in _PLAIN.items():
            await Outbox(self.context).post(
                self.session, template, recipient="a@example.com", locale=self.locale, details=details, code="042137"
            )
        for each in (
            self.returns, self.declarations, self.work_orders, self.deliveries, self.insurances, self.packages,
            self.contract_ends, self.messages, self.news,
        ):  # fmt: skip
            await each()

    async def rows(self, *query: Any, on: Sequence[Any] = (), each: Sequence[str] = ()) -> Sequence[Any]:
        """Rows of tables that are joined in order, one of each combination of these columns of the first."""
        found: Any = select(*query)
        for table, condition in zip(query[1:], on, strict=True):
            found = found.join(table, condition)
        rows = (await self.session.exec(found)).all()
        if not each:
            return rows
        return list({tuple(getattr(row[0] if on else row, name) for name in each): row for row in rows}.values())

    async def returns(self) -> None:
        context, session = self.context, self.session
        for row in await self.rows(ReturnRow, each=("kind", "status")):
            with suppress(TooMany):
                await mails.send_link(context, session, row)
            await mails.notify_received(context, session, row)
            await mails.notify_moved(context, session, row, "")
            await mails.notify_of_account(context, session, row, "S. Bakker", "4300")
            await mails.warn_back_office(context, session, row)
        row.kind, row.method = ReturnKind.WITHDRAWAL, ReturnMethod.NONE
        row.statement = {"name": "S. Bakker", "lines": ["1 × Slot"]}
        await session.flush()
        await mails.send_receipt(context, session, row, await addressee(session, row.customer_id))
        await mails.notify_of_battery(context, session, row)

    async def declarations(self) -> None:
        order, now = (await self.rows(OrderRow))[0], self.context.clock()
        row = WithdrawalDeclarationRow(
            reference="K7M3P9RT", customer_id=order.customer_id, order_number=order.order_number, name="S. Bakker",
            lines=["1 × Slot"], email="s@example.com", key="k", received_at=now, updated_at=now,
            status=DeclarationStatus.RECEIVED,
        )  # fmt: skip
        self.session.add(row)
        await self.session.flush()
        await declarations.DECLARED.send_link(self.context, self.session, row)
        await declarations.take_back(self.context, self.session, row)

    async def work_orders(self) -> None:
        on = (col(BikeRow.id) == RequestRow.bike_id, col(CustomerRow.id) == RequestRow.customer_id)
        for request, bike, customer in await self.rows(
            RequestRow, BikeRow, CustomerRow, on=on, each=("kind", "status")
        ):
            nothing = LocalizedText()
            notice = StatusNotice(request.status, "", request.planned_date, None, nothing, nothing)
            await notify_customer(self.context, self.session, WorkOrderMatch(request, customer, bike), notice)
            await Outbox(self.context).post(
                self.session, Template.REQUEST_CONFIRMATION, recipient=customer.email, locale=self.locale,
                customer_id=customer.id, details={"reference": request.reference},
            )  # fmt: skip

    async def deliveries(self) -> None:
        context, session = self.context, self.session
        customer_of = col(CustomerRow.id) == OrderRow.customer_id
        for order, customer in await self.rows(OrderRow, CustomerRow, on=(customer_of,), each=("delivery_status",)):
            account = (await load_status(session, order)).account
            await notify_delivery(context, session, customer, account, tracking_path="/track/1")
        on = (col(OrderRow.id) == DateChangeRow.order_id, customer_of)
        for change, order, customer in await self.rows(DateChangeRow, OrderRow, CustomerRow, on=on, each=("status",)):
            with suppress(TooMany):
                await send_day_link(context, session, customer, order, change)
            await notify_change(context, session, customer, order, change)

    async def insurances(self) -> None:
        on = (col(BikeRow.id) == InsuranceRequestRow.bike_id, col(CustomerRow.id) == InsuranceRequestRow.customer_id)
        for row, bike, customer in await self.rows(
            InsuranceRequestRow, BikeRow, CustomerRow, on=on, each=("status", "type")
        ):
            with suppress(TooMany):
                await insurances.send_link(self.context, self.session, customer, bike, row)
            await insurances.notify_status(self.context, self.session, customer, bike, row)

    async def packages(self) -> None:
        on = (col(BikeRow.id) == PackageOrderRow.bike_id, col(CustomerRow.id) == BikeRow.customer_id)
        for row, bike, customer in await self.rows(PackageOrderRow, BikeRow, CustomerRow, on=on, each=("package",)):
            owner = SimpleNamespace(email=customer.email, locale=self.locale, customer_id=customer.id)
            asked: Any = SimpleNamespace(context=self.context, owner=owner)
            offer = PackageOffer(
                id=row.package, monthly=row.monthly, includes=[], half_price_jobs=[], most_chosen=False
            )
            await notify_of_package(self.session, asked, bike, row.reference, offer)

    async def contract_ends(self) -> None:
        for row in await self.rows(ContractEndRow):
            with suppress(TooMany):
                await ends.ENDS.send_link(self.context, self.session, row)
            now = self.context.clock()
            await ends.ENDS.changed(self.context, self.session, row, now, Template.CONTRACT_END, by_customer=False)

    async def messages(self) -> None:
        for case, asks in product(await self.rows(CaseRow, each=("kind",)), Asks):
            row = CaseMessageRow(case_id=case.id, author="Mila", store="Bovenbuis", text="42", asks=asks)
            to = await receiver_of(self.session, self.context.settings, case)
            await Dispatch(self.context, item_of).send(self.session, case, row, to, by_text_message=False)

    async def news(self) -> None:
        cases = await self.rows(CaseRow, each=("kind",))
        distribution = Distribution(self.context)
        for case, event in product(cases, CaseEventType):
            told = CaseEventRow(case_id=case.id, type=event, status="", happened_at=self.context.clock())
            await distribution._mail(self.session, case, told)
        await Digest(self.context)._mail_store(self.session, None, cases)


class _Reader:
    """A transport that keeps the text of each message."""

    def __init__(self) -> None:
        self.text = ""

    async def send(self, message: OutgoingMessage) -> None:
        parsed: Any = message_from_bytes(message.content, policy=default)
        self.text = f"{parsed['Subject']}\n{parsed.get_body(('plain',)).get_content()}"


async def sent_mails(shop: Furnished, locale: Locale) -> AsyncIterator[tuple[Template, str, str]]:
    """Every mail that the demonstration gives reason for, as it is sent: its template, its name and its text."""
    settings = shop.context.settings.model_copy(update={"desk_locale": locale})
    context = replace(shop.context, settings=settings)
    async with context.database.transaction() as session:
        await session.exec(update(OutboxMail).values(dropped_at=context.clock()))
        await _Mailing(context, session, locale).all()
    async with context.database.session() as session:
        written = (await session.exec(select(OutboxMail).where(col(OutboxMail.dropped_at).is_(None)))).all()
    reader = _Reader()
    writers = {Template.REQUEST_CONFIRMATION: ConfirmationWriter(context).write}
    delivery = MailDelivery(context, reader, writers)
    for mail in written:
        if mail.locale == locale:
            await delivery.deliver(mail.id)
            yield Template(mail.template), f"mail {mail.template} {mail.details.get('reference', '')}", reader.text
