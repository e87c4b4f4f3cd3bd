"""Forty submits at once of one return, exchange or withdrawal are one of everything, on both databases."""

from __future__ import annotations

import asyncio

import pytest
from sqlmodel import col, func, select

from portal.contract.drafts import Submission
from portal.contract.withdrawals import WithdrawalEntry
from portal.flows.exchange import EXCHANGE
from portal.provider.tables.products import ProductRow
from tests.provider.account.customers import ROOS
from tests.provider.account.furnished import Furnished
from tests.provider.killed.test_killed import counted, filled
from tests.provider.killed.ways import WAYS, Way
from tests.support.returning import BUNDLE

RETURNING = [way for way in WAYS if way.rows.get("returns")]


async def _in_stock(shop: Furnished) -> int:
    async with shop.context.database.session() as session:
        return (await session.exec(select(func.sum(col(ProductRow.stock))))).one() or 0


@pytest.mark.parametrize("way", RETURNING, ids=str)
async def test_forty_submits_of_one_return_are_one(shop: Furnished, loaded_url: str, way: Way) -> None:
    token = await shop.log_in(way.customer)
    before, stock = await counted(loaded_url), await _in_stock(shop)
    draft = await filled(shop.provider, token, way)
    receipts = await asyncio.gather(
        *(shop.provider.submit_draft(token, draft.draft_id, Submission(key=draft.key)) for _ in range(40))
    )
    assert all(receipt == receipts[0] for receipt in receipts)
    after = await counted(loaded_url)
    # Its mail waits for somebody who sends it.
    rows = {**way.rows, "jobs": way.rows.get("jobs", 0) + 1}
    assert {name: after[name] - before[name] for name in after if after[name] != before[name]} == rows
    assert await _in_stock(shop) == stock - (way.flow is EXCHANGE)


async def test_forty_declarations_of_one_withdrawal_are_one(shop: Furnished, loaded_url: str) -> None:
    token = await shop.log_in(ROOS)
    entry = WithdrawalEntry(order_number=BUNDLE, name="Roos de Wit", key="forty-times")
    before = await counted(loaded_url)
    receipts = await asyncio.gather(*(shop.provider.withdraw(token, entry) for _ in range(40)))
    assert all(receipt == receipts[0] for receipt in receipts)
    after = await counted(loaded_url)
    assert (after["returns"], after["outbox_mails"]) == (before["returns"] + 1, before["outbox_mails"] + 1)
