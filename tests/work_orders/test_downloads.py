"""Downloads of documents in the browser: access for the owner only, and the errors."""

from __future__ import annotations

import pytest

from portal.client.remote import HttpProvider
from portal.contract import registry
from portal.flow.api import FlowApi, Submission
from portal.returns.api import ReturnsApi
from portal.vocabulary.returns import ReturnStatus
from tests.support.connections import Shop
from tests.support.filling import bikes_of, clear, filled
from tests.support.http_browser import Browser
from tests.support.people import JORIS, NOOR, ROOS
from tests.support.ports import free_port

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def repair_of(shop: Shop, token: str) -> str:
    """Return the reference of a new repair with a planned day."""
    await shop.alter("UPDATE requests SET status = 'done' WHERE draft_key IS NOT NULL")
    await clear(shop, token)
    bike = next(entry["id"] for entry in await bikes_of(shop, token) if not entry["refusal"] and not entry["pin"])
    draft = await filled(shop, token, bike)
    reference = (await shop.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))).reference
    await shop.alter("UPDATE requests SET planned_date = '2027-03-04' WHERE reference = ?", reference)
    return reference


async def test_the_documents_of_a_request_are_downloaded_as_files(http_browser: Browser, shop: Shop) -> None:
    await http_browser.log_in(shop, NOOR)
    reference = await repair_of(shop, http_browser.client.cookies["session"])
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


@pytest.mark.parametrize(("kind", "code"), [("pdf", "pdf_failed"), ("ics", "calendar_failed")])
async def test_a_document_that_cannot_be_made_leads_back_to_the_page(
    http_browser: Browser, shop: Shop, kind: str, code: str
) -> None:
    await http_browser.log_in(shop, NOOR)
    down = HttpProvider(f"http://127.0.0.1:{free_port()}", api_key="k")
    registry.connect(down)
    try:
        answer = await http_browser.client.get(
            f"/files/requests/ABCDEFGH.{kind}", headers={"referer": "http://localhost:8000/repair-request/confirmation"}
        )
        assert answer.headers["location"] == f"/repair-request/confirmation?error={code}"
        scripted = await http_browser.client.get(
            f"/files/requests/ABCDEFGH.{kind}", headers={"accept": "text/calendar, application/json"}
        )
        assert (scripted.status_code, scripted.json()["error"]) == (503, code)
    finally:
        registry.connect(shop.provider)
        await down.close()
