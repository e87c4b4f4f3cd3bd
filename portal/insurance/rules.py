"""Bicycle insurance: who insures, what is covered, what it costs, and where a request stands (part-2 §2–§5, §9)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal

from portal.kernel.codes import Code
from portal.kernel.terms import INSURANCE_DAYS
from portal.kernel.texts import N_
from portal.vocabulary.insurance import Cover, InsuranceStatus, InsuranceType, Insurer


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
