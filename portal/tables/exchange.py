"""Exchange with other systems: imported rows, webhooks, refunds to pay, and the id of the installation."""

from datetime import datetime
from decimal import Decimal

from sqlalchemy import JSON, Column, Index, Text, UniqueConstraint, text
from sqlmodel import Field

from portal.kernel.validation import short_id
from portal.tables.columns import Cents, EnumText, JsonObject, Keyed, Table, UtcDateTime, json_object
from portal.tables.sealed import Sealed, SealedJson
from portal.vocabulary.exchange import DeliveryState, ImportForm, ImportState, ImportWay, RefundWay, Side


class WebhookRow(Keyed, table=True):
    """An address that receives events.

    `event_types`: the types that it receives; empty for all.
    `previous_secret`: the secret before the last rotation; signs as well until `previous_until`.
    `active`: whether new events are kept for it.
    `failing_since`: first failure since the last success; None while it works.
    `paused_at`: when sending stopped because it kept failing. Its events wait until it is resumed.
    """

    __tablename__ = "webhooks"

    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    url: str = Field(max_length=500)
    description: str = Field(default="", max_length=120)
    event_types: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    secret: str = Field(sa_type=Sealed)
    previous_secret: str = Field(default="", sa_type=Sealed)
    previous_until: datetime | None = Field(default=None, sa_type=UtcDateTime)
    active: bool = True
    failing_since: datetime | None = Field(default=None, sa_type=UtcDateTime)
    paused_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    created_at: datetime = Field(sa_type=UtcDateTime)


class WebhookDeliveryRow(Keyed, table=True):
    """An event on its way to one webhook. The id orders the events of one subject.

    `message_id`: header `webhook-id`, the same in every attempt and in a replay.
    `event`: identifier of the event; a webhook gets each event once.
    `subject`: what the event is about, such as 'repair ABCD2345'. Its events arrive one after the other.
    `content`: the body, exactly as it is sent.
    `first_tried_at`: first attempt since it was last queued.
    """

    __tablename__ = "webhook_deliveries"
    __table_args__ = (
        UniqueConstraint("webhook_id", "event"),
        Index("ix_webhook_deliveries_order", "webhook_id", "subject", "state", "id"),
        Index("ix_webhook_deliveries_log", "webhook_id", "created_at", "id"),
    )

    webhook_id: int = Field(foreign_key="webhooks.id", ondelete="CASCADE")
    message_id: str = Field(max_length=40, unique=True)
    event: str = Field(max_length=60)
    type: str = Field(max_length=60)
    subject: str = Field(max_length=60)
    content: str = Field(sa_type=Text)
    state: DeliveryState = Field(sa_column=Column(EnumText(DeliveryState), nullable=False))
    created_at: datetime = Field(sa_type=UtcDateTime, index=True)
    first_tried_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    delivered_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class WebhookAttemptRow(Keyed, table=True):
    """One attempt to deliver an event.

    `status`: HTTP status; None without an answer.
    `answer`: the first 500 characters of the answer, or why there was none.
    """

    __tablename__ = "webhook_attempts"

    delivery_id: int = Field(foreign_key="webhook_deliveries.id", index=True, ondelete="CASCADE")
    status: int | None = None
    milliseconds: int
    answer: str = Field(default="", max_length=500)
    tried_at: datetime = Field(sa_type=UtcDateTime)


class ApiKeyRow(Keyed, table=True):
    """A key of another system. `key_hash`: its SHA-256; `scopes`: values of `ApiScope`."""

    __tablename__ = "api_keys"

    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    name: str = Field(max_length=120)
    key_hash: str = Field(max_length=64, unique=True)
    scopes: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    created_at: datetime = Field(sa_type=UtcDateTime)
    last_used_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    revoked_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class RefundAccountRow(Table, table=True):
    """The account to which a return is refunded, where the way it was paid cannot be used.

    `entered_by`: the person of finance; None for the customer.
    """

    __tablename__ = "refund_accounts"

    return_id: int = Field(foreign_key="returns.id", primary_key=True, ondelete="CASCADE")
    holder: str = Field(max_length=70)
    iban: str = Field(max_length=34, sa_type=Sealed)
    entered_by: int | None = Field(default=None, foreign_key="staff.id")
    entered_at: datetime = Field(sa_type=UtcDateTime)


class RefundConfirmationRow(Table, table=True):
    """The confirmation of a refund by a second person. Another account needs another one."""

    __tablename__ = "refund_confirmations"

    return_id: int = Field(foreign_key="returns.id", primary_key=True, ondelete="CASCADE")
    staff_id: int = Field(foreign_key="staff.id")
    confirmed_at: datetime = Field(sa_type=UtcDateTime)


class RefundBatchRow(Keyed, table=True):
    """Refunds that were exported together to be paid. `made_by`: the person; None for the command line."""

    __tablename__ = "refund_batches"

    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    made_by: int | None = Field(default=None, foreign_key="staff.id")
    way: RefundWay = Field(sa_column=Column(EnumText(RefundWay), nullable=False))
    exported_at: datetime = Field(sa_type=UtcDateTime, index=True)


class RefundPaymentRow(Table, table=True):
    """A refund in a batch. The primary key lets each refund be exported once, also by two people at the same time."""

    __tablename__ = "refund_payments"

    return_id: int = Field(foreign_key="returns.id", primary_key=True)
    batch_id: int = Field(foreign_key="refund_batches.id", index=True)
    amount: Decimal = Field(sa_type=Cents)


class ImportedRow(Keyed, table=True):
    """A record of a source, and the row that it became.

    `row_id`: primary key of the row in the table of the kind; 0 if staff removed the row.
    `customer_id`: the customer it belongs to; None if it belongs to none.
    `fingerprint`: SHA-256 of the record; an equal record is skipped. Empty once the customer is erased: no version of
    the record is stored any more.
    `values`: columns of the row as they were imported last, by which a change in the portal is recognised.
    `notes`: fields that could not be read and were left empty, each with `field`, `code`, `values` of the code, and
    `sent`, what the shop sent.
    """

    __tablename__ = "imported"
    __table_args__ = (
        UniqueConstraint("source", "kind", "external_id"),
        Index("ix_imported_kind_row", "kind", "row_id"),
    )

    source: str = Field(max_length=40)
    kind: str = Field(max_length=40)
    external_id: str = Field(max_length=100)
    row_id: int
    customer_id: int | None = Field(default=None, foreign_key="customers.id", index=True, ondelete="SET NULL")
    fingerprint: str = Field(max_length=64)
    values: JsonObject = Field(default_factory=dict, sa_column=Column(SealedJson(), nullable=False))
    notes: list[JsonObject] = Field(default_factory=list, sa_column=Column(SealedJson("sent"), nullable=False))
    imported_at: datetime = Field(sa_type=UtcDateTime)


class ImportRunRow(Keyed, table=True):
    """An import, and what became of its records.

    `dry_run`: whether it only tells what it would do.
    `key`: in the store, of the file to import while it waits; later of a report longer than `problems`.
    `staff_id`: the person who sent it; None for the command line and the API.
    `counts`: number of records by outcome, as `ImportCounts` names them.
    `problems`: the first records of each outcome (`imports.api.ImportLine`).
    `failure`: code why the file could not be read (`Rejection`); empty unless it failed.
    """

    __tablename__ = "import_runs"

    public_id: str = Field(default_factory=short_id, max_length=16, unique=True)
    source: str = Field(max_length=40)
    kind: str = Field(max_length=40)
    form: ImportForm = Field(sa_column=Column(EnumText(ImportForm), nullable=False))
    way: ImportWay = Field(sa_column=Column(EnumText(ImportWay), nullable=False))
    file: str = Field(default="", max_length=200)
    dry_run: bool = False
    state: ImportState = Field(sa_column=Column(EnumText(ImportState), nullable=False))
    key: str = Field(default="", max_length=40)
    staff_id: int | None = Field(default=None, foreign_key="staff.id")
    counts: dict[str, int] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    problems: list[JsonObject] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    failure: str = Field(default="", max_length=40)
    failure_values: JsonObject = json_object()
    began_at: datetime = Field(sa_type=UtcDateTime, index=True)
    ended_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class WaitingRecordRow(Keyed, table=True):
    """A record that refers to another one that has not come yet.

    `needs_kind`, `needs_id`: kind and external id of the record that it waits for.
    """

    __tablename__ = "import_waiting"
    __table_args__ = (
        UniqueConstraint("source", "kind", "external_id"),
        Index("ix_import_waiting_needs", "source", "needs_kind", "needs_id"),
    )

    source: str = Field(max_length=40)
    kind: str = Field(max_length=40)
    external_id: str = Field(max_length=100)
    needs_kind: str = Field(max_length=40)
    needs_id: str = Field(max_length=100)
    record: JsonObject = Field(sa_column=Column(SealedJson(), nullable=False))
    waiting_since: datetime = Field(sa_type=UtcDateTime)


class RejectedRecordRow(Keyed, table=True):
    """A record that could not be stored. It is deleted when the record is accepted later.

    Once staff have corrected it, only its `repaired` stays, by which the shop's unchanged record is recognised.

    `external_id`: empty if the record has none.
    `file`, `line`: where it stood; empty and 0 when it came by API.
    `field`, `reason`, `code`, `values`: what was wrong first; `reason` in English, `code` with its `values` for pages.
    `record`: the record as it was sent; a text that could not be parsed stands under `text`.
    `repaired`: SHA-256 of the record that staff corrected; empty until then.
    """

    __tablename__ = "import_rejected"
    __table_args__ = (Index("ix_import_rejected_record", "source", "kind", "external_id"),)

    source: str = Field(max_length=40)
    kind: str = Field(max_length=40)
    external_id: str = Field(default="", max_length=100)
    file: str = Field(default="", max_length=200)
    line: int = 0
    field: str = Field(default="", max_length=100)
    reason: str = Field(max_length=300)
    code: str = Field(max_length=40)
    values: JsonObject = json_object()
    record: JsonObject = Field(sa_column=Column(SealedJson("text"), nullable=False))
    repaired: str = Field(default="", max_length=64, sa_column_kwargs={"server_default": text("''")})
    rejected_at: datetime = Field(sa_type=UtcDateTime)


class DocumentOrderRow(Keyed, table=True):
    """A file that is to be fetched from the shop. The row is deleted when the file came or was given up.

    `kind`: of the record that names it: the PDF of an invoice, or the image of a product.
    `record`: the record that names the file, as it was sent; if fetching fails, it is kept as rejected.
    """

    __tablename__ = "import_documents"
    # A job of a deleted row must not find another one, so SQLite does not use a number again either.
    __table_args__ = (UniqueConstraint("source", "kind", "external_id"), {"sqlite_autoincrement": True})

    source: str = Field(max_length=40)
    kind: str = Field(max_length=20)
    external_id: str = Field(max_length=100)
    url: str = Field(max_length=500)
    record: JsonObject = Field(sa_column=Column(JSON, nullable=False))
    asked_at: datetime = Field(sa_type=UtcDateTime)


class ImportDifferenceRow(Keyed, table=True):
    """A field that both the shop and the portal changed since the last import. The portal keeps its value.

    `kept`: whose value staff chose; None until they decided.
    """

    __tablename__ = "import_differences"
    __table_args__ = (UniqueConstraint("imported_id", "field"),)

    imported_id: int = Field(foreign_key="imported.id", ondelete="CASCADE")
    field: str = Field(max_length=60)
    shop_value: str = Field(max_length=500, sa_type=Sealed)
    portal_value: str = Field(max_length=500, sa_type=Sealed)
    found_at: datetime = Field(sa_type=UtcDateTime)
    kept: Side | None = Field(default=None, sa_column=Column(EnumText(Side)))
    settled_at: datetime | None = Field(default=None, sa_type=UtcDateTime)


class InstallationRow(Table, table=True):
    """The id of the installation, which the file store holds, too. `number`: always 1, so that there is one row.

    `quiet_since`: when it was restored; no job runs and nothing is deleted until `go-live` empties it.
    """

    __tablename__ = "installation"

    number: int = Field(primary_key=True)
    installation: str = Field(max_length=32)
    quiet_since: datetime | None = Field(default=None, sa_type=UtcDateTime)
