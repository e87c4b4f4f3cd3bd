"""Rules for actions: which a customer may start, and why not (part-1 §2 Dashboard)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from portal.contract.models import Rank
from portal.kernel.codes import Code
from portal.vocabulary.actions import Decision, Feature, Opening, Reason
from portal.vocabulary.deliveries import STUCK, DeliveryStatus, why_it_stays
from portal.vocabulary.insurance import InsuranceStatus
from portal.vocabulary.returns import ReturnStatus


@dataclass(frozen=True, slots=True)
class BikeDoorFacts:
    """The values of a bike that decide. `gone` is the reason why the customer does not have it."""

    frame_number_known: bool
    open_request: bool
    insured: bool
    insurable_until: date
    gone: Reason | None = None


@dataclass(frozen=True, slots=True)
class OrderFacts:
    """The values of an order that decide.

    `features`: switched on for the order.
    `return_until`: last day for a return; None while nothing was shipped.
    `status`: delivery status; None if unknown.
    `has_tracking`: whether a parcel that can be followed has not arrived yet.
    """

    features: frozenset[Feature]
    return_until: date | None
    status: DeliveryStatus | None
    has_tracking: bool

    @property
    def cancelled(self) -> bool:
        """Whether the order was cancelled."""
        return self.status is DeliveryStatus.ORDER_CANCELLED


def decide(
    features: frozenset[Feature],
    bikes: list[BikeDoorFacts],
    orders: list[OrderFacts],
    *,
    any_request: bool,
    day: date,
) -> dict[Feature, Decision]:
    """Decide every tile and button of the dashboard.

    `features`: features that the retailer offers to this customer.
    `bikes`: an action on a bike is open if at least one bike allows it.
    `orders`: newest first; an action on an order is open if at least one order with that feature allows it.
    `any_request`: whether the customer has ever had a repair or service request.
    Returns one decision for each tile and button.
    """

    def active(feature: Feature) -> list[OrderFacts]:
        return [order for order in orders if feature in order.features and not order.cancelled]

    owned = [bike for bike in bikes if bike.gone is None]
    no_order = Reason.ORDER_CANCELLED if orders and all(order.cancelled for order in orders) else Reason.NO_ORDER
    no_bike = bikes[0].gone if bikes else None
    if no_bike is None:
        no_bike = Reason.NO_BIKE if no_order is Reason.NO_ORDER else no_order
    decisions = [
        _on_a_bike(Feature.REPAIR, owned, no_bike),
        _on_a_bike(Feature.SERVICE, owned, no_bike),
        _on_a_bike(Feature.CLAIM, owned, no_bike),
        _status(any_request),
        _open_if(
            Feature.SERVICE_PACKAGE,
            any(bike.frame_number_known for bike in owned),
            Reason.FRAME_NUMBER_UNKNOWN if owned else no_bike,
        ),
        _insurance(owned, no_bike, day),
        _return(active(Feature.RETURN), no_order, day),
        _open_if(Feature.ORDER_STATUS, bool(orders), Reason.NO_ORDER),
        _open_if(
            Feature.TRACK_AND_TRACE,
            any(order.has_tracking for order in active(Feature.TRACK_AND_TRACE)),
            Reason.NO_TRACKING if no_order is Reason.NO_ORDER else no_order,
        ),
        Decision(Feature.CUSTOMER_SERVICE, Opening.OPEN),
        _delivery_date(active(Feature.DELIVERY_DATE), no_order),
    ]
    return {
        decision.feature: decision
        if decision.feature in features or decision.feature is Feature.CUSTOMER_SERVICE
        else Decision(decision.feature, Opening.CLOSED, Reason.NOT_OFFERED)
        for decision in decisions
    }


_WAITS_FOR_CUSTOMER: frozenset[StrEnum] = frozenset(
    {
        *STUCK,
        DeliveryStatus.ORDER_READY_FOR_PICKUP,
        ReturnStatus.PENDING_CONFIRMATION,
        InsuranceStatus.WAITING_FOR_INPUT,
    }
)


def rank_of(status: StrEnum | None, planned: date | None, day: date, *, waits: bool = False) -> Rank:
    """Where the dashboard shows a request, a delivery, a return or an insurance.

    `status`: its status; None if unknown.
    `waits`: whether it waits for the customer for another reason than its status: a mailed link has to confirm another
    delivery day, or the bike is to be collected.
    """
    if waits or status in _WAITS_FOR_CUSTOMER:
        return Rank.NEEDS_YOU
    if planned == day or status is DeliveryStatus.DRIVER_ON_THE_WAY:
        return Rank.TODAY
    return Rank.UNDER_WAY


def place_of(rank: Rank, planned: date | None, since: datetime) -> tuple[int, date, float]:
    """The key by which ongoing items are sorted: by rank, then the soonest, then the newest.

    `planned`: the planned day; without one it comes after those that have one.
    """
    return list(Rank).index(rank), planned or date.max, -since.timestamp()


@dataclass(frozen=True, slots=True)
class LineFacts:
    """The values of a line of an order that decide; for each of its bikes, why it gets no repair and no insurance."""

    return_refusal: Code | None
    repair_refusals: Sequence[Code | None] = ()
    insurance_refusals: Sequence[Code | None] = ()


def line_actions(line: LineFacts, offered: frozenset[Feature]) -> list[tuple[Feature, Code | None]]:
    """What can be started for a line of an order, each with the reason why not.

    A line is returned as soon as one of its units can be, and its bikes are repaired and insured as soon as one can be.
    A line without bikes is only returned.
    """
    found: list[tuple[Feature, Code | None]] = [(Feature.RETURN, line.return_refusal)]
    for feature, refusals in (
        (Feature.REPAIR, line.repair_refusals),
        (Feature.INSURANCE, line.insurance_refusals),
    ):
        if refusals:
            found.append((feature, None if None in refusals else refusals[0]))
    return [(feature, refusal) for feature, refusal in found if feature in offered]


def _open_if(feature: Feature, allowed: bool, reason: Reason) -> Decision:
    return Decision(feature, Opening.OPEN) if allowed else Decision(feature, Opening.CLOSED, reason)


def _on_a_bike(feature: Feature, bikes: list[BikeDoorFacts], no_bike: Reason) -> Decision:
    """Repair, service and claim: closed while a request is open or the frame number is unknown (part-1 §2).

    A claim needs no insurance with us: another insurer may pay.
    """
    if any(bike.frame_number_known and not bike.open_request for bike in bikes):
        return Decision(feature, Opening.OPEN)
    if not bikes:
        return Decision(feature, Opening.CLOSED, no_bike)
    if any(bike.open_request for bike in bikes):
        return Decision(feature, Opening.CLOSED, Reason.REQUEST_OPEN)
    return Decision(feature, Opening.CLOSED, Reason.FRAME_NUMBER_UNKNOWN)


def _status(any_request: bool) -> Decision:
    return (
        Decision(Feature.STATUS, Opening.OPEN)
        if any_request
        else Decision(Feature.STATUS, Opening.LATER, Reason.NO_REQUEST)
    )


def _insurance(bikes: list[BikeDoorFacts], no_bike: Reason, day: date) -> Decision:
    if not bikes:
        return Decision(Feature.INSURANCE, Opening.CLOSED, no_bike)
    ends = [bike.insurable_until for bike in bikes if not bike.insured]
    if not ends:
        return Decision(Feature.INSURANCE, Opening.CLOSED, Reason.ALREADY_INSURED)
    last = max(ends)
    known = [bike.insurable_until for bike in bikes if not bike.insured and bike.frame_number_known]
    if known and day <= max(known):
        return Decision(Feature.INSURANCE, Opening.OPEN, until=max(known))
    if day <= last:
        return Decision(Feature.INSURANCE, Opening.CLOSED, Reason.FRAME_NUMBER_UNKNOWN)
    return Decision(Feature.INSURANCE, Opening.CLOSED, Reason.INSURANCE_TERM_OVER, until=last)


def _return(orders: list[OrderFacts], no_order: Reason, day: date) -> Decision:
    """A return is possible up to and including its last day (part-2 §5)."""
    if not orders:
        return Decision(Feature.RETURN, Opening.CLOSED, no_order)
    ends = [order.return_until for order in orders if order.return_until]
    if not ends:
        return Decision(Feature.RETURN, Opening.CLOSED, Reason.NOT_SHIPPED)
    last = max(ends)
    if day <= last:
        return Decision(Feature.RETURN, Opening.OPEN, until=last)
    return Decision(Feature.RETURN, Opening.CLOSED, Reason.OLDER_THAN_100_DAYS, until=last)


def _delivery_date(orders: list[OrderFacts], no_order: Reason) -> Decision:
    """Open if one delivery can be moved; otherwise the newest one gives the reason."""
    if not orders:
        return Decision(Feature.DELIVERY_DATE, Opening.CLOSED, no_order)
    reasons = [why_it_stays(order.status) for order in orders]
    if None in reasons:
        return Decision(Feature.DELIVERY_DATE, Opening.OPEN)
    # Without a known reason, the customer is referred to customer service.
    why = Reason.NOT_OFFERED if reasons[0] is Code.DATE_CHANGE_NOT_OFFERED else Reason(str(reasons[0]))
    return Decision(Feature.DELIVERY_DATE, Opening.CLOSED, why)
