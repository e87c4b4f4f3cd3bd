"""Staff: their roles, and which role has which right. One table decides for pages, API and command line."""

from collections.abc import Mapping
from enum import StrEnum

from portal.kernel.texts import N_


class Role(StrEnum):
    MECHANIC = "mechanic"
    STORE_MANAGER = "store_manager"
    SERVICE_DESK = "service_desk"
    WAREHOUSE = "warehouse"
    FINANCE = "finance"
    ADMINISTRATOR = "administrator"
    UNKNOWN = "unknown"
    """A value from a newer provider that this portal does not know; never stored, and without rights."""


ROLE_LABELS: Mapping[Role, str] = {
    Role.MECHANIC: N_("Mechanic"),
    Role.STORE_MANAGER: N_("Store manager"),
    Role.SERVICE_DESK: N_("Customer service"),
    Role.WAREHOUSE: N_("Warehouse"),
    Role.FINANCE: N_("Finance"),
    Role.ADMINISTRATOR: N_("Administrator"),
    Role.UNKNOWN: N_("Unknown role"),
}


class VisitMode(StrEnum):
    """What somebody of the staff may do in a session that they opened for a customer."""

    READ_ONLY = "read_only"
    """See what the customer sees; nothing can be changed."""
    IN_NAME = "in_name"
    """Send requests in the customer's name."""
    UNKNOWN = "unknown"


VISIT_TEXTS: Mapping[VisitMode, str] = {
    VisitMode.READ_ONLY: N_("{name}, you’re viewing the portal as this customer. You can’t change anything."),
    VisitMode.IN_NAME: N_("{name}, you’re acting for this customer. Whatever you send is recorded."),
    VisitMode.UNKNOWN: N_("{name}, this is a customer’s session."),
}
"""What a page says in such a session."""

STOP_VISIT = N_("Stop")
STORE_ROLES = frozenset({Role.MECHANIC, Role.STORE_MANAGER})
"""Roles that see only what belongs to their own stores."""


class Right(StrEnum):
    """What an operation for staff requires. Every such operation declares one."""

    SEE_CASES = "see_cases"
    """See the queue and the cases in it, limited to the kinds and stores of the role."""
    WORK_ON_CASES = "work_on_cases"
    """Change the status of a repair, service or claim, plan a day, and hand a case to a person or another store."""
    RECEIVE_RETURNS = "receive_returns"
    """Record which units of a return arrived, and in what condition."""
    ENTER_REFUND_ACCOUNT = "enter_refund_account"
    """Enter the account to which a refund is paid. Whoever closes returns may not."""
    RELEASE_REFUNDS = "release_refunds"
    """Confirm a refund as the second person, and record that it was paid."""
    REVEAL_PIN_CODE = "reveal_pin_code"
    REVEAL_FINANCIAL = "reveal_financial"
    WRITE_TO_CUSTOMERS = "write_to_customers"
    """Send a free text; without it only templates."""
    SEND_TEMPLATES = "send_templates"
    CORRECT_FRAME_NUMBER = "correct_frame_number"
    CORRECT_CUSTOMERS = "correct_customers"
    """Correct a customer's data, or the store of a case."""
    ACT_FOR_CUSTOMERS = "act_for_customers"
    """Find a customer, see what the customer sees, and send a request in the customer's name."""
    MANAGE_STORE = "manage_store"
    """Set waiting weeks, opening hours and vacation of a store."""
    MANAGE_SHOP = "manage_shop"
    """Change prices, tariffs, delivery days and differences of imports."""
    MANAGE_STAFF = "manage_staff"
    MANAGE_WEBHOOKS = "manage_webhooks"
    """Say where events go, and send them again."""
    READ_AUDIT = "read_audit"
    EXPORT = "export"
    EXPORT_CASES = "export_cases"
    OWN_ACCOUNT = "own_account"
    """What everybody may do: read and end the own session."""


_R = Right
_EVERYBODY = frozenset({_R.OWN_ACCOUNT, _R.SEE_CASES, _R.SEND_TEMPLATES})

RIGHTS: Mapping[Role, frozenset[Right]] = {
    Role.MECHANIC: _EVERYBODY | {_R.WORK_ON_CASES, _R.REVEAL_PIN_CODE, _R.WRITE_TO_CUSTOMERS, _R.CORRECT_FRAME_NUMBER},
    Role.STORE_MANAGER: _EVERYBODY
    | {
        _R.WORK_ON_CASES,
        _R.RECEIVE_RETURNS,
        _R.REVEAL_PIN_CODE,
        _R.WRITE_TO_CUSTOMERS,
        _R.CORRECT_FRAME_NUMBER,
        _R.CORRECT_CUSTOMERS,
        _R.ACT_FOR_CUSTOMERS,
        _R.MANAGE_STORE,
        _R.EXPORT_CASES,
    },
    Role.SERVICE_DESK: _EVERYBODY
    | {
        _R.WORK_ON_CASES,
        _R.RECEIVE_RETURNS,
        _R.REVEAL_PIN_CODE,
        _R.REVEAL_FINANCIAL,
        _R.WRITE_TO_CUSTOMERS,
        _R.CORRECT_FRAME_NUMBER,
        _R.CORRECT_CUSTOMERS,
        _R.ACT_FOR_CUSTOMERS,
    },
    Role.WAREHOUSE: _EVERYBODY | {_R.RECEIVE_RETURNS},
    Role.FINANCE: _EVERYBODY
    | {_R.ENTER_REFUND_ACCOUNT, _R.RELEASE_REFUNDS, _R.REVEAL_FINANCIAL, _R.READ_AUDIT, _R.EXPORT, _R.EXPORT_CASES},
    Role.ADMINISTRATOR: frozenset(Right) - {_R.ENTER_REFUND_ACCOUNT},
    Role.UNKNOWN: frozenset(),
}


class HiddenNumber(StrEnum):
    """What staff see only when they reveal it."""

    PIN_CODE = "pin_code"
    IBAN = "iban"
    POLICY_NUMBER = "policy_number"


DOT = "•"
CONCEALED = DOT * 8
"""Stands where a number is that has to be revealed."""


REVEALED_BY: Mapping[HiddenNumber, Right] = {
    HiddenNumber.PIN_CODE: Right.REVEAL_PIN_CODE,
    HiddenNumber.IBAN: Right.REVEAL_FINANCIAL,
    HiddenNumber.POLICY_NUMBER: Right.REVEAL_FINANCIAL,
}

REASON_REQUIRED: Mapping[Right, frozenset[Role]] = {
    Right.REVEAL_PIN_CODE: frozenset({Role.SERVICE_DESK, Role.ADMINISTRATOR}),
    Right.REVEAL_FINANCIAL: frozenset({Role.SERVICE_DESK, Role.ADMINISTRATOR}),
}
"""Roles that have to give a reason, which the audit keeps."""
