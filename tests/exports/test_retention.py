"""What left is forgotten when its period is over: deliveries, old secrets, and accounts of refunds."""

from __future__ import annotations

from decimal import Decimal

from sqlalchemy import update
from sqlmodel import col, select

from portal.privacy.provider.erasure import delete_expired
from portal.provider.hourly import purge
from portal.tables.exchange import RefundAccountRow, WebhookAttemptRow, WebhookRow
from portal.tables.returns import ReturnRow
from portal.vocabulary.cases import CaseEventType
from portal.vocabulary.returns import ReturnStatus
from tests.exports.telling import Telling
from tests.support.receiver import Receiver


async def test_deliveries_are_deleted_with_their_attempts_but_not_while_they_wait(
    telling: Telling, receiver: Receiver
) -> None:
    await telling.hook(receiver.url)
    await telling.happen("FIRST222")
    await telling.happen("OTHER222")
    receiver.refused = {"OTHER222"}
    await telling.work()
    await telling.happen("FIRST222", CaseEventType.PLANNED)
    telling.clock.forward(days=89)
    await delete_expired(telling.context)
    assert len(await telling.deliveries()) == 2
    telling.clock.forward(days=2)
    await delete_expired(telling.context)
    assert [row.subject for row in await telling.deliveries()] == ["repair OTHER222"]
    assert len(await telling.rows(WebhookAttemptRow)) == 1


async def test_a_secret_that_no_longer_signs_is_emptied(telling: Telling, receiver: Receiver) -> None:
    added = await telling.hook(receiver.url)
    await telling.webhooks.rotate_secret(telling.administrator, added.id)
    for hours, kept in ((23, True), (2, False)):
        telling.clock.forward(hours=hours)
        await purge(telling.context)
        (row,) = await telling.rows(WebhookRow)
        assert bool(row.previous_secret) is kept


async def test_the_account_of_a_refund_is_emptied_with_its_return(shop_telling: Telling) -> None:
    async with shop_telling.context.database.transaction() as session:
        row = (await session.exec(select(ReturnRow).limit(1))).one()
        done = update(ReturnRow).where(col(ReturnRow.id) == row.id)
        values = {"status": ReturnStatus.REFUND_PROCESSED, "refund_amount": Decimal(1)}
        await session.exec(done.values(updated_at=shop_telling.clock(), **values))
        session.add(
            RefundAccountRow(return_id=row.id, holder="zq", iban="NL91ABNA0417164300", entered_at=shop_telling.clock())
        )
    for days, held in ((729, ("zq", "NL91ABNA0417164300")), (3, ("", ""))):
        shop_telling.clock.forward(days=days)
        await delete_expired(shop_telling.context)
        (account,) = await shop_telling.rows(RefundAccountRow)
        assert (account.holder, account.iban) == held
