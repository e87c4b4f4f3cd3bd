"""Operations and models for what staff see and do of customers."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal, Protocol

from pydantic import Field

from portal.contract.account import LocalizedText
from portal.contract.errors import Conflict, InvalidInput, NotFound
from portal.contract.models import KnownLocale, Model, Page, only_known, otherwise
from portal.contract.operations import DeclaredRefusal, PageNumber, StaffToken, operation
from portal.contract.session import CustomerAddress
from portal.kernel.codes import Code
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.staff import HiddenNumber, Right, VisitMode

MAX_REASON = 300


class RevealReason(Model):
    reason: str = Field(default="", max_length=1000)


class PinCodeEntry(RevealReason):
    """Whose pin code to reveal: the bike of a case."""

    kind: CaseKind
    reference: str = Field(max_length=40)


class FinancialEntry(PinCodeEntry):
    what: Literal[HiddenNumber.IBAN, HiddenNumber.POLICY_NUMBER]


class Revealed(Model):
    value: str = Field(repr=False)


class CustomerSearch(Model):
    """Whom to find, as typed: name, e-mail address, number of an order, draft or frame, postcode and house number."""

    text: str = Field(default="", max_length=200)
    page: PageNumber = 1


class FoundCustomer(Model):
    """A customer that a search found.

    `order_number`: of the newest order; empty if there is none.
    `shop`: name of the shop whose customer it is; empty where there is only one.
    """

    customer_id: str
    name: str
    email: str
    address: str
    order_number: str = ""
    shop: str = ""


class CustomerBike(Model):
    """A bike of a customer.

    `frame_number`: empty when unknown.
    `hidden`: what can be revealed of it.
    """

    bike_id: str
    name: str
    frame_number: str = ""
    hidden: Annotated[list[HiddenNumber], only_known(HiddenNumber)] = Field(default_factory=list)


class CustomerCase(Model):
    kind: Annotated[CaseKind, otherwise(CaseKind, CaseKind.UNKNOWN)]
    reference: str
    status_label: LocalizedText
    opened_at: datetime


class ShopValue(Model):
    """A field that both the shop and the portal changed, so that they differ, or that an import could not read.

    `about`: the number of an order, or the name of a bike; empty for the customer.
    `field`: of the customer a name in `CUSTOMER_LABELS`, else as the shop's record names it.
    `shop`, `portal`: what each of them says; the portal's holds until somebody decides.
    """

    about: str = ""
    field: str
    shop: str
    portal: str


class CustomerCard(Model):
    """What staff see of a customer.

    `email_refused`: whether the last mail to the address was refused, or came back.
    `orders`: order numbers, newest first.
    `shop`: name of the shop whose customer it is; empty where there is only one.
    """

    customer_id: str
    first_name: str
    prefix: str = ""
    last_name: str
    email: str
    email_refused: bool = False
    address: CustomerAddress
    locale: KnownLocale = "nl"
    orders: list[str] = Field(default_factory=list)
    bikes: list[CustomerBike] = Field(default_factory=list)
    cases: list[CustomerCase] = Field(default_factory=list)
    shop: str = ""
    shop_values: list[ShopValue] = Field(default_factory=list)


class VisitEntry(Model):
    mode: Literal[VisitMode.READ_ONLY, VisitMode.IN_NAME]


class CustomerSiteLink(Model):
    """A link that opens the customer's site once.

    `url`: on the customers' host; works once, until `expires_at` (UTC).
    """

    url: str = Field(repr=False)
    expires_at: datetime


class FrameNumberEntry(Model):
    """The right frame number of a bike, as typed, and why it is corrected.

    `unknown`: whether nobody knows it; the bike then cannot be used in requests, and `frame_number` is not read.
    """

    frame_number: str = Field(default="", max_length=1000)
    unknown: bool = False
    reason: str = Field(default="", max_length=1000)


class EmailEntry(Model):
    email: str = Field(default="", max_length=1000)
    reason: str = Field(default="", max_length=1000)


class AddressEntry(Model):
    street: str = Field(default="", max_length=1000)
    house_number: str = Field(default="", max_length=1000)
    house_number_addon: str = Field(default="", max_length=1000)
    post_code: str = Field(default="", max_length=1000)
    city: str = Field(default="", max_length=1000)
    country_code: str = Field(default="", max_length=1000)
    phone: str = Field(default="", max_length=1000)
    reason: str = Field(default="", max_length=1000)


class StoreEntry(Model):
    kind: CaseKind
    reference: str = Field(max_length=40)
    store_id: str = Field(default="", max_length=40)
    reason: str = Field(default="", max_length=1000)


class CancelEntry(Model):
    kind: CaseKind
    reference: str = Field(max_length=40)
    reason: str = Field(default="", max_length=1000)


class MergedSide(StrEnum):
    KEPT = "kept"
    MERGED = "merged"


class MergeEntry(Model):
    """The customer whose data move to the customer of the path, who remains, and why.

    `name_of`, `email_of`, `address_of`: whose name, e-mail address, and address with phone number stay.
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

    @operation("POST", "/staff/reveal/financial", right=Right.REVEAL_FINANCIAL, refuses=(_REASON, _ELSEWHERE))
    async def reveal_financial(self, token: StaffToken, entry: FinancialEntry) -> Revealed:
        """The account number or policy number of a case."""

    @operation("POST", "/staff/bikes/{bike_id}/reveal/pin-code", right=Right.REVEAL_PIN_CODE, refuses=(_REASON,))
    async def reveal_bike_pin_code(self, token: StaffToken, bike_id: str, entry: RevealReason) -> Revealed:
        """The pin code of the lock of a bike. Who works for one store finds only bikes of their cases."""

    @operation("POST", "/staff/bikes/{bike_id}/reveal/policy-number", right=Right.REVEAL_FINANCIAL, refuses=(_REASON,))
    async def reveal_bike_policy_number(self, token: StaffToken, bike_id: str, entry: RevealReason) -> Revealed:
        """The policy number of a bike. Who may not act for customers finds only bikes of their cases."""

    @operation(
        "POST",
        "/staff/customers/search",
        right=Right.ACT_FOR_CUSTOMERS,
        refuses=(DeclaredRefusal(InvalidInput, Code.REQUIRED, Code.TOO_SHORT),),
    )
    async def find_customers(self, token: StaffToken, search: CustomerSearch) -> Page[FoundCustomer]:
        """Customers that match; what was searched for is in the audit, as a hash where it is personal."""

    @operation("GET", "/staff/customers/{customer_id}", right=Right.ACT_FOR_CUSTOMERS)
    async def customer_card(self, token: StaffToken, customer_id: str) -> CustomerCard:
        """A customer with bikes, orders, and the cases that the person may see."""

    @operation("POST", "/staff/customers/{customer_id}/visit", right=Right.ACT_FOR_CUSTOMERS)
    async def visit_customer(self, token: StaffToken, customer_id: str, entry: VisitEntry) -> CustomerSiteLink:
        """Make a link with which this person sees the customer's site, or acts in the customer's name there."""

    @operation(
        "PUT",
        "/staff/bikes/{bike_id}/frame-number",
        right=Right.CORRECT_FRAME_NUMBER,
        refuses=(_REASON, DeclaredRefusal(InvalidInput, Code.INVALID_FRAME_NUMBER)),
    )
    async def correct_frame_number(self, token: StaffToken, bike_id: str, entry: FrameNumberEntry) -> CustomerBike:
        """Set the frame number of a bike, or that it is unknown. Only a bike with a number can be used in requests."""

    @operation(
        "PUT",
        "/staff/customers/{customer_id}/email",
        right=Right.CORRECT_CUSTOMERS,
        refuses=(_REASON, DeclaredRefusal(InvalidInput, Code.INVALID_EMAIL, Code.SAME_EMAIL)),
    )
    async def correct_email(self, token: StaffToken, customer_id: str, entry: EmailEntry) -> CustomerCard:
        """Set the e-mail address of a customer. Both addresses get a mail, and the customer's sessions end."""

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

    @operation(
        "POST",
        "/staff/corrections/store",
        right=Right.CORRECT_CUSTOMERS,
        refuses=(_REASON, DeclaredRefusal(InvalidInput, Code.INVALID_CHOICE), _ELSEWHERE),
    )
    async def correct_store(self, token: StaffToken, entry: StoreEntry) -> None:
        """Move a case that went to the wrong store."""

    @operation(
        "POST",
        "/staff/corrections/cancel",
        right=Right.CORRECT_CUSTOMERS,
        refuses=(_REASON, DeclaredRefusal(Conflict, Code.STATUS_NOT_ALLOWED), _ELSEWHERE),
    )
    async def cancel_for_customer(self, token: StaffToken, entry: CancelEntry) -> None:
        """Cancel a case at the customer's request; the customer is told as when the retailer cancels."""

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
