"""The customer's own data and the dashboard (part-1 §7, call 3)."""

from __future__ import annotations

from fastapi import APIRouter

from portal.contract.account import (
    CustomerUpdate,
    Dashboard,
    EmailChange,
    EmailChangeCode,
    EmailChangeSent,
    LocaleChoice,
    UserData,
)
from portal.provider.api.access import Services, Token
from portal.provider.api.envelope import Answer, refusals

router = APIRouter(tags=["customer"])


@router.get("/customer/info", operation_id="customer_info", summary="The customer's own data", responses=refusals(401))
async def customer_info(token: Token, provider: Services) -> Answer[UserData]:
    """Tell the customer's own data."""
    return Answer[UserData](data=await provider.customer_info(token))


@router.put(
    "/customer",
    operation_id="update_customer",
    summary="Replace what a customer may change about themselves",
    responses=refusals(401, 413, 422),
)
async def update_customer(token: Token, update: CustomerUpdate, provider: Services) -> Answer[UserData]:
    """Change the customer's own data."""
    return Answer[UserData](data=await provider.update_customer(token, update))


@router.put(
    "/customer/locale",
    operation_id="change_locale",
    summary="Choose the language of mails and documents",
    responses=refusals(401, 413, 422),
)
async def change_locale(token: Token, choice: LocaleChoice, provider: Services) -> Answer[None]:
    """Change the language."""
    await provider.change_locale(token, choice)
    return Answer[None](data=None)


@router.post(
    "/customer/email",
    operation_id="request_email_change",
    summary="Mail a code to the present address, to change it",
    responses=refusals(401, 413, 422, 429),
)
async def request_email_change(token: Token, change: EmailChange, provider: Services) -> Answer[EmailChangeSent]:
    """Start changing the e-mail address."""
    return Answer[EmailChangeSent](data=await provider.request_email_change(token, change))


@router.post(
    "/customer/email/confirm",
    operation_id="confirm_email_change",
    summary="Take the new e-mail address into use",
    responses=refusals(401, 403, 413, 422, 429),
)
async def confirm_email_change(token: Token, entry: EmailChangeCode, provider: Services) -> Answer[UserData]:
    """Finish changing the e-mail address."""
    return Answer[UserData](data=await provider.confirm_email_change(token, entry))


@router.get(
    "/dashboard",
    operation_id="dashboard",
    summary="What is going on and what can be started",
    responses=refusals(401),
)
async def dashboard(token: Token, provider: Services) -> Answer[Dashboard]:
    """Tell what the dashboard shows."""
    return Answer[Dashboard](data=await provider.dashboard(token))
