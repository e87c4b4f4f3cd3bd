"""What the audit records: the actions of staff, by the name of the operation, and how staff read them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from portal.kernel.texts import N_
from portal.vocabulary.cases import CASE_LABELS, CaseKind
from portal.vocabulary.prices import PRICE_KINDS


class AuditAction(StrEnum):
    """What somebody did. The value is stored."""

    OPEN_STAFF_SESSION = "open_staff_session"
    FIND_CUSTOMERS = "find_customers"
    CUSTOMER_CARD = "customer_card"
    VISIT_CUSTOMER = "visit_customer"
    IN_NAME = "in_name"
    """An operation in a customer's name; the details name it."""
    REVEAL_PIN_CODE = "reveal_pin_code"
    REVEAL_FINANCIAL = "reveal_financial"
    CORRECT_FRAME_NUMBER = "correct_frame_number"
    CORRECT_EMAIL = "correct_email"
    CORRECT_ADDRESS = "correct_address"
    CORRECT_STORE = "correct_store"
    CANCEL_FOR_CUSTOMER = "cancel_for_customer"
    MERGE_CUSTOMERS = "merge_customers"
    SEARCH_CASES = "search_cases"
    VIEW_CASE = "view_case"
    MOVE_CASE = "move_case"
    ASSIGN_CASE = "assign_case"
    ADD_NOTE = "add_note"
    PRINT_JOB_CARD = "print_job_card"
    SEND_MESSAGE = "send_message"
    SEND_TEMPLATE = "send_template"
    CLOSE_QUESTION = "close_question"
    CHANGE_TEMPLATE = "change_template"
    EXPECTED_RETURN = "expected_return"
    RECEIVE_RETURN = "receive_return"
    ENTER_REFUND_ACCOUNT = "enter_refund_account"
    CONFIRM_REFUNDS = "confirm_refunds"
    RECORD_REFUNDS_PAID = "record_refunds_paid"
    EXPORT_REFUNDS = "export_refunds"
    REFUND_LIST = "refund_list"
    REFUND_PAYMENT = "refund_payment"
    INSURANCE_LIST = "insurance_list"
    CASE_LIST = "case_list"
    ADD_WEBHOOK = "add_webhook"
    CHANGE_WEBHOOK = "change_webhook"
    REMOVE_WEBHOOK = "remove_webhook"
    ROTATE_SECRET = "rotate_secret"  # noqa: S105 - names an action
    RESUME_WEBHOOK = "resume_webhook"
    TEST_WEBHOOK = "test_webhook"
    REPLAY = "replay"
    ADD_API_KEY = "add_api_key"
    REVOKE_API_KEY = "revoke_api_key"
    IMPORT_FILE = "import_file"
    SEND_REJECTED_AGAIN = "send_rejected_again"
    REJECTED_RECORD = "rejected_record"
    CORRECT_RECORD = "correct_record"
    DISCARD_RECORD = "discard_record"
    IMPORT_DIFFERENCES = "import_differences"
    SETTLE_DIFFERENCE = "settle_difference"
    CHANGE_WAITING_TIME = "change_waiting_time"
    CHANGE_OPENING_HOURS = "change_opening_hours"
    CHANGE_VACATION = "change_vacation"
    WITHDRAW_STORE_CHANGE = "withdraw_store_change"
    CHANGE_PRICE = "change_price"
    WITHDRAW_PRICE = "withdraw_price"
    ADD_PERSON = "add_person"
    CHANGE_PERSON = "change_person"
    SET_PERSON_ACTIVE = "set_person_active"
    RESTORE_ACCESS = "restore_access"
    AUDIT_EXPORT = "audit_export"


AUDIT_LABELS: Mapping[AuditAction, str] = {
    AuditAction.OPEN_STAFF_SESSION: N_("Logged in"),
    AuditAction.FIND_CUSTOMERS: N_("Searched for a customer"),
    AuditAction.CUSTOMER_CARD: N_("Opened a customer"),
    AuditAction.VISIT_CUSTOMER: N_("Opened the portal as a customer"),
    AuditAction.IN_NAME: N_("Acted for the customer"),
    AuditAction.REVEAL_PIN_CODE: N_("Showed a pin code"),
    AuditAction.REVEAL_FINANCIAL: N_("Showed an account or policy number"),
    AuditAction.CORRECT_FRAME_NUMBER: N_("Corrected a frame number"),
    AuditAction.CORRECT_EMAIL: N_("Corrected an email address"),
    AuditAction.CORRECT_ADDRESS: N_("Corrected an address"),
    AuditAction.CORRECT_STORE: N_("Moved a case to the right store"),
    AuditAction.CANCEL_FOR_CUSTOMER: N_("Cancelled for the customer"),
    AuditAction.MERGE_CUSTOMERS: N_("Merged two customers"),
    AuditAction.SEARCH_CASES: N_("Searched the cases"),
    AuditAction.VIEW_CASE: N_("Opened a case"),
    AuditAction.MOVE_CASE: N_("Moved a case forward"),
    AuditAction.ASSIGN_CASE: N_("Assigned a case"),
    AuditAction.ADD_NOTE: N_("Wrote a note"),
    AuditAction.PRINT_JOB_CARD: N_("Printed a job card"),
    AuditAction.SEND_MESSAGE: N_("Sent a message"),
    AuditAction.SEND_TEMPLATE: N_("Sent a message from a template"),
    AuditAction.CLOSE_QUESTION: N_("Closed a question to the customer"),
    AuditAction.CHANGE_TEMPLATE: N_("Changed a message template"),
    AuditAction.EXPECTED_RETURN: N_("Opened an expected return"),
    AuditAction.RECEIVE_RETURN: N_("Received a return"),
    AuditAction.ENTER_REFUND_ACCOUNT: N_("Entered an account for a refund"),
    AuditAction.CONFIRM_REFUNDS: N_("Confirmed a refund"),
    AuditAction.RECORD_REFUNDS_PAID: N_("Recorded a refund as paid"),
    AuditAction.EXPORT_REFUNDS: N_("Exported refunds"),
    AuditAction.REFUND_LIST: N_("Downloaded a list of refunds"),
    AuditAction.REFUND_PAYMENT: N_("Downloaded a payment file"),
    AuditAction.INSURANCE_LIST: N_("Downloaded the insurance policies"),
    AuditAction.CASE_LIST: N_("Downloaded cases"),
    AuditAction.ADD_WEBHOOK: N_("Added a webhook"),
    AuditAction.CHANGE_WEBHOOK: N_("Changed a webhook"),
    AuditAction.REMOVE_WEBHOOK: N_("Removed a webhook"),
    AuditAction.ROTATE_SECRET: N_("Replaced the secret of a webhook"),
    AuditAction.RESUME_WEBHOOK: N_("Resumed a webhook"),
    AuditAction.TEST_WEBHOOK: N_("Sent a test event"),
    AuditAction.ADD_API_KEY: N_("Added a key of another system"),
    AuditAction.REVOKE_API_KEY: N_("Revoked a key of another system"),
    AuditAction.REPLAY: N_("Sent events again"),
    AuditAction.IMPORT_FILE: N_("Sent a file to import"),
    AuditAction.SEND_REJECTED_AGAIN: N_("Sent rejected records again"),
    AuditAction.REJECTED_RECORD: N_("Opened a rejected record"),
    AuditAction.CORRECT_RECORD: N_("Corrected a rejected record"),
    AuditAction.DISCARD_RECORD: N_("Removed a rejected record"),
    AuditAction.IMPORT_DIFFERENCES: N_("Viewed differences with a shop"),
    AuditAction.SETTLE_DIFFERENCE: N_("Decided on a difference with a shop"),
    AuditAction.CHANGE_WAITING_TIME: N_("Changed a waiting time"),
    AuditAction.CHANGE_OPENING_HOURS: N_("Changed opening hours"),
    AuditAction.CHANGE_VACATION: N_("Changed a holiday"),
    AuditAction.WITHDRAW_STORE_CHANGE: N_("Took back a change to a store"),
    AuditAction.CHANGE_PRICE: N_("Changed a price or number"),
    AuditAction.WITHDRAW_PRICE: N_("Took back a price change"),
    AuditAction.ADD_PERSON: N_("Added a colleague"),
    AuditAction.CHANGE_PERSON: N_("Changed a colleague"),
    AuditAction.SET_PERSON_ACTIVE: N_("Let a colleague in, or blocked one"),
    AuditAction.RESTORE_ACCESS: N_("Let a colleague log in again"),
    AuditAction.AUDIT_EXPORT: N_("Downloaded the audit log"),
}
"""What the page says. Every action has a text."""

AUDITED_KINDS: Mapping[str, str] = {
    **{kind.value: text for kind, text in CASE_LABELS.items() if kind is not CaseKind.UNKNOWN},
    "customer": N_("Customer"),
    "bike": N_("Bike"),
    "person": N_("Colleague"),
    "store": N_("Store"),
    "webhook": N_("Webhook"),
    "api_key": N_("Key of another system"),
    "import": N_("Import"),
    "rejected record": N_("Rejected record"),
    "import difference": N_("Difference with a shop"),
    "message_template": N_("Message template"),
    "refund batch": N_("Refunds"),
    **{kind.value: text for kind, text in PRICE_KINDS.items()},
}
