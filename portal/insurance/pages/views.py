"""Views of insurances: requests, bikes and offers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from portal.bikes.pages.identity import BikeIdentity
from portal.contract.account import EMPTY_ACCOUNT, Account
from portal.insurance.api import InsuranceBike, InsuranceOffer, InsuranceRequest
from portal.pictures.pages.views import picture_view
from portal.vocabulary.insurance import INSURING, OPEN_INSURANCE, Cover, InsuranceStatus, insurance_tone
from portal.vocabulary.status import Tone


@dataclass(frozen=True, slots=True)
class InsuranceView:
    """A request for an insurance; `reference` is empty if there is none.

    Attributes:
        document_id: the product information document that the customer saw; empty without insurance.
        asked: whether the insurer needs something else from the customer.
    """

    account: Account = EMPTY_ACCOUNT
    reference: str = ""
    document_id: str = ""
    status: str = ""
    tone: Tone = "neutral"
    insuring: bool = False
    open: bool = False
    pending: bool = False
    asked: bool = False
    email: str = ""
    email_failed: bool = False


@dataclass(frozen=True, slots=True)
class InsuredBike(BikeIdentity):
    """A bike and its insurance.

    Attributes:
        until: the last day on which it can or could, ISO 8601.
        insurance, policy, starts: its current insurance; empty without one.
    """

    offered: bool = False
    until: str = ""
    refusal: str = ""
    insurance: str = ""
    policy: str = ""
    starts: str = ""
    request: InsuranceView = field(default_factory=InsuranceView)
    href: str = ""


@dataclass(frozen=True, slots=True)
class OfferCard:
    """One offer. Amounts are euro as text, `premium` is per month; `excess` is empty without one."""

    key: str = ""
    document_id: str = ""
    insurer: str = ""
    premium: str = ""
    excess: str = ""
    most_chosen: bool = False
    covers: list[str] = field(default_factory=list)
    covers_not: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class OfferGroup:
    """The offers of one type, one per insurer."""

    type: str = ""
    offers: list[OfferCard] = field(default_factory=list)


def insurance_view(request: InsuranceRequest | None) -> InsuranceView:
    """Map a request to its view; an empty view if there is none."""
    if request is None:
        return InsuranceView()
    waits = request.status is InsuranceStatus.WAITING_FOR_INPUT
    has_link = request.link_expires_at is not None
    return InsuranceView(
        account=request.account,
        reference=request.reference,
        document_id=request.document_id,
        status=request.status.value,
        tone="warn" if request.asked else insurance_tone(request.status),
        insuring=request.type in INSURING,
        open=request.status in OPEN_INSURANCE,
        pending=waits and has_link,
        asked=waits and not has_link,
        email=request.email,
        email_failed=request.email_failed,
    )


def insured_bike(bike: InsuranceBike) -> InsuredBike:
    return InsuredBike(
        bike_id=bike.bike_id,
        name=bike.name,
        picture=picture_view(bike.picture),
        color=bike.color,
        frame_number=bike.frame_number,
        order_number=bike.order_number,
        order_day=bike.order_date.isoformat(),
        offered=bike.refusal is None,
        until=bike.until.isoformat(),
        refusal=bike.refusal.value if bike.refusal else "",
        insurance=bike.insurance,
        policy=bike.policy_number,
        starts=bike.insurance_start.isoformat() if bike.insurance_start else "",
        request=insurance_view(bike.request),
        href=f"/insurance-package?bike={bike.bike_id}",
    )


def offer_groups(offers: Sequence[InsuranceOffer]) -> list[OfferGroup]:
    """Group the offers by type; the most chosen offer comes first."""
    most_chosen_first = sorted(offers, key=lambda offer: not offer.most_chosen)
    return [
        OfferGroup(kind.value, [_card(offer) for offer in most_chosen_first if offer.type is kind])
        for kind in dict.fromkeys(offer.type for offer in most_chosen_first)
    ]


def offer_of_facts(key: str, offer: Mapping[str, Any]) -> OfferCard:
    """Map an offer of the flow, an entry of the fact `OFFERS`."""
    covers = [str(cover) for cover in offer.get("covers", ())]
    excess = str(offer.get("excess", ""))
    return OfferCard(
        key=key,
        document_id=str(offer.get("document", "")),
        insurer=key.partition("-")[0],
        premium=str(offer.get("premium", "")),
        excess=excess if excess.strip("0.") else "",
        most_chosen=bool(offer.get("most_chosen")),
        covers=covers,
        covers_not=[cover.value for cover in Cover if cover not in covers],
    )


def _card(offer: InsuranceOffer) -> OfferCard:
    return OfferCard(
        key=offer.key,
        document_id=offer.document_id,
        insurer=offer.insurer.value,
        premium=f"{offer.premium:.2f}",
        excess=f"{offer.excess:.2f}" if offer.excess else "",
        most_chosen=offer.most_chosen,
        covers=[cover.value for cover in offer.covers],
        covers_not=[cover.value for cover in offer.covers_not],
    )
