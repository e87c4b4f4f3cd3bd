"""Bicycle insurance: who insures, what is covered, what it costs, and where a request stands (part-2 §2–§5, §9)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum

from portal.domain.codes import Code
from portal.domain.dashboard import INSURANCE_DAYS
from portal.domain.marks import N_
from portal.domain.status_graph import StatusGraph
from portal.domain.statuses import STATUS_UNKNOWN


class Insurer(StrEnum):
    """The two providers (part-2 §3)."""

    KETTINGZEKER = "kettingzeker"
    FIETSVAST = "fietsvast"
    UNKNOWN = "unknown"
    """Sent by a newer provider; never offered, never stored."""


INSURER_NAMES: dict[Insurer, str] = {
    Insurer.KETTINGZEKER: "Kettingzeker",
    Insurer.FIETSVAST: "Fietsvast",
    Insurer.UNKNOWN: N_("Other insurer"),
}


class InsuranceType(StrEnum):
    """What a customer wants (part-2 §3)."""

    THEFT = "theft"
    THEFT_AND_DAMAGE = "theft_and_damage"
    NONE = "none"
    ALREADY_INSURED = "already_insured"
    UNKNOWN = "unknown"
    """Sent by a newer provider; never offered, never stored."""


INSURANCE_TYPES: dict[InsuranceType, str] = {
    InsuranceType.THEFT: N_("Theft"),
    InsuranceType.THEFT_AND_DAMAGE: N_("Theft and damage"),
    InsuranceType.NONE: N_("No insurance"),
    InsuranceType.ALREADY_INSURED: N_("My bike is insured already"),
    InsuranceType.UNKNOWN: N_("Insurance"),
}
"""In the order in which they are offered."""
INSURING: frozenset[InsuranceType] = frozenset({InsuranceType.THEFT, InsuranceType.THEFT_AND_DAMAGE})
"""Types that become a policy; the others are an answer only."""


class Cover(StrEnum):
    """What an insurance covers, or does not."""

    BIKE_STOLEN = "bike_stolen"
    BATTERY_STOLEN = "battery_stolen"
    ACCESSORIES_STOLEN = "accessories_stolen"
    REPLACEMENT = "replacement"
    FALL_AND_COLLISION = "fall_and_collision"
    VANDALISM = "vandalism"
    BREAKDOWN_HELP = "breakdown_help"
    ABROAD = "abroad"


COVER_TEXTS: dict[Cover, str] = {
    Cover.BIKE_STOLEN: N_("Theft of the bike, at the full price for 3 years"),
    Cover.BATTERY_STOLEN: N_("Theft of the battery alone"),
    Cover.ACCESSORIES_STOLEN: N_("Fixed accessories such as a child seat, up to €250"),
    Cover.REPLACEMENT: N_("A replacement bike until yours is back or replaced"),
    Cover.FALL_AND_COLLISION: N_("Damage by a fall or a collision"),
    Cover.VANDALISM: N_("Damage by vandalism, storm or fire"),
    Cover.BREAKDOWN_HELP: N_("Breakdown help on the road"),
    Cover.ABROAD: N_("Valid in the whole of Europe"),
}


@dataclass(frozen=True, slots=True)
class InsurancePackage:
    """One of the insurances that are compared.

    Attributes:
        insurer, type: together they name it.
        covers: what it covers; everything else of `Cover` it does not.
        excess: what the customer pays for each damage, in euro.
        most_chosen: whether it is highlighted.
    """

    insurer: Insurer
    type: InsuranceType
    covers: tuple[Cover, ...]
    excess: Decimal
    most_chosen: bool = False

    @property
    def key(self) -> str:
        """What an answer names it by."""
        return f"{self.insurer}-{self.type}"

    @property
    def covers_not(self) -> tuple[Cover, ...]:
        """What it does not cover."""
        return tuple(cover for cover in Cover if cover not in self.covers)


_THEFT = (Cover.BIKE_STOLEN, Cover.BATTERY_STOLEN, Cover.ABROAD)
_DAMAGE = (Cover.FALL_AND_COLLISION, Cover.VANDALISM)

PACKAGES: tuple[InsurancePackage, ...] = (
    InsurancePackage(Insurer.KETTINGZEKER, InsuranceType.THEFT, _THEFT, Decimal("0.00")),
    InsurancePackage(
        Insurer.KETTINGZEKER,
        InsuranceType.THEFT_AND_DAMAGE,
        (*_THEFT, *_DAMAGE, Cover.ACCESSORIES_STOLEN, Cover.BREAKDOWN_HELP),
        Decimal("25.00"),
        most_chosen=True,
    ),
    InsurancePackage(Insurer.FIETSVAST, InsuranceType.THEFT, (*_THEFT, Cover.REPLACEMENT), Decimal("35.00")),
    InsurancePackage(
        Insurer.FIETSVAST, InsuranceType.THEFT_AND_DAMAGE, (*_THEFT, *_DAMAGE, Cover.REPLACEMENT), Decimal("50.00")
    ),
)
"""All that are offered; what each costs the tariff of the insurer says."""


def package(key: str) -> InsurancePackage | None:
    """The package with this key."""
    return next((entry for entry in PACKAGES if entry.key == key), None)


def premium(price: Decimal, per_mille: Decimal, minimum: Decimal) -> Decimal:
    """What an insurance costs a month, in euro, rounded once, half up.

    Args:
        price: of the bike when it was bought, VAT included.
        per_mille: of that price a year.
        minimum: euro a month.
    """
    monthly = (price * per_mille / 1000 / 12).quantize(Decimal("0.01"), ROUND_HALF_UP)
    return max(monthly, minimum)


class InsuranceStatus(StrEnum):
    """Where an insurance request stands (part-2 §4)."""

    CREATED = "created"
    WAITING_FOR_INPUT = "waiting_for_input"
    CANCELLED = "cancelled"
    FINISHED = "finished"
    UNKNOWN = "unknown"
    """Sent by a newer provider; never stored."""


_S = InsuranceStatus
INSURANCE_REQUESTS: StatusGraph[InsuranceStatus] = StatusGraph(
    _S.CREATED,
    {
        # The insurer needs something of the customer; at first the confirmation by the mailed link.
        _S.CREATED: frozenset({_S.WAITING_FOR_INPUT, _S.FINISHED, _S.CANCELLED}),
        _S.WAITING_FOR_INPUT: frozenset({_S.CREATED, _S.CANCELLED}),
        _S.FINISHED: frozenset(),
        _S.CANCELLED: frozenset(),
    },
)
OPEN_INSURANCE: frozenset[InsuranceStatus] = frozenset({_S.CREATED, _S.WAITING_FOR_INPUT})
"""A bike has at most one request in these."""

INSURANCE_LABELS: dict[InsuranceStatus, str] = {
    _S.CREATED: N_("Requested"),
    _S.WAITING_FOR_INPUT: N_("Waiting for your confirmation"),
    _S.CANCELLED: N_("Cancelled"),
    _S.FINISHED: N_("Taken out"),
    _S.UNKNOWN: STATUS_UNKNOWN,
}
INSURANCE_MEANINGS: dict[InsuranceStatus, str] = {
    _S.CREATED: N_("Your request is with the insurer. You hear from us within two working days."),
    _S.WAITING_FOR_INPUT: N_("One more step: confirm your insurance by the link in our email, within 24 hours."),
    _S.CANCELLED: N_("This request was cancelled. Your bike is not insured by it."),
    _S.FINISHED: N_("Your bike is insured. The policy number stands on the page of your bike."),
    _S.UNKNOWN: N_("We cannot show here how far this is. Contact us if you want to know more."),
}
INSURER_ASKS = N_("The insurer asks you something")
INSURER_ASKS_MEANING = N_("The insurer needs something of you before your bike can be insured. Contact us about it.")
"""A request that waits for input, but not for the mailed link."""
BIKE_INSURED = N_("The insurance of your {bike} has been requested.")
BIKE_NOT_INSURED = N_("The insurance of your {bike} could not be requested. Try again, or contact us.")
"""Success and failure, bike by bike (part-2 §8)."""


def as_it_stands(
    status: InsuranceStatus, link_expires_at: datetime | None, now: datetime, *, waits_for_link: bool
) -> InsuranceStatus:
    """The status at this moment: a link that was not used in time has ended the request, whether noted or not."""
    lapsed = waits_for_link and link_expires_at is not None and link_expires_at <= now
    return InsuranceStatus.CANCELLED if lapsed else status


def offered_until(bought_on: date) -> date:
    """The last day on which insurance is offered, up to 14 days after purchase (part-2 §5)."""
    return bought_on + timedelta(days=INSURANCE_DAYS)


def refusal(
    *, insured: bool, requested: bool, frame_known: bool, bought_on: date, day: date, gone: Code | None = None
) -> Code | None:
    """Why a bike cannot be insured; none when it can.

    Args:
        insured: it has an insurance with us.
        requested: an insurance is being requested for it.
        frame_known: its frame number is known.
        bought_on: local day of the purchase.
        day: today.
        gone: why it is not the customer's (any more).
    """
    if gone:
        return gone
    if insured:
        return Code.INSURANCE_EXISTS
    if requested:
        return Code.INSURANCE_REQUEST_EXISTS
    if day > offered_until(bought_on):
        return Code.INSURANCE_TERM_OVER
    return None if frame_known else Code.FRAME_NUMBER_UNKNOWN
