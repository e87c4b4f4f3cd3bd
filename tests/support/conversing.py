"""People of the retailer and cases, for tests of conversations."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.cases import CaseFacts, record
from portal.backend.context import Context
from portal.backend.staff import StaffSessions
from portal.contracts.provider import ends as contracts
from portal.conversations.api import AnswerEntry, Conversation, ConversationsApi, MessageEntry
from portal.deliveries.provider import queries as deliveries
from portal.flow.api import FlowApi, Upload, UploadStart
from portal.insurance.provider import account as insurance
from portal.tables.cases import CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.deliveries import DateChangeRow
from portal.tables.insurance import ContractEndRow, InsuranceRequestRow
from portal.tables.orders import PartnerRow
from portal.tables.returns import ReturnRow
from portal.tables.staff import StaffRow, StaffStoreRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.cases import KIND_OF_PATH, Asks, CaseEventType, CaseKind, kind_path
from portal.vocabulary.contracts import EndStatus
from portal.vocabulary.deliveries import DateChangeStatus
from portal.vocabulary.insurance import InsuranceStatus
from portal.vocabulary.staff import Role
from tests.contract.operations import flowing
from tests.support import files
from tests.support.furnished import Furnished
from tests.support.people import DAAN, FLEUR

_numbers = count(1)


@dataclass(frozen=True)
class CaseName:
    """Kind, as in a path, and reference of a case, and the store that handles it."""

    kind: str
    reference: str
    partner_id: int


async def case_of_repair(context: Context, email: str) -> CaseName:
    """The case of the newest request of a customer, in a store."""
    async with context.database.transaction() as session:
        customer = (await session.exec(select(CustomerRow).where(CustomerRow.email == email))).one()
        query = select(RequestRow).where(RequestRow.customer_id == customer.id)
        request = (await session.exec(query.order_by(col(RequestRow.created_at).desc()))).first()
        assert request
        partner = (await session.exec(select(PartnerRow).order_by(col(PartnerRow.id)))).first()
        assert partner
        assert partner.id
        kind = CaseKind(request.kind.value)
        facts = CaseFacts(kind, request.reference, customer.id, request.status.value, partner_id=partner.id)
        await record(session, facts, CaseEventType.OPENED, context.clock(), by_customer=True)
        return CaseName(kind.value, request.reference, partner.id)


async def case_of_return(context: Context, row: ReturnRow) -> CaseName:
    """The case of a return, at the service desk."""
    async with context.database.transaction() as session:
        facts = CaseFacts(CaseKind.RETURN, row.reference, row.customer_id, row.status.value)
        await record(session, facts, CaseEventType.OPENED, context.clock(), by_customer=True)
    return CaseName("return", row.reference, 0)


@dataclass(frozen=True)
class OnRequestPage:
    """A kind of case whose conversation is on the page of a request, and a request of the demonstration.

    Attributes:
        customer: whose request it is.
        table: rows of the requests.
        status: with which staff have work.
        record: brings the case up to date.
    """

    customer: tuple[str, str]
    table: Any
    status: Any
    record: Callable[[AsyncSession, Any, datetime], Awaitable[None]]


ON_REQUEST_PAGE = {
    CaseKind.INSURANCE: OnRequestPage(FLEUR, InsuranceRequestRow, InsuranceStatus.CREATED, insurance.record_case),
    CaseKind.DATE_CHANGE: OnRequestPage(
        DAAN, DateChangeRow, DateChangeStatus.WAITING_FOR_RETAILER, deliveries.record_case
    ),
    CaseKind.CONTRACT_END: OnRequestPage(FLEUR, ContractEndRow, EndStatus.CONFIRMED, contracts.ENDS.record),
}


async def case_on_request_page(context: Context, kind: CaseKind) -> CaseName:
    """An open case of a kind of `ON_REQUEST_PAGE`, at the service desk."""
    given = ON_REQUEST_PAGE[kind]
    async with context.database.transaction() as session:
        customer = (await session.exec(select(CustomerRow).where(CustomerRow.email == given.customer[1]))).one()
        rows = (await session.exec(select(given.table).where(given.table.customer_id == customer.id))).all()
        row = next((row for row in rows if row.status == given.status), rows[0])
        row.status = given.status
        await given.record(session, row, context.clock())
        return CaseName(kind_path(kind), row.reference, 0)


async def finish(context: Context, case: CaseName) -> None:
    """Close a case, as its subject does with a final status."""
    async with context.database.transaction() as session:
        query = select(CaseRow).where(CaseRow.reference == case.reference, CaseRow.kind == KIND_OF_PATH[case.kind])
        row = (await session.exec(query)).one()
        facts = CaseFacts(row.kind, row.reference, row.customer_id, "done", final=True, partner_id=row.partner_id)
        await record(session, facts, CaseEventType.CLOSED, context.clock())


async def staff_token(context: Context, role: Role, *stores: int, name: str = "Mila de Boer") -> str:
    """A session of a new member of staff."""
    number = next(_numbers)
    async with context.database.transaction() as session:
        person = StaffRow(name=name, email=f"staff{number}@shop.example", role=role, created_at=context.clock())
        session.add(person)
        await session.flush()
        assert person.id
        for store in stores:
            session.add(StaffStoreRow(staff_id=person.id, partner_id=store))
        await session.flush()
        return await StaffSessions(context).open(session, person.id)


def message(text: str = "Kun je een foto sturen?", asks: Asks = Asks.NOTHING, **more: object) -> MessageEntry:
    """A message of staff, with a key of its own."""
    return MessageEntry.model_validate({"text": text, "asks": asks, "key": f"message-{next(_numbers)}", **more})


async def upload(shop: Furnished, token: str, draft_id: str, name: str = "foto.jpg") -> Upload:
    """Upload a photo to an answer."""
    content = files.jpg()
    start = UploadStart(field="files", name=name, size=len(content))
    place = await shop.ask(FlowApi).begin_upload(token, draft_id, start)
    return await shop.ask(FlowApi).receive_upload(token, place.upload_id, flowing(content))


async def answer(shop: Furnished, token: str, case: CaseName, text: str = "Hier is hij", *photos: str) -> Conversation:
    """Begin an answer, upload photos to it, and send it."""
    api = shop.ask(ConversationsApi)
    draft = await api.begin_answer(token, case.kind, case.reference)
    ids = [(await upload(shop, token, draft.draft_id, name)).upload_id for name in photos]
    entry = AnswerEntry(draft_id=draft.draft_id, text=text, files=ids)
    return await api.send_answer(token, case.kind, case.reference, entry)


async def case_row(context: Context, case: CaseName) -> CaseRow:
    """The stored case."""
    async with context.database.session() as session:
        query = select(CaseRow).where(CaseRow.reference == case.reference, CaseRow.kind == KIND_OF_PATH[case.kind])
        return (await session.exec(query)).one()
