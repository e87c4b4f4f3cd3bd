"""Exchange with other systems: events, deliveries, mailboxes, imports, and why a record is rejected."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from portal.kernel.texts import N_
from portal.vocabulary.cases import CaseEventType


class DeliveryState(StrEnum):
    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"
    """Given up after three days; it can be replayed."""
    UNKNOWN = "unknown"


DELIVERY_STATES: Mapping[DeliveryState, str] = {
    DeliveryState.WAITING: N_("Waiting"),
    DeliveryState.DELIVERED: N_("Delivered"),
    DeliveryState.FAILED: N_("Failed"),
    DeliveryState.UNKNOWN: N_("Unknown"),
}


class NoAnswer(StrEnum):
    """Why a request to a receiver got no answer. A stored text begins with the value; details may follow a colon."""

    REFUSED = "refused"
    LATE = "no answer in time"
    UNREACHABLE = "no connection"


NO_ANSWERS: Mapping[NoAnswer, str] = {
    NoAnswer.REFUSED: N_("Events can’t be sent to this address."),
    NoAnswer.LATE: N_("It didn’t answer in time."),
    NoAnswer.UNREACHABLE: N_("It couldn’t be reached."),
}


class ApiScope(StrEnum):
    """What a key of another system may do. The right to write includes the right to read."""

    READ_CASES = "cases:read"
    WRITE_CASES = "cases:write"
    READ_IMPORTS = "imports:read"
    WRITE_IMPORTS = "imports:write"
    READ_MASTER_DATA = "master-data:read"
    WRITE_MASTER_DATA = "master-data:write"
    READ_RECALLS = "recalls:read"
    WRITE_RECALLS = "recalls:write"

    @property
    def admitting(self) -> set[str]:
        """The scopes with which a call of this scope is admitted."""
        return {self.value, self.value.replace(":read", ":write")}


class RefundWay(StrEnum):
    ORIGINAL = "original"
    """The way the order was paid, by the shop's payment provider."""
    ACCOUNT = "account"
    """To an account that the customer named, by the bank."""
    UNKNOWN = "unknown"


REFUND_WAYS: Mapping[RefundWay, str] = {
    RefundWay.ORIGINAL: N_("The way it was paid"),
    RefundWay.ACCOUNT: N_("To a bank account"),
    RefundWay.UNKNOWN: N_("Unknown"),
}


class Mailbox(StrEnum):
    STORE = "store"
    """The address of the store or workshop that handles the case."""
    DESK = "desk"
    FINANCE = "finance"
    WAREHOUSE = "warehouse"


DELIVERY_EVENT = "delivery.status_changed"

TEST_EVENT = "webhook.test"


def case_event(happened: CaseEventType) -> str:
    return f"case.{happened.value}"


EVENT_TYPES: Mapping[str, str] = {
    "case.opened": N_("A customer sent a request, or staff sent one for a customer."),
    "case.status_changed": N_("The status of a case changed."),
    "case.planned": N_("A day was planned."),
    "case.assigned": N_("A case was assigned to someone, or no longer is."),
    "case.moved_to_store": N_("A case was handed over to another store or workshop."),
    "case.message_from_staff": N_("The retailer wrote to the customer."),
    "case.message_from_customer": N_("The customer wrote."),
    "case.note_added": N_("Staff added an internal note. Its text is never sent out."),
    "case.file_added": N_("A file was added."),
    "case.corrected": N_("Staff corrected details of the case or its customer."),
    "case.refund_account": N_("The account for a refund was entered or replaced. Its number is never sent out."),
    "case.refund_confirmed": N_("A second person confirmed a refund."),
    "case.link_expired": N_("The customer did not act in time; the case is back with staff."),
    "case.closed": N_("A case was finished."),
    "case.reopened": N_("A finished case was reopened."),
    DELIVERY_EVENT: N_("The delivery of an order got a new status."),
    TEST_EVENT: N_("Sent by hand to test a webhook."),
}
"""All types of events, with what happened. A new type may be added at any time; a type never changes its meaning."""


class Side(StrEnum):
    """Who holds a value: the shop that sends records, or the portal in which customers and staff change them."""

    SHOP = "shop"
    PORTAL = "portal"


IMPORT_KINDS: Mapping[str, str] = {
    "customers": N_("Customers"),
    "products": N_("Products"),
    "orders": N_("Orders"),
    "bikes": N_("Bikes"),
    "invoices": N_("Invoices"),
    "locations": N_("Service locations"),
    "service-products": N_("Services and prices"),
    "service-packages": N_("Service packages"),
    "insurances": N_("Insurance policies"),
    "tariffs": N_("Insurance tariffs"),
    "terms": N_("Periods in the terms"),
    "delivery-places": N_("Deliveries per day and weekday"),
    "delivery-days": N_("Delivery days"),
}
"""Kinds of records, in an order in which none has to wait for another."""


class ImportForm(StrEnum):
    OWN = "own"
    """That of the portal: CSV or JSON Lines."""
    SHOPIFY = "shopify"
    WOOCOMMERCE = "woocommerce"
    AGAIN = "again"
    """No file: rejected records that are sent again."""
    UNKNOWN = "unknown"


IMPORT_FORMS: Mapping[ImportForm, str] = {
    ImportForm.OWN: N_("The portal’s own (CSV, JSON Lines)"),
    ImportForm.SHOPIFY: N_("Shopify export (JSON Lines)"),
    ImportForm.WOOCOMMERCE: N_("WooCommerce responses (JSON)"),
    ImportForm.AGAIN: N_("Rejected records, sent again"),
    ImportForm.UNKNOWN: N_("Unknown"),
}


class ImportWay(StrEnum):
    COMMAND_LINE = "command_line"
    API = "api"
    PAGE = "page"
    UNKNOWN = "unknown"


IMPORT_WAYS: Mapping[ImportWay, str] = {
    ImportWay.COMMAND_LINE: N_("Command line"),
    ImportWay.API: N_("API"),
    ImportWay.PAGE: N_("Staff site"),
    ImportWay.UNKNOWN: N_("Unknown"),
}


class ImportState(StrEnum):
    RECEIVING = "receiving"
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    """The file could not be read to its end. What was read before is stored."""
    UNKNOWN = "unknown"


IMPORT_STATES: Mapping[ImportState, str] = {
    ImportState.RECEIVING: N_("Being received"),
    ImportState.WAITING: N_("Waiting"),
    ImportState.RUNNING: N_("Running"),
    ImportState.DONE: N_("Done"),
    ImportState.FAILED: N_("Failed"),
    ImportState.UNKNOWN: N_("Unknown"),
}


class ImportOutcome(StrEnum):
    """What became of a record of an import, by the name of its count."""

    REJECTED = "rejected"
    MISMATCHED = "mismatched"
    NOTED = "noted"
    WAITING = "waiting"
    LEFT_OUT = "left_out"
    CREATED = "created"
    CHANGED = "changed"
    JOINED = "joined"
    UNCHANGED = "unchanged"
    UNKNOWN = "unknown"


IMPORT_OUTCOMES: Mapping[ImportOutcome, str] = {
    ImportOutcome.REJECTED: N_("Rejected"),
    ImportOutcome.MISMATCHED: N_("Doesn’t add up"),
    ImportOutcome.NOTED: N_("Stored with a note"),
    ImportOutcome.WAITING: N_("Waiting for another record"),
    ImportOutcome.LEFT_OUT: N_("Left out"),
    ImportOutcome.CREATED: N_("New"),
    ImportOutcome.CHANGED: N_("Changed"),
    ImportOutcome.JOINED: N_("Were waiting, now stored"),
    ImportOutcome.UNCHANGED: N_("Unchanged"),
    ImportOutcome.UNKNOWN: N_("Unknown"),
}

IMPORT_ADVICE: Mapping[ImportOutcome, str] = {
    ImportOutcome.REJECTED: N_("Correct it in the shop and import again, or correct it here under ‘Rejected’."),
    ImportOutcome.MISMATCHED: N_(
        "Compare it with the shop. Until then no money is asked for, and refunds wait for you."
    ),
    ImportOutcome.NOTED: N_("It is stored. Fill in the field here or in the shop."),
    ImportOutcome.WAITING: N_("Import what it’s waiting for. It’s added automatically then."),
    ImportOutcome.LEFT_OUT: N_("Nothing to do."),
}
"""What staff can do about it."""


class Rejection(StrEnum):
    """A reason. Validation adds codes of its own (`kernel.codes.Code`), such as `invalid_email`."""

    MISSING_FIELD = "missing_field"
    UNKNOWN_FIELD = "unknown_field"
    NOT_A_TEXT = "not_a_text"
    TEXT_TOO_SHORT = "text_too_short"
    TEXT_TOO_LONG = "text_too_long"
    WRONG_FORM = "wrong_form"
    NOT_A_NUMBER = "not_a_number"
    NOT_A_WHOLE_NUMBER = "not_a_whole_number"
    TOO_MANY_DECIMALS = "too_many_decimals"
    TOO_MANY_DIGITS = "too_many_digits"
    TOO_SMALL = "too_small"
    TOO_LARGE = "too_large"
    UNKNOWN_CHOICE = "unknown_choice"
    NOT_YES_OR_NO = "not_yes_or_no"
    NOT_A_DAY = "not_a_day"
    NOT_A_MOMENT = "not_a_moment"
    NO_TIME_ZONE = "no_time_zone"
    NOT_A_LIST = "not_a_list"
    TOO_FEW = "too_few"
    TOO_MANY = "too_many"
    NOT_AN_OBJECT = "not_an_object"
    NOT_STORED = "not_stored"
    NO_SUCH_LINE = "no_such_line"
    OTHER_CURRENCY = "other_currency"
    NO_INSURANCE = "no_insurance"
    OUT_OF_BOUNDS = "out_of_bounds"
    WRONG_HOURS = "wrong_hours"
    LINE_TOO_LONG = "line_too_long"
    NOT_JSON = "not_json"
    WRONG_CELLS = "wrong_cells"
    NO_PARENT = "no_parent"
    OTHER_FORM = "other_form"
    TAKEN = "taken"
    ROW_GONE = "row_gone"
    CONFLICT = "conflict"
    WAITS = "waits"
    PATH_BY_API = "path_by_api"
    OUTSIDE_FOLDER = "outside_folder"
    UNREADABLE = "unreadable"
    FILE_TOO_LARGE = "file_too_large"
    NO_PDF = "no_pdf"
    ACTIVE_PDF = "active_pdf"
    NO_IMAGE = "no_image"
    TOO_MANY_PIXELS = "too_many_pixels"
    NO_DRAWING = "no_drawing"
    ADDRESS_REFUSED = "address_refused"
    SHOP_SILENT = "shop_silent"
    SHOP_ANSWERED = "shop_answered"
    KIND_NOT_IN_FORM = "kind_not_in_form"
    WRONG_EXTENSION = "wrong_extension"
    NOT_A_LIST_OF_ANSWERS = "not_a_list_of_answers"
    NOT_UTF8 = "not_utf8"
    FILE_GONE = "file_gone"
    LEFT_OUT = "left_out"
    DOUBLE_ID = "double_id"
    DOUBLE_COLUMN = "double_column"
    UNKNOWN_COLUMNS = "unknown_columns"
    OTHER_COLUMNS = "other_columns"
    NO_COUNTRY = "no_country"
    PART_OF_PHONE = "part_of_phone"
    MISMATCH = "mismatch"
    KIND_UNKNOWN = "kind_unknown"
    INVALID = "invalid"
    """Something that has no code of its own."""


_R = Rejection

REJECTIONS: Mapping[Rejection, str] = {
    _R.MISSING_FIELD: N_("This field is missing."),
    _R.UNKNOWN_FIELD: N_("The portal does not know this field."),
    _R.NOT_A_TEXT: N_("This is not text."),
    _R.TEXT_TOO_SHORT: N_("This has fewer than {least} characters."),
    _R.TEXT_TOO_LONG: N_("This has more than {most} characters."),
    _R.WRONG_FORM: N_("This does not have the right format for this field."),
    _R.NOT_A_NUMBER: N_("This is not a number."),
    _R.NOT_A_WHOLE_NUMBER: N_("This is not a whole number."),
    _R.TOO_MANY_DECIMALS: N_("This number has more than {most} decimals."),
    _R.TOO_MANY_DIGITS: N_("This number has more than {most} digits."),
    _R.TOO_SMALL: N_("This number is less than {least}."),
    _R.TOO_LARGE: N_("This number is more than {most}."),
    _R.UNKNOWN_CHOICE: N_("This is none of: {choices}."),
    _R.NOT_YES_OR_NO: N_("This is neither true nor false."),
    _R.NOT_A_DAY: N_("This is not a day such as 2026-03-31."),
    _R.NOT_A_MOMENT: N_("This is not a date and time with a time zone."),
    _R.NO_TIME_ZONE: N_("This date and time has no time zone."),
    _R.NOT_A_LIST: N_("This is not a list."),
    _R.TOO_FEW: N_("This list has fewer than {least} entries."),
    _R.TOO_MANY: N_("This list has more than {most} entries."),
    _R.NOT_AN_OBJECT: N_("This is not an object with fields."),
    _R.NOT_STORED: N_("This value can’t be stored."),
    _R.NO_SUCH_LINE: N_("The order has no line {line}."),
    _R.OTHER_CURRENCY: N_("Amounts have to be in euro (EUR)."),
    _R.NO_INSURANCE: N_("This insurer has no such insurance."),
    _R.OUT_OF_BOUNDS: N_("This number has to be from {least} to {most}."),
    _R.WRONG_HOURS: N_("These are not opening hours: days such as Mo-Fr, each with an opening and closing time."),
    _R.LINE_TOO_LONG: N_("The line has more than {most} characters."),
    _R.NOT_JSON: N_("This is not JSON, from character {column} on."),
    _R.WRONG_CELLS: N_("The row has {found} cells, but the first row has {expected}."),
    _R.NO_PARENT: N_("The record that this line belongs to isn’t above it."),
    _R.OTHER_FORM: N_("This doesn’t look like the shop’s export: {detail}"),
    _R.TAKEN: N_("Another record of the shop already has this value."),
    _R.ROW_GONE: N_("It was removed in the portal, or has another key."),
    _R.CONFLICT: N_("It conflicts with something that other records refer to."),
    _R.WAITS: N_("It’s waiting for {id} of {kind}."),
    _R.PATH_BY_API: N_("A path only works in files. Give an https address, or send the file."),
    _R.OUTSIDE_FOLDER: N_("The file is outside the folder of the import."),
    _R.UNREADABLE: N_("The file can’t be read."),
    _R.FILE_TOO_LARGE: N_("The file is larger than {most} MB."),
    _R.NO_PDF: N_("The file is not a PDF, or it is cut off."),
    _R.ACTIVE_PDF: N_("The PDF is locked, or contains scripts or files other than XML."),
    _R.NO_IMAGE: N_("The file is not an image in JPEG, PNG, WebP or AVIF, or it is cut off."),
    _R.TOO_MANY_PIXELS: N_("The image has more than {most} million pixels."),
    _R.NO_DRAWING: N_("There is no such drawing."),
    _R.ADDRESS_REFUSED: N_("The address has to be public and start with https."),
    _R.SHOP_SILENT: N_("The shop did not send the file."),
    _R.SHOP_ANSWERED: N_("The shop answered {status} instead of sending the file."),
    _R.KIND_NOT_IN_FORM: N_("{form} files contain no {kind}. Use the portal’s own format."),
    _R.WRONG_EXTENSION: N_("A file must end with .csv, .jsonl or .json."),
    _R.NOT_A_LIST_OF_ANSWERS: N_("A .json file has to hold a list of records."),
    _R.NOT_UTF8: N_("The text of the file is not UTF-8, UTF-16 or Windows-1252. Save it as UTF-8."),
    _R.FILE_GONE: N_("The file is gone. Send it again."),
    _R.LEFT_OUT: N_("The shop has it as a draft or in the trash."),
    _R.DOUBLE_ID: N_("{id} is in the file twice, with different values."),
    _R.DOUBLE_COLUMN: N_("The column {column} is in the file twice."),
    _R.UNKNOWN_COLUMNS: N_("The portal doesn’t know these columns: {unknown}."),
    _R.OTHER_COLUMNS: N_("The portal doesn’t know these columns: {unknown}. These are missing: {missing}."),
    _R.NO_COUNTRY: N_("The portal serves no addresses in this country. The address is left empty."),
    _R.PART_OF_PHONE: N_("Only the first phone number in this field is stored."),
    _R.KIND_UNKNOWN: N_("Whether {sku} is a bike, neither the order nor a product says. It’s taken for an accessory."),
    _R.MISMATCH: N_("Lines, costs and discounts don’t add up to the total, or more was refunded than paid."),
    _R.INVALID: N_("This value is not allowed."),
}
"""What staff read, with the values of the reason in braces."""
