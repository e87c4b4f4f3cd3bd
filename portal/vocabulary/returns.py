"""Returns: kinds, statuses, phases, and choices of the customer (part-2 §2, §3, §4)."""

from dataclasses import dataclass
from enum import StrEnum

from portal.kernel.status_graph import StatusGraph
from portal.kernel.terms import RETURN_ANSWER_DAYS
from portal.kernel.texts import N_
from portal.vocabulary.status import (
    STATUS_UNKNOWN,
    UNCLEAR,
    Due,
    StatusEntry,
    Tone,
    Turn,
    desk_labels_of,
    graph_of,
    labels_of,
    meanings_of,
    tone_of,
)


class ReturnKind(StrEnum):
    RETURN = "return"
    ACCESSORIES = "accessories"
    EXCHANGE = "exchange"
    ORDER_RETURN = "order_return"
    WITHDRAWAL = "withdrawal"
    CANCELLATION = "cancellation"
    """The shop cancelled what was not delivered; nobody requested it."""
    UNKNOWN = "unknown"


RETURN_KIND_NAMES: dict[ReturnKind, str] = {
    ReturnKind.RETURN: N_("Return"),
    ReturnKind.ACCESSORIES: N_("Return of accessories"),
    ReturnKind.EXCHANGE: N_("Exchange"),
    ReturnKind.ORDER_RETURN: N_("Return"),
    ReturnKind.WITHDRAWAL: N_("Withdrawal"),
    ReturnKind.CANCELLATION: N_("Cancelled order"),
    ReturnKind.UNKNOWN: N_("Request"),
}


class ReturnStatus(StrEnum):
    """Status of a return; most values are those of part-2 §4."""

    PENDING_CONFIRMATION = "pending_confirmation"
    EXPIRED = "expired"
    REQUEST_RECEIVED = "request_received"
    PICKUP_REQUEST_CREATED = "pickup_request_created"
    PICKUP_CONFIRMED = "pickup_confirmed_to_customer"
    RECEIVED = "RMA_order_received_at_DC"
    CLOSED = "return_closed"
    REFUND_PROCESSED = "refund_processed"
    REJECTED = "rejected"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"


_S = ReturnStatus


@dataclass(frozen=True, kw_only=True, slots=True)
class ReturnStatusEntry(StatusEntry[ReturnStatus]):
    """A status of a return.

    `phase`: number of phases done, 0 to 4.
    `of_exchange`, `meaning_of_exchange`: label and meaning for an exchange, where they differ.
    `requested`: whether the request counts as made; an unconfirmed one does not.
    `gives_back`: whether its units can be returned again.
    `done`: whether its units have been returned for good.
    `cancellable`: whether it can be cancelled, because nothing was picked up or brought yet.
    """

    of_exchange: str = ""
    meaning_of_exchange: str = ""
    requested: bool = True
    gives_back: bool = False
    done: bool = False
    cancellable: bool = False
    picked_up: bool = False


RETURN_STATUSES: dict[ReturnStatus, ReturnStatusEntry] = {
    _S.PENDING_CONFIRMATION: ReturnStatusEntry(
        due=Due(2, Turn.CUSTOMER),
        label=N_("Waiting for your confirmation"),
        meaning=N_("One more step: confirm your return within {link_hours} hours with the link in our email."),
        desk=N_("Waiting for the customer’s confirmation"),
        tone="warn",
        phase=0,
        transitions=(_S.REQUEST_RECEIVED, _S.EXPIRED, _S.CANCELLED),
        requested=False,
        cancellable=True,
    ),
    # A new link makes the return wait for confirmation again.
    _S.EXPIRED: ReturnStatusEntry(
        label=N_("Not confirmed in time"),
        meaning=N_("The link was not used within {link_hours} hours, so nothing was requested."),
        tone="warn",
        phase=0,
        transitions=(_S.PENDING_CONFIRMATION,),
        requested=False,
        gives_back=True,
    ),
    # Items brought to a store arrive without a pick-up. Of what was never sent nothing arrives: it is closed at once.
    _S.REQUEST_RECEIVED: ReturnStatusEntry(
        due=Due(RETURN_ANSWER_DAYS),
        label=N_("Request received"),
        meaning=N_("We’ve received your request and are looking at it."),
        tone="info",
        phase=1,
        transitions=(_S.PICKUP_REQUEST_CREATED, _S.RECEIVED, _S.CANCELLED, _S.REJECTED, _S.CLOSED),
        cancellable=True,
    ),
    _S.PICKUP_REQUEST_CREATED: ReturnStatusEntry(
        due=Due(5, Turn.PARTNER),
        label=N_("Return requested"),
        meaning=N_("Your return has been booked with our carrier."),
        of_exchange=N_("Exchange requested"),
        meaning_of_exchange=N_("Our carrier knows you’re sending something back for your exchange."),
        tone="info",
        phase=2,
        transitions=(_S.PICKUP_CONFIRMED, _S.RECEIVED, _S.CANCELLED, _S.REJECTED),
        cancellable=True,
        picked_up=True,
    ),
    _S.PICKUP_CONFIRMED: ReturnStatusEntry(
        due=Due(5, Turn.PARTNER),
        label=N_("Confirmed"),
        meaning=N_("The pick-up is confirmed."),
        tone="info",
        phase=2,
        transitions=(_S.PICKUP_REQUEST_CREATED, _S.RECEIVED, _S.CANCELLED, _S.REJECTED),
        cancellable=True,
        picked_up=True,
    ),
    _S.RECEIVED: ReturnStatusEntry(
        due=Due(5),
        label=N_("Received at the distribution centre"),
        meaning=N_("Your return has arrived. We’re checking it now."),
        meaning_of_exchange=N_("What you sent back has arrived. We’re checking it, then we’ll send you your new item."),
        tone="info",
        phase=3,
        transitions=(_S.CLOSED, _S.REJECTED),
    ),
    # An exchange usually ends here: money is refunded only if the new item is cheaper.
    _S.CLOSED: ReturnStatusEntry(
        due=Due(10),
        label=N_("Return closed"),
        meaning=N_("We’ve checked your return. It’s all done."),
        of_exchange=N_("Exchange completed"),
        meaning_of_exchange=N_("We’ve checked what you sent back. Your new item is on its way."),
        tone="ok",
        phase=3,
        transitions=(_S.REFUND_PROCESSED,),
        done=True,
    ),
    _S.REFUND_PROCESSED: ReturnStatusEntry(
        label=N_("Refund processed"),
        meaning=N_("Your money is on its way. When it arrives depends on your bank."),
        of_exchange=N_("Difference refunded"),
        meaning_of_exchange=N_("Your new item was cheaper: we’re refunding the difference."),
        tone="ok",
        phase=4,
        done=True,
    ),
    _S.REJECTED: ReturnStatusEntry(
        label=N_("Return not accepted"),
        meaning=N_("We couldn’t accept this return and have told you why. Contact us if you have a question."),
        of_exchange=N_("Exchange not accepted"),
        meaning_of_exchange=N_(
            "We couldn’t accept this exchange and have told you why. Contact us if you have a question."
        ),
        tone="err",
        gives_back=True,
    ),
    _S.CANCELLED: ReturnStatusEntry(
        label=N_("Cancelled"),
        meaning=N_("This return was cancelled. You can request a new one."),
        meaning_of_exchange=N_("This exchange was cancelled. You can request a new one."),
        gives_back=True,
    ),
    _S.UNKNOWN: ReturnStatusEntry(label=STATUS_UNKNOWN, meaning=UNCLEAR),
}
RETURN_LABELS = labels_of(RETURN_STATUSES)
RETURN_DESK_LABELS = desk_labels_of(RETURN_STATUSES)
RETURN_MEANINGS = meanings_of(RETURN_STATUSES)
EXCHANGE_LABELS = {status: row.of_exchange for status, row in RETURN_STATUSES.items() if row.of_exchange}
EXCHANGE_MEANINGS = {
    status: row.meaning_of_exchange for status, row in RETURN_STATUSES.items() if row.meaning_of_exchange
}
RETURNS: StatusGraph[ReturnStatus] = graph_of(_S.PENDING_CONFIRMATION, RETURN_STATUSES)
NEVER_REQUESTED = frozenset(status for status, row in RETURN_STATUSES.items() if not row.requested)
"""Statuses of a request that waits for its link or was not confirmed in time."""

GIVES_BACK = frozenset(status for status, row in RETURN_STATUSES.items() if row.gives_back)
"""Statuses in which the units can be returned again."""

DONE = frozenset(status for status, row in RETURN_STATUSES.items() if row.done)
CANCELLABLE = frozenset(status for status, row in RETURN_STATUSES.items() if row.cancellable)
"""Statuses in which the return can be cancelled, because nothing was picked up or brought yet."""

PICKED_UP = frozenset(status for status, row in RETURN_STATUSES.items() if row.picked_up)
"""Statuses in which a pick-up is planned."""

PICKUP_TEXTED = N_("You get a text message the day before.")
"""Shown with a confirmed pick-up whose day is known."""

PICKUP_DAY_OPEN = N_("Our carrier will agree the day with you.")
"""Shown with a confirmed pick-up for which no day was chosen."""


def return_tone(status: ReturnStatus) -> Tone:
    return tone_of(RETURN_STATUSES, status)


def label_of(kind: ReturnKind, status: ReturnStatus) -> str:
    own = EXCHANGE_LABELS if kind is ReturnKind.EXCHANGE else {}
    return own.get(status, RETURN_LABELS[status])


def desk_label_of(kind: ReturnKind, status: ReturnStatus) -> str:
    return RETURN_STATUSES[status].desk or label_of(kind, status)


def meaning_of(kind: ReturnKind, status: ReturnStatus) -> str:
    own = EXCHANGE_MEANINGS if kind is ReturnKind.EXCHANGE else {}
    return own.get(status, RETURN_MEANINGS[status])


class ReturnPhase(StrEnum):
    REQUEST = "request"
    ASSESSMENT = "assessment"
    RETURN = "return"
    BRING = "bring"
    CREDIT = "credit"
    DELIVERY = "delivery"


PHASE_NAMES: dict[ReturnPhase, str] = {
    ReturnPhase.REQUEST: N_("Request"),
    ReturnPhase.ASSESSMENT: N_("Assessment"),
    ReturnPhase.RETURN: N_("Return"),
    ReturnPhase.BRING: N_("Bring"),
    ReturnPhase.CREDIT: N_("Credit"),
    ReturnPhase.DELIVERY: N_("Delivery"),
}


def phases(kind: ReturnKind, *, brought: bool = False) -> tuple[ReturnPhase, ...]:
    """The four phases of a kind of return. An exchange ends with a delivery.

    `brought`: whether the customer brings it to a store, which needs no permission: it is assessed there.
    """
    last = ReturnPhase.DELIVERY if kind is ReturnKind.EXCHANGE else ReturnPhase.CREDIT
    if brought:
        return (ReturnPhase.REQUEST, ReturnPhase.BRING, ReturnPhase.ASSESSMENT, last)
    return (ReturnPhase.REQUEST, ReturnPhase.ASSESSMENT, ReturnPhase.RETURN, last)


def phases_done(kind: ReturnKind, status: ReturnStatus, *, brought: bool = False) -> int:
    """Number of phases done, 0 to 4; the next phase is the current one. 0 when the return ended without a result."""
    if kind is ReturnKind.EXCHANGE and status in DONE:
        return len(phases(kind))
    done = RETURN_STATUSES[status].phase or 0
    return min(done, _BROUGHT_PHASES.get(status, done)) if brought else done


_BROUGHT_PHASES = {_S.PICKUP_REQUEST_CREATED: 1, _S.PICKUP_CONFIRMED: 1, _S.RECEIVED: 2}
"""Phases done of what is brought to a store: it is assessed once it is there."""


class ReturnReason(StrEnum):
    """Reasons in the older flow, in the order of part-2 §3."""

    INCOMPLETE = "incomplete"
    WRONG_PRODUCT_RECEIVED = "wrong_product_received"
    PRODUCT_IS_DEFECT = "product_is_defect"
    PRODUCT_IS_DAMAGED = "product_is_damaged"
    EXPECTED_HIGHER_QUALITY = "expected_higher_quality"
    OTHER = "other"


REASON_NAMES: dict[ReturnReason, str] = {
    ReturnReason.INCOMPLETE: N_("The delivery is incomplete"),
    ReturnReason.WRONG_PRODUCT_RECEIVED: N_("I received the wrong product"),
    ReturnReason.PRODUCT_IS_DEFECT: N_("The product is defective"),
    ReturnReason.PRODUCT_IS_DAMAGED: N_("The product is damaged"),
    ReturnReason.EXPECTED_HIGHER_QUALITY: N_("I expected higher quality"),
    ReturnReason.OTHER: N_("Another reason"),
}


FAULT_NAMES = {
    reason: REASON_NAMES[reason]
    for reason in (
        ReturnReason.WRONG_PRODUCT_RECEIVED,
        ReturnReason.PRODUCT_IS_DEFECT,
        ReturnReason.PRODUCT_IS_DAMAGED,
        ReturnReason.INCOMPLETE,
    )
}
"""Reasons that say that the item is not what was sold."""


class ItemState(StrEnum):
    """How much an item shows signs of use (part-2 §2)."""

    UNUSED = "unused"
    USED_WITHOUT_SIGNS = "used_without_signs_of_use"
    USED_WITH_SIGNS = "used_with_signs_of_use"


STATE_NAMES: dict[ItemState, str] = {
    ItemState.UNUSED: N_("Not used"),
    ItemState.USED_WITHOUT_SIGNS: N_("Used, without signs of use"),
    ItemState.USED_WITH_SIGNS: N_("Used, with signs of use"),
}


class UnitCondition(StrEnum):
    AS_STATED = "as_stated"
    SIGNS_OF_USE = "signs_of_use"
    DAMAGED = "damaged"
    INCOMPLETE = "incomplete"
    WRONG_ITEM = "wrong_item"
    UNKNOWN = "unknown"


CONDITION_NAMES: dict[UnitCondition, str] = {
    UnitCondition.AS_STATED: N_("As the customer stated"),
    UnitCondition.SIGNS_OF_USE: N_("With signs of use"),
    UnitCondition.DAMAGED: N_("Damaged"),
    UnitCondition.INCOMPLETE: N_("Parts are missing"),
    UnitCondition.WRONG_ITEM: N_("Not the item that was stated"),
    UnitCondition.UNKNOWN: N_("Unknown"),
}


class UnitDecision(StrEnum):
    ACCEPT = "accept"
    SEND_BACK = "send_back"
    """It is not refunded and goes back to the customer."""
    UNKNOWN = "unknown"


DECISION_NAMES: dict[UnitDecision, str] = {
    UnitDecision.ACCEPT: N_("Accept"),
    UnitDecision.SEND_BACK: N_("Send back to the customer"),
    UnitDecision.UNKNOWN: N_("Unknown"),
}


class ReturnMethod(StrEnum):
    """How the items come back. `NONE`: they must not be transported; we contact the customer."""

    STORE = "store"
    PICK_UP = "pick_up"
    NONE = "none"


METHOD_NAMES: dict[ReturnMethod, str] = {
    ReturnMethod.STORE: N_("I’ll bring it to a store"),
    ReturnMethod.PICK_UP: N_("Pick it up from my home"),
    ReturnMethod.NONE: N_("We’ll contact you first"),
}


class ExchangeType(StrEnum):
    """What the item is exchanged for (part-2 §2)."""

    SAME = "same"
    OTHER = "other"


EXCHANGE_NAMES: dict[ExchangeType, str] = {
    ExchangeType.SAME: N_("The same one"),
    ExchangeType.OTHER: N_("A different one"),
}


class BatteryState(StrEnum):
    FINE = "fine"
    SWOLLEN = "swollen"
    WET = "wet"
    HOT = "hot"
    FALLEN = "fallen"


BATTERY_NAMES: dict[BatteryState, str] = {
    BatteryState.FINE: N_("None of these"),
    BatteryState.SWOLLEN: N_("It is swollen or deformed"),
    BatteryState.WET: N_("It got wet inside or has been in water"),
    BatteryState.HOT: N_("It gets hot, smokes or smells"),
    BatteryState.FALLEN: N_("It had a hard fall or was in an accident"),
}

BATTERY_QUESTION = N_("Is there anything wrong with the battery?")

BATTERY_INSTRUCTIONS: tuple[str, ...] = (
    N_("Do not charge or use the battery any more."),
    N_("Do not send it, and do not take it into a car, bus or train."),
    N_("If you can do so safely, put it outside on stone or sand, away from anything that can burn."),
    N_("Is it smoking or burning? Stay away and call 112."),
    N_("We’ll call you as soon as we can and arrange safe transport."),
)
"""Shown instead of a label or a pick-up."""

BATTERY_FIRST = N_(
    "Tell us how the battery is before you send anything. Then we’ll give you the address to send it to."
)
"""Shown with a withdrawal, because the battery question follows only later."""


def may_travel(battery: str) -> bool:
    """Whether an item with a battery in this state may be brought or picked up. Without a battery ('') it may."""
    return battery in ("", BatteryState.FINE)
