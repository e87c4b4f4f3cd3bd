"""Insurances that are offered and asked for, bike by bike: models and operations (part-2 §2)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Protocol

from portal.contract.errors import Conflict, Refused, TooMany, Unavailable
from portal.contract.models import Amount, Model, only_known, otherwise
from portal.contract.operations import DeclaredRefusal, Token, operation
from portal.deliveries.api import KnownCode
from portal.kernel.codes import Code
from portal.links.api import LinkSent
from portal.orders.api import KnownItemKind
from portal.vocabulary.insurance import Cover, InsuranceStatus, InsuranceType, Insurer

KnownInsurer = Annotated[Insurer | None, otherwise(Insurer, Insurer.UNKNOWN)]

KnownInsuranceType = Annotated[InsuranceType, otherwise(InsuranceType, InsuranceType.UNKNOWN)]


class InsuranceRequest(Model):
    """An insurance that was asked for.

    Attributes:
        insurer, premium: none for 'no insurance' and 'insured already'.
        status: created, waiting_for_input (the link in the mail), cancelled, finished.
        email, link_expires_at, resend_at, email_failed: of the mail with the link while it is waited for.
        policy_number, starts_on: once it is finished.
    """

    reference: str
    bike_id: str
    insurer: KnownInsurer = None
    type: KnownInsuranceType
    premium: Amount | None = None
    status: Annotated[InsuranceStatus, otherwise(InsuranceStatus, InsuranceStatus.UNKNOWN)]
    requested_at: datetime
    email: str = ""
    link_expires_at: datetime | None = None
    resend_at: datetime | None = None
    email_failed: bool = False
    policy_number: str = ""
    starts_on: date | None = None
    note: str = ""


class InsuranceBike(Model):
    """A bike and whether insurance is offered for it.

    Attributes:
        refusal: why not; none when it is.
        until: the last day on which it is offered.
        insurance, policy_number, insurance_start: what it has now; empty when it has none.
        request: what was asked for last.
    """

    bike_id: str
    name: str
    kind: KnownItemKind
    color_code: str
    frame_number: str
    order_number: str
    order_date: date
    price: Amount
    key_number: str = ""
    refusal: KnownCode = None
    until: date
    insurance: str = ""
    policy_number: str = ""
    insurance_start: date | None = None
    request: InsuranceRequest | None = None


class InsuranceOffer(Model):
    """One insurance for one bike. `key` is what an answer names it by; amounts in euro, `premium` a month."""

    key: str
    insurer: Annotated[Insurer, otherwise(Insurer, Insurer.UNKNOWN)]
    type: KnownInsuranceType
    premium: Amount
    excess: Amount
    most_chosen: bool = False
    covers: Annotated[list[Cover], only_known(Cover)]
    covers_not: Annotated[list[Cover], only_known(Cover)]


class InsuranceOptions(Model):
    """Everything about insuring one bike. `offers` are there also when it cannot be insured (any more)."""

    bike: InsuranceBike
    offers: list[InsuranceOffer]


class InsuranceApi(Protocol):
    """What insuring a bike costs, and what became of a request."""

    @operation("GET", "/insurances/bikes")
    async def insurance_bikes(self, token: Token) -> list[InsuranceBike]:
        """The customer's bikes, newest order first, and whether each can be insured."""
        ...

    @operation(
        "GET",
        "/bikes/{bike_id}/insurances",
        refuses=(DeclaredRefusal(Unavailable, Code.INSURANCE_OPTIONS_FAILED),),
    )
    async def insurance_options(self, token: Token, bike_id: str) -> InsuranceOptions:
        """What insuring a bike costs with each insurer.

        `insurance_options_failed`: the premiums cannot be told.
        """
        ...

    @operation(
        "POST",
        "/insurances/{reference}/resend",
        refuses=(DeclaredRefusal(Refused), DeclaredRefusal(TooMany, Code.MAIL_SENT_RECENTLY)),
    )
    async def resend_insurance(self, token: Token, reference: str) -> LinkSent:
        """Mail the link of a request again.

        Not found when none waits for a link. Refused when a rule says no by now: the bike is gone, or insured.
        """
        ...

    @operation(
        "POST",
        "/insurances/{reference}/cancel",
        refuses=(DeclaredRefusal(Refused, Code.STATUS_NOT_ALLOWED), DeclaredRefusal(Conflict, Code.STATUS_CHANGED)),
    )
    async def cancel_insurance(self, token: Token, reference: str) -> InsuranceRequest:
        """Take back a request that is not finished.

        `status_not_allowed`: it is finished or cancelled.
        """
        ...
