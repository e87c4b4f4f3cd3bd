"""Rules of insurances: premiums, periods and refusals (part-2 §2–§5, §9). What they cover is data."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Annotated

from portal.contract.models import Amount, Model, only_known, otherwise
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.vocabulary.insurance import Cover, InsuranceStatus, InsuranceType, Insurer

KnownInsuranceType = Annotated[InsuranceType, otherwise(InsuranceType, InsuranceType.UNKNOWN)]


def package_key(insurer: Insurer, kind: InsuranceType) -> str:
    """The key of an insurance: insurer and type, joined by a dash."""
    return f"{insurer}-{kind}"


@dataclass(frozen=True, slots=True)
class InsurancePackage:
    """An insurance that a shop offers (part-2 §3). `excess` is what the customer pays for each damage, in euro."""

    insurer: Insurer
    type: InsuranceType
    covers: tuple[Cover, ...]
    excess: Decimal
    most_chosen: bool = False

    @property
    def key(self) -> str:
        """See `package_key`."""
        return package_key(self.insurer, self.type)

    @property
    def covers_not(self) -> tuple[Cover, ...]:
        """All values of `Cover` that are not covered."""
        return tuple(cover for cover in Cover if cover not in self.covers)


class InsuranceOffer(Model):
    """An insurance for one bike. Amounts are in euro, `premium` is per month.

    `document_id`: the version of the product information document that applies.
    """

    insurer: Annotated[Insurer, otherwise(Insurer, Insurer.UNKNOWN)]
    type: KnownInsuranceType
    premium: Amount
    excess: Amount
    document_id: str
    most_chosen: bool = False
    covers: Annotated[list[Cover], only_known(Cover)]
    covers_not: Annotated[list[Cover], only_known(Cover)]

    @property
    def key(self) -> str:
        """See `package_key`."""
        return package_key(self.insurer, self.type)


def same_terms(seen: InsuranceOffer | None, offer: InsuranceOffer | None) -> bool:
    """Whether two offers cost and cover the same. The version of the document may differ."""
    if seen is None or offer is None:
        return seen is offer
    return (seen.premium, seen.excess, seen.covers) == (offer.premium, offer.excess, offer.covers)


def premium(price: Decimal, per_mille: Decimal, minimum: Decimal) -> Decimal:
    """The premium in euro a month, rounded once, half up; `per_mille` of the price with VAT is the premium a year."""
    monthly = (price * per_mille / 1000 / 12).quantize(Decimal("0.01"), ROUND_HALF_UP)
    return max(monthly, minimum)


BIKE_INSURED = N_("The insurance of your {bike} has been requested.")
BIKE_NOT_INSURED = N_("The insurance of your {bike} couldn’t be requested. Try again, or contact us.")
"""Messages after a request, with the name of the bike (part-2 §8)."""


def effective_status(
    status: InsuranceStatus, link_expires_at: datetime | None, now: datetime, *, waits_for_link: bool
) -> InsuranceStatus:
    """The status at `now`: a request with an expired link is cancelled, even if the row does not say so yet."""
    expired = waits_for_link and link_expires_at is not None and link_expires_at <= now
    return InsuranceStatus.CANCELLED if expired else status


def offered_until(bought_on: date, days: int) -> date:
    """The last day on which insurance is offered: so many days after purchase (part-2 §5)."""
    return bought_on + timedelta(days=days)


def refusal(
    *, insured: bool, requested: bool, frame_known: bool, until: date, day: date, gone: Code | None = None
) -> Code | None:
    """Why a bike cannot be insured on a day; None if it can.

    `insured` is with us, `until` the last day on which insurance is offered, `gone` why the customer does not have it.
    """
    if gone:
        return gone
    if insured:
        return Code.INSURANCE_EXISTS
    if requested:
        return Code.INSURANCE_REQUEST_EXISTS
    if day > until:
        return Code.INSURANCE_TERM_OVER
    return None if frame_known else Code.FRAME_NUMBER_UNKNOWN
