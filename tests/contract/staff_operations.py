"""Every operation for staff, called with something typical, also by each role (`tests/complete/test_roles.py`)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import date
from typing import Any

from portal.cases.api import (
    Batch,
    CaseAssignment,
    CaseFilter,
    CaseHandOver,
    CaseMove,
    CaseName,
    CaseNoteEntry,
    CasesApi,
    CaseWatch,
    ChosenCases,
    CountsFilter,
    JobCards,
    PlannedDay,
    Presence,
    QueuePage,
    SavedViewEntry,
)
from portal.contract.registry import Provider
from portal.contract.session import CodeEntry, LocaleChoice, Origin
from portal.flow.api import StaffFilesApi, UploadStart
from portal.imports.api import (
    CorrectedRecord,
    DifferenceSearch,
    ImportsApi,
    ImportSearch,
    ImportStart,
    RejectedChoice,
    Settlement,
)
from portal.master_data.api import (
    ALL_SHOPS,
    HoursEntry,
    PriceEntry,
    PricesApi,
    StoreHoursApi,
    VacationEntry,
    WaitingEntry,
)
from portal.returns.api import InspectedItem, ReceivingApi, ReturnInspection
from portal.staff.api.customers import (
    AddressEntry,
    CancelEntry,
    CustomersApi,
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
from portal.staff.api.people import (
    Activation,
    AuditSearch,
    PeopleApi,
    PersonEntry,
    SignOnEntry,
    StaffApi,
    StaffCodeRequest,
)
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.exchange import Side
from portal.vocabulary.staff import HiddenNumber, VisitMode

Operation = Callable[[Provider, str], Awaitable[Any]]
HERE = Origin(address="192.0.2.7", locale="nl")
PERSON = PersonEntry(name="Noa Visser", email="noa.visser@example.com", role="service_desk")

CASE = ("repair", "ABCD2345")
"""Kind, as in a path, and reference of a case that does not exist."""

PRICE = (ALL_SHOPS, "service-packages", "service21")
"""Shop, kind and key of a price."""


async def flowing(content: bytes, piece: int = 65_536) -> AsyncIterator[bytes]:
    """A body that comes piece by piece."""
    for start in range(0, len(content), piece):
        yield content[start : start + piece]


WITHOUT_STAFF_SESSION: dict[str, Operation] = {
    "staff_login_ways": lambda provider, _: provider.ask(StaffApi).staff_login_ways(),
    "staff_code_delivery": lambda provider, _: provider.ask(StaffApi).staff_code_delivery(HERE),
    "request_staff_code": lambda provider, _: provider.ask(StaffApi).request_staff_code(
        StaffCodeRequest(email="esra@example.com"), HERE
    ),
    "open_staff_session": lambda provider, _: provider.ask(StaffApi).open_staff_session(
        CodeEntry(token="123456", challenge="abc"), HERE
    ),
    "start_sign_on": lambda provider, _: provider.ask(StaffApi).start_sign_on(HERE),
    "finish_sign_on": lambda provider, _: provider.ask(StaffApi).finish_sign_on(
        SignOnEntry(code="abc", state="abc", challenge="abc"), HERE
    ),
}
"""The login of staff."""


async def bytes_of() -> AsyncIterator[bytes]:
    """The bytes of a file."""
    yield b"abc"


INSPECTION = ReturnInspection(items=[InspectedItem(item_id="900000001-1", count=1)], seen="request_received")

WITH_STAFF_SESSION: dict[str, Operation] = {
    "imports": lambda provider, token: provider.ask(ImportsApi).imports(token, ImportSearch(kind="orders")),
    "begin_import": lambda provider, token: provider.ask(ImportsApi).begin_import(
        token, ImportStart(kind="orders", source="shop", name="orders.csv", size=3)
    ),
    "receive_import": lambda provider, token: provider.ask(ImportsApi).receive_import(token, "ABCDEFGH23", bytes_of()),
    "import_run": lambda provider, token: provider.ask(ImportsApi).import_run(token, "ABCDEFGH23"),
    "rejected_records": lambda provider, token: provider.ask(ImportsApi).rejected_records(token, ImportSearch()),
    "send_rejected_again": lambda provider, token: provider.ask(ImportsApi).send_rejected_again(
        token, RejectedChoice(source="shop", kind="orders")
    ),
    "rejected_record": lambda provider, token: provider.ask(ImportsApi).rejected_record(token, "999999"),
    "correct_record": lambda provider, token: provider.ask(ImportsApi).correct_record(
        token, "999999", CorrectedRecord(content='{"external_id": "c1"}')
    ),
    "discard_record": lambda provider, token: provider.ask(ImportsApi).discard_record(token, "999999"),
    "waiting_records": lambda provider, token: provider.ask(ImportsApi).waiting_records(token, ImportSearch()),
    "import_differences": lambda provider, token: provider.ask(ImportsApi).import_differences(
        token, DifferenceSearch()
    ),
    "settle_difference": lambda provider, token: provider.ask(ImportsApi).settle_difference(
        token, "999999", Settlement(keep=Side.SHOP)
    ),
    "expected_return": lambda provider, token: provider.ask(ReceivingApi).expected_return(token, "ABCD2345"),
    "preview_inspection": lambda provider, token: provider.ask(ReceivingApi).preview_inspection(
        token, "ABCD2345", INSPECTION
    ),
    "receive_return": lambda provider, token: provider.ask(ReceivingApi).receive_return(token, "ABCD2345", INSPECTION),
    "begin_unit_photo": lambda provider, token: provider.ask(ReceivingApi).begin_unit_photo(
        token, "ABCD2345", UploadStart(field="unit-1", name="slot.jpg", size=9)
    ),
    "staff_files": lambda provider, token: provider.ask(StaffFilesApi).staff_files(token, "ABCD2345"),
    "receive_staff_file": lambda provider, token: provider.ask(StaffFilesApi).receive_staff_file(
        token, "ABCDEFGH23", flowing(b"a file")
    ),
    "remove_staff_file": lambda provider, token: provider.ask(StaffFilesApi).remove_staff_file(token, "ABCDEFGH23"),
    "staff_file_preview": lambda provider, token: provider.ask(StaffFilesApi).staff_file_preview(token, "ABCDEFGH23"),
    "member": lambda provider, token: provider.ask(StaffApi).member(token),
    "end_staff_session": lambda provider, token: provider.ask(StaffApi).end_staff_session(token),
    "change_staff_locale": lambda provider, token: provider.ask(StaffApi).change_staff_locale(
        token, LocaleChoice(locale="en")
    ),
    "staff_stores": lambda provider, token: provider.ask(PeopleApi).staff_stores(token),
    "managed_stores": lambda provider, token: provider.ask(StoreHoursApi).managed_stores(token),
    "store_hours": lambda provider, token: provider.ask(StoreHoursApi).store_hours(token, "ABCDEFGH23"),
    "change_waiting_time": lambda provider, token: provider.ask(StoreHoursApi).change_waiting_time(
        token, "ABCDEFGH23", WaitingEntry(waiting_weeks="2", valid_from="2027-01-04")
    ),
    "change_opening_hours": lambda provider, token: provider.ask(StoreHoursApi).change_opening_hours(
        token, "ABCDEFGH23", HoursEntry(opens=["9:00"], closes=["17:00"], valid_from="2027-01-04")
    ),
    "prices": lambda provider, token: provider.ask(PricesApi).prices(token, ALL_SHOPS, "tariffs"),
    "price": lambda provider, token: provider.ask(PricesApi).price(token, *PRICE),
    "change_price": lambda provider, token: provider.ask(PricesApi).change_price(
        token, *PRICE, PriceEntry(values={"monthly": ["8.50"]}, valid_from="2027-01-04")
    ),
    "withdraw_price": lambda provider, token: provider.ask(PricesApi).withdraw_price(token, *PRICE, "2027-01-04"),
    "change_vacation": lambda provider, token: provider.ask(StoreHoursApi).change_vacation(
        token, "ABCDEFGH23", VacationEntry(valid_from="2027-01-04")
    ),
    "withdraw_store_change": lambda provider, token: provider.ask(StoreHoursApi).withdraw_store_change(
        token, "ABCDEFGH23", "2027-01-04"
    ),
    "people": lambda provider, token: provider.ask(PeopleApi).people(token, 2),
    "person": lambda provider, token: provider.ask(PeopleApi).person(token, "ABCDEFGH23"),
    "add_person": lambda provider, token: provider.ask(PeopleApi).add_person(token, PERSON),
    "change_person": lambda provider, token: provider.ask(PeopleApi).change_person(token, "ABCDEFGH23", PERSON),
    "set_person_active": lambda provider, token: provider.ask(PeopleApi).set_person_active(
        token, "ABCDEFGH23", Activation(active=False)
    ),
    "audit": lambda provider, token: provider.ask(PeopleApi).audit(token, AuditSearch(action="find_customers")),
    "audit_export": lambda provider, token: provider.ask(PeopleApi).audit_export(token, AuditSearch()),
    "reveal_pin_code": lambda provider, token: provider.ask(CustomersApi).reveal_pin_code(
        token, PinCodeEntry(kind=CaseKind.REPAIR, reference="ABCD2345", reason="test ride")
    ),
    "reveal_financial": lambda provider, token: provider.ask(CustomersApi).reveal_financial(
        token,
        FinancialEntry(kind=CaseKind.INSURANCE, reference="ABCD2345", what=HiddenNumber.IBAN, reason="premium"),
    ),
    "reveal_bike_pin_code": lambda provider, token: provider.ask(CustomersApi).reveal_bike_pin_code(
        token, "ABCDEFGH23", RevealReason(reason="test ride")
    ),
    "reveal_bike_policy_number": lambda provider, token: provider.ask(CustomersApi).reveal_bike_policy_number(
        token, "ABCDEFGH23", RevealReason(reason="premium")
    ),
    "find_customers": lambda provider, token: provider.ask(CustomersApi).find_customers(
        token, CustomerSearch(text="sanne@example.com")
    ),
    "customer_card": lambda provider, token: provider.ask(CustomersApi).customer_card(token, "ABCDEFGH23"),
    "visit_customer": lambda provider, token: provider.ask(CustomersApi).visit_customer(
        token, "ABCDEFGH23", VisitEntry(mode=VisitMode.READ_ONLY)
    ),
    "correct_frame_number": lambda provider, token: provider.ask(CustomersApi).correct_frame_number(
        token, "ABCDEFGH23", FrameNumberEntry(frame_number="BB123456")
    ),
    "correct_email": lambda provider, token: provider.ask(CustomersApi).correct_email(
        token, "ABCDEFGH23", EmailEntry(email="new@example.com", reason="typing mistake")
    ),
    "correct_address": lambda provider, token: provider.ask(CustomersApi).correct_address(
        token,
        "ABCDEFGH23",
        AddressEntry(street="Oudegracht", house_number="12", post_code="3511 LX", city="Utrecht", country_code="NL"),
    ),
    "correct_store": lambda provider, token: provider.ask(CustomersApi).correct_store(
        token, StoreEntry(kind=CaseKind.REPAIR, reference="ABCD2345", store_id="ABCDEFGH23")
    ),
    "cancel_for_customer": lambda provider, token: provider.ask(CustomersApi).cancel_for_customer(
        token, CancelEntry(kind=CaseKind.REPAIR, reference="ABCD2345", reason="by phone")
    ),
    "queue": lambda provider, token: provider.ask(CasesApi).queue(token, QueuePage(search="Sanne")),
    "case_list": lambda provider, token: provider.ask(CasesApi).case_list(token, CaseFilter()),
    "counts": lambda provider, token: provider.ask(CasesApi).counts(token, CountsFilter()),
    "case_changes": lambda provider, token: provider.ask(CasesApi).case_changes(token, CaseWatch()),
    "case_choices": lambda provider, token: provider.ask(CasesApi).case_choices(token),
    "save_view": lambda provider, token: provider.ask(CasesApi).save_view(
        token, SavedViewEntry(name="Repairs", filter=CaseFilter(kind=CaseKind.REPAIR))
    ),
    "delete_view": lambda provider, token: provider.ask(CasesApi).delete_view(token, "ABCDEFGH23"),
    "case": lambda provider, token: provider.ask(CasesApi).case(token, *CASE),
    "presence": lambda provider, token: provider.ask(CasesApi).presence(token, *CASE, Presence()),
    "move_case": lambda provider, token: provider.ask(CasesApi).move_case(
        token, *CASE, CaseMove(status="accepted", seen=1)
    ),
    "plan_case": lambda provider, token: provider.ask(CasesApi).plan_case(
        token, *CASE, PlannedDay(day=date(2030, 1, 7), seen=1)
    ),
    "assign_case": lambda provider, token: provider.ask(CasesApi).assign_case(token, *CASE, CaseAssignment(seen=1)),
    "hand_over": lambda provider, token: provider.ask(CasesApi).hand_over(
        token, *CASE, CaseHandOver(store="ABCDEFGH23", seen=1)
    ),
    "add_note": lambda provider, token: provider.ask(CasesApi).add_note(token, *CASE, CaseNoteEntry(text="Called")),
    "common_choices": lambda provider, token: provider.ask(CasesApi).common_choices(
        token, ChosenCases(cases=[CaseName(kind=CaseKind.REPAIR, reference="ABCD2345", seen=1)])
    ),
    "change_cases": lambda provider, token: provider.ask(CasesApi).change_cases(
        token, Batch(cases=[CaseName(kind=CaseKind.REPAIR, reference="ABCD2345", seen=1)], status="accepted")
    ),
    "case_file": lambda provider, token: provider.ask(CasesApi).case_file(token, *CASE, "ABCDEFGH23"),
    "case_preview": lambda provider, token: provider.ask(CasesApi).case_preview(token, *CASE, "ABCDEFGH23"),
    "job_cards": lambda provider, token: provider.ask(CasesApi).job_cards(token, JobCards(cases="repair/ABCD2345")),
    "merge_customers": lambda provider, token: provider.ask(CustomersApi).merge_customers(
        token, "ABCDEFGH23", MergeEntry(merged_id="ABCDEFGH24", reason="same person")
    ),
}
"""Operations with the session of a member of staff; a new one needs an entry here."""
