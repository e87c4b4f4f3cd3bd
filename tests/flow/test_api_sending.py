"""The sending of drafts, with the same results for every kind of provider."""

from __future__ import annotations

import asyncio

import pytest

from portal.contract.errors import Conflict, InvalidInput, NotFound
from portal.flow.api import DraftStart, FlowApi, Submission
from portal.kernel.codes import Code
from portal.work_orders.api import WorkOrdersApi
from tests.support.connections import Shop
from tests.support.files import jpg
from tests.support.filling import ADDRESS, FLOW, MAINTENANCE, PARTS, bikes_of, clear, filled, own_shop, save, sent
from tests.support.people import NOOR, SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_request_that_lacks_a_step_is_refused_with_the_code_of_the_step(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*SANNE)
    await clear(shop_each_way, token)
    draft = await shop_each_way.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    photo = await sent(shop_each_way, token, draft.draft_id, "schade.jpg", jpg())
    for step, answers, code in (
        ("bike", {"bike": (await bikes_of(shop_each_way, token))[0]["id"]}, Code.MISSING_REPAIR_ORDER_LINE_ID),
        ("damage", PARTS, Code.MISSING_REPAIR_DETAILS),
        ("maintenance", MAINTENANCE, Code.MISSING_REPAIR_LAST_MAINTENANCE_DATE),
        ("photos", {"photos": [photo.upload_id]}, Code.MISSING_REPAIR_UPLOADED_FILES),
        ("address", ADDRESS, Code.INVALID_INPUT),
        ("location", {"location": await own_shop(shop_each_way, token)}, Code.INVALID_INPUT),
    ):
        with pytest.raises(InvalidInput) as caught:
            await shop_each_way.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
        assert caught.value.code is code
        draft = await save(shop_each_way, token, draft, step, answers)
    with pytest.raises(InvalidInput):
        await shop_each_way.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key="another"))


async def test_forty_submits_at_once_are_one_request(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*NOOR)
    await clear(shop_each_way, token)
    bikes = [entry for entry in await bikes_of(shop_each_way, token) if not entry["refusal"] and not entry["pin"]]
    draft = await filled(shop_each_way, token, bikes[0]["id"])
    submission = Submission(key=draft.key)
    receipts = await asyncio.gather(
        *(shop_each_way.ask(FlowApi).submit_draft(token, draft.draft_id, submission) for _ in range(40))
    )
    assert len({receipt.reference for receipt in receipts}) == 1
    assert receipts[0].summary["bike_id"] == bikes[0]["id"]
    requests = [entry.reference for entry in (await shop_each_way.ask(WorkOrdersApi).service_requests(token)).items]
    assert requests.count(receipts[0].reference) == 1
    after = await shop_each_way.ask(FlowApi).draft(token, draft.draft_id)
    assert after.receipt == receipts[0]
    assert after.answers == {}
    assert (await shop_each_way.ask(FlowApi).flow_start(token, FLOW)).receipt == receipts[0]
    with pytest.raises(Conflict) as caught:
        await save(shop_each_way, token, draft, "maintenance", MAINTENANCE)
    assert caught.value.code is Code.REPAIR_REQUEST_INVALID_STATUS
    with pytest.raises(NotFound):
        await shop_each_way.ask(FlowApi).discard_draft(token, draft.draft_id)
    busy = next(entry for entry in await bikes_of(shop_each_way, token) if entry["id"] == bikes[0]["id"])
    assert busy["refusal"] == Code.OPEN_WORK_ORDER_EXISTS


async def test_a_bike_with_a_newer_request_is_refused_when_sending(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*NOOR)
    await clear(shop_each_way, token)
    bikes = [entry for entry in await bikes_of(shop_each_way, token) if not entry["refusal"] and not entry["pin"]]
    draft = await filled(shop_each_way, token, bikes[0]["id"])
    other = await shop_each_way.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    await shop_each_way.alter(
        "INSERT INTO requests"
        " (reference, customer_id, bike_id, kind, status, title, description, under_warranty, answer_days, created_at,"
        " updated_at)"
        " SELECT 'MEANWHILE', customer_id, id, 'service', 'new', 'x', 'x', FALSE, 3, '2026-01-01', '2026-01-01'"
        " FROM bikes"
        " WHERE public_id = ?",
        bikes[0]["id"],
    )
    with pytest.raises(InvalidInput) as caught:
        await save(shop_each_way, token, other, "bike", {"bike": bikes[0]["id"]})
    assert caught.value.fields == {"bike": Code.OPEN_WORK_ORDER_EXISTS}
    with pytest.raises(InvalidInput) as caught:
        await shop_each_way.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
    assert caught.value.code is Code.OPEN_WORK_ORDER_EXISTS
    await shop_each_way.alter("DELETE FROM requests WHERE reference = 'MEANWHILE'")
