"""The operations of returns and exchanges, and their models (part-2 §2, §3)."""

from datetime import date, datetime
from typing import Annotated, Protocol

from pydantic import Field

from portal.contract.account import Account, LocalizedText
from portal.contract.errors import Conflict, InvalidInput, NotFound, Refused, TooMany, Unavailable
from portal.contract.models import Amount, Document, Model, Page, Picture, otherwise
from portal.contract.operations import (
    PDF,
    DeclaredRefusal,
    FileLocale,
    InVisit,
    PageNumber,
    StaffToken,
    Token,
    operation,
)
from portal.flow.api import ANNOUNCEMENT, UploadPlace, UploadStart
from portal.kernel.codes import Code
from portal.links.api import LinkSent
from portal.vocabulary.returns import (
    ItemState,
    ReturnKind,
    ReturnMethod,
    ReturnStatus,
    UnitCondition,
    UnitDecision,
)
from portal.vocabulary.staff import Right

MAX_HOLDER = 70
"""Characters of a name in a SEPA payment."""

MAX_IBAN = 50
"""Characters of an IBAN as people type it."""

KnownReturnKind = Annotated[ReturnKind, otherwise(ReturnKind, ReturnKind.UNKNOWN)]
KnownReturnStatus = Annotated[ReturnStatus, otherwise(ReturnStatus, ReturnStatus.UNKNOWN)]


class ReturnSummary(Model):
    """A return in the list.

    `title`, `label`, `meaning`: title, status and meaning of its account.
    `picture`: of the first item.
    `others`: pictures of the next two items, if there are.
    `can_resend`: whether its link can be mailed again. Such a return has no status to view yet.
    `order_numbers`: the orders of its items; `order_number` is the first.
    `asked`: whether staff wait for an answer of the customer; `label` and `meaning` then say so.
    """

    return_id: str
    reference: str
    kind: KnownReturnKind
    status: KnownReturnStatus
    title: LocalizedText = LocalizedText()
    label: LocalizedText = LocalizedText()
    meaning: LocalizedText = LocalizedText()
    order_number: str
    order_numbers: list[str] = Field(default_factory=list)
    requested_on: date
    picture: Picture = Picture()
    others: list[Picture] = Field(default_factory=list)
    can_resend: bool = False
    asked: bool = False


class ReturnedItem(Model):
    """Units of one order line in a return.

    `received`: number of units that arrived.
    `given_back`: number of units that are no longer part of the return; the customer keeps them.
    """

    name: str
    picture: Picture = Picture()
    item_color: str = ""
    frame_size: str = ""
    frame_numbers: list[str] = Field(default_factory=list)
    count: int
    received: int = 0
    given_back: int = 0


class ReturnEvent(Model):
    """An entry of the timeline: a status, as the account worded it then; the time is in UTC."""

    label: LocalizedText = LocalizedText()
    meaning: LocalizedText = LocalizedText()
    note: str = ""
    happened_at: datetime


class PendingConfirmation(Model):
    """State of the mailed link; times are in UTC.

    `email`: where it was sent.
    `failed`: the mail could not be sent (`email_failed`).
    `can_resend`: whether it can be mailed again. An expired return allows this while its pick-up day is available.
    """

    email: str
    expires_at: datetime
    expired: bool
    failed: bool
    can_resend: bool = True


class ReturnStore(Model):
    """The store to which the customer brings the items."""

    name: str
    street: str
    house_number: str
    house_number_addon: str = ""
    post_code: str
    city: str
    phone: str = ""


class ReturnDetail(Model):
    """A return.

    `account`: what its page and its documents say.
    `timeline`: events, oldest first; empty until the return is confirmed.
    `pending`: state of the link, while the return is not confirmed or has expired.
    `can_cancel`: whether the customer can cancel it; nothing was picked up yet.
    `has_label`: whether a label can be downloaded.
    `battery_asked`: whether the customer has to answer the battery question before there is a label (`answer_battery`).
    `instructions`: whether its battery must not travel; pages show `vocabulary.returns.BATTERY_INSTRUCTIONS`.
    `order_numbers`: the orders of its items; `order_number` is the first.
    `account_wanted`: whether an account for the refund can be named (`name_refund_account`).
    """

    return_id: str
    reference: str
    kind: KnownReturnKind
    status: KnownReturnStatus
    account: Account
    order_number: str
    order_numbers: list[str] = Field(default_factory=list)
    items: list[ReturnedItem]
    method: Annotated[ReturnMethod, otherwise(ReturnMethod, ReturnMethod.NONE)]
    store: ReturnStore | None = None
    timeline: list[ReturnEvent] = Field(default_factory=list)
    pending: PendingConfirmation | None = None
    can_cancel: bool = False
    has_label: bool = False
    battery_asked: bool = False
    instructions: bool = False
    account_wanted: bool = False


class RefundAccount(Model):
    """The account to which a refund is paid."""

    holder: Annotated[str, Field(min_length=1, max_length=MAX_HOLDER)]
    iban: Annotated[str, Field(min_length=1, max_length=MAX_IBAN)]


class ReturnName(Model):
    """Names a return."""

    return_id: str = Field(default="", max_length=1000)


class OwnRefundAccount(ReturnName, RefundAccount):
    """The account that the customer names for the refund of a return."""


class BatteryAnswer(ReturnName):
    """The state of the battery of a return: a value of `BatteryState`, not validated yet."""

    battery: str = Field(default="", max_length=1000)


ReturnId = Annotated[str, Field(default="", max_length=1000, description="Which return.")]

_NAMED = (
    DeclaredRefusal(InvalidInput, Code.MISSING_ID_PARAM),
    DeclaredRefusal(Refused, Code.ITEM_RETURN_DOES_NOT_EXIST),
)
"""Refusals of every operation that names a return."""

_PDF_FAILED = DeclaredRefusal(Unavailable, Code.PDF_FAILED)


class ReturnsApi(Protocol):
    """Returns of the customer."""

    @operation("GET", "/returns")
    async def returns(self, token: Token, page: PageNumber = 1) -> Page[ReturnSummary]:
        """The customer's returns, newest first. A page number beyond the last page gives the last page."""

    @operation("GET", "/returns/detail", refuses=_NAMED)
    async def return_detail(self, token: Token, return_id: ReturnId) -> ReturnDetail:
        """One return."""

    @operation(
        "POST",
        "/returns/cancel",
        body=ReturnName,
        refuses=(*_NAMED, DeclaredRefusal(Refused, Code.RETURN_NOT_CANCELLABLE)),
    )
    async def cancel_return(self, token: Token, return_id: str) -> ReturnDetail:
        """Cancel a return that was not picked up yet. A repeated call changes nothing."""

    @operation(
        "POST",
        "/returns/resend",
        body=ReturnName,
        refuses=(
            *_NAMED,
            DeclaredRefusal(Refused, Code.LINK_USED, Code.RETURN_REQUEST_ALREADY_EXISTS, Code.INVALID_TIME),
            DeclaredRefusal(TooMany, Code.MAIL_SENT_RECENTLY),
        ),
    )
    async def resend_return(self, token: Token, return_id: str) -> LinkSent:
        """Mail the link again. An expired return waits for confirmation again."""

    @operation(
        "POST",
        "/returns/battery",
        refuses=(
            *_NAMED,
            DeclaredRefusal(InvalidInput, Code.REQUIRED, Code.INVALID_CHOICE),
            DeclaredRefusal(Conflict, Code.STATUS_CHANGED),
        ),
    )
    async def answer_battery(self, token: Token, entry: BatteryAnswer) -> ReturnDetail:
        """Answer the battery question of a withdrawal. Only a safe battery gets a label.

        The same answer again changes nothing. `required` and `invalid_choice` refer to the field `battery`.
        `status_changed`: the return has no open battery question.
        """

    @operation(
        "PUT",
        "/returns/account",
        refuses=(
            *_NAMED,
            DeclaredRefusal(InvalidInput, Code.INVALID_INPUT, Code.INVALID_IBAN, Code.REQUIRED),
            DeclaredRefusal(Conflict, Code.REFUND_EXPORTED, Code.STATUS_NOT_ALLOWED),
        ),
        in_visit=InVisit.NEVER,
    )
    async def name_refund_account(self, token: Token, entry: OwnRefundAccount) -> ReturnDetail:
        """Name the account to which a return is refunded. Its last digits are mailed to the customer.

        `status_not_allowed`: nothing is refunded. `refund_exported`: the refund is on its way.
        """

    @operation(
        "GET",
        "/returns/label",
        media=PDF,
        refuses=(*_NAMED, DeclaredRefusal(Refused, Code.RETURN_WITHOUT_LABEL), _PDF_FAILED),
    )
    async def return_label(self, token: Token, return_id: ReturnId, locale: FileLocale) -> Document:
        """The label, a PDF with the return number as text and as QR code."""

    @operation("GET", "/returns/summary", media=PDF, refuses=(*_NAMED, _PDF_FAILED))
    async def return_summary_pdf(self, token: Token, return_id: ReturnId, locale: FileLocale) -> Document:
        """The request with its amounts, a PDF."""


class ExpectedItem(Model):
    """An item that a return says comes back.

    `item_id`: order number and position of the order line, such as '900000001-3'.
    `count`: number of units.
    """

    item_id: str
    name: str
    item_color: str = ""
    frame_size: str = ""
    frame_numbers: list[str] = Field(default_factory=list)
    count: int


class ExpectedReturn(Model):
    """A return as staff see it when it arrives.

    `state`: how used the items are, as the customer stated; None where it was not asked.
    `at_our_expense`: whether nothing is deducted, because the items were wrong or defective.
    `receivable`: whether it can be received now.
    `urgent`: whether its battery is unsafe: nobody may transport it.
    `refund`: what the customer gets back, as agreed; None where no amounts were agreed.
    `seen`: to be sent along, so that a change by somebody else in the meantime is noticed.
    """

    reference: str
    kind: KnownReturnKind
    status: KnownReturnStatus
    customer_name: str
    reason_text: str = ""
    state: ItemState | None = None
    at_our_expense: bool
    receivable: bool
    urgent: bool
    items: list[ExpectedItem]
    refund: Amount | None = None
    seen: str


MAX_MESSAGE = 500
"""Most characters of a message to the customer."""


class InspectedItem(Model):
    """Units of one item that arrived in the same condition.

    `decision`: whether the retailer keeps them; what goes back to the customer is not refunded.
    `note`: for colleagues; the customer does not see it.
    `photos`: ids of uploaded photos, at most one for each unit, in the order of the units.
    `frame_number`: which of several equal bikes it is; empty if that is known or does not matter.
    """

    item_id: str = Field(max_length=20)
    count: int = Field(ge=1, le=1000)
    condition: Annotated[UnitCondition, otherwise(UnitCondition, UnitCondition.UNKNOWN)] = UnitCondition.AS_STATED
    decision: Annotated[UnitDecision, otherwise(UnitDecision, UnitDecision.UNKNOWN)] = UnitDecision.ACCEPT
    note: str = Field(default="", max_length=300)
    photos: list[Annotated[str, Field(max_length=16)]] = Field(default_factory=list, max_length=1000)
    frame_number: str = Field(default="", max_length=20)


class ReturnInspection(Model):
    """What arrived of a return. Units that are not named are missing, and can be returned again.

    `items`: what arrived, by item, condition and decision.
    `message`: to the customer; required when less is refunded than agreed.
    `seen`: `ExpectedReturn.seen`.
    """

    items: list[InspectedItem] = Field(min_length=1, max_length=100)
    message: str = Field(default="", max_length=MAX_MESSAGE)
    seen: str = Field(max_length=40)


class InspectionOutcome(Model):
    """What an inspection means, before or after it is stored.

    `status`: the status of the return then.
    `missing`: number of units that did not arrive.
    `less`: whether less is refunded than agreed.
    `refund`: what the customer gets back; None where no amounts were agreed.
    """

    status: KnownReturnStatus
    missing: int
    less: bool
    refund: Amount | None = None


_INSPECTION_REFUSALS = (
    DeclaredRefusal(InvalidInput, Code.INVALID_INPUT),
    DeclaredRefusal(Conflict, Code.STATUS_CHANGED, Code.STATUS_NOT_ALLOWED),
)


class ReceivingApi(Protocol):
    """Staff receive returns. A return of another store does not exist for the people of a store."""

    @operation(
        "GET",
        "/staff/returns/expected",
        right=Right.RECEIVE_RETURNS,
        refuses=(DeclaredRefusal(NotFound, Code.NOT_FOUND),),
    )
    async def expected_return(
        self,
        token: StaffToken,
        code: Annotated[str, Field(max_length=200, description="The scanned code of the label, or the reference.")],
    ) -> ExpectedReturn:
        """The return of a label."""

    @operation(
        "POST",
        "/staff/returns/{reference}/inspection/preview",
        right=Right.RECEIVE_RETURNS,
        refuses=_INSPECTION_REFUSALS,
    )
    async def preview_inspection(self, token: StaffToken, reference: str, found: ReturnInspection) -> InspectionOutcome:
        """What the customer gets back if this is what arrived. Nothing is stored."""

    @operation("POST", "/staff/returns/{reference}/photos", right=Right.RECEIVE_RETURNS, refuses=ANNOUNCEMENT)
    async def begin_unit_photo(self, token: StaffToken, reference: str, start: UploadStart) -> UploadPlace:
        """Announce a photo of a unit that arrived, in a field such as 'unit-3'. All limits are checked here."""

    @operation(
        "POST", "/staff/returns/{reference}/inspection", right=Right.RECEIVE_RETURNS, refuses=_INSPECTION_REFUSALS
    )
    async def receive_return(self, token: StaffToken, reference: str, found: ReturnInspection) -> InspectionOutcome:
        """Store what arrived, and tell the customer. If nothing is accepted, the whole return is rejected.

        `invalid_input` names `items` when more arrived than the return has, `message` when one is missing, and `photos`
        when a photo is not there.
        """
