"""One case as staff see it."""

from datetime import date, datetime
from typing import Annotated

from pydantic import Field

from portal.contract.account import Account, AccountFact, LocalizedText
from portal.contract.models import Amount, Model, only_known, otherwise
from portal.staff.api.customers import ShopValue
from portal.staff.api.people import StoreName
from portal.vocabulary.cases import CaseEventType, CaseKind, CaseState
from portal.vocabulary.staff import HiddenNumber

KnownKind = Annotated[CaseKind, otherwise(CaseKind, CaseKind.UNKNOWN)]


KnownState = Annotated[CaseState, otherwise(CaseState, CaseState.UNKNOWN)]


class StaffName(Model):
    person_id: str
    name: str


class CaseFile(Model):
    """A file that the customer sent with the request, or a photo that staff took of what arrived.

    `kind`: a value of `FileKind`.
    `by_staff`: whether staff took it.
    """

    file_id: str
    name: str
    kind: str
    has_preview: bool = False
    by_staff: bool = False


class CaseCustomer(Model):
    """The customer of a case.

    `customer_id`: identifier outside the database.
    `email_refused`: whether the last mail to the address was refused, or came back.
    `address`: lines to read; `map_url` shows it on a map; both empty if unknown.
    `phone`: readable; `call` is the link.
    `shop`: name of the shop whose customer it is; empty where there is only one.
    """

    customer_id: str
    name: str
    email: str
    email_refused: bool = False
    phone: str = ""
    call: str = ""
    address: list[str] = Field(default_factory=list)
    map_url: str = ""
    shop: str = ""
    shop_values: list[ShopValue] = Field(default_factory=list)


class CaseLink(Model):
    kind: KnownKind
    reference: str
    state: KnownState
    status_label: LocalizedText
    what: LocalizedText = LocalizedText()
    bike: str = ""
    opened_at: datetime


class CaseBike(Model):
    """The bike of a case.

    `key_numbers`, `battery_number`, `tracker_number`: engraved or printed on keys and locks, battery and tracker.
    `pin_code`: whether its electronic lock has a code, which staff reveal.
    `warranty_until`: last day of the warranty; None if unknown.
    `service_package`: name of the package; empty without one.
    `departed`: why the customer does not have it any more; empty otherwise.
    """

    bike_id: str
    name: str
    details: str = ""
    frame_number: str = ""
    key_numbers: list[str] = Field(default_factory=list)
    battery_number: str = ""
    tracker_number: str = ""
    pin_code: bool = False
    bought_on: date | None = None
    warranty_until: date | None = None
    in_warranty: bool = False
    service_package: LocalizedText = LocalizedText()
    insured: bool = False
    departed: LocalizedText = LocalizedText()
    history: list[CaseLink] = Field(default_factory=list)


class CaseOrder(Model):
    """An order of a case. `outstanding` is what is still to be paid."""

    order_number: str
    ordered_on: date
    items: list[str]
    total: Amount
    outstanding: Amount


class NextStep(Model):
    """A status that may follow.

    `with_day`: what the customer reads instead once staff name a day; empty where that changes nothing.
    """

    status: str
    label: LocalizedText
    sentence: LocalizedText = LocalizedText()
    with_day: LocalizedText = LocalizedText()
    mailed: bool = True
    asks_day: bool = False
    asks_policy: bool = False
    asks_battery: bool = False
    asks_note: bool = True


class TimelineEntry(Model):
    """An entry of the timeline.

    `who`: name of the person; empty for the customer and the portal itself.
    `text`: what happened in words, such as the new status, store or day.
    `message`: what staff wrote to the customer with it.
    """

    type: Annotated[CaseEventType, otherwise(CaseEventType, CaseEventType.UNKNOWN)]
    label: LocalizedText
    text: LocalizedText = LocalizedText()
    message: str = ""
    who: str = ""
    by_customer: bool = False
    happened_at: datetime


class CaseNote(Model):
    """An internal note. It is never sent or shown to customers."""

    who: str
    text: str
    written_at: datetime


class CaseDetail(Model):
    """One case.

    `status`: as the subject stores it; `version` of the case is the `seen` of every change.
    `unread`: as in `QueueEntry`; `mark_case_read` ends it.
    `item`, `what`, `quote`: as `bike`, `what` and `quote` of `QueueEntry`.
    `found`: what staff found when it arrived, an entry an item.
    """

    kind: KnownKind
    reference: str
    state: KnownState
    status: str
    status_label: LocalizedText
    tone: str = ""
    urgent: bool = False
    unread: bool = False
    version: int
    promised_at: datetime | None = None
    waiting_since: datetime | None = None
    planned_date: date | None = None
    opened_by: StaffName | None = None
    person: StaffName | None = None
    store: StoreName | None = None
    item: str = ""
    what: LocalizedText = LocalizedText()
    quote: str = ""
    account: Account
    found: list[AccountFact] = Field(default_factory=list)
    files: list[CaseFile] = Field(default_factory=list)
    customer: CaseCustomer | None = None
    bike: CaseBike | None = None
    orders: list[CaseOrder] = Field(default_factory=list)
    steps: list[NextStep] = Field(default_factory=list)
    can_plan: bool = False
    events: list[TimelineEntry] = Field(default_factory=list)
    notes: list[CaseNote] = Field(default_factory=list)
    people: list[StaffName] = Field(default_factory=list)
    others: list[CaseLink] = Field(default_factory=list)
    also_here: list[StaffName] = Field(default_factory=list)
    hidden: Annotated[list[HiddenNumber], only_known(HiddenNumber)] = Field(default_factory=list)
    now: datetime
