"""Deliveries, insurances, packages and passwords behave the same in process and over HTTP."""

from __future__ import annotations

import re

import pytest

from portal.bikes.api import BikesApi
from portal.contract.errors import Conflict, InvalidInput, NotFound, Refused, Unavailable
from portal.contract.session import Origin
from portal.contract.session_api import SessionApi
from portal.deliveries.api import DateChoice, DeliveriesApi
from portal.flow.api import DraftStart, FlowApi, Submission
from portal.flow.registry import FLOWS
from portal.insurance.api import InsuranceApi
from portal.kernel.codes import Code
from portal.links.api import LinkEntry, LinksApi
from portal.login.api import LoginApi, NewPassword, PasswordEntry, PasswordLink, PasswordResetRequest
from portal.overview.api import MileageEntry, OverviewApi
from portal.service_packages.api import ServicePackagesApi
from portal.vocabulary.deliveries import DateChangeStatus
from portal.vocabulary.links import LinkPurpose, LinkState
from tests.support.connections import UNHURRIED, Shop
from tests.support.entries import step_entry
from tests.support.people import DAAN, FLEUR, SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")
SETTINGS = {**UNHURRIED, "passwords": True}
OPEN, PENDING, GONE = "900000071", "900000072", "900000077"


async def _end(shop: Shop, email: str, path: str) -> str:
    import asyncio

    for _ in range(100):
        for mail in reversed(shop.mailbox.mails_to(email)):
            if found := re.search(rf"{path}/([A-Za-z0-9_-]{{43}})", _text(mail)):
                return found.group(1)
        await asyncio.sleep(0.1)
    raise AssertionError("no mail with a link came")


def _text(mail) -> str:
    body = mail.get_body(preferencelist=("plain",))
    return body.get_content() if body else ""


async def test_another_day_from_the_request_to_the_confirmation(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*DAAN)
    dates = await shop_each_way.ask(DeliveriesApi).delivery_dates(token, OPEN)
    day = dates.weeks[-1].days[-1].day
    sent = await shop_each_way.ask(DeliveriesApi).request_delivery_date(token, OPEN, DateChoice(day=day.isoformat()))
    assert (sent.change.new_day, sent.change.status) == (day, DateChangeStatus.WAITING_FOR_CUSTOMER)
    with pytest.raises(Conflict) as conflict:
        await shop_each_way.ask(DeliveriesApi).request_delivery_date(token, OPEN, DateChoice(day=day.isoformat()))
    assert conflict.value.code is Code.DATE_CHANGE_PENDING
    end = await _end(shop_each_way, DAAN[1], "/delivery-date/confirm")
    view = await shop_each_way.ask(LinksApi).confirm_link(LinkEntry(purpose=LinkPurpose.DELIVERY_DATE, hash=end))
    assert (view.state, view.about["order_number"]) == (LinkState.CONFIRMED, OPEN)
    document = await shop_each_way.ask(DeliveriesApi).delivery_date_pdf(token, OPEN, "en")
    assert (document.media_type, document.content[:5]) == ("application/pdf", b"%PDF-")
    calendar = await shop_each_way.ask(DeliveriesApi).delivery_calendar(token, OPEN, "nl")
    assert (calendar.media_type, calendar.name.endswith(".ics")) == ("text/calendar", True)
    assert calendar.content.startswith(b"BEGIN:VCALENDAR")
    assert (
        await shop_each_way.ask(DeliveriesApi).cancel_delivery_date(token, OPEN)
    ).status is DateChangeStatus.CANCELLED


async def test_what_cannot_be_moved_is_refused_with_its_code(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*DAAN)
    with pytest.raises(Refused) as refused:
        await shop_each_way.ask(DeliveriesApi).request_delivery_date(token, GONE, DateChoice(day="2026-06-09"))
    assert refused.value.code is Code.ALREADY_HANDED_OVER
    with pytest.raises(InvalidInput) as wrong:
        await shop_each_way.ask(DeliveriesApi).request_delivery_date(token, OPEN, DateChoice(day="soon"))
    assert wrong.value.fields == {"day": Code.INVALID_CHOICE}
    with pytest.raises(NotFound):
        await shop_each_way.ask(DeliveriesApi).resend_delivery_date(token, GONE)


async def test_an_insurance_and_a_package_through_their_flows(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*FLEUR)
    bike = next(
        entry for entry in (await shop_each_way.ask(InsuranceApi).insurance_bikes(token)).items if entry.refusal is None
    ).bike_id
    steps = {
        "insurance-request": (
            {"type": "theft", "insurer": "fietsvast", "key_number": "B12345"},
            {"iban": "NL91ABNA0417164300", "agreed": "yes"},
        ),
        "service-package": ({"package": "SERVICE21"},),
    }
    for flow, answers in steps.items():
        draft = await shop_each_way.ask(FlowApi).open_draft(token, DraftStart(flow=flow, subject=bike))
        for step, given in zip(FLOWS[flow].steps, ({"bike": bike}, *answers), strict=True):
            entry = step_entry(draft, step.name, given)
            draft = await shop_each_way.ask(FlowApi).save_step(token, draft.draft_id, entry)
        receipt = await shop_each_way.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
        assert receipt.summary["bike_id"] == bike
    request = (await shop_each_way.ask(InsuranceApi).insurance_options(token, bike)).bike.request
    assert request
    cancelled = await shop_each_way.ask(InsuranceApi).cancel_insurance(token, request.reference)
    assert cancelled.status == "cancelled"
    assert (await shop_each_way.ask(ServicePackagesApi).service_packages(token, bike)).packages
    home = await shop_each_way.ask(OverviewApi).enter_mileage(token, bike, MileageEntry(mileage="12,5"))
    assert home.mileage_km == "12.5"


async def test_premiums_that_are_not_known_are_shown_as_such(shop_each_way: Shop) -> None:
    token = await shop_each_way.token(*FLEUR)
    bike = (await shop_each_way.ask(BikesApi).bikes(token)).items[0].bike_id
    await shop_each_way.alter("UPDATE insurance_tariffs SET kind = 'away-' || kind")
    try:
        with pytest.raises(Unavailable) as caught:
            await shop_each_way.ask(InsuranceApi).insurance_options(token, bike)
    finally:
        await shop_each_way.alter("UPDATE insurance_tariffs SET kind = substr(kind, 6)")
    assert caught.value.code is Code.INSURANCE_OPTIONS_FAILED


async def test_a_password_is_set_and_used(shop_each_way: Shop) -> None:
    origin = Origin(address="198.51.100.4")
    await shop_each_way.ask(LoginApi).request_password_reset(
        PasswordResetRequest(email=SANNE[1], order_number=SANNE[0]), origin
    )
    end = await _end(shop_each_way, SANNE[1], "/password/reset")
    assert (await shop_each_way.ask(LoginApi).password_link(PasswordLink(hash=end))).state is LinkState.VALID
    with pytest.raises(InvalidInput) as caught:
        await shop_each_way.ask(LoginApi).set_password(NewPassword(hash=end, password="kort", repeat="kort"))
    assert caught.value.fields == {"password": Code.INVALID_PASSWORD}
    await shop_each_way.ask(LoginApi).set_password(
        NewPassword(hash=end, password="Fietsbel-2026!", repeat="Fietsbel-2026!")
    )
    entry = PasswordEntry(email=SANNE[1], order_number=SANNE[0], password="Fietsbel-2026!")
    opened = await shop_each_way.ask(LoginApi).log_in(entry, origin)
    assert (await shop_each_way.ask(SessionApi).customer_info(opened.jwt)).customer.email == SANNE[1]
    with pytest.raises(Refused) as refused:
        await shop_each_way.ask(LoginApi).set_password(
            NewPassword(hash=end, password="Fietsbel-2026!", repeat="Fietsbel-2026!")
        )
    assert refused.value.code is Code.HASH_NOT_FOUND
