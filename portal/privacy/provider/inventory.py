"""What is stored about a customer: every table and column, whether it is personal, and when it is emptied.

Texts and JSON can hold anything, so each of these columns is named here. Numbers, dates, amounts and statuses without
the texts name nobody; they are in the copy and stay after an erasure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from sqlalchemy import JSON, ColumnElement, String, and_, cast, or_, select
from sqlalchemy import Column as SqlColumn
from sqlalchemy import Table as SqlTable
from sqlalchemy.types import TypeDecorator

from portal.tables import (
    bikes,
    cases,
    customers,
    deliveries,
    drafts,
    exchange,
    insurance,
    messages,
    orders,
    returns,
    staff,
    work_orders,
)
from portal.tables.columns import EnumText, Table
from portal.tables.sealed import SealedJson


class OnErasure(Enum):
    EMPTIES = auto()
    """The personal columns are emptied; the rest of the row stays."""
    DELETES = auto()
    REMOVES_FILES = auto()
    """The name is emptied; the stored content, and then the row, are deleted by the cleanup of files."""


@dataclass(frozen=True)
class StoredData:
    """What a table stores about customers.

    `via`: column and table that lead to the customer; None if the table has a column `customer_id` or is `customers`.
    """

    table: SqlTable
    via: tuple[str, SqlTable] | None = None
    personal: frozenset[str] = frozenset()
    tax: frozenset[str] = frozenset()
    plain: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()
    on_erasure: OnErasure = field(default=OnErasure.EMPTIES)

    @property
    def exported(self) -> list[SqlColumn[Any]]:
        return [column for column in self.table.columns if column.name not in self.hidden]

    def rows_of(self, customer_id: int) -> ColumnElement[bool]:
        if self.via is not None:
            name, parent = self.via
            owned = BY_TABLE[parent.name].rows_of(customer_id)
            return self.table.c[name].in_(select(parent.c.id).where(owned))
        key = self.table.c.id if self.table.name == "customers" else self.table.c.customer_id
        return key == customer_id


def _table(row: type[Table]) -> SqlTable:
    return row.__table__


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _stored(
    row: type[Table],
    *,
    via: tuple[str, type[Table]] | None = None,
    personal: str = "",
    tax: str = "",
    plain: str = "",
    hidden: str = "",
    on_erasure: OnErasure = OnErasure.EMPTIES,
) -> StoredData:
    parent = (via[0], _table(via[1])) if via else None
    return StoredData(_table(row), parent, _names(personal), _names(tax), _names(plain), _names(hidden), on_erasure)


_OF_ORDER = ("order_id", orders.OrderRow)
_DELETES = OnErasure.DELETES

INVENTORY: tuple[StoredData, ...] = (
    _stored(
        customers.CustomerRow,
        personal="first_name prefix last_name search_text email email_key phone street house_number "
        "house_number_addon post_code city",
        plain="locale",
        hidden="public_id source",
    ),
    _stored(
        customers.LoginChallenge, plain="order_number", hidden="challenge_hash salt code_hash", on_erasure=_DELETES
    ),
    _stored(customers.SessionRow, plain="order_number locale", hidden="jti", on_erasure=_DELETES),
    _stored(staff.CustomerVisitRow, hidden="link_hash", on_erasure=_DELETES),
    _stored(customers.EmailChangeRow, personal="email", hidden="jti salt code_hash", on_erasure=_DELETES),
    _stored(customers.PasswordRow, hidden="password_hash", on_erasure=_DELETES),
    _stored(
        customers.PasskeyRow,
        personal="device",
        plain="public_id rp_id transports",
        hidden="credential_id public_key",
        on_erasure=_DELETES,
    ),
    _stored(customers.PasskeyChallengeRow, hidden="challenge_hash jti", on_erasure=_DELETES),
    _stored(
        orders.OrderRow,
        tax="lease_reference",
        plain="order_number features payment_method payment_reference delivery_method preferred_week scheduled_from "
        "scheduled_until insurance adjustments",
    ),
    _stored(
        orders.OrderLineRow,
        via=_OF_ORDER,
        plain="name name_en sku item_color item_color_en frame_size battery bundle bundle_en",
    ),
    _stored(
        orders.OrderAddressRow,
        via=_OF_ORDER,
        tax="name street house_number house_number_addon post_code city",
    ),
    _stored(
        orders.ShipmentRow,
        via=_OF_ORDER,
        personal="tracking_code tracking_url",
        plain="carrier scheduled_from scheduled_until",
    ),
    _stored(orders.ShipmentLineRow, via=("shipment_id", orders.ShipmentRow)),
    _stored(orders.InvoiceRow, plain="public_id number"),
    _stored(
        orders.InvoiceLineRow,
        via=("invoice_id", orders.InvoiceRow),
        plain="name name_en item_color item_color_en frame_size battery",
    ),
    _stored(
        orders.InvoiceDocumentRow,
        via=("invoice_id", orders.InvoiceRow),
        hidden="source external_id key sha256 url",
    ),
    _stored(
        bikes.BikeRow,
        personal="frame_number battery_number battery_passport imei_number key_number_1 key_number_2 key_number_3 "
        "service_card policy_number pin_code",
        plain="public_id name name_en brand color color_en color_code size engine_brand engine_system insurance",
    ),
    _stored(bikes.PackageOrderRow, plain="reference", hidden="draft_key"),
    _stored(bikes.MileageRow, on_erasure=_DELETES),
    _stored(deliveries.DeliveryEventRow, via=_OF_ORDER, personal="note", hidden="key"),
    _stored(deliveries.DateChangeRow, personal="note", plain="reference from_time until_time"),
    _stored(
        returns.ReturnRow,
        personal="reason_text address phone remarks statement",
        plain="public_id reference order_number mileage product settlement",
        hidden="draft_key",
    ),
    _stored(returns.ReturnUnitRow, via=("return_id", returns.ReturnRow), personal="inspection_note"),
    _stored(returns.ReturnEventRow, via=("return_id", returns.ReturnRow), personal="note"),
    _stored(
        returns.WithdrawalDeclarationRow,
        personal="name email",
        plain="reference order_number items lines",
        hidden="key",
    ),
    _stored(insurance.ContractEndRow, personal="name email", plain="reference contract", hidden="key"),
    _stored(work_orders.RequestRow, personal="description details", plain="reference title", hidden="draft_key"),
    _stored(work_orders.WorkOrderEventRow, via=("request_id", work_orders.RequestRow), personal="note"),
    _stored(
        insurance.InsuranceRequestRow,
        personal="key_number iban policy_number note",
        plain="reference document_id",
        hidden="draft_key",
    ),
    _stored(
        exchange.RefundAccountRow,
        via=("return_id", returns.ReturnRow),
        personal="holder iban",
    ),
    _stored(exchange.RefundConfirmationRow, via=("return_id", returns.ReturnRow)),
    _stored(exchange.RefundPaymentRow, via=("return_id", returns.ReturnRow)),
    # What staff wrote about a case names the customer only by the case. Details of its events hold statuses and days,
    # and the holder of an account.
    _stored(cases.CaseRow, plain="reference status", hidden="source"),
    _stored(cases.CaseEventRow, via=("case_id", cases.CaseRow), personal="details", plain="status"),
    _stored(cases.CaseNoteRow, via=("case_id", cases.CaseRow), hidden="text", on_erasure=_DELETES),
    # Messages are the customer's as much as the shop's; internal notes are in `case_notes` and never in the copy.
    _stored(
        messages.CaseMessageRow,
        via=("case_id", cases.CaseRow),
        personal="text author",
        plain="public_id store template",
        hidden="key",
    ),
    _stored(
        drafts.DraftRow,
        personal="answers facts receipt subject",
        plain="public_id flow completed reference",
        hidden="key",
        on_erasure=_DELETES,
    ),
    _stored(drafts.PhoneLinkRow, plain="draft field", hidden="link_hash jti", on_erasure=_DELETES),
    _stored(
        drafts.UploadRow,
        personal="name",
        plain="public_id draft field kind media_type",
        hidden="key sha256 request_key",
        on_erasure=OnErasure.REMOVES_FILES,
    ),
    _stored(
        messages.OutboxMail,
        personal="recipient details",
        plain="template locale",
        hidden="message_id sealed",
        on_erasure=_DELETES,
    ),
    _stored(
        messages.TextMessageRow,
        personal="phone details",
        plain="template locale subject",
        on_erasure=_DELETES,
    ),
    _stored(messages.ConfirmationLinkRow, personal="recipient", hidden="link_hash", on_erasure=_DELETES),
    _stored(bikes.RecallNoticeRow, plain="public_id"),
    _stored(messages.ChangeRow, on_erasure=_DELETES),
    _stored(exchange.ImportedRow, personal="values notes fingerprint", hidden="source kind external_id"),
    _stored(
        exchange.ImportDifferenceRow,
        via=("imported_id", exchange.ImportedRow),
        personal="shop_value portal_value",
        plain="field",
        on_erasure=_DELETES,
    ),
    _stored(customers.DataExportRow, plain="public_id", hidden="key", on_erasure=_DELETES),
    _stored(customers.ErasureCodeRow, hidden="jti salt code_hash", on_erasure=_DELETES),
    _stored(customers.PrivacyEventRow, plain="counts"),
)
BY_TABLE: Mapping[str, StoredData] = {stored.table.name: stored for stored in INVENTORY}

NOT_PERSONAL: Mapping[str, str] = {
    "audit": "names of staff and references, and the holder of an account to which a refund went, kept as evidence",
    "case_presence": "which person of the retailer has which case open, for minutes",
    "case_views": "filters of the queue; a search is not saved",
    "delivery_days": "the capacity of a day",
    "delivery_places": "the capacity of a weekday",
    "idempotency_keys": "references and statuses, deleted when the key is over",
    "import_documents": "orders to fetch a file, deleted when it came or after a day",
    "import_runs": "counts, and ids at the shop of the records, deleted with the report when their period is over",
    "import_rejected": "records of no customer yet, deleted when their period is over; of repaired ones a hash stays",
    "import_waiting": "records that belong to no customer of the portal yet, deleted when their period is over",
    "shop_terms": "periods of the terms",
    "installation": "the id of the installation",
    "insurance_products": "what insurances cover",
    "insurance_tariffs": "prices",
    "insurance_documents": "documents of the insurers, the same for everybody",
    "jobs": "numbers of rows, deleted when the job is done",
    "limit_windows": "keyed hashes, deleted when the limit is over",
    "package_terms": "prices",
    "partner_changes": "businesses",
    "message_templates": "texts for everybody",
    "partners": "businesses",
    "pictures": "images of articles",
    "product_pictures": "which article has which image",
    "products": "articles",
    "refund_batches": "when refunds were exported",
    "recall_items": "numbers of the manufacturer",
    "recalls": "texts for everybody",
    "service_products": "articles",
    "staff": "people of the retailer",
    "staff_sign_ons": "hashes, deleted when the login is over",
    "staff_sessions": "hashes, deleted when the session is over",
    "staff_stores": "where people of the retailer work",
    "api_keys": "other systems, and hashes of their keys",
    "webhook_attempts": "answers of the retailer's systems, deleted with the delivery",
    "webhook_deliveries": "references and statuses, deleted when their period is over",
    "webhooks": "addresses of the retailer's systems",
}


def holds_text(column: SqlColumn[Any]) -> bool:
    """Whether a column can hold any text: it must be named in the inventory."""
    if isinstance(column.type, EnumText):
        return False
    stored = column.type.impl_instance if isinstance(column.type, TypeDecorator) else column.type
    return isinstance(stored, String | JSON)


def empty_value(column: SqlColumn[Any]) -> Any:
    if column.nullable:
        return None
    return {} if isinstance(column.type, JSON | SealedJson) else ""


def emptied(stored: StoredData, names: frozenset[str]) -> dict[str, object]:
    return {name: empty_value(stored.table.c[name]) for name in sorted(names)}


def holds_something(stored: StoredData, names: frozenset[str]) -> ColumnElement[bool]:
    """SQL condition: at least one of these columns is not empty."""
    return or_(*[_is_filled(stored.table.c[name]) for name in sorted(names)])


def _is_filled(column: SqlColumn[Any]) -> ColumnElement[bool]:
    if isinstance(column.type, JSON | SealedJson):
        return column.is_not(None) if column.nullable else cast(column, String) != "{}"
    return and_(column.is_not(None), column != "")
