"""Claims from the first question to the confirmation, called directly and over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from portal.contract.errors import Conflict, InvalidInput, Refused
from portal.flow.api import Answer, Draft, DraftStart, FlowApi, Submission
from portal.kernel.codes import Code
from portal.vocabulary.work_orders import RequestKind
from portal.work_orders.api import WorkOrdersApi
from tests.support.connections import Shop
from tests.support.files import jpg, pdf
from tests.support.filling import save, sent
from tests.support.people import NOOR, SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")
FLOW = "claim-request"
IBAN = "NL91ABNA0417164300"
TEXT = "Een auto reed achteruit tegen mijn fiets, op het Stationsplein."

ANSWERS: Mapping[str, Mapping[str, Answer]] = {
    "parts": {"parts": ["frame", "wheels"]},
    "policy": {"insurer": "Fietspolis Direct", "policy_number": " fp 2044.881 "},
    "cause": {"cause": TEXT},
    "handling": {"handling": "now"},
}

ACCOUNT: Mapping[str, Answer] = {"method": "account", "account_holder": "N. Haddad", "iban": "nl91 abna 0417 1643 00"}


async def _begun(shop: Shop, token: str, place: int = 0) -> Draft:
    """Start a claim and answer the steps before the photos."""
    start = await shop.ask(FlowApi).flow_start(token, FLOW)
    for entry in start.drafts:
        await shop.ask(FlowApi).discard_draft(token, entry.draft_id)
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    free = [bike["id"] for bike in draft.facts["bikes"] if not bike["refusal"]]
    draft = await save(shop, token, draft, "bike", {"bike": free[place]})
    for step, answers in ANSWERS.items():
        draft = await save(shop, token, draft, step, answers)
    return draft


async def test_photos_are_no_copies_and_copies_no_photos(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*SANNE)
    draft = await _begun(shop_each_way, token)
    copy = await sent(shop_each_way, token, draft.draft_id, "declaratie.pdf", pdf(), field="copies")
    with pytest.raises(InvalidInput) as caught:
        await save(shop_each_way, token, draft, "photos", {"photos": [copy.upload_id]})
    assert caught.value.fields == {"photos": Code.UNRESOLVED_FILES}


async def test_a_claim_is_sent_once_and_its_account_shown_only_in_part(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*NOOR)
    draft = await _begun(shop_each_way, token)
    photo = await sent(shop_each_way, token, draft.draft_id, "schade.jpg", jpg())
    draft = await save(shop_each_way, token, draft, "photos", {"photos": [photo.upload_id]})
    copy = await sent(shop_each_way, token, draft.draft_id, "declaratie.pdf", pdf(), field="copies")
    draft = await save(shop_each_way, token, draft, "repayment", {**ACCOUNT, "copies": [copy.upload_id]})
    submission = Submission(key=draft.key)
    receipts = await asyncio.gather(
        *(shop_each_way.ask(FlowApi).submit_draft(token, draft.draft_id, submission) for _ in range(40))
    )
    assert len({receipt.reference for receipt in receipts}) == 1
    assert await shop_each_way.alter("UPDATE outbox_mails SET id = id WHERE template = 'request_confirmation'") == 1
    assert receipts[0].account
    assert "NL…4300" in str(receipts[0].account.facts)
    requests = (await shop_each_way.ask(WorkOrdersApi).service_requests(token)).items
    mine = next(request for request in requests if request.reference == receipts[0].reference)
    assert mine.kind is RequestKind.CLAIM
    told = f"{receipts} {requests} {await shop_each_way.ask(FlowApi).draft(token, draft.draft_id)}"
    assert IBAN not in told
    with pytest.raises(Conflict) as late:
        await save(shop_each_way, token, draft, "cause", {"cause": TEXT})
    assert late.value.code is Code.DRAFT_SENT
    with pytest.raises(Refused) as caught:
        await _again(shop_each_way, token, draft.subject)
    assert caught.value.code is Code.OPEN_WORK_ORDER_EXISTS


async def _again(shop: Shop, token: str, bike: str) -> None:
    """Choose a bike that has an open work order, and raise its refusal."""
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    try:
        await save(shop, token, draft, "bike", {"bike": bike})
    except InvalidInput as refused:
        raise Refused(Code(refused.fields["bike"])) from None
