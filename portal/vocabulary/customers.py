"""Data of a customer: what the fields are called, and what happens to a copy or an erasure."""

from collections.abc import Mapping
from enum import StrEnum

from portal.kernel.texts import N_

NAME_LABELS: Mapping[str, str] = {
    "first_name": N_("First name"),
    "prefix": N_("Name particle (van, de)"),
    "last_name": N_("Last name"),
}
ADDRESS_LABELS: Mapping[str, str] = {
    "country_code": N_("Country"),
    "post_code": N_("Postcode"),
    "house_number": N_("House number"),
    "house_number_addon": N_("Unit or letter"),
    "street": N_("Street"),
    "city": N_("City"),
    "phone": N_("Phone number"),
}
"""The parts of an address, with the phone number of who lives there."""

CUSTOMER_LABELS: Mapping[str, str] = {**NAME_LABELS, "email": N_("Email address"), **ADDRESS_LABELS}
"""All that a shop knows of a customer and staff read."""


class ExportStatus(StrEnum):
    WAITING = "waiting"
    READY = "ready"
    FAILED = "failed"
    UNKNOWN = "unknown"
    """A status that only a newer provider knows; never stored."""


class RunningKind(StrEnum):
    """What still runs, so that the data of the customer are needed."""

    REQUEST = "request"
    RETURN = "return"
    DELIVERY = "delivery"
    PAYMENT = "payment"
    INSURANCE_REQUEST = "insurance_request"
    INSURANCE = "insurance"
    SERVICE_PACKAGE = "service_package"
    CONTRACT_END = "contract_end"
    UNKNOWN = "unknown"
    """A kind that only a newer provider knows; never stored."""


RUNNING_TEXTS: dict[RunningKind, str] = {
    RunningKind.REQUEST: N_("Request {name} is not finished yet."),
    RunningKind.RETURN: N_("Return {name} is not finished yet."),
    RunningKind.DELIVERY: N_("Order {name} has not been delivered yet."),
    RunningKind.PAYMENT: N_("Order {name} has not been paid in full yet."),
    RunningKind.INSURANCE_REQUEST: N_("The insurance request {name} is still with the insurer."),
    RunningKind.INSURANCE: N_("The insurance of {name} is still active."),
    RunningKind.SERVICE_PACKAGE: N_("The service package of {name} is still active."),
    RunningKind.CONTRACT_END: N_("The end of your contract {name} is still being processed."),
    RunningKind.UNKNOWN: N_("Something is not finished yet: {name}."),
}
"""`name` is the reference or number, or the name of the bike."""

NAMED_BY_REFERENCE = frozenset(
    {RunningKind.REQUEST, RunningKind.RETURN, RunningKind.INSURANCE_REQUEST, RunningKind.CONTRACT_END}
)
"""Kinds whose `name` is a reference, which is shown in groups."""

RUNNING_UNTIL_TEXTS: dict[RunningKind, str] = {
    RunningKind.INSURANCE: N_("The insurance of {name} runs until {day}."),
    RunningKind.SERVICE_PACKAGE: N_("The service package of {name} runs until {day}."),
}
"""The same for what was cancelled: `day` is its last day."""

ENDED_IN_CONTRACTS = frozenset(RUNNING_UNTIL_TEXTS)


class PrivacyEventKind(StrEnum):
    EXPORT_ASKED = "export_asked"
    EXPORT_MADE = "export_made"
    ERASED = "erased"
    EXPIRED = "expired"
    """Data were deleted because their retention period was over."""


class PrivacyActor(StrEnum):
    CUSTOMER = "customer"
    PORTAL = "portal"
