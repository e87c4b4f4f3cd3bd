"""Insurances that are offered and asked for, bike by bike (part-2 §2 Insurance request)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

from portal.contract.base import Amount, Shape
from portal.contract.delivery import KnownCode
from portal.contract.orders import KnownItemKind
from portal.contract.tolerance import only_known, otherwise
from portal.vocabulary.insurance import Cover, InsuranceStatus, InsuranceType, Insurer

KnownInsurer = Annotated[Insurer | None, otherwise(Insurer, Insurer.UNKNOWN)]
KnownInsuranceType = Annotated[InsuranceType, otherwise(InsuranceType, InsuranceType.UNKNOWN)]


class InsuranceRequest(Shape):
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


class InsuranceBike(Shape):
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


class InsuranceOffer(Shape):
    """One insurance for one bike. `key` is what an answer names it by; amounts in euro, `premium` a month."""

    key: str
    insurer: Annotated[Insurer, otherwise(Insurer, Insurer.UNKNOWN)]
    type: KnownInsuranceType
    premium: Amount
    excess: Amount
    most_chosen: bool = False
    covers: Annotated[list[Cover], only_known(Cover)]
    covers_not: Annotated[list[Cover], only_known(Cover)]


class InsuranceOptions(Shape):
    """Everything about insuring one bike. `offers` are there also when it cannot be insured (any more)."""

    bike: InsuranceBike
    offers: list[InsuranceOffer]
