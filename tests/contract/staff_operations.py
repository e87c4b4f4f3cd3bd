"""Every operation for staff, called with something typical. The role matrix (`tests/staff/test_roles.py`) runs it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from portal.contract.registry import Provider
from portal.contract.session import CodeEntry, LocaleChoice, Origin
from portal.staff.api import (
    Activation,
    AddressEntry,
    AuditSearch,
    CancelEntry,
    CustomersApi,
    CustomerSearch,
    EmailEntry,
    FinancialEntry,
    FinancialNumber,
    FrameNumberEntry,
    MergeEntry,
    PeopleApi,
    PeopleSearch,
    PersonEntry,
    PinCodeEntry,
    SignOnEntry,
    StaffApi,
    StaffCodeRequest,
    StoreEntry,
    VisitEntry,
)
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.staff import VisitMode

Operation = Callable[[Provider, str], Awaitable[Any]]
HERE = Origin(address="192.0.2.7", locale="nl")
PERSON = PersonEntry(name="Noa Visser", email="noa.visser@example.com", role="service_desk")

WITHOUT_STAFF_SESSION: dict[str, Operation] = {
    "staff_login_ways": lambda provider, _: provider.ask(StaffApi).staff_login_ways(),
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

WITH_STAFF_SESSION: dict[str, Operation] = {
    "member": lambda provider, token: provider.ask(StaffApi).member(token),
    "end_staff_session": lambda provider, token: provider.ask(StaffApi).end_staff_session(token),
    "change_staff_locale": lambda provider, token: provider.ask(StaffApi).change_staff_locale(
        token, LocaleChoice(locale="en")
    ),
    "staff_stores": lambda provider, token: provider.ask(PeopleApi).staff_stores(token),
    "people": lambda provider, token: provider.ask(PeopleApi).people(token, PeopleSearch(text="a", page=2)),
    "person": lambda provider, token: provider.ask(PeopleApi).person(token, "ABCDEFGH23"),
    "add_person": lambda provider, token: provider.ask(PeopleApi).add_person(token, PERSON),
    "change_person": lambda provider, token: provider.ask(PeopleApi).change_person(token, "ABCDEFGH23", PERSON),
    "set_person_active": lambda provider, token: provider.ask(PeopleApi).set_person_active(
        token, "ABCDEFGH23", Activation(active=False)
    ),
    "audit": lambda provider, token: provider.ask(PeopleApi).audit(token, AuditSearch(kind="customer")),
    "audit_export": lambda provider, token: provider.ask(PeopleApi).audit_export(token, AuditSearch()),
    "reveal_pin_code": lambda provider, token: provider.ask(CustomersApi).reveal_pin_code(
        token, PinCodeEntry(kind=CaseKind.REPAIR, reference="ABCD2345", reason="test ride")
    ),
    "reveal_financial": lambda provider, token: provider.ask(CustomersApi).reveal_financial(
        token,
        FinancialEntry(kind=CaseKind.INSURANCE, reference="ABCD2345", what=FinancialNumber.IBAN, reason="premium"),
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
    "merge_customers": lambda provider, token: provider.ask(CustomersApi).merge_customers(
        token, "ABCDEFGH23", MergeEntry(merged_id="ABCDEFGH24", reason="same person")
    ),
}
"""Operations with the session of a member of staff; a new one needs an entry here."""
