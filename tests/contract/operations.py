"""Every operation of the contract, called with something typical: a value for each parameter, by its type or name."""

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import date
from typing import Any

from portal.account.api import CustomerUpdate
from portal.cases.api import (
    Batch,
    CaseAssignment,
    CaseFilter,
    CaseHandOver,
    CaseMove,
    CaseName,
    CaseNoteEntry,
    CaseWatch,
    ChosenCases,
    CountsFilter,
    JobCards,
    PlannedDay,
    Presence,
    QueuePage,
    SavedViewEntry,
)
from portal.contract.account import LocalizedText
from portal.contract.common_api import Watch
from portal.contract.operations import Argument, ParameterPlace
from portal.contract.registry import Provider
from portal.contract.session import CodeEntry, CodeRequest, LeaseRequest, LocaleChoice, Origin
from portal.contracts.api import EndEntry, GuestContract, GuestEnd
from portal.conversations.api import (
    AnswerEntry,
    AnswerText,
    MessageEntry,
    TemplateChange,
    TemplateChoice,
    TemplateEntry,
)
from portal.deliveries.api import DateChoice, TrackingEntry
from portal.exports.api import BatchChoice, ChosenRefunds, DeliverySearch, Replay, WebhookEntry
from portal.flow.api import DraftStart, PhonePlace, StepEntry, SubjectSearch, Submission, UploadStart
from portal.imports.api import CorrectedRecord, DifferenceSearch, ImportSearch, ImportStart, RejectedChoice, Settlement
from portal.links.api import LinkEntry
from portal.locations.api import LocationSearch
from portal.login.api import (
    EmailChange,
    EmailChangeCode,
    NewPasskey,
    NewPassword,
    PasskeyAnswer,
    PasskeyPage,
    PasswordEntry,
    PasswordLink,
    PasswordResetRequest,
    VisitLink,
)
from portal.master_data.api import ALL_SHOPS, HoursEntry, PriceEntry, VacationEntry, WaitingEntry
from portal.overview.api import FrameNumber, MileageEntry
from portal.privacy.api import ErasureCode
from portal.recalls.api import RemedyChoice
from portal.returns.api import BatteryAnswer, InspectedItem, OwnRefundAccount, RefundAccount, ReturnInspection
from portal.staff.api.customers import (
    AddressEntry,
    CancelEntry,
    CustomerSearch,
    EmailEntry,
    FinancialEntry,
    FrameNumberEntry,
    MergeEntry,
    PinCodeEntry,
    RevealReason,
    StoreEntry,
    VisitEntry,
)
from portal.staff.api.people import Activation, AuditSearch, PersonEntry, SignOnEntry, StaffCodeRequest
from portal.vocabulary.actions import Topic
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.contracts import EndKind
from portal.vocabulary.exchange import DeliveryState, RefundWay, Side
from portal.vocabulary.links import LinkPurpose
from portal.vocabulary.staff import HiddenNumber, VisitMode
from portal.withdrawals.api import GuestOrder, GuestWithdrawal, WithdrawalEntry
from portal.work_orders.flow.repair import REPAIR
from tests.support.declared import API_OF, DECLARED

ORIGIN = Origin(address="192.0.2.7", locale="nl")
UPDATE = CustomerUpdate(
    first_name="Sanne",
    last_name="Bakker",
    post_code="3511 LX",
    house_number="12",
    street="Oudegracht",
    city="Utrecht",
    country_code="NL",
    phone="030 231 1234",
)
_ID, _DAY, _MAIL, _IBAN = "ABCDEFGH23", "2027-01-04", "sanne@example.com", "NL91ABNA0417164300"
_CASE: dict[str, Any] = {"kind": CaseKind.REPAIR, "reference": "ABCD2345"}
_CASES = [CaseName(**_CASE, seen=1)]
_END: dict[str, Any] = {"name": "Sanne Bakker", "ending": EndKind.WITHDRAWAL, "key": "contract-1"}
_GUEST: dict[str, Any] = {"email": "nobody@example.com"}
_ADDRESS: dict[str, Any] = {"street": "Oudegracht", "house_number": "12", "post_code": "3511 LX", "city": "Utrecht"}
_TEXTS = LocalizedText(nl="Bedankt", en="Thank you")
_PAGE: dict[str, Any] = {"origin": "http://localhost:8000"}
_PASSKEY: dict[str, Any] = {**_PAGE, "challenge": "x" * 43, "credential": {}}

_MODELS = [
    ORIGIN,
    UPDATE,
    Activation(active=False),
    AddressEntry(**_ADDRESS, country_code="NL"),
    AnswerEntry(draft_id=_ID, text="Ja"),
    AnswerText(draft_id=_ID, text="Ja"),
    AuditSearch(action="find_customers"),
    Batch(cases=_CASES, status="accepted"),
    BatchChoice(way=RefundWay.ACCOUNT),
    BatteryAnswer(return_id=_ID, battery="fine"),
    CancelEntry(**_CASE, reason="by phone"),
    CaseAssignment(seen=1),
    CaseFilter(),
    CaseHandOver(store=_ID, seen=1),
    CaseMove(status="accepted", seen=1),
    CaseNoteEntry(text="Called"),
    CaseWatch(),
    ChosenCases(cases=_CASES),
    ChosenRefunds(references=["ABCD2345"]),
    CodeEntry(token="123456", challenge="abc"),
    CodeRequest(email=_MAIL),
    CorrectedRecord(content='{"external_id": "c1"}'),
    CountsFilter(),
    CustomerSearch(text=_MAIL),
    DateChoice(day="2026-06-09"),
    DeliverySearch(state=DeliveryState.FAILED),
    DifferenceSearch(),
    DraftStart(flow="repair-request"),
    EmailChange(email="new@example.com"),
    EmailChangeCode(code="123456"),
    EmailEntry(email="new@example.com", reason="typing mistake"),
    EndEntry(**_END),
    ErasureCode(code="123456"),
    FinancialEntry(kind=CaseKind.INSURANCE, reference="ABCD2345", what=HiddenNumber.IBAN, reason="premium"),
    FrameNumberEntry(frame_number="BB123456"),
    GuestContract(**_GUEST, reference="ABCD2345"),
    GuestEnd(**_GUEST, **_END, reference="ABCD2345"),
    GuestOrder(**_GUEST, order_number="900000001"),
    GuestWithdrawal(**_GUEST, order_number="900000001", name="x", key="withdrawal-1"),
    HoursEntry(opens=["9:00"], closes=["17:00"], valid_from=_DAY),
    ImportSearch(kind="orders"),
    ImportStart(kind="orders", source="shop", name="orders.csv", size=3),
    JobCards(cases="repair/ABCD2345"),
    LeaseRequest(lease="BB123456"),
    LinkEntry(purpose=LinkPurpose.ORDER_RETURN, hash="a" * 43),
    LocaleChoice(locale="en"),
    LocationSearch(text="3511 LX"),
    MergeEntry(merged_id="ABCDEFGH24", reason="same person"),
    MessageEntry(text="Dag", key="message-1"),
    FrameNumber(frame_number="NVH172081"),
    MileageEntry(mileage="12,5"),
    NewPasskey(**_PASSKEY),
    NewPassword(hash="abc", password="Fietsbel-2026!", repeat="Fietsbel-2026!"),
    OwnRefundAccount(return_id=_ID, holder="S. Bakker", iban=_IBAN),
    PasskeyAnswer(**_PASSKEY),
    PasskeyPage(**_PAGE),
    PasswordEntry(email=_MAIL, order_number="900000001", password="Fietsbel-2026!"),
    PasswordLink(hash="abc"),
    PasswordResetRequest(email=_MAIL, order_number="900000001"),
    PersonEntry(name="Noa Visser", email="noa.visser@example.com", role="service_desk"),
    PhonePlace(field="photos"),
    PinCodeEntry(**_CASE, reason="test ride"),
    PlannedDay(day=date(2030, 1, 7), seen=1),
    Presence(),
    PriceEntry(values={"monthly": ["8.50"]}, valid_from=_DAY),
    QueuePage(search="Sanne"),
    RefundAccount(holder="S. Bakker", iban=_IBAN),
    RejectedChoice(source="shop", kind="orders"),
    RemedyChoice(remedy="repair"),
    Replay(delivery="msg_ABCDEFGH23"),
    ReturnInspection(items=[InspectedItem(item_id="900000001-1", count=1)], seen="request_received"),
    RevealReason(reason="test ride"),
    SavedViewEntry(name="Repairs", filter=CaseFilter(kind=CaseKind.REPAIR)),
    Settlement(keep=Side.SHOP),
    SignOnEntry(code="abc", state="abc", challenge="abc"),
    StaffCodeRequest(email="esra@example.com"),
    StepEntry(step=REPAIR.address("bike"), answers={"bike": _ID}, version=1),
    StoreEntry(**_CASE, store_id=_ID),
    SubjectSearch(text="a", page=2),
    Submission(key="x"),
    TemplateChange(title=_TEXTS, text=_TEXTS),
    TemplateChoice(template="thank-you"),
    TemplateEntry(template="thank-you", key="message-1"),
    TrackingEntry(code="abc"),
    UploadStart(field="photos", name="foto.jpg", size=10),
    VacationEntry(valid_from=_DAY),
    VisitEntry(mode=VisitMode.READ_ONLY),
    VisitLink(hash="a" * 43),
    WaitingEntry(waiting_weeks="2", valid_from=_DAY),
    Watch(topics=[Topic.REQUESTS]),
    WebhookEntry(url="http://127.0.0.1:9/events"),
    WithdrawalEntry(order_number="900000001", name="Sanne Bakker", key="withdrawal-1"),
]
_BY_TYPE: dict[type, Any] = {type(model): model for model in _MODELS}
_BY_NAME: dict[str, Any] = {
    "code": "ABCD2345", "color": "#2f5d46", "difference_id": "999999", "draft": "ABCD2345", "drawing": "diamond",
    "flow": "repair-request", "form": "avif", "key": "0f" * 16, "kind": "repair", "locale": "nl", "name": "thank-you",
    "order_number": "900000001", "record_id": "999999", "reference": "ABCD2345", "shop": ALL_SHOPS, "valid_from": _DAY,
    "width": 480,
}  # fmt: skip

Operation = Callable[[Provider, str], Awaitable[Any]]


async def flowing(content: bytes, piece: int = 65_536) -> AsyncIterator[bytes]:
    """A body that comes piece by piece."""
    for start in range(0, len(content), piece):
        yield content[start : start + piece]


def typical(argument: Argument) -> Any:
    """A value for a parameter that is neither a token nor optional; None if there is none here yet."""
    if argument.place is ParameterPlace.STREAM:
        return flowing(b"0123456789")
    if argument.type in _BY_TYPE:
        return _BY_TYPE[argument.type]
    return _BY_NAME.get(argument.name, _ID if argument.name.endswith("_id") else None)


def _calling(name: str) -> Operation:
    async def call(provider: Provider, token: str) -> Any:
        needed = [each for each in DECLARED[name].arguments if each.default is inspect.Parameter.empty]
        values = [token if each.place is ParameterPlace.TOKEN else typical(each) for each in needed]
        return await getattr(provider.ask(API_OF[name]), name)(*values)

    return call


ALL: dict[str, Operation] = {name: _calling(name) for name in DECLARED}
"""All operations."""

WITH_PHONE_LINK = {name: ALL[name] for name, each in DECLARED.items() if each.path.startswith("/phone")}
"""Operations that need the link of a telephone."""

WITH_SESSION = {
    name: ALL[name]
    for name, each in DECLARED.items()
    if each.at(ParameterPlace.TOKEN) and name != "logout" and name not in WITH_PHONE_LINK
}
"""Operations that need a session, of a customer or of staff; whoever logs out may have none any more."""

READING = frozenset(
    {
        "order_status", "delivery_dates", "delivery_date_pdf", "delivery_calendar", "bike_home", "service_packages",
        "insurance_bikes", "insurance_requests", "insurance_options", "insurance_document", "periods",
        "picture_file", "drawing_file",
        "line_actions", "passkeys",
        "check_session", "customer_info", "dashboard", "orders", "order", "invoices", "invoice", "invoice_pdf",
        "bikes", "bike",
        "service_requests", "service_request", "own_request", "request_document", "request_calendar", "changes",
        "flow_start", "draft", "upload_content", "upload_preview", "phone_link", "phone_uploads", "phone_preview",
        "service_products", "service_locations", "guest_service_locations",
        "returns", "return_detail", "return_label", "return_summary_pdf",
        "withdrawable", "withdrawable_orders", "declared", "contracts", "contract",
        "personal_data", "export_content", "recall", "recall_picture",
        "conversation", "case_conversation", "case_templates", "preview_template", "message_file", "message_preview",
        "staff_files", "staff_file_preview",
        "message_templates",
        "webhooks", "deliveries_of_webhook", "waiting_exports", "refunds_to_pay", "refund_batches", "refund_list",
        "refund_payment", "insurance_list", "case_list",
        "staff_login_ways", "member", "expected_return", "staff_stores", "people", "person",
        "audit", "audit_export", "customer_card",
        "managed_stores", "store_hours", "prices", "price",
        "imports", "import_run", "import_report", "rejected_records", "rejected_record", "waiting_records",
        "unclear_orders", "import_differences",
        "queue", "counts", "case_changes", "case_choices", "case", "case_file", "case_preview", "job_cards",
    }
)  # fmt: skip
"""Operations that change nothing, so that they may be tried again."""
