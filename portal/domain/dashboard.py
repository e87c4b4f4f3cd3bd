"""Which actions a customer may start, and why not (part-1 §2 Dashboard)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from portal.domain.marks import N_


class Feature(StrEnum):
    """What the retailer has switched on for an order; an order without any shows a message (part-1 §6)."""

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
    """Whether an action can be started now."""

    OPEN = "open"
    CLOSED = "closed"
    """'Niet beschikbaar' (part-1 §2)."""
    LATER = "later"
    """'Status available upon request' (part-1 §2)."""


class Reason(StrEnum):
    """Why an action is closed."""

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
    NO_TRACKING = "no_tracking"
    NO_ORDER = "no_order"
    PACKAGE_EXISTS = "package_exists"
    INSURANCE_REQUESTED = "insurance_requested"
    RETURN_REQUESTED = "return_requested"


REASONS: dict[Reason, str] = {
    Reason.REQUEST_OPEN: N_(
        "There is already an open request for this bike. Contact us if you want to change something."
    ),
    Reason.FRAME_NUMBER_UNKNOWN: N_("We do not know the frame number of your bike yet. Contact us and we will add it."),
    Reason.NO_BIKE: N_("We do not find a bike in this account yet."),
    Reason.NOT_OFFERED: N_("This is not offered for your order."),
    Reason.NO_REQUEST: N_("You can follow the status here once you have made a request."),
    Reason.ALREADY_INSURED: N_("Your bike is already insured with us."),
    Reason.INSURANCE_TERM_OVER: N_("You can insure a bike up to 14 days after purchase."),
    Reason.NOT_SHIPPED: N_("Your order has not been shipped yet."),
    Reason.OLDER_THAN_100_DAYS: N_("Your order was shipped more than 100 days ago."),
    Reason.ALREADY_HANDED_OVER: N_("Your order is already with the carrier or delivered."),
    Reason.NO_TRACKING: N_("There is no parcel on its way."),
    Reason.NO_ORDER: N_("We do not find an order in this account yet."),
    Reason.PACKAGE_EXISTS: N_("Your bike already has a service package. Contact us if you want another one."),
    Reason.INSURANCE_REQUESTED: N_("An insurance for this bike is already being requested."),
    Reason.RETURN_REQUESTED: N_("You have already asked to return or exchange this bike."),
}


@dataclass(frozen=True, slots=True)
class BikeFacts:
    """What decides for one bike."""

    frame_number_known: bool
    open_request: bool
    insured: bool
    ordered_on: date


@dataclass(frozen=True, slots=True)
class OrderFacts:
    """What decides for one order. `shipped_on` is the day of the last shipment, none while nothing left."""

    features: frozenset[Feature]
    shipped_on: date | None
    finished: bool
    handed_over: bool
    has_tracking: bool
    cancelled: bool


@dataclass(frozen=True, slots=True)
class Decision:
    """Outcome for one action. `until` is the last day it stays open, or the day it closed, when that is known."""

    feature: Feature
    opening: Opening
    reason: Reason | None = None
    until: date | None = None


INSURANCE_DAYS = 14
"""Days after purchase in which insurance is offered (part-2 §5)."""
RETURN_DAYS = 100
"""Days after shipping in which a return is accepted (part-2 §9)."""


def decide(
    features: frozenset[Feature],
    bikes: list[BikeFacts],
    orders: list[OrderFacts],
    *,
    any_request: bool,
    day: date,
) -> dict[Feature, Decision]:
    """Decide every tile and button of the dashboard.

    Args:
        features: what the retailer offers to this customer.
        bikes: facts per bike; an action on a bike is open as soon as one bike allows it.
        orders: facts per order; an action on an order is open as soon as one order that has it allows it.
        any_request: whether the customer has, or had, a repair or service request.
        day: today in Europe/Amsterdam.

    Returns:
        One decision for each feature that has a place on the dashboard.
    """

    def live(feature: Feature) -> list[OrderFacts]:
        return [order for order in orders if feature in order.features and not order.cancelled]

    decisions = [
        _on_a_bike(Feature.REPAIR, bikes),
        _on_a_bike(Feature.SERVICE, bikes),
        _on_a_bike(Feature.CLAIM, bikes),
        _status(any_request),
        _first(Feature.SERVICE_PACKAGE, bool(bikes), Reason.NO_BIKE),
        _insurance(bikes, day),
        _return(live(Feature.RETURN), day),
        _first(Feature.ORDER_STATUS, bool(orders), Reason.NO_ORDER),
        _first(
            Feature.TRACK_AND_TRACE,
            any(order.has_tracking for order in live(Feature.TRACK_AND_TRACE)),
            Reason.NO_TRACKING,
        ),
        Decision(Feature.CUSTOMER_SERVICE, Opening.OPEN),
        _delivery_date(live(Feature.DELIVERY_DATE)),
    ]
    return {
        decision.feature: decision
        if decision.feature in features or decision.feature is Feature.CUSTOMER_SERVICE
        else Decision(decision.feature, Opening.CLOSED, Reason.NOT_OFFERED)
        for decision in decisions
    }


def _first(feature: Feature, allowed: bool, reason: Reason) -> Decision:
    return Decision(feature, Opening.OPEN) if allowed else Decision(feature, Opening.CLOSED, reason)


def _on_a_bike(feature: Feature, bikes: list[BikeFacts]) -> Decision:
    """Repair, service and claim: closed while a request is open or the frame number is unknown (part-1 §2).

    A claim needs no insurance with us: the policy of another insurer does as well.
    """
    if any(bike.frame_number_known and not bike.open_request for bike in bikes):
        return Decision(feature, Opening.OPEN)
    if not bikes:
        return Decision(feature, Opening.CLOSED, Reason.NO_BIKE)
    if any(bike.open_request for bike in bikes):
        return Decision(feature, Opening.CLOSED, Reason.REQUEST_OPEN)
    return Decision(feature, Opening.CLOSED, Reason.FRAME_NUMBER_UNKNOWN)


def _status(any_request: bool) -> Decision:
    return (
        Decision(Feature.STATUS, Opening.OPEN)
        if any_request
        else Decision(Feature.STATUS, Opening.LATER, Reason.NO_REQUEST)
    )


def _insurance(bikes: list[BikeFacts], day: date) -> Decision:
    if not bikes:
        return Decision(Feature.INSURANCE, Opening.CLOSED, Reason.NO_BIKE)
    terms = [bike.ordered_on + timedelta(days=INSURANCE_DAYS) for bike in bikes if not bike.insured]
    if not terms:
        return Decision(Feature.INSURANCE, Opening.CLOSED, Reason.ALREADY_INSURED)
    last = max(terms)
    if day <= last:
        return Decision(Feature.INSURANCE, Opening.OPEN, until=last)
    return Decision(Feature.INSURANCE, Opening.CLOSED, Reason.INSURANCE_TERM_OVER, until=last)


def _return(orders: list[OrderFacts], day: date) -> Decision:
    """Day 100 after shipping counts to its end (decisions: Rules)."""
    if not orders:
        return Decision(Feature.RETURN, Opening.CLOSED, Reason.NO_ORDER)
    shipped = [order.shipped_on for order in orders if order.shipped_on]
    if not shipped:
        return Decision(Feature.RETURN, Opening.CLOSED, Reason.NOT_SHIPPED)
    last = max(shipped) + timedelta(days=RETURN_DAYS)
    if day <= last:
        return Decision(Feature.RETURN, Opening.OPEN, until=last)
    return Decision(Feature.RETURN, Opening.CLOSED, Reason.OLDER_THAN_100_DAYS, until=last)


def _delivery_date(orders: list[OrderFacts]) -> Decision:
    if not orders:
        return Decision(Feature.DELIVERY_DATE, Opening.CLOSED, Reason.NO_ORDER)
    movable = any(not order.finished and not order.handed_over for order in orders)
    return _first(Feature.DELIVERY_DATE, movable, Reason.ALREADY_HANDED_OVER)
