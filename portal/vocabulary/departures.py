"""What ends when a bike or an order leaves its customer: one table, by what happened and what hangs on it.

Doors, moves and texts of all subjects follow this table. Whether something has left is never stored: it follows from
the returns, the order and the customer of the bike (`bikes.provider.queries`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from portal.kernel.codes import Code
from portal.kernel.terms import INSURANCES_END_WITH_BIKE
from portal.kernel.texts import N_
from portal.vocabulary.deliveries import DELIVERY_MEANINGS, DeliveryStatus
from portal.vocabulary.work_orders import RequestKind


class Departure(StrEnum):
    DECLARED = "declared"
    WITHDRAWN = "withdrawn"
    ON_ITS_WAY = "on_its_way"
    """A pick-up of the return is planned."""
    RECEIVED = "received"
    RETURNED = "returned"
    """It was refunded or exchanged."""
    WITHDRAWN_UNSENT = "withdrawn_unsent"
    CANCELLED = "cancelled"
    GIVEN_AWAY = "given_away"
    UNKNOWN = "unknown"


class Dependent(StrEnum):
    INSURANCE = "insurance"
    PACKAGE = "package"
    INSURANCE_REQUEST = "insurance_request"
    REPAIR = "repair"
    SERVICE = "service"
    CLAIM = "claim"
    DELIVERY = "delivery"
    DATE_CHANGE = "date_change"
    INVOICE = "invoice"
    OTHER_RETURN = "other_return"
    RECALL = "recall"
    REMINDER = "reminder"
    """That the next service is due."""
    PAGES = "pages"
    """What a customer can start."""
    BACK_OFFICE = "back_office"
    """What staff can plan."""
    BIKE_LIST = "bike_list"
    WARRANTY = "warranty"
    """The warranty, and the field for the mileage."""


class Effect(StrEnum):
    STAYS = "stays"
    WAITS = "waits"
    """It goes on if the bike stays with the customer after all."""
    ENDS = "ends"
    CLOSED = "closed"
    """Nothing new can start."""


class Money(StrEnum):
    NONE = "none"
    UNUSED_DAYS = "unused_days"
    """What was paid for the days after the return is paid back."""
    EVERYTHING = "everything"
    """All that was paid for it is paid back."""
    SET_OFF = "set_off"
    """What is unpaid is deducted from the refund."""
    NOT_OWED = "not_owed"
    """What is unpaid is no longer owed, and what was paid is refunded."""


@dataclass(frozen=True, slots=True)
class DepartureOutcome:
    """One cell of the table. `customer`: what every channel tells the customer; empty if there is nothing to tell."""

    effect: Effect
    customer: str = ""
    staff: str = ""
    money: Money = Money.NONE


OF_REQUESTS: dict[RequestKind, Dependent] = {
    RequestKind.REPAIR: Dependent.REPAIR,
    RequestKind.SERVICE: Dependent.SERVICE,
    RequestKind.CLAIM: Dependent.CLAIM,
    RequestKind.UNKNOWN: Dependent.SERVICE,
}
_D = Departure
_GOING_BACK = (_D.DECLARED, _D.WITHDRAWN, _D.ON_ITS_WAY)
_WITH_ORDER = (_D.WITHDRAWN_UNSENT, _D.CANCELLED)

DEPARTURES = tuple(departure for departure in Departure if departure is not _D.UNKNOWN)
"""All departures, from the first to the last step of each way."""

GONE = frozenset({_D.RETURNED, *_WITH_ORDER, _D.GIVEN_AWAY})
"""The customer does not have it any more, for good. Until then a return can still be cancelled or refused."""

REFUSALS: dict[Departure, Code] = {
    **dict.fromkeys((*_GOING_BACK, _D.RECEIVED), Code.BIKE_GOING_BACK),
    _D.RETURNED: Code.ALREADY_RETURNED,
    **dict.fromkeys(_WITH_ORDER, Code.ORDER_CANCELLED),
    _D.GIVEN_AWAY: Code.NOT_FOUND,
}
"""Why nothing new can start."""

STATED: dict[Departure, str] = {
    **dict.fromkeys(_GOING_BACK, N_("This bike is going back to us")),
    _D.RECEIVED: N_("We’ve received this bike and are checking it"),
    _D.RETURNED: N_("You returned this bike"),
    _D.WITHDRAWN_UNSENT: N_("You withdrew before this bike was sent"),
    _D.CANCELLED: N_("The order of this bike was cancelled"),
    _D.GIVEN_AWAY: N_("This bike is no longer in your account"),
    _D.UNKNOWN: N_("This bike is no longer with you"),
}
"""What lists and pages say of the bike."""

_Row = dict[Departure, DepartureOutcome]


def _row(
    going: DepartureOutcome,
    received: DepartureOutcome,
    returned: DepartureOutcome,
    with_order: DepartureOutcome,
    given: DepartureOutcome,
    *,
    withdrawn: DepartureOutcome | None = None,
) -> _Row:
    """The cells of one dependent; `withdrawn` where it differs from what happens to other returns."""
    return {
        **dict.fromkeys(_GOING_BACK, going),
        _D.WITHDRAWN: withdrawn or going,
        _D.RECEIVED: received,
        _D.RETURNED: returned,
        **dict.fromkeys(_WITH_ORDER, with_order),
        _D.GIVEN_AWAY: given,
    }


_NO_LONGER_YOURS = N_("It ended, because this bike is no longer in your account.")
_GIVEN = DepartureOutcome(Effect.ENDS, _NO_LONGER_YOURS, N_("The bike belongs to another customer."))
_STAYS = DepartureOutcome(Effect.STAYS)
_ENDS = DepartureOutcome(Effect.ENDS)
_CLOSED = DepartureOutcome(Effect.CLOSED)

_CONTRACT = _row(
    DepartureOutcome(
        Effect.STAYS,
        N_("It runs until the day we receive the bike. You get back what you paid for the days after that."),
        N_("It ends on the day of arrival, once the return is closed."),
        Money.UNUSED_DAYS,
    ),
    DepartureOutcome(
        Effect.WAITS,
        N_("It ends as of the day we received the bike, once we’ve accepted your return."),
        N_("It ends on the day of arrival, once the return is closed."),
        Money.UNUSED_DAYS,
    ),
    DepartureOutcome(
        Effect.ENDS,
        N_("It ended on the day we received the bike."),
        N_("It ended on the day of arrival."),
        Money.UNUSED_DAYS,
    ),
    DepartureOutcome(
        Effect.ENDS,
        N_("It ended together with your order."),
        N_("It ended together with the order."),
        Money.EVERYTHING,
    ),
    DepartureOutcome(Effect.ENDS, _NO_LONGER_YOURS, N_("The bike belongs to another customer."), Money.UNUSED_DAYS),
    withdrawn=DepartureOutcome(
        Effect.STAYS,
        N_("It runs until the day we receive the bike. You get back everything you paid for it."),
        N_("It ends on the day of arrival, once the return is closed. Everything paid for it goes back."),
        Money.EVERYTHING,
    ),
)

_REQUEST = _row(
    DepartureOutcome(
        Effect.WAITS,
        N_("It waits, because this bike is going back to us. It goes on if you keep the bike."),
        N_("The bike is going back. This waits until the return is closed or cancelled."),
    ),
    DepartureOutcome(
        Effect.WAITS,
        N_("It waits, because we’ve received this bike. It ends once we’ve accepted your return."),
        N_("The bike has come back. This waits until the return is closed or refused."),
    ),
    DepartureOutcome(
        Effect.ENDS, N_("It was cancelled, because you returned this bike."), N_("The bike was returned.")
    ),
    DepartureOutcome(
        Effect.ENDS, N_("It was cancelled, because your order was cancelled."), N_("The order was cancelled.")
    ),
    _GIVEN,
)

_BY_CUSTOMER = DepartureOutcome(
    Effect.STAYS,
    N_("It doesn’t end by itself when the bike goes back. You can end it under Your contracts, or with your insurer."),
    N_("The customer ends it: the insurer doesn’t let us."),
)
_INSURANCE = _CONTRACT if INSURANCES_END_WITH_BIKE else dict.fromkeys(DEPARTURES, _BY_CUSTOMER)

_SET_OFF = DepartureOutcome(
    Effect.WAITS,
    N_("You don’t have to pay now what your return covers. We deduct it from your refund."),
    money=Money.SET_OFF,
)

TABLE: Mapping[Dependent, Mapping[Departure, DepartureOutcome]] = {
    Dependent.INSURANCE: _INSURANCE,
    Dependent.PACKAGE: _CONTRACT,
    Dependent.INSURANCE_REQUEST: _REQUEST,
    Dependent.REPAIR: _REQUEST,
    Dependent.SERVICE: _REQUEST,
    Dependent.CLAIM: _REQUEST,
    # A bike that was given away leaves its order with the customer who paid for it.
    Dependent.DELIVERY: _row(
        _STAYS,
        _STAYS,
        _STAYS,
        DepartureOutcome(Effect.ENDS, DELIVERY_MEANINGS[DeliveryStatus.ORDER_CANCELLED]),
        _STAYS,
    ),
    Dependent.DATE_CHANGE: _row(
        _STAYS,
        _STAYS,
        _STAYS,
        DepartureOutcome(
            Effect.ENDS, N_("It was cancelled, because your order was cancelled."), N_("The order was cancelled.")
        ),
        _STAYS,
    ),
    Dependent.INVOICE: _row(
        _SET_OFF,
        _SET_OFF,
        DepartureOutcome(Effect.ENDS, money=Money.SET_OFF),
        DepartureOutcome(Effect.ENDS, N_("You don’t have to pay for this order any more."), money=Money.NOT_OWED),
        _STAYS,
    ),
    # An open return is how the customer gets their money back, so it goes on.
    Dependent.OTHER_RETURN: _row(_CLOSED, _CLOSED, _CLOSED, _CLOSED, _STAYS),
    # As long as the customer has the bike, a warning about it concerns them.
    Dependent.RECALL: _row(_STAYS, _ENDS, _ENDS, _ENDS, _ENDS),
    Dependent.REMINDER: _row(_ENDS, _ENDS, _ENDS, _ENDS, _ENDS),
    Dependent.PAGES: _row(_CLOSED, _CLOSED, _CLOSED, _CLOSED, _CLOSED),
    # A mechanic may have the bike already, so what is under way can be finished until it has come back.
    Dependent.BACK_OFFICE: _row(_STAYS, _CLOSED, _CLOSED, _CLOSED, _CLOSED),
    Dependent.BIKE_LIST: _row(_STAYS, _STAYS, _ENDS, _ENDS, _ENDS),
    Dependent.WARRANTY: _row(_STAYS, _ENDS, _ENDS, _ENDS, _ENDS),
}
"""What happens, what customer and staff read, and what is paid, for everything that hangs on a bike or an order."""

_NOTHING = DepartureOutcome(Effect.STAYS)


def outcome(departure: Departure | None, dependent: Dependent) -> DepartureOutcome:
    """The cell of the table; while nothing has happened, everything stays."""
    return TABLE[dependent].get(departure, _NOTHING) if departure else _NOTHING


def goes_on(departure: Departure | None, dependent: Dependent) -> bool:
    """Whether it goes on as if nothing had happened."""
    return outcome(departure, dependent).effect is Effect.STAYS


def ends(departure: Departure | None, dependent: Dependent) -> bool:
    return outcome(departure, dependent).effect is Effect.ENDS


def refusal(departure: Departure | None, door: Dependent) -> Code | None:
    """Why a door is closed: `PAGES` for customers, `BACK_OFFICE` for staff; None if it is open."""
    return None if departure is None or goes_on(departure, door) else REFUSALS.get(departure, Code.ALREADY_RETURNED)
