"""The models of the import over HTTP, for a shop that sends its records itself, and the operations of staff."""

from collections.abc import AsyncIterator
from datetime import date, datetime
from typing import Annotated, Any, Protocol

from pydantic import Field

from portal.contract.errors import Conflict, InvalidInput, Unavailable
from portal.contract.models import LAST_PAGE, Amount, Content, Model, Page, otherwise
from portal.contract.operations import CSV, DeclaredRefusal, StaffToken, operation
from portal.kernel.codes import Code
from portal.vocabulary.exchange import ImportForm, ImportOutcome, ImportState, ImportWay, Side
from portal.vocabulary.staff import Right

SOURCE_FORM = r"^[a-z0-9][a-z0-9-]{0,39}$"
"""Form of the name of a shop or system."""

Source = Annotated[str, Field(pattern=SOURCE_FORM)]


ReasonValues = dict[str, str | int]
"""What the text of a reason names, such as a limit, by name."""


class ImportBatch(Model):
    """Records of one kind. They may be in any order."""

    source: Source
    records: Annotated[list[dict[str, Any]], Field(min_length=1, max_length=1000)]


class ProblemReason(Model):
    """A record of which there is something to say.

    `external_id`: empty if the record has none.
    `field`: such as `lines.0.sku`; empty if it is about the whole record.
    `reason`: what is wrong, in English.
    `code`: the same for programs, such as `text_too_long`; `values` are its limits.
    """

    external_id: str = ""
    field: str = ""
    reason: str
    code: str = ""
    values: ReasonValues = Field(default_factory=dict)


class ImportProblem(ProblemReason):
    """A record that was rejected or waits. `record`: its place in the list, from 1."""

    record: int


class Difference(Model):
    """A field that both the shop and the portal changed. The portal keeps its value until staff decide.

    `external_id`: id of the record at the source.
    `field`: such as `city`, or `lines.2.name` for the second line of an order.
    `customer_id`, `customer`: whose record it is, with the name; empty for records of no customer.
    """

    difference_id: int
    source: str
    kind: str
    external_id: str
    field: str
    shop_value: str
    portal_value: str
    customer_id: str = ""
    customer: str = ""
    found_at: datetime


class Differences(Model):
    """Open differences, the oldest first. `next_after` asks for the following ones; None after the last."""

    items: list[Difference]
    next_after: int | None


class RejectedRecord(ProblemReason):
    """A record that could not be stored; the record itself is kept and can be sent again.

    `file`, `line`: where it stood; empty and 0 when it came by API.
    """

    record_id: str
    source: str
    kind: str
    file: str = ""
    line: int = 0
    rejected_at: datetime


class RejectedRecords(Model):
    """Rejected records, the oldest first. `next_after` asks for the following ones; None after the last."""

    items: list[RejectedRecord]
    next_after: int | None


class Settlement(Model):
    """Whose value is kept."""

    keep: Side


class ImportCounts(Model):
    """How many records had which outcome.

    `joined`: records that had waited and are stored now.
    `waiting`: records that wait for another one.
    `left_out`: what the shop itself does not count, such as drafts.
    `noted`: records with a field that could not be read and was left empty.
    `mismatched`: records that were accepted although their amounts do not add up.
    `bikes`: in a dry run, lines of orders that would be taken for bikes.
    `differences`: fields that the portal keeps although the shop changed them.
    """

    read: int = 0
    created: int = 0
    changed: int = 0
    unchanged: int = 0
    joined: int = 0
    waiting: int = 0
    left_out: int = 0
    noted: int = 0
    mismatched: int = 0
    bikes: int = 0
    rejected: int = 0
    differences: int = 0


class ImportReport(ImportCounts):
    """What became of the records."""

    problems: list[ImportProblem]


MAX_FILE_NAME = 200
"""Characters of the name of a file."""

MAX_RECORD = 40_000
"""Characters of a record that staff correct."""


class ImportStart(Model):
    """A file that staff send. What is wrong with it is told by field.

    `name`: of the file; its extension says how it is read.
    `size`: bytes.
    `dry_run`: whether to tell only what the import would do.
    """

    kind: Annotated[str, Field(max_length=100)]
    source: Annotated[str, Field(max_length=100)]
    form: Annotated[str, Field(max_length=100)] = ImportForm.OWN.value
    name: Annotated[str, Field(max_length=1000)]
    size: Annotated[int, Field(ge=0)]
    dry_run: bool = False


class ImportRun(ImportCounts):
    """An import.

    `by`: name of the person; empty for the command line and the API.
    `failure`: why the file could not be read, in English; empty unless it failed.
    `failure_code`, `failure_values`: the same for programs.
    """

    import_id: str
    source: str
    kind: str
    form: Annotated[ImportForm, otherwise(ImportForm, ImportForm.UNKNOWN)]
    way: Annotated[ImportWay, otherwise(ImportWay, ImportWay.UNKNOWN)]
    file: str = ""
    by: str = ""
    dry_run: bool = False
    state: Annotated[ImportState, otherwise(ImportState, ImportState.UNKNOWN)]
    failure: str = ""
    failure_code: str = ""
    failure_values: ReasonValues = Field(default_factory=dict)
    began_at: datetime
    ended_at: datetime | None = None


class ImportLine(ProblemReason):
    """A record, and what became of it.

    `line`: in the file, from 1; for a call of the API its place in the list; 0 when it was sent again.
    """

    line: int
    outcome: Annotated[ImportOutcome, otherwise(ImportOutcome, ImportOutcome.UNKNOWN)] = ImportOutcome.REJECTED


KEPT = 500
"""Most problems that are kept with an import. All rejected and waiting records have rows of their own."""

LISTED = 100
"""Most records of an outcome that needs no attention which a report names."""


class ImportRunReport(Model):
    """An import with the first records of which there is something to say, and the first others of each outcome."""

    run: ImportRun
    problems: list[ImportLine]
    records: list[ImportLine] = Field(default_factory=list)


class ImportSearch(Model):
    """Which imports or records are listed; an empty `kind` means all."""

    kind: Annotated[str, Field(max_length=40)] = ""
    page: Annotated[int, Field(ge=1, le=LAST_PAGE)] = 1


class RejectedContent(Model):
    """A rejected record, and what it holds as JSON; a line that could not be read as it was."""

    record: RejectedRecord
    content: str


class CorrectedRecord(Model):
    """A rejected record as staff corrected it, as JSON."""

    content: Annotated[str, Field(max_length=MAX_RECORD + 1)]


class Correction(Model):
    """What became of a corrected record.

    `stored`: whether it is stored, or waits for another one.
    `waiting`: whether it waits for another one.
    `record`: the rejected record, if it was rejected again.
    """

    stored: bool
    waiting: bool = False
    record: RejectedRecord | None = None


class RejectedChoice(Model):
    """Rejected records of a shop and a kind."""

    source: Source
    kind: Annotated[str, Field(max_length=40)]


class WaitingRecord(Model):
    """A record that waits for another one, such as an order for its customer."""

    source: str
    kind: str
    external_id: str
    needs_kind: str
    needs_id: str
    waiting_since: datetime


class UnclearOrder(Model):
    """An order whose amounts do not add up.

    `parts`: what its lines, costs and discounts add up to; `total` is what the shop says.
    """

    order_number: str
    ordered_on: date
    customer_id: str
    parts: Amount
    total: Amount
    paid: Amount
    refunded: Amount


class DifferenceSearch(Model):
    """Which differences are listed: those after `after`; an empty `kind` means all."""

    kind: Annotated[str, Field(max_length=40)] = ""
    after: Annotated[int, Field(ge=0, le=2**53)] = 0


_INVALID = DeclaredRefusal(InvalidInput)
_FAILED = DeclaredRefusal(Unavailable, Code.UPLOAD_FAILED)


class ImportsApi(Protocol):
    """Operations of administrators on the data that shops send."""

    @operation("GET", "/staff/imports", right=Right.MANAGE_SHOP)
    async def imports(self, token: StaffToken, asked: ImportSearch) -> Page[ImportRun]:
        """All imports, newest first. Calls of the API that changed nothing are not among them."""

    @operation("POST", "/staff/imports", right=Right.MANAGE_SHOP, refuses=(_INVALID, _FAILED))
    async def begin_import(self, token: StaffToken, start: ImportStart) -> ImportRun:
        """Announce a file to import."""

    @operation("PUT", "/staff/imports/{import_id}/file", right=Right.MANAGE_SHOP, refuses=(_INVALID, _FAILED))
    async def receive_import(self, token: StaffToken, import_id: str, body: AsyncIterator[bytes]) -> ImportRun:
        """Receive the announced file, exactly as many bytes as announced. It is imported in the background."""

    @operation("GET", "/staff/imports/{import_id}", right=Right.MANAGE_SHOP)
    async def import_run(self, token: StaffToken, import_id: str) -> ImportRunReport:
        """One import."""

    @operation("GET", "/staff/imports/{import_id}/report", media=CSV, right=Right.MANAGE_SHOP)
    async def import_report(self, token: StaffToken, import_id: str) -> Content:
        """What became of each record of an import, as CSV. Those in a row that did not change are one line."""

    @operation("GET", "/staff/rejected-records", right=Right.MANAGE_SHOP)
    async def rejected_records(self, token: StaffToken, asked: ImportSearch) -> Page[RejectedRecord]:
        """Records that could not be stored, newest first."""

    @operation("POST", "/staff/rejected-records", right=Right.MANAGE_SHOP, refuses=(_INVALID,))
    async def send_rejected_again(self, token: StaffToken, choice: RejectedChoice) -> ImportRun:
        """Import rejected records again as they were sent, in the background."""

    @operation("GET", "/staff/rejected-records/{record_id}", right=Right.MANAGE_SHOP)
    async def rejected_record(self, token: StaffToken, record_id: str) -> RejectedContent:
        """What a rejected record holds. It is personal data, so looking is written to the audit."""

    @operation("PUT", "/staff/rejected-records/{record_id}", right=Right.MANAGE_SHOP, refuses=(_INVALID,))
    async def correct_record(self, token: StaffToken, record_id: str, corrected: CorrectedRecord) -> Correction:
        """Import a corrected record."""

    @operation("DELETE", "/staff/rejected-records/{record_id}", right=Right.MANAGE_SHOP)
    async def discard_record(self, token: StaffToken, record_id: str) -> None:
        """Forget a rejected record. The shop may send it again."""

    @operation("GET", "/staff/waiting-records", right=Right.MANAGE_SHOP)
    async def waiting_records(self, token: StaffToken, asked: ImportSearch) -> Page[WaitingRecord]:
        """Records that wait for another one, the oldest first."""

    @operation("GET", "/staff/unclear-orders", right=Right.MANAGE_SHOP)
    async def unclear_orders(self, token: StaffToken, asked: ImportSearch) -> Page[UnclearOrder]:
        """Orders whose amounts do not add up, the newest first."""

    @operation("GET", "/staff/import-differences", right=Right.MANAGE_SHOP)
    async def import_differences(self, token: StaffToken, asked: DifferenceSearch) -> Differences:
        """Open differences. They hold personal data, so looking is written to the audit."""

    @operation(
        "POST",
        "/staff/import-differences/{difference_id}",
        right=Right.MANAGE_SHOP,
        refuses=(DeclaredRefusal(Conflict, Code.STATUS_CHANGED),),
    )
    async def settle_difference(self, token: StaffToken, difference_id: str, settlement: Settlement) -> None:
        """Take the value of the shop, or keep that of the portal.

        `status_changed`: somebody settled it the other way, or the value changed meanwhile.
        """
