"""Actions of the dashboard, reasons why an action is closed, and topics of changes (part-1 §2 Dashboard)."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from portal.kernel.texts import N_


class Feature(StrEnum):
    """A feature that the retailer can switch on for an order. An order without features shows a message (part-1 §6)."""

    REPAIR = "repair"
    SERVICE = "service"
    CLAIM = "claim"
    STATUS = "status"
    SERVICE_PACKAGE = "service_package"
    INSURANCE = "insurance"
    RETURN = "return"
    ORDER_STATUS = "order_status"
    TRACK_AND_TRACE = "track_and_trace"
    CUSTOMER_SERVICE = "customer_service"
    DELIVERY_DATE = "delivery_date"


BIKE_ORDER_FEATURES: tuple[Feature, ...] = tuple(Feature)
"""Features that an order with a bike usually has."""

PARCEL_ORDER_FEATURES: tuple[Feature, ...] = (
    Feature.RETURN,
    Feature.ORDER_STATUS,
    Feature.TRACK_AND_TRACE,
    Feature.CUSTOMER_SERVICE,
    Feature.DELIVERY_DATE,
)
"""Features that an order of accessories usually has."""

TILES: tuple[Feature, ...] = (
    Feature.REPAIR,
    Feature.SERVICE,
    Feature.CLAIM,
    Feature.STATUS,
    Feature.SERVICE_PACKAGE,
    Feature.INSURANCE,
)

BUTTONS: tuple[Feature, ...] = (
    Feature.RETURN,
    Feature.ORDER_STATUS,
    Feature.TRACK_AND_TRACE,
    Feature.CUSTOMER_SERVICE,
    Feature.DELIVERY_DATE,
)


class Opening(StrEnum):
    OPEN = "open"
    CLOSED = "closed"
    """Shown as 'Niet beschikbaar' (part-1 §2)."""
    LATER = "later"
    """Shown as 'Status available upon request' (part-1 §2)."""


class Reason(StrEnum):
    REQUEST_OPEN = "request_open"
    FRAME_NUMBER_UNKNOWN = "frame_number_unknown"
    NO_BIKE = "no_bike"
    NOT_OFFERED = "not_offered"
    NO_REQUEST = "no_request"
    ALREADY_INSURED = "already_insured"
    INSURANCE_TERM_OVER = "insurance_term_over"
    NOT_SHIPPED = "not_shipped"
    OLDER_THAN_100_DAYS = "older_than_100_days"
    ALREADY_HANDED_OVER = "already_handed_over"
    ORDER_CANCELLED = "order_cancelled"
    COLLECTED_IN_STORE = "collected_in_store"
    DELIVERY_FAILED = "delivery_failed"
    RETURNED = "returned"
    NO_TRACKING = "no_tracking"
    NO_ORDER = "no_order"
    PACKAGE_EXISTS = "package_exists"
    INSURANCE_REQUESTED = "insurance_requested"
    RETURN_REQUESTED = "return_requested"


REASONS: dict[Reason, str] = {
    Reason.REQUEST_OPEN: N_(
        "There is already an open request for this bike. Contact us if you want to change something."
    ),
    Reason.FRAME_NUMBER_UNKNOWN: N_("First enter the frame number on the page of your bike."),
    Reason.NO_BIKE: N_("You can do this once your bike has arrived."),
    Reason.NOT_OFFERED: N_("This isn’t available for your order."),
    Reason.NO_REQUEST: N_("You can follow the status here once you’ve made a request."),
    Reason.ALREADY_INSURED: N_("Your bike is already insured with us."),
    Reason.INSURANCE_TERM_OVER: N_("You can insure a bike up to {insurance_days} days after buying it."),
    Reason.NOT_SHIPPED: N_("Your order has not been shipped yet."),
    Reason.OLDER_THAN_100_DAYS: N_("Your order was shipped more than {return_days} days ago."),
    Reason.ALREADY_HANDED_OVER: N_("Your order is already with the carrier or delivered."),
    Reason.ORDER_CANCELLED: N_("Your order was cancelled."),
    Reason.COLLECTED_IN_STORE: N_("You’re collecting your order from the store, so it has no delivery day."),
    Reason.DELIVERY_FAILED: N_("We couldn’t deliver your order. Contact us to plan a new delivery."),
    Reason.RETURNED: N_("You’ve returned your bike."),
    Reason.NO_TRACKING: N_("There is no parcel on its way."),
    Reason.NO_ORDER: N_("We can’t find an order in this account yet."),
    Reason.PACKAGE_EXISTS: N_("Your bike already has a service package. Contact us if you want another one."),
    Reason.INSURANCE_REQUESTED: N_("Insurance for this bike has already been requested."),
    Reason.RETURN_REQUESTED: N_("You’ve already asked to return or exchange this bike."),
}


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether one action is open. `until` is the last day it is open, or the day it closed; None when unknown."""

    feature: Feature
    opening: Opening
    reason: Reason | None = None
    until: date | None = None


class Topic(StrEnum):
    """A part of a customer's data that can change while a page shows it."""

    REQUESTS = "requests"
    RETURNS = "returns"
    DELIVERIES = "deliveries"
    INSURANCES = "insurances"
    CONTRACTS = "contracts"
    MESSAGES = "messages"
    """Messages about requests, from staff and from the customer."""
    PHONE_FILES = "phone_files"
    """Files of a draft that a telephone sends, and whether the telephone is there."""
    PERSONAL_DATA = "personal_data"
    """The copy of the customer's data."""
