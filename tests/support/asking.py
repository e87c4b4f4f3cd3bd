"""Requests an insurance or a service package, as a customer in a browser tab does."""

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from portal.client.remote import HttpProvider
from portal.contract import registry
from portal.flow.api import Draft, DraftStart, FlowApi
from portal.flow.pages.state import FlowRun
from portal.insurance.api import InsuranceApi, InsuranceBike
from portal.insurance.flow import INSURANCE
from portal.service_packages.flow import SERVICE_PACKAGE
from tests.support.connections import Shop
from tests.support.filling import clear, save
from tests.support.flows import INSURING, PACKAGING
from tests.support.form_versions import form_version
from tests.support.mailbox import text_of
from tests.support.people import FLEUR
from tests.support.pipeline import Tab
from tests.support.ports import free_port

COMPARE, FLOW, PACKAGE = "/insurance-package", INSURANCE.name, SERVICE_PACKAGE.name
CHECK, CONFIRMATION = INSURANCE.url(INSURANCE.check_step), INSURANCE.confirmation


@asynccontextmanager
async def nobody_answers(shop: Shop) -> AsyncIterator[None]:
    down = HttpProvider(f"http://127.0.0.1:{free_port()}", api_key="k")
    registry.connect(down)
    try:
        yield
    finally:
        registry.connect(shop.provider)
        await down.close()


@asynccontextmanager
async def no_tariffs(shop: Shop) -> AsyncIterator[None]:
    await shop.alter("UPDATE insurance_tariffs SET kind = 'away-' || kind")
    try:
        yield
    finally:
        await shop.alter("UPDATE insurance_tariffs SET kind = substr(kind, 6)")


async def bike_of(shop: Shop, token: str, order: str = FLEUR[0]) -> InsuranceBike:
    return next(
        bike for bike in (await shop.ask(InsuranceApi).insurance_bikes(token)).items if bike.order_number == order
    )


async def filled(shop: Shop, token: str, flow: str, bike: str, **other: str) -> Draft:
    """A draft with all steps answered. `other` replaces answers of the flow case."""
    await clear(shop, token, flow)
    case = {FLOW: INSURING, PACKAGE: PACKAGING}[flow]
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=flow, subject=bike))
    for step, answers in case.answers.items():
        given: Mapping[str, Any] = {**answers, **other, "bike": bike}
        draft = await save(shop, token, draft, step, given)
        if step == "insurance" and other.get("type"):
            break  # the flow ends here without a policy, so it does not ask for the bank account
    return draft


async def sent(shop: Shop, tab: Tab, token: str, **other: str) -> str:
    """Request an insurance in this tab and return its reference."""
    draft = await filled(shop, token, FLOW, (await bike_of(shop, token)).bike_id, **other)
    await tab.send(FlowRun.enter, CHECK)
    await tab.send(FlowRun.send, CHECK, form=form_version(draft))
    return tab.shown(FlowRun, "receipt").reference


async def end_of_link(shop: Shop) -> str:
    """The token of the link in the newest mail."""
    async with asyncio.timeout(60):
        while True:
            for mail in reversed(await asyncio.to_thread(shop.mailbox.mails_to, FLEUR[1])):
                if found := re.search(r"/insurance-request/confirm/([A-Za-z0-9_-]{43})", text_of(mail)):
                    return found.group(1)
            await asyncio.sleep(0.05)
