"""Operations and models for people of the retailer, the audit, and what staff do with customers."""

from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Any, Literal, Protocol

from pydantic import Field

from portal.contract.account import LocalizedText
from portal.contract.errors import Conflict, InvalidInput, NotFound, Refused, TooMany
from portal.contract.models import (
    Document,
    KnownLocale,
    Locale,
    Model,
    Page,
    only_known,
    otherwise,
)
from portal.contract.operations import CSV, DeclaredRefusal, PageNumber, StaffToken, operation
from portal.contract.session import CodeDelivery, CodeEntry, CodeSent, CustomerAddress, LocaleChoice, Origin
from portal.kernel.codes import Code
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.staff import HiddenNumber, Right, Role, VisitMode

KnownRole = Annotated[Role, otherwise(Role, Role.UNKNOWN)]
LONGEST_REASON = 300


class Store(Model):
    """A store where staff work. `store_id` is the id of the service location."""

    store_id: str
    name: str


class Person(Model):
    """Somebody who works at the retailer.

    Attributes:
        stores: where the person works; empty means none. Only roles of a store are limited to them.
        active: whether the person may log in.
        last_seen_at: last use of a session (UTC); None if the person never logged in.
    """

    person_id: str
    name: str
    email: str
    role: KnownRole
    stores: list[Store] = Field(default_factory=list)
    locale: KnownLocale = "nl"
    active: bool = True
    last_seen_at: datetime | None = None


class LoginPerson(Model):
    """Somebody in the login list of the demonstration."""

    person_id: str
    name: str
    role: KnownRole
    stores: list[str] = Field(default_factory=list)


class LoginWays(Model):
    """How staff can log in here.

    Attributes:
        sign_on: whether an OpenID provider is connected; then there are no codes.
        people: everybody who can log in; only in the demonstration.
    """

    sign_on: bool
    people: list[LoginPerson] = Field(default_factory=list)


class StaffCodeRequest(Model):
    """Request for a login code: an e-mail address as typed, or somebody of the demonstration's list."""

    email: str = Field(default="", max_length=1000)
    person_id: str = Field(default="", max_length=40)


class SignOn(Model):
    """The beginning of a login at the OpenID provider.

    Attributes:
        url: address to which the browser is sent.
        challenge: opaque; bound to this browser. The answer opens a session only together with it.
        expires_at: until when the answer is accepted (UTC).
    """

    url: str
    challenge: str
    expires_at: datetime


class SignOnEntry(Model):
    """What the OpenID provider gave the browser, and the challenge that the browser holds. Not yet validated."""

    code: str = Field(default="", max_length=4000)
    state: str = Field(default="", max_length=200)
    error: str = Field(default="", max_length=200)
    challenge: str | None = Field(default=None, max_length=200)


class StaffSession(Model):
    """A new session: `token` is the bearer token of operations for staff, `expires_at` its absolute end (UTC)."""

    token: str = Field(repr=False)
    expires_at: datetime


class Member(Model):
    """The person of a valid session.

    Attributes:
        stores: empty for roles that see all stores.
        expires_at: end of the session without further use (UTC).
        ends_at: end of the session in any case (UTC).
    """

    person_id: str
    name: str
    email: str
    role: KnownRole
    rights: Annotated[list[Right], only_known(Right)]
    stores: list[Store] = Field(default_factory=list)
    locale: KnownLocale
    expires_at: datetime
    ends_at: datetime


class StaffApi(Protocol):
    """Login and session of people of the retailer."""

    @operation("GET", "/staff/login")
    async def staff_login_ways(self) -> LoginWays:
        """How staff can log in."""
        ...

    @operation(
        "POST",
        "/staff/login/code",
        refuses=(
            DeclaredRefusal(InvalidInput, Code.REQUIRED, Code.INVALID_EMAIL),
            DeclaredRefusal(TooMany, Code.TOO_MANY_REQUESTS),
            DeclaredRefusal(NotFound),
        ),
    )
    async def request_staff_code(self, request: StaffCodeRequest, origin: Origin) -> CodeSent:
        """Mail a login code; the answer is the same for unknown addresses.

        Not found where an OpenID provider is connected.
        """
        ...

    @operation("POST", "/staff/login/code/delivery")
    async def staff_code_delivery(self, origin: Origin) -> CodeDelivery:
        """Tell whether the mail with the code of this browser was refused, as far as is known."""
        ...

    @operation(
        "POST",
        "/staff/login/session",
        refuses=(
            DeclaredRefusal(InvalidInput, Code.REQUIRED),
            DeclaredRefusal(Refused, Code.INVALID_CODE, Code.CODE_EXPIRED, Code.CODE_USED_UP, Code.NO_CHALLENGE),
            DeclaredRefusal(NotFound),
        ),
    )
    async def open_staff_session(self, entry: CodeEntry, origin: Origin) -> StaffSession:
        """Open a session with the mailed code and the challenge of the browser that asked for it."""
        ...

    @operation(
        "POST",
        "/staff/login/sign-on",
        refuses=(DeclaredRefusal(TooMany, Code.TOO_MANY_REQUESTS), DeclaredRefusal(NotFound)),
    )
    async def start_sign_on(self, origin: Origin) -> SignOn:
        """Begin a login at the OpenID provider. Not found where none is connected."""
        ...

    @operation(
        "POST",
        "/staff/login/sign-on/answer",
        refuses=(DeclaredRefusal(Refused, Code.SIGN_ON_FAILED, Code.SIGN_ON_REFUSED), DeclaredRefusal(NotFound)),
    )
    async def finish_sign_on(self, entry: SignOnEntry, origin: Origin) -> StaffSession:
        """Open a session with the answer of the OpenID provider.

        `sign_on_refused` if the retailer does not know the person; `sign_on_failed` for everything else.
        """
        ...

    @operation("GET", "/staff/session", right=Right.OWN_ACCOUNT)
    async def member(self, token: StaffToken) -> Member:
        """The person of this session; counts as use of it."""
        ...

    @operation("POST", "/staff/logout", right=Right.OWN_ACCOUNT)
    async def end_staff_session(self, token: StaffToken) -> None:
        """End the session."""
        ...

    @operation("PUT", "/staff/locale", right=Right.OWN_ACCOUNT)
    async def change_staff_locale(self, token: StaffToken, choice: LocaleChoice) -> None:
        """Choose the language of the pages and mails of this person."""
        ...


class PersonEntry(Model):
    """Somebody to add or change, as typed."""

    name: str = Field(default="", max_length=1000)
    email: str = Field(default="", max_length=1000)
    role: str = Field(default="", max_length=40)
    stores: list[Annotated[str, Field(max_length=40)]] = Field(default_factory=list, max_length=200)
    locale: Locale = "nl"


class Activation(Model):
    """Whether somebody may log in."""

    active: bool


class AuditSearch(Model):
    """Which entries of the audit to list. Empty fields do not limit.

    Attributes:
        who: a part of the name of whoever did it.
        action: name of an operation.
        reference: reference or public id of a record.
        since, until: first and last local day.
    """

    who: str = Field(default="", max_length=60)
    action: str = Field(default="", max_length=60)
    reference: str = Field(default="", max_length=40)
    since: date | None = None
    until: date | None = None
    page: PageNumber = 1


AUDIT_FILTERS = ("who", "reference", "action", "since", "until")
"""What an address limits the audit by."""


def audit_search(values: Mapping[str, str], page: int = 1) -> AuditSearch:
    """The search of an address, from the texts of its query. What cannot be read does not limit."""
    return AuditSearch(
        who=" ".join(values.get("who", "").split())[:60],
        reference=values.get("reference", "").strip()[:40],
        action=values.get("action", "").strip()[:60],
        since=_day(values.get("since", "")),
        until=_day(values.get("until", "")),
        page=page,
    )


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        return None


class AuditEntry(Model):
    """One entry of the audit; `happened_at` is in UTC."""

    happened_at: datetime
    actor: str
    action: str
    kind: str = ""
    reference: str = ""
    reason: str = ""
    details: dict[str, Any] = Field(default_factory=dict)
    address: str = ""


_PERSON = (
    DeclaredRefusal(
        InvalidInput, Code.REQUIRED, Code.TOO_LONG, Code.INVALID_EMAIL, Code.INVALID_CHOICE, Code.EMAIL_TAKEN
    ),
)
_LAST = DeclaredRefusal(Refused, Code.LAST_ADMINISTRATOR)


class PeopleApi(Protocol):
    """Administration of people, and the audit."""

    @operation("GET", "/staff/stores", right=Right.OWN_ACCOUNT)
    async def staff_stores(self, token: StaffToken) -> list[Store]:
        """All stores, by name."""
        ...

    @operation("GET", "/staff/people", right=Right.MANAGE_STAFF)
    async def people(self, token: StaffToken, page: PageNumber = 1) -> Page[Person]:
        """People by name, also those who may not log in."""
        ...

    @operation("GET", "/staff/people/{person_id}", right=Right.MANAGE_STAFF)
    async def person(self, token: StaffToken, person_id: str) -> Person:
        """One person."""
        ...

    @operation("POST", "/staff/people", right=Right.MANAGE_STAFF, refuses=_PERSON)
    async def add_person(self, token: StaffToken, entry: PersonEntry) -> Person:
        """Add somebody, who can log in from then on."""
        ...

    @operation("PUT", "/staff/people/{person_id}", right=Right.MANAGE_STAFF, refuses=(*_PERSON, _LAST))
    async def change_person(self, token: StaffToken, person_id: str, entry: PersonEntry) -> Person:
        """Change somebody. A changed role or store holds from the next operation; open sessions go on."""
        ...

    @operation("PUT", "/staff/people/{person_id}/active", right=Right.MANAGE_STAFF, refuses=(_LAST,))
    async def set_person_active(self, token: StaffToken, person_id: str, activation: Activation) -> Person:
        """Let somebody log in, or end all sessions of somebody who may no longer."""
        ...

    @operation("GET", "/staff/audit", right=Right.READ_AUDIT)
    async def audit(self, token: StaffToken, search: AuditSearch) -> Page[AuditEntry]:
        """The audit, newest entries first."""
        ...

    @operation("GET", "/staff/audit/export", right=Right.READ_AUDIT, media=CSV)
    async def audit_export(self, token: StaffToken, search: AuditSearch) -> Document:
        """The audit as CSV for spreadsheets, oldest entries first, without pages; itself an entry of the audit."""
        ...


class RevealReason(Model):
    """Why something is revealed; required of some roles."""

    reason: str = Field(default="", max_length=1000)


class PinCodeEntry(RevealReason):
    """Whose pin code to reveal: the bike of a case."""

    kind: CaseKind
    reference: str = Field(max_length=40)


class FinancialEntry(PinCodeEntry):
    """Which number of a case to reveal."""

    what: Literal[HiddenNumber.IBAN, HiddenNumber.POLICY_NUMBER]


class Revealed(Model):
    """A revealed value; empty if none is stored."""

    value: str = Field(repr=False)


class CustomerSearch(Model):
    """Whom to find, as typed: name, e-mail address, number of an order, draft or frame, postcode and house number."""

    text: str = Field(default="", max_length=200)
    page: PageNumber = 1


class FoundCustomer(Model):
    """A customer that a search found.

    Attributes:
        order_number: of the newest order; empty if there is none.
        shop: name of the shop whose customer it is; empty where there is only one.
    """

    customer_id: str
    name: str
    email: str
    address: str
    order_number: str = ""
    shop: str = ""


class CustomerBike(Model):
    """A bike of a customer.

    Attributes:
        frame_number: empty when unknown.
        hidden: what can be revealed of it.
    """

    bike_id: str
    name: str
    frame_number: str = ""
    hidden: Annotated[list[HiddenNumber], only_known(HiddenNumber)] = Field(default_factory=list)


class CustomerCase(Model):
    """A case of a customer that the person may see."""

    kind: Annotated[CaseKind, otherwise(CaseKind, CaseKind.UNKNOWN)]
    reference: str
    status_label: LocalizedText
    opened_at: datetime


class ShopValue(Model):
    """A field of a customer that both the shop and the portal changed, so that they differ.

    Attributes:
        field: a name in `CUSTOMER_LABELS`.
        shop, portal: what each of them says; the portal's holds until somebody decides.
    """

    field: str
    shop: str
    portal: str


class CustomerCard(Model):
    """What staff see of a customer.

    Attributes:
        orders: order numbers, newest first.
        cases: newest first; only those that the person may see.
        shop: name of the shop whose customer it is; empty where there is only one.
    """

    customer_id: str
    first_name: str
    prefix: str = ""
    last_name: str
    email: str
    address: CustomerAddress
    locale: KnownLocale = "nl"
    orders: list[str] = Field(default_factory=list)
    bikes: list[CustomerBike] = Field(default_factory=list)
    cases: list[CustomerCase] = Field(default_factory=list)
    shop: str = ""
    shop_values: list[ShopValue] = Field(default_factory=list)


class VisitEntry(Model):
    """How to open a session of a customer."""

    mode: Literal[VisitMode.READ_ONLY, VisitMode.IN_NAME]


class VisitLink(Model):
    """A link that opens the customer's site once.

    Attributes:
        url: on the customers' host; works once, until `expires_at` (UTC).
    """

    url: str = Field(repr=False)
    expires_at: datetime


class FrameNumberEntry(Model):
    """The right frame number of a bike, as typed, and why it is corrected.

    Attributes:
        unknown: whether nobody knows it; the bike then cannot be used in requests, and `frame_number` is not read.
    """

    frame_number: str = Field(default="", max_length=1000)
    unknown: bool = False
    reason: str = Field(default="", max_length=1000)


class EmailEntry(Model):
    """The right e-mail address of a customer, as typed, and why it is corrected."""

    email: str = Field(default="", max_length=1000)
    reason: str = Field(default="", max_length=1000)


class AddressEntry(Model):
    """The right address of a customer, as typed, and why it is corrected."""

    street: str = Field(default="", max_length=1000)
    house_number: str = Field(default="", max_length=1000)
    house_number_addon: str = Field(default="", max_length=1000)
    post_code: str = Field(default="", max_length=1000)
    city: str = Field(default="", max_length=1000)
    country_code: str = Field(default="", max_length=1000)
    phone: str = Field(default="", max_length=1000)
    reason: str = Field(default="", max_length=1000)


class StoreEntry(Model):
    """The right store of a case, and why it is corrected."""

    kind: CaseKind
    reference: str = Field(max_length=40)
    store_id: str = Field(default="", max_length=40)
    reason: str = Field(default="", max_length=1000)


class CancelEntry(Model):
    """A case to cancel for the customer, and why."""

    kind: CaseKind
    reference: str = Field(max_length=40)
    reason: str = Field(default="", max_length=1000)


class MergedSide(StrEnum):
    """One of two customers who are merged."""

    KEPT = "kept"
    MERGED = "merged"


class MergeEntry(Model):
    """The customer whose data move to the customer of the path, who remains, and why.

    Attributes:
        merged_id: the customer who is removed.
        name_of, email_of, address_of: whose name, e-mail address, and address with phone number stay.
    """

    merged_id: str = Field(default="", max_length=40)
    name_of: MergedSide = MergedSide.KEPT
    email_of: MergedSide = MergedSide.KEPT
    address_of: MergedSide = MergedSide.KEPT
    reason: str = Field(default="", max_length=1000)


_REASON = DeclaredRefusal(InvalidInput, Code.REQUIRED, Code.TOO_LONG)
_ELSEWHERE = DeclaredRefusal(NotFound)
"""The case does not exist, or the person may not see it."""


class CustomersApi(Protocol):
    """What staff reveal, see and correct of customers. Each of these is in the audit.

    Roles of a store find the customers of their cases, and those whom a search of their own showed in the last 12
    hours.
    """

    @operation("POST", "/staff/reveal/pin-code", right=Right.REVEAL_PIN_CODE, refuses=(_REASON, _ELSEWHERE))
    async def reveal_pin_code(self, token: StaffToken, entry: PinCodeEntry) -> Revealed:
        """The pin code of the lock of the bike of a case."""
        ...

    @operation("POST", "/staff/reveal/financial", right=Right.REVEAL_FINANCIAL, refuses=(_REASON, _ELSEWHERE))
    async def reveal_financial(self, token: StaffToken, entry: FinancialEntry) -> Revealed:
        """The account number or policy number of a case."""
        ...

    @operation("POST", "/staff/bikes/{bike_id}/reveal/pin-code", right=Right.REVEAL_PIN_CODE, refuses=(_REASON,))
    async def reveal_bike_pin_code(self, token: StaffToken, bike_id: str, entry: RevealReason) -> Revealed:
        """The pin code of the lock of a bike. Who works for one store finds only bikes of their cases."""
        ...

    @operation("POST", "/staff/bikes/{bike_id}/reveal/policy-number", right=Right.REVEAL_FINANCIAL, refuses=(_REASON,))
    async def reveal_bike_policy_number(self, token: StaffToken, bike_id: str, entry: RevealReason) -> Revealed:
        """The policy number of a bike. Who may not act for customers finds only bikes of their cases."""
        ...

    @operation(
        "POST",
        "/staff/customers/search",
        right=Right.ACT_FOR_CUSTOMERS,
        refuses=(DeclaredRefusal(InvalidInput, Code.REQUIRED, Code.TOO_SHORT),),
    )
    async def find_customers(self, token: StaffToken, search: CustomerSearch) -> Page[FoundCustomer]:
        """Customers that match; what was searched for is in the audit, as a hash where it is personal."""
        ...

    @operation("GET", "/staff/customers/{customer_id}", right=Right.ACT_FOR_CUSTOMERS)
    async def customer_card(self, token: StaffToken, customer_id: str) -> CustomerCard:
        """A customer with bikes, orders, and the cases that the person may see."""
        ...

    @operation("POST", "/staff/customers/{customer_id}/visit", right=Right.ACT_FOR_CUSTOMERS)
    async def visit_customer(self, token: StaffToken, customer_id: str, entry: VisitEntry) -> VisitLink:
        """Make a link with which this person sees the customer's site, or acts in the customer's name there."""
        ...

    @operation(
        "PUT",
        "/staff/bikes/{bike_id}/frame-number",
        right=Right.CORRECT_FRAME_NUMBER,
        refuses=(_REASON, DeclaredRefusal(InvalidInput, Code.INVALID_FRAME_NUMBER)),
    )
    async def correct_frame_number(self, token: StaffToken, bike_id: str, entry: FrameNumberEntry) -> CustomerBike:
        """Set the frame number of a bike, or that it is unknown. Only a bike with a number can be used in requests."""
        ...

    @operation(
        "PUT",
        "/staff/customers/{customer_id}/email",
        right=Right.CORRECT_CUSTOMERS,
        refuses=(_REASON, DeclaredRefusal(InvalidInput, Code.INVALID_EMAIL, Code.SAME_EMAIL)),
    )
    async def correct_email(self, token: StaffToken, customer_id: str, entry: EmailEntry) -> CustomerCard:
        """Set the e-mail address of a customer. Both addresses get a mail, and the customer's sessions end."""
        ...

    @operation(
        "PUT",
        "/staff/customers/{customer_id}/address",
        right=Right.CORRECT_CUSTOMERS,
        refuses=(
            _REASON,
            DeclaredRefusal(
                InvalidInput,
                Code.INVALID_POSTCODE,
                Code.INVALID_HOUSE_NUMBER,
                Code.INVALID_PHONE,
                Code.INVALID_COUNTRY,
            ),
        ),
    )
    async def correct_address(self, token: StaffToken, customer_id: str, entry: AddressEntry) -> CustomerCard:
        """Set the address and phone number of a customer."""
        ...

    @operation(
        "POST",
        "/staff/corrections/store",
        right=Right.CORRECT_CUSTOMERS,
        refuses=(_REASON, DeclaredRefusal(InvalidInput, Code.INVALID_CHOICE), _ELSEWHERE),
    )
    async def correct_store(self, token: StaffToken, entry: StoreEntry) -> None:
        """Move a case that went to the wrong store."""
        ...

    @operation(
        "POST",
        "/staff/corrections/cancel",
        right=Right.CORRECT_CUSTOMERS,
        refuses=(_REASON, DeclaredRefusal(Conflict, Code.STATUS_NOT_ALLOWED), _ELSEWHERE),
    )
    async def cancel_for_customer(self, token: StaffToken, entry: CancelEntry) -> None:
        """Cancel a case at the customer's request; the customer is told as when the retailer cancels."""
        ...

    @operation(
        "POST",
        "/staff/customers/{customer_id}/merge",
        right=Right.CORRECT_CUSTOMERS,
        refuses=(_REASON, DeclaredRefusal(InvalidInput, Code.INVALID_CHOICE)),
    )
    async def merge_customers(self, token: StaffToken, customer_id: str, entry: MergeEntry) -> CustomerCard:
        """Move everything of another customer to this one, and end the other's sessions.

        Where the e-mail addresses differ, both get a mail with the one that remains. If that is the other's, the
        sessions of the customer who remains end, too.
        """
        ...
