"""As many concurrent requests for one exchange or withdrawal as a worker has connections, on both databases."""

from __future__ import annotations

import asyncio

import pytest
from sqlmodel import col, func, select

from portal.flow.api import FlowApi, Submission
from portal.returns.flow.kinds import EXCHANGE
from portal.tables.orders import ProductRow
from portal.withdrawals.api import WithdrawalEntry, WithdrawalsApi
from tests.flow.submissions import WAYS
from tests.flow.test_killed import filled
from tests.support.customers import ROOS
from tests.support.furnished import Furnished
from tests.support.returning import BUNDLE
from tests.support.servers import counted

pytestmark = pytest.mark.each_database


async def _in_stock(shop: Furnished) -> int:
    async with shop.context.database.session() as session:
        return (await session.exec(select(func.sum(col(ProductRow.stock))))).one() or 0


async def test_twenty_submits_of_one_exchange_reserve_one_bike(furnished: Furnished) -> None:
    way = next(way for way in WAYS if way.flow is EXCHANGE)
    token, stock = await furnished.log_in(way.customer), await _in_stock(furnished)
    draft = await filled(furnished.provider, token, way)
    await asyncio.gather(
        *(furnished.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key)) for _ in range(20))
    )
    assert await _in_stock(furnished) == stock - 1


async def test_twenty_declarations_of_one_withdrawal_are_stored_once(furnished: Furnished, loaded_url: str) -> None:
    token = await furnished.log_in(ROOS)
    entry = WithdrawalEntry(order_number=BUNDLE, name="Roos de Wit", key="twenty-times")
    before = await counted(loaded_url)
    receipts = await asyncio.gather(*(furnished.ask(WithdrawalsApi).withdraw(token, entry) for _ in range(20)))
    assert all(receipt == receipts[0] for receipt in receipts)
    after = await counted(loaded_url)
    assert (after["returns"], after["outbox_mails"]) == (before["returns"] + 1, before["outbox_mails"] + 1)
