"""Operations and models of the queue and of one case, for staff."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Annotated, Protocol

from pydantic import Field

from portal.cases.models import CaseDetail, KnownKind, KnownState, NextStep, StaffName, StoreName
from portal.contract.account import LocalizedText
from portal.contract.common_api import MAX_WAIT_SECONDS, NEVER_ASKED
from portal.contract.errors import Conflict, InvalidInput, Refused, Unavailable
from portal.contract.models import LAST_PAGE, WHOLE_FILE, Content, Document, FilePart, Model, otherwise
from portal.contract.operations import ANY_FILE, CSV, JPEG, PDF, DeclaredRefusal, FileLocale, StaffToken, operation
from portal.kernel.codes import Code
from portal.vocabulary.cases import CaseKind, CaseSort, CaseView
from portal.vocabulary.staff import Right
from portal.vocabulary.status import Turn

QUEUE_PAGE = 50
"""Cases on one page of the queue."""

MAX_NOTE_LENGTH, MAX_VIEW_NAME_LENGTH = 4000, 60
"""Characters of an internal note, and of the name of a saved view."""

MAX_BATCH = 100
NOBODY = "nobody"
"""Filter: cases that no person handles."""

SERVICE_DESK = "desk"
"""Filter: cases that no store handles."""

MAIN_SHOP = "_main"
"""Filter: cases of customers of no further shop. It cannot be the name of one."""

KnownTurn = Annotated[Turn, otherwise(Turn, Turn.UNKNOWN)]


class ShopName(Model):
    """A shop of the installation: the source of its imports or `MAIN_SHOP`, and its name."""

    shop: str
    name: str


class CaseFilter(Model):
    """Which cases the queue shows; everything that is empty filters nothing.

    `store`: id of a store, or `desk` for cases without one.
    `status`: as the subject stores it.
    `days`: cases that were opened at least so many days ago.
    `person`: id of a person, or `nobody`.
    `shop`: the further shop whose customer it is, or `_main` for customers of none.
    """

    view: CaseView = CaseView.OPEN
    kind: CaseKind | None = None
    store: str = Field(default="", max_length=40)
    status: str = Field(default="", max_length=40)
    days: int = Field(default=0, ge=0, le=365)
    person: str = Field(default="", max_length=40)
    shop: str = Field(default="", max_length=40)
    sort: CaseSort = CaseSort.PROMISE


FILTERS = tuple(CaseFilter.model_fields)


def case_filter(given: Mapping[str, str]) -> CaseFilter:
    """The filter of an address; values that mean nothing are left out."""
    known: dict[str, object] = {name: given.get(name, "")[:40] for name in ("store", "status", "person", "shop")}
    if given.get("view") in set(CaseView):
        known["view"] = given["view"]
    if given.get("kind") in set(CaseKind) - {CaseKind.UNKNOWN}:
        known["kind"] = given["kind"]
    if given.get("sort") in set(CaseSort):
        known["sort"] = given["sort"]
    if (days := given.get("days", "")[:4]).isdecimal():
        known["days"] = min(int(days), 365)
    return CaseFilter.model_validate(known)


class QueuePage(CaseFilter):
    """A page of the queue.

    `search`: reference, name, e-mail address, order number, frame number, or post code and house number.
    """

    search: str = Field(default="", max_length=120)
    page: int = Field(default=1, ge=1, le=LAST_PAGE)


class QueueEntry(Model):
    """A case in the queue.

    `status_label`: status of the request in words; `tone` is its colour.
    `customer`: full name; empty if the customer is not known.
    `promised_at`: when it is due (UTC): what the customer was promised, the working days of the status, or the end of
    the time for the customer's answer; None when it is done.
    `turn`: who has to act next; None when it is done.
    `waiting_since`: since when the customer has to answer; None while they need not.
    `person`: who handles it; None for nobody.
    `store`: where it is handled; None for the service desk.
    `shop`: name of the shop whose customer it is; empty where there is only one.
    `unread`: whether the customer sent something that nobody has opened.
    """

    kind: KnownKind
    reference: str
    urgent: bool = False
    unread: bool = False
    state: KnownState
    status: str
    status_label: LocalizedText
    tone: str = ""
    customer: str = ""
    bike: str = ""
    what: LocalizedText = LocalizedText()
    quote: str = ""
    files: int = 0
    promised_at: datetime | None = None
    turn: KnownTurn | None = None
    waiting_since: datetime | None = None
    planned_date: date | None = None
    person: StaffName | None = None
    store: StoreName | None = None
    shop: str = ""
    opened_at: datetime
    version: int


class Queue(Model):
    """A page of the queue, in the order that was asked for.

    `now`: moment of the answer (UTC), against which promises are read.
    `total`: cases on all pages; `more` tells that there are at least so many.
    """

    items: list[QueueEntry]
    page: int
    pages: int
    total: int
    more: bool = False
    now: datetime


class SavedView(Model):
    """A filter that a person saved. A search is not saved, because it may name a customer."""

    view_id: str
    name: str
    filter: CaseFilter
    count: int = 0


class SavedViewEntry(Model):
    name: str = Field(min_length=1, max_length=MAX_VIEW_NAME_LENGTH)
    filter: CaseFilter


class ViewCount(Model):
    view: Annotated[CaseView, otherwise(CaseView, CaseView.OPEN)]
    count: int


class KindCount(Model):
    kind: KnownKind
    count: int


class Counts(Model):
    """The numbers beside the views and kinds, for what the person may see. `mark`: as in `CaseChanges`."""

    views: list[ViewCount]
    kinds: list[KindCount]
    saved: list[SavedView] = Field(default_factory=list)
    mark: int


class CountsFilter(Model):
    store: str = Field(default="", max_length=40)


class CaseWatch(Model):
    """What to wait for.

    `since`: `mark` of the previous answer.
    `wait_seconds`: how long to wait for a change; 0 answers at once.
    """

    since: int = Field(default=NEVER_ASKED, ge=NEVER_ASKED, le=2**53)
    wait_seconds: int = Field(default=0, ge=0, le=MAX_WAIT_SECONDS)


class CaseChanges(Model):
    """`mark` grows with every change of a case that the person may see; equal to `since` when nothing changed."""

    mark: int


class CaseChoices(Model):
    """What the person can choose from: stores and persons, of filters and of handing over.

    `shops`: for the filter; empty where there is only one shop.
    """

    stores: list[StoreName]
    people: list[StaffName]
    all_stores: list[StoreName] = Field(default_factory=list)
    shops: list[ShopName] = Field(default_factory=list)


class CaseMove(Model):
    """A change of status.

    `note`: shown to the customer unchanged.
    `under_warranty`: for a repair; None leaves it as it is.
    `seen`: `version` that the person saw.
    """

    status: str = Field(min_length=1, max_length=40)
    note: str = Field(default="", max_length=500)
    planned_date: date | None = None
    policy_number: str = Field(default="", max_length=40)
    under_warranty: bool | None = None
    battery_collected: bool = False
    seen: int = Field(ge=1)


class PlannedDay(Model):
    """A day for the work, local. `note` is shown to the customer unchanged."""

    day: date
    note: str = Field(default="", max_length=500)
    seen: int = Field(ge=1)


class CaseAssignment(Model):
    """Who handles a case; an empty `person` means nobody."""

    person: str = Field(default="", max_length=40)
    seen: int = Field(ge=1)


class CaseHandOver(Model):
    """Which store handles a case. `note` tells the other store why."""

    store: str = Field(min_length=1, max_length=40)
    note: str = Field(default="", max_length=MAX_NOTE_LENGTH)
    seen: int = Field(ge=1)


class CaseNoteEntry(Model):
    text: str = Field(max_length=MAX_NOTE_LENGTH)


class CaseName(Model):
    kind: CaseKind
    reference: str = Field(min_length=1, max_length=20)
    seen: int = Field(ge=1)


class ChosenCases(Model):
    cases: list[CaseName] = Field(min_length=1, max_length=MAX_BATCH)


class Batch(ChosenCases):
    """The same change for many cases: a new status, or a person; `person` is used if `status` is empty."""

    status: str = Field(default="", max_length=40)
    person: str = Field(default="", max_length=40)


class CommonChoices(Model):
    """What can be done with all of some cases.

    `steps`: the steps that all can take, likeliest first; none for cases of several kinds. A step without a sentence
    tells each customer something else.
    """

    steps: list[NextStep]
    people: list[StaffName]
    questions: int = 0


class BatchResult(Model):
    """What became of one case: done, or refused with a code."""

    kind: KnownKind
    reference: str
    code: Code | None = None


class Presence(Model):
    here: bool = True


class JobCards(Model):
    """The cases to print, such as `repair/K7M2PX4A`, separated by commas."""

    cases: str = Field(min_length=1, max_length=MAX_BATCH * 40)
    locale: FileLocale = "nl"


_CHANGED = DeclaredRefusal(Conflict, Code.STATUS_CHANGED)
_INVALID = DeclaredRefusal(InvalidInput, Code.INVALID_INPUT)
_MOVED = (_CHANGED, _INVALID, DeclaredRefusal(Conflict), DeclaredRefusal(Refused))


class CasesApi(Protocol):
    """The queue, and the work on a case. Every operation is limited to the cases that the person may see."""

    @operation("GET", "/staff/cases", right=Right.SEE_CASES)
    async def queue(self, token: StaffToken, asked: QueuePage) -> Queue:
        """Return a page of the queue."""

    @operation("GET", "/staff/case-list", media=CSV, right=Right.EXPORT_CASES)
    async def case_list(self, token: StaffToken, wanted: CaseFilter) -> Content:
        """The cases of a filter of the queue, as CSV."""

    @operation("GET", "/staff/case-counts", right=Right.SEE_CASES)
    async def counts(self, token: StaffToken, asked: CountsFilter) -> Counts:
        """Count the cases of all views, kinds and saved views."""

    @operation("GET", "/staff/case-changes", waits="wait_seconds", right=Right.SEE_CASES)
    async def case_changes(self, token: StaffToken, watch: CaseWatch) -> CaseChanges:
        """Wait for a change of a case that the person may see, for at most the requested time."""

    @operation("GET", "/staff/case-choices", right=Right.SEE_CASES)
    async def case_choices(self, token: StaffToken) -> CaseChoices:
        """Return the stores, persons and shops that the person can choose from."""

    @operation("POST", "/staff/case-views", right=Right.SEE_CASES, refuses=(_INVALID,))
    async def save_view(self, token: StaffToken, entry: SavedViewEntry) -> SavedView:
        """Save a filter under a name; the same name replaces it."""

    @operation("DELETE", "/staff/case-views/{view_id}", right=Right.SEE_CASES)
    async def delete_view(self, token: StaffToken, view_id: str) -> None:
        """Delete a saved view; an unknown one is ignored."""

    @operation("GET", "/staff/cases/{kind}/{reference}", right=Right.SEE_CASES)
    async def case(self, token: StaffToken, kind: str, reference: str) -> CaseDetail:
        """Return one case. That the person saw it is written to the audit, once an hour."""

    @operation("POST", "/staff/cases/{kind}/{reference}/presence", right=Right.SEE_CASES)
    async def presence(self, token: StaffToken, kind: str, reference: str, entry: Presence) -> list[StaffName]:
        """Tell that the person has the case open, or left it. Returns who else has it open."""

    @operation("POST", "/staff/cases/{kind}/{reference}/status", right=Right.WORK_ON_CASES, refuses=_MOVED)
    async def move_case(self, token: StaffToken, kind: str, reference: str, entry: CaseMove) -> CaseDetail:
        """Change the status. The customer is told as the step says."""

    @operation("POST", "/staff/cases/{kind}/{reference}/day", right=Right.WORK_ON_CASES, refuses=_MOVED)
    async def plan_case(self, token: StaffToken, kind: str, reference: str, entry: PlannedDay) -> CaseDetail:
        """Plan the day of the work, without a new status. The customer is mailed."""

    @operation(
        "POST", "/staff/cases/{kind}/{reference}/person", right=Right.WORK_ON_CASES, refuses=(_CHANGED, _INVALID)
    )
    async def assign_case(self, token: StaffToken, kind: str, reference: str, entry: CaseAssignment) -> CaseDetail:
        """Give a case to a person, or to nobody."""

    @operation("POST", "/staff/cases/{kind}/{reference}/store", right=Right.WORK_ON_CASES, refuses=_MOVED)
    async def hand_over(self, token: StaffToken, kind: str, reference: str, entry: CaseHandOver) -> None:
        """Give a case to another store. Nobody handles it there yet, and the person may no longer see it."""

    @operation("POST", "/staff/cases/{kind}/{reference}/notes", right=Right.SEE_CASES, refuses=(_INVALID,))
    async def add_note(self, token: StaffToken, kind: str, reference: str, entry: CaseNoteEntry) -> CaseDetail:
        """Add an internal note."""

    @operation("POST", "/staff/case-steps", right=Right.WORK_ON_CASES)
    async def common_choices(self, token: StaffToken, chosen: ChosenCases) -> CommonChoices:
        """Return what `change_cases` can do with all of these cases."""

    @operation("POST", "/staff/case-batch", right=Right.WORK_ON_CASES, refuses=(_INVALID,))
    async def change_cases(self, token: StaffToken, batch: Batch) -> list[BatchResult]:
        """Change many cases; each is changed or refused by itself."""

    @operation("GET", "/staff/cases/{kind}/{reference}/files/{file_id}", media=ANY_FILE, right=Right.SEE_CASES)
    async def case_file(
        self, token: StaffToken, kind: str, reference: str, file_id: str, part: FilePart = WHOLE_FILE
    ) -> Content:
        """Return a file of a case, without its metadata."""

    @operation("GET", "/staff/cases/{kind}/{reference}/files/{file_id}/preview", media=JPEG, right=Right.SEE_CASES)
    async def case_preview(self, token: StaffToken, kind: str, reference: str, file_id: str) -> Document:
        """Return a small picture of a file."""

    @operation(
        "GET",
        "/staff/job-cards",
        media=PDF,
        right=Right.SEE_CASES,
        refuses=(DeclaredRefusal(Unavailable, Code.PDF_FAILED),),
    )
    async def job_cards(self, token: StaffToken, asked: JobCards) -> Document:
        """Return the job cards of cases as one PDF. The code on a card opens its case."""
