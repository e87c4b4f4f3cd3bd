"""Views of contracts and their ends. Days and moments are ISO 8601, amounts are euro as text, names are by language."""

from __future__ import annotations

from dataclasses import dataclass, field

from portal.contract.account import EMPTY_ACCOUNT, Account
from portal.contract.models import Picture
from portal.contracts.api import Contract, ContractEnd, DeclaredEnd, FoundContract
from portal.frontend.accounts import texts_of
from portal.kernel.validation import in_groups
from portal.vocabulary.contracts import end_tone


@dataclass(frozen=True, slots=True)
class EndView:
    """A withdrawal or cancellation; `reference` is empty if there is none."""

    reference: str = ""
    kind: str = ""
    status: str = ""
    tone: str = "neutral"
    ends_on: str = ""
    received_at: str = ""
    confirmed_at: str = ""
    processed_at: str = ""
    email: str = ""
    can_take_back: bool = False
    account: Account = EMPTY_ACCOUNT


@dataclass(frozen=True, slots=True)
class ContractView:
    """A contract; `offered` is the kind of end that is possible now, empty if none is."""

    reference: str = ""
    reference_in_groups: str = ""
    kind: str = ""
    product: dict[str, str] = field(default_factory=dict)
    bike: str = ""
    bike_id: str = ""
    picture: Picture = field(default_factory=Picture)
    frame_number: str = ""
    monthly: str = ""
    since: str = ""
    withdraw_until: str = ""
    policy_number: str = ""
    running: bool = False
    offered: str = ""
    offered_end: str = ""
    offer: Account = EMPTY_ACCOUNT
    end: EndView = field(default_factory=EndView)


@dataclass(frozen=True, slots=True)
class FoundView:
    """A contract that a guest found, and the receipt of what the guest declared."""

    reference: str = ""
    product: dict[str, str] = field(default_factory=dict)
    bike: str = ""
    offered: str = ""
    ends_on: str = ""
    account: Account = EMPTY_ACCOUNT
    end_reference: str = ""
    received_at: str = ""
    email: str = ""


def contract_view(found: Contract) -> ContractView:
    return ContractView(
        reference=found.reference,
        reference_in_groups=in_groups(found.reference),
        kind=found.kind.value,
        product=texts_of(found.product),
        bike=found.bike,
        bike_id=found.bike_id,
        picture=found.picture,
        frame_number=found.frame_number,
        monthly=f"{found.monthly:.2f}",
        since=found.since.isoformat(),
        withdraw_until=found.withdraw_until.isoformat(),
        policy_number=found.policy_number,
        running=found.running,
        offered=found.offered.value if found.offered else "",
        offered_end=found.offered_end.isoformat() if found.offered_end else "",
        offer=found.offer or EMPTY_ACCOUNT,
        end=_end_view(found.end) if found.end else EndView(),
    )


def found_view(found: FoundContract) -> FoundView:
    return FoundView(
        reference=found.reference,
        product=texts_of(found.product),
        bike=found.bike,
        offered=found.offered.value,
        ends_on=found.ends_on.isoformat(),
    )


def declared_view(found: DeclaredEnd) -> FoundView:
    """The view of the receipt of a guest."""
    return FoundView(
        offered=found.ending.value,
        account=found.account or EMPTY_ACCOUNT,
        end_reference=in_groups(found.reference),
        received_at=found.received_at.isoformat(),
        email=found.email,
    )


def _end_view(found: ContractEnd) -> EndView:
    return EndView(
        reference=in_groups(found.reference),
        kind=found.kind.value,
        status=found.status.value,
        tone="warn" if found.asked else end_tone(found.status),
        ends_on=found.ends_on.isoformat(),
        received_at=found.received_at.isoformat(),
        confirmed_at=found.confirmed_at.isoformat() if found.confirmed_at else "",
        processed_at=found.processed_at.isoformat() if found.processed_at else "",
        email=found.email,
        can_take_back=found.can_take_back,
        account=found.account or EMPTY_ACCOUNT,
    )
