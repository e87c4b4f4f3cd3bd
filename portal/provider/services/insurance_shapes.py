"""Insurances as what travels."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from portal.contract.insurance import InsuranceBike, InsuranceRequest
from portal.domain.codes import Code
from portal.domain.dates import local_day
from portal.domain.insurances import as_it_stands, offered_until, refusal
from portal.provider.links import Waiting
from portal.provider.repositories.bikes import OwnedBike
from portal.provider.repositories.insurances import is_open
from portal.provider.tables.columns import ZERO
from portal.provider.tables.insurances import InsuranceRequestRow


def request(row: InsuranceRequestRow, bike_id: str, now: datetime, waiting: Waiting | None = None) -> InsuranceRequest:
    """A request; one whose link was not used in time is cancelled, whether that was noted or not."""
    return InsuranceRequest(
        reference=row.reference,
        bike_id=bike_id,
        insurer=row.insurer,
        type=row.type,
        premium=row.premium,
        status=as_it_stands(row.status, row.link_expires_at, now, waits_for_link=row.waits_for_link),
        requested_at=row.created_at,
        email=waiting.email if waiting else "",
        link_expires_at=row.link_expires_at if row.waits_for_link else None,
        resend_at=waiting.resend_at if waiting else None,
        email_failed=waiting.failed if waiting else False,
        policy_number=row.policy_number,
        starts_on=row.starts_on,
        note=row.note,
    )


def bike(
    owned: OwnedBike,
    price: Decimal | None,
    last: InsuranceRequestRow | None,
    now: datetime,
    waiting: Waiting | None = None,
) -> InsuranceBike:
    """A bike, and whether insurance is offered for it."""
    row, bought_on = owned.bike, local_day(owned.order.ordered_at)
    return InsuranceBike(
        bike_id=row.public_id,
        name=row.name,
        kind=row.kind,
        color_code=row.color_code,
        frame_number=row.frame_number or "",
        order_number=owned.order.order_number,
        order_date=bought_on,
        price=price or ZERO,
        key_number=row.key_number_1,
        refusal=why_not(owned, last, now),
        until=offered_until(bought_on),
        insurance=row.insurance,
        policy_number=row.policy_number,
        insurance_start=row.insurance_start,
        request=request(last, row.public_id, now, waiting) if last else None,
    )


def why_not(owned: OwnedBike, last: InsuranceRequestRow | None, now: datetime) -> Code | None:
    """Why a bike cannot be insured; none when it can."""
    return refusal(
        insured=bool(owned.bike.insurance),
        requested=is_open(last, now),
        frame_known=bool(owned.bike.frame_number),
        bought_on=local_day(owned.order.ordered_at),
        day=local_day(now),
        gone=owned.gone,
    )
