"""Insurances, bike by bike."""

from __future__ import annotations

from fastapi import APIRouter

from portal.contract.insurance import InsuranceBike, InsuranceOptions, InsuranceRequest
from portal.contract.links import LinkSent
from portal.provider.api.access import Reference, Services, Token
from portal.provider.api.envelope import Answer, refusals

router = APIRouter(tags=["insurances"])


@router.get(
    "/insurances/bikes",
    operation_id="insurance_bikes",
    summary="The bikes, and whether each can be insured",
    responses=refusals(401),
)
async def insurance_bikes(token: Token, provider: Services) -> Answer[list[InsuranceBike]]:
    """Tell the bikes."""
    return Answer[list[InsuranceBike]](data=await provider.insurance_bikes(token))


@router.get(
    "/bikes/{bike_id}/insurances",
    operation_id="insurance_options",
    summary="What insuring a bike costs with each insurer",
    responses=refusals(401, 404),
)
async def insurance_options(token: Token, bike_id: Reference, provider: Services) -> Answer[InsuranceOptions]:
    """Tell the offers."""
    return Answer[InsuranceOptions](data=await provider.insurance_options(token, bike_id))


@router.post(
    "/insurances/{reference}/resend",
    operation_id="resend_insurance",
    summary="Mail the link of a request again",
    responses=refusals(401, 403, 404, 429),
)
async def resend_insurance(token: Token, reference: Reference, provider: Services) -> Answer[LinkSent]:
    """Mail it again."""
    return Answer[LinkSent](data=await provider.resend_insurance(token, reference))


@router.post(
    "/insurances/{reference}/cancel",
    operation_id="cancel_insurance",
    summary="Take back a request that is not finished",
    responses=refusals(401, 403, 404, 409),
)
async def cancel_insurance(token: Token, reference: Reference, provider: Services) -> Answer[InsuranceRequest]:
    """Take it back."""
    return Answer[InsuranceRequest](data=await provider.cancel_insurance(token, reference))
