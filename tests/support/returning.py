"""Fills in and sends a return over any connection to the provider."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from portal.contract.errors import Refused
from portal.contract.registry import Provider
from portal.deliveries.rules import days
from portal.flow.api import Answer, Draft, DraftStart, FlowApi, Receipt, Submission
from portal.kernel.address import Country
from portal.kernel.days import now
from tests.support.connections import Shop
from tests.support.entries import step_entry

RETURN, ACCESSORIES = "return-request", "return-accessories-request"
EXCHANGE, ORDER_RETURN = "exchange-request", "order-return"
REASON = "Bij nader inzien past dit toch niet goed bij wat ik zoek."
BUNDLE, PARTLY, OLD, RETURNED, PENDING, UNCLEAR, NOT_SENT, PAY_LATER = (f"90000072{place}" for place in range(1, 9))
"""Orders of Roos, one per case."""

Steps = Mapping[str, Mapping[str, Answer]]


async def begin(provider: Provider, token: str, flow: str) -> Draft:
    """Start a new draft, whether or not there was one before."""
    for entry in (await provider.ask(FlowApi).flow_start(token, flow)).drafts:
        await provider.ask(FlowApi).discard_draft(token, entry.draft_id)
    return await provider.ask(FlowApi).open_draft(token, DraftStart(flow=flow))


async def fill(provider: Provider, token: str, draft: Draft, steps: Steps) -> Draft:
    """Answer steps in order."""
    for step, answers in steps.items():
        entry = step_entry(draft, step, answers)
        draft = await provider.ask(FlowApi).save_step(token, draft.draft_id, entry)
    return draft


async def send(provider: Provider, token: str, flow: str, steps: Steps) -> Receipt:
    """Fill in a flow and send it."""
    draft = await fill(provider, token, await begin(provider, token, flow), steps)
    return await provider.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))


@asynccontextmanager
async def full_van(shop: Shop) -> AsyncIterator[None]:
    """Temporarily fill all pick-up slots in the Netherlands."""
    for offered in days(now(), Country.NL):
        row = "INSERT INTO delivery_days (country_code, day, capacity, taken) VALUES ('NL', ?, 0, 0)"
        await shop.alter(f"{row} ON CONFLICT DO NOTHING", offered.isoformat())
    await shop.alter("UPDATE delivery_days SET capacity = taken")
    try:
        yield
    finally:
        await shop.alter("UPDATE delivery_days SET capacity = 1000")


async def facts(provider: Provider, token: str, flow: str = ORDER_RETURN) -> dict[str, Any]:
    """The facts of a draft; of the introduction if nothing can be returned."""
    start = await provider.ask(FlowApi).flow_start(token, flow)
    try:
        draft = await provider.ask(FlowApi).open_draft(token, DraftStart(flow=flow))
    except Refused:
        return start.facts
    if draft.draft_id not in [entry.draft_id for entry in start.drafts]:
        await provider.ask(FlowApi).discard_draft(token, draft.draft_id)
    return draft.facts


async def introduction(provider: Provider, token: str, flow: str) -> dict[str, Any]:
    """The facts of the introduction."""
    return (await provider.ask(FlowApi).flow_start(token, flow)).facts


async def item(provider: Provider, token: str, name: str, flow: str = ORDER_RETURN) -> dict[str, Any]:
    """One item in the facts of the flow."""
    return next(entry for entry in (await facts(provider, token, flow))["items"] if entry["id"] == name)


async def accessories(provider: Provider, token: str, *items: str, **more: Answer) -> Steps:
    """The steps of a return of accessories to the nearest store."""
    store = (await facts(provider, token, ACCESSORIES))["stores"][0]["id"]
    return {
        "items": {"items": list(items)},
        "condition": {"fault": "none", "reason": REASON, "state": "unused", **more},
        "method": {"method": "store", "store": store},
    }


async def order_return(provider: Provider, token: str, order: str, *items: str, **more: Answer) -> Steps:
    """The steps of the older return flow, with a pick-up at home on the first available day."""
    day = (await facts(provider, token))["pickup_days"]["NL"][0]
    return {
        "items": {"order": order, "items": list(items)},
        "condition": {"state": "unused", **more},
        "reason": {"reason": "product_is_damaged"},
        "day": {"pickup_day": day, "pickup_window": "evening"},
        "pickup": {"address": "known", "phone": "06 12345611"},
    }


async def bike(provider: Provider, token: str, name: str, flow: str = RETURN, **condition: Answer) -> Steps:
    """The steps of a return of a bike to the nearest store, or of an exchange for the same one."""
    store = (await facts(provider, token, flow))["stores"][0]["id"]
    return {
        "item": {"item": name},
        **({"product": {"exchange_type": "same"}} if flow == EXCHANGE else {}),
        "reason": {"fault": "none", "reason": REASON},
        "condition": {"state": "unused", "mileage": "1", **condition},
        "method": {"method": "store", "store": store},
    }


async def pick_up(provider: Provider, token: str) -> dict[str, Answer]:
    """The answers to the step for place and date of the pick-up."""
    day = (await facts(provider, token))["pickup_days"]["NL"][0]
    return {"address": "known", "phone": "06 12345611", "pickup_day": day, "pickup_window": "day"}
