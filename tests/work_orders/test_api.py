"""Service requests and their refusals (part-1 §8), called directly and over HTTP."""

import asyncio
from decimal import Decimal

import pytest

from portal.contract.errors import InvalidInput, Refused
from portal.flow.api import DraftStart, FlowApi, Submission
from portal.kernel.codes import Code
from portal.returns.api import ReturnsApi
from portal.vocabulary.locations import HANDOVER_TEXTS, Handover
from portal.vocabulary.returns import ReturnStatus
from portal.vocabulary.services import Drive, ServiceJob, ServicePackage
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus
from portal.work_orders.api import WorkOrdersApi
from tests.support.connections import Shop
from tests.support.filling import SERVICE_FLOW, bikes_of, clear, filled, save, service_filled
from tests.support.http_browser import Browser
from tests.support.people import JORIS, NOOR, ROOS, SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def _bike(shop: Shop, token: str, place: int = 0) -> str:
    return [entry["id"] for entry in await bikes_of(shop, token) if not entry["refusal"]][place]


async def _begun(shop: Shop, token: str) -> None:
    await clear(shop, token, SERVICE_FLOW)


async def test_a_bike_is_offered_four_jobs_at_the_price_of_its_package(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*SANNE)
    offer = await shop_each_way.ask(WorkOrdersApi).service_products(token, await _bike(shop_each_way, token))
    assert (offer.drive, offer.service_package) == (Drive.E_BIKE, ServicePackage.SERVICE42)
    assert [product.job for product in offer.products] == [job for job in ServiceJob if job is not ServiceJob.UNKNOWN]
    assert all(p.reduced is not None and abs(p.reduced * 2 - p.price) <= Decimal("0.01") for p in offer.products)
    plain = await shop_each_way.ask(WorkOrdersApi).service_products(token, await _bike(shop_each_way, token, 1))
    assert (plain.drive, plain.service_package) == (Drive.BIKE, None)
    assert {product.reduced for product in plain.products} == {None}
    assert plain.products[0].price < offer.products[0].price


async def test_a_service_becomes_one_work_order_at_the_location_with_the_costs_that_were_shown(
    shop_each_way: Shop,
) -> None:
    token = await shop_each_way.token(*SANNE)
    await _begun(shop_each_way, token)
    bike = await _bike(shop_each_way, token)
    draft = await service_filled(shop_each_way, token, bike)
    submission = Submission(key=draft.key)
    receipts = await asyncio.gather(
        *(shop_each_way.ask(FlowApi).submit_draft(token, draft.draft_id, submission) for _ in range(40))
    )
    assert len({receipt.reference for receipt in receipts}) == 1
    assert await shop_each_way.alter("UPDATE outbox_mails SET id = id WHERE template = 'request_confirmation'") == 1
    account = receipts[0].account
    assert account
    assert [f"{line.amount}" for line in account.money.lines] == ["99.00", "-49.50", "60.00"]
    assert f"{account.money.total}" == "109.50"
    assert account.handover
    assert (account.handover.how.en, account.handover.cost) == (HANDOVER_TEXTS[Handover.PICK_UP], Decimal("60.00"))
    requests = [
        entry for entry in (await shop_each_way.ask(WorkOrdersApi).service_requests(token)).items if not entry.closed
    ]
    assert [(entry.kind, entry.status) for entry in requests] == [(RequestKind.SERVICE, WorkOrderStatus.NEW)]
    assert (requests[0].reference, requests[0].account) == (receipts[0].reference, account)
    again = await shop_each_way.ask(FlowApi).open_draft(token, DraftStart(flow=SERVICE_FLOW))
    with pytest.raises(InvalidInput) as caught:
        await save(shop_each_way, token, again, "bike", {"bike": bike})
    assert caught.value.fields == {"bike": Code.OPEN_WORK_ORDER_EXISTS}
    await shop_each_way.alter("DELETE FROM requests WHERE reference = ?", receipts[0].reference)


async def test_a_price_that_rose_meanwhile_is_not_sent(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*SANNE)
    await _begun(shop_each_way, token)
    draft = await service_filled(shop_each_way, token, await _bike(shop_each_way, token))
    await shop_each_way.alter("UPDATE service_products SET price = price + 1000 WHERE job = '2'")
    try:
        with pytest.raises(Refused) as caught:
            await shop_each_way.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
        assert caught.value.code is Code.SERVICE_REQUEST_NOT_VALID
        seen = await shop_each_way.ask(FlowApi).draft(token, draft.draft_id)
        assert seen.facts["job"]["price"] == "109.00"
        receipt = await shop_each_way.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
        assert receipt.account
        assert f"{receipt.account.money.lines[0].amount}" == "109.00"
        await shop_each_way.alter("DELETE FROM requests WHERE reference = ?", receipt.reference)
    finally:
        await shop_each_way.alter("UPDATE service_products SET price = price - 1000 WHERE job = '2'")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("closed = 1", Code.LOCATION_CLOSED),
        ("vacation_from = '2000-01-01', vacation_until = '2999-01-01'", Code.LOCATION_ON_VACATION),
        ("location_type = 'pick_up', country_code = 'NO'", Code.LOCATION_OUT_OF_REACH),
    ],
)
async def test_a_location_is_looked_at_when_it_is_chosen_and_again_when_it_is_sent(
    shop_each_way: Shop, change: str, code: Code
) -> None:
    token = await shop_each_way.token(*SANNE)
    await _begun(shop_each_way, token)
    bike = await _bike(shop_each_way, token)
    draft = await service_filled(shop_each_way, token, bike)
    location = str(draft.answers["location"])
    columns = (
        "closed = 0, vacation_from = NULL, vacation_until = NULL, location_type = 'own_store', country_code = 'NL'"
    )
    await shop_each_way.alter(f"UPDATE partners SET {change} WHERE public_id = ?", location)
    try:
        with pytest.raises(InvalidInput) as caught:
            await shop_each_way.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
        assert (caught.value.code, caught.value.fields) == (code, {"location": code})
        with pytest.raises(InvalidInput) as caught:
            await save(shop_each_way, token, draft, "location", {"location": location, "handover": "bring"})
        assert caught.value.fields == {"location": code}
    finally:
        await shop_each_way.alter(f"UPDATE partners SET {columns} WHERE public_id = ?", location)
    receipt = await shop_each_way.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
    await shop_each_way.alter("DELETE FROM requests WHERE reference = ?", receipt.reference)


async def repair_of(shop: Shop, token: str) -> str:
    """The reference of a new repair of Noor."""
    await shop.alter("UPDATE requests SET status = 'done' WHERE draft_key IS NOT NULL")
    await clear(shop, token)
    bike = next(entry["id"] for entry in await bikes_of(shop, token) if not entry["refusal"] and not entry["pin"])
    draft = await filled(shop, token, bike)
    receipt = await shop.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
    assert receipt.email == NOOR[1]
    return receipt.reference


async def test_the_documents_of_a_request_are_downloaded_as_files(http_browser: Browser, shop: Shop) -> None:
    await http_browser.log_in(shop, NOOR)
    reference = await repair_of(shop, http_browser.client.cookies["session"])
    assert (await http_browser.open(f"/files/requests/{reference}.ics")).status_code == 404, "nothing is planned yet"
    await shop.alter("UPDATE requests SET planned_date = '2027-03-04' WHERE reference = ?", reference)
    for language, name in (("nl", "reparatie"), ("en", "repair")):
        document = await http_browser.open(f"/files/requests/{reference}.pdf?lang={language}")
        assert (document.status_code, document.headers["content-type"]) == (200, "application/pdf")
        assert document.content.startswith(b"%PDF-")
        assert f'filename="{name}-{reference}.pdf"' in document.headers["content-disposition"]
        assert "no-store" in document.headers["cache-control"]
    appointment = await http_browser.open(f"/files/requests/{reference}.ics?lang=nl")
    assert (appointment.status_code, appointment.headers["content-type"]) == (200, "text/calendar; charset=utf-8")
    assert b"DTSTART;VALUE=DATE:20270304" in appointment.content
    assert "attachment" in appointment.headers["content-disposition"]


async def test_the_documents_of_somebody_else_are_not_there(http_browser: Browser, shop: Shop) -> None:
    reference = await repair_of(shop, await shop.token(*NOOR))
    assert (await http_browser.open(f"/files/requests/{reference}.pdf")).headers["location"] == "/"
    await http_browser.log_in(shop, JORIS)
    for path in (f"{reference}.pdf", f"{reference}.ics", "unknown.pdf", "..%2f..%2fetc%2fpasswd.pdf"):
        answer = await http_browser.open(f"/files/requests/{path}")
        assert answer.status_code == 404, path
        assert b"%PDF" not in answer.content
        assert b"VCALENDAR" not in answer.content


async def test_label_and_summary_of_a_return_are_downloaded_by_its_owner_only(
    http_browser: Browser, shop: Shop
) -> None:
    token = await shop.token(*ROOS)
    found = {entry.status: entry for entry in (await shop.ask(ReturnsApi).returns(token)).items}
    travels, done = found[ReturnStatus.PICKUP_CONFIRMED], found[ReturnStatus.REFUND_PROCESSED]
    documents = {f"{travels.return_id}/label.pdf": f"label-{travels.reference}", f"{done.return_id}.pdf": "retour-"}
    assert (await http_browser.open(f"/files/returns/{done.return_id}.pdf")).headers["location"] == "/"
    await http_browser.log_in(shop, ROOS)
    for path, name in documents.items():
        document = await http_browser.open(f"/files/returns/{path}?lang=nl")
        assert (document.status_code, document.content[:5]) == (200, b"%PDF-"), path
        assert name in document.headers["content-disposition"]
        assert "no-store" in document.headers["cache-control"]
    # A closed return has no label. The answer is an error in JSON.
    none = await http_browser.client.get(
        f"/files/returns/{done.return_id}/label.pdf", headers={"accept": "application/pdf, application/json"}
    )
    assert (none.status_code, none.json()["error"]) == (403, "pdf_failed")
    await http_browser.log_in(shop, JORIS)
    for path in (*documents, "ABCDEFGH23.pdf", "x/label.pdf", "..%2f..%2fetc%2fpasswd.pdf"):
        answer = await http_browser.open(f"/files/returns/{path}")
        assert (answer.status_code, b"%PDF" in answer.content) == (404, False), path
