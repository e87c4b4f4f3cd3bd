"""An internal note never leaves the house: not in a customer's answers, mails, documents or copy of the data."""

from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from pypdf import PdfReader

from portal.bikes.api import BikesApi
from portal.cases.api import CaseNoteEntry, CasesApi
from portal.contract.common_api import Watch
from portal.contract.errors import ProviderError
from portal.contract.models import Content, Document
from portal.contract.operations import ParameterPlace
from portal.conversations.api import StaffConversationsApi
from portal.flow.api import DraftStart, FlowApi
from portal.locations.api import LocationSearch
from portal.orders.api import OrdersApi
from portal.privacy.api import PrivacyApi
from portal.tables.cases import CaseEventRow, CaseNoteRow
from portal.tables.messages import OutboxMail, TextMessageRow
from portal.tables.staff import AuditRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.cases import Asks, CaseKind
from portal.vocabulary.staff import Role
from tests.privacy.erasable import run_jobs
from tests.support.conversing import ON_REQUEST_PAGE, answer, case_of_repair, case_on_request_page, message, staff_token
from tests.support.customers import SANNE
from tests.support.declared import API_OF, DECLARED
from tests.support.furnished import Furnished

MARKER = "ZQINTERNAL"
HEARD = "ZQMESSAGE"
"""In a message: shows that the walk finds what the customer may read."""

CUSTOMERS = {
    name: operation
    for name, operation in DECLARED.items()
    if operation.right is None and operation.method == "GET" and operation.at(ParameterPlace.TOKEN)
}
"""Everything that a customer can read."""


async def said(answered: Any) -> str:
    """Everything that an answer holds, as text."""
    if isinstance(answered, Document):
        content = answered.content
    elif isinstance(answered, Content):
        content = b"".join([chunk async for chunk in answered.chunks])
    else:
        return repr(answered)
    if content.startswith(b"%PDF-"):
        return "".join(page.extract_text() for page in PdfReader(BytesIO(content)).pages)
    if content.startswith(b"PK"):
        archive = ZipFile(BytesIO(content))
        return "".join(archive.read(name).decode("utf-8", "replace") for name in archive.namelist())
    return content.decode("utf-8", "replace")


@pytest.mark.parametrize("kind", [CaseKind.REPAIR, *ON_REQUEST_PAGE])
async def test_no_answer_mail_or_copy_has_an_internal_note(furnished: Furnished, kind: CaseKind) -> None:
    if kind is CaseKind.REPAIR:
        who, case = SANNE, await case_of_repair(furnished.context, SANNE[1])
    else:
        who, case = ON_REQUEST_PAGE[kind].customer, await case_on_request_page(furnished.context, kind)
    staff = await staff_token(furnished.context, Role.SERVICE_DESK)
    customer = await furnished.log_in(who)
    entry = CaseNoteEntry(text=f"{MARKER} belt altijd te laat")
    await furnished.ask(CasesApi).add_note(staff, case.kind, case.reference, entry)
    await furnished.ask(StaffConversationsApi).send_message(
        staff, case.kind, case.reference, message(HEARD, asks=Asks.PHOTO)
    )
    answered = await answer(furnished, customer, case, "Ja", "a.jpg")
    await furnished.ask(CasesApi).add_note(staff, case.kind, case.reference, entry)
    await furnished.ask(PrivacyApi).ask_for_export(customer)
    await run_jobs(furnished.context)
    export = (await furnished.ask(PrivacyApi).personal_data(customer)).export
    assert export
    bikes = (await furnished.ask(BikesApi).bikes(customer)).items
    invoices = (await furnished.ask(OrdersApi).invoices(customer)).items
    draft = await furnished.ask(FlowApi).open_draft(customer, DraftStart(flow="repair-request")) if bikes else None
    values: dict[str, Any] = {
        "kind": case.kind,
        "reference": case.reference,
        "bike_id": bikes[0].bike_id if bikes else "",
        "order_number": who[0],
        "invoice_id": invoices[0].invoice_id if invoices else "",
        "export_id": export.export_id,
        "draft_id": draft.draft_id if draft else "",
        "upload_id": answered.messages[1].files[0].upload_id,
        "flow": "repair-request",
        "locale": "nl",
        "page": 1,
        "search": LocationSearch(text="3511 LX"),
        "watch": Watch(topics=[Topic.MESSAGES]),
    }
    heard, seen = [], set()
    for name, operation in CUSTOMERS.items():
        arguments = [
            values.get(argument.name, "ABCDEFGH23") for argument in operation.arguments if argument.name != "token"
        ]
        try:
            text = await said(await getattr(furnished.ask(API_OF[name]), name)(customer, *arguments))
        except ProviderError:
            continue
        assert MARKER not in text, name
        seen.add(name)
        heard += [name] if HEARD in text else []
    assert heard == ["export_content", "conversation"]
    assert ("own_request" in seen) is (kind in ON_REQUEST_PAGE)
    assert MARKER in str(await furnished.rows(CaseNoteRow))
    for table in (OutboxMail, TextMessageRow, CaseEventRow, AuditRow):
        assert MARKER not in str([row.details for row in await furnished.rows(table)])
    sent = furnished.context.settings.data_dir / "mail"
    assert MARKER not in "".join(path.read_text(errors="replace") for path in sent.glob("*"))
