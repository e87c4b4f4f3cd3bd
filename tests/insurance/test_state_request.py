"""States of the insurance flow: choice, sent request, resend, cancel, refusals."""

import asyncio

import pytest

from portal.backend.backoffice import TransitionRequest
from portal.bikes.api import BikesApi
from portal.flow.pages.state import FlowRun
from portal.frontend.toasts import Toasts
from portal.insurance.api import InsuranceApi
from portal.insurance.pages.insurances import InsurancePackages
from portal.insurance.pages.request import InsuranceChoice
from portal.insurance.pages.status import CANCELLED, InsuranceActs, InsuranceSent
from portal.insurance.rules import BIKE_NOT_INSURED
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import both
from portal.links.api import LinkEntry, LinksApi
from portal.provider.application import Application
from portal.vocabulary.links import LinkPurpose
from tests.frontend.test_live import begin
from tests.support.asking import CHECK, COMPARE, CONFIRMATION, FLOW, bike_of, end_of_link, filled, sent
from tests.support.connections import Shop
from tests.support.form_versions import form_version
from tests.support.people import FLEUR, NOOR
from tests.support.pipeline import Pipeline, signed_in
from tests.support.waiting import until

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.usefixtures("nothing_asked_for")]
SETTINGS = {"code_wait_seconds": 60}
"""Mails may be repeated once a minute, as in production."""


async def test_the_step_shows_the_premium_and_the_known_key_number(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.token(*FLEUR)
    tab = signed_in(tabs.tab("choice"), token)
    bike = await bike_of(shop, token)
    await filled(shop, token, FLOW, bike.bike_id)
    await tab.send(FlowRun.enter, CHECK)
    offers = {
        offer.key: offer for offer in (await shop.ask(InsuranceApi).insurance_options(token, bike.bike_id)).offers
    }
    assert tab.shown(InsuranceChoice, "offers") == offers
    assert tab.shown(InsuranceChoice, "chosen") == offers["kettingzeker-theft_and_damage"]
    known = (await shop.ask(BikesApi).bike(token, bike.bike_id)).key_numbers
    assert (tab.shown(InsuranceChoice, "key_number") or "") == (known[0] if known else "")


async def test_the_page_after_sending_follows_the_request_until_the_policy(
    tabs: Pipeline, shop: Shop, office: Application
) -> None:
    token = await shop.token(*FLEUR)
    tab = signed_in(tabs.tab("whole-request"), token)
    reference = await sent(shop, tab, token)
    await tab.send(InsuranceSent.load, CONFIRMATION)
    request = tab.shown(InsuranceSent, "requests")[reference]
    assert (request.status, request.email) == ("waiting_for_input", "fleur@example.com")
    assert request.link_expires_at
    watching = await begin(tab, InsuranceSent.watch, CONFIRMATION)
    await asyncio.sleep(0.3)
    await shop.ask(LinksApi).confirm_link(LinkEntry(purpose=LinkPurpose.INSURANCE, hash=await end_of_link(shop)))
    await until(lambda: (tab.shown(InsuranceSent, "requests") or {reference: request})[reference].status == "created")
    await office.back_office.move(
        "insurance", reference, TransitionRequest(status="waiting_for_input", note="Graag een foto.")
    )
    await until(lambda: tab.shown(InsuranceSent, "requests")[reference].status == "waiting_for_input")
    assert tab.shown(InsuranceSent, "requests")[reference].link_expires_at is None, "the insurer waits, not the link"
    await office.back_office.move("insurance", reference, TransitionRequest(status="created"))
    transition = TransitionRequest(status="finished", policy_number="P123456789", planned_date=None)
    await office.back_office.move("insurance", reference, transition)
    await until(lambda: tab.shown(InsuranceSent, "requests")[reference].status == "finished")
    finished = tab.shown(InsuranceSent, "requests")[reference]
    assert "P123456789" in finished.account.model_dump_json()
    watching.cancel()
    await tab.send(InsurancePackages.load, COMPARE)
    bike = next(bike for bike in tab.shown(InsurancePackages, "bikes") if bike.order_number == FLEUR[0])
    assert (bike.insurance, bike.policy_number) == ("theft_and_damage", "P123456789")
    assert bike.insurance_start


async def test_the_mail_can_be_sent_again_after_a_wait(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.token(*FLEUR)
    tab = signed_in(tabs.tab("resend"), token)
    reference = await sent(shop, tab, token)
    await tab.send(InsuranceActs.resend, CONFIRMATION, reference=reference)
    assert (tab.shown(InsuranceActs, "refusal"), tab.shown(InsuranceActs, "about")) == ("mail_sent_recently", reference)
    assert tab.shown(InsuranceActs, "again_at")
    await shop.alter("DELETE FROM limit_windows")
    await tab.send(InsuranceActs.resend, CONFIRMATION, reference=reference)
    assert (tab.shown(InsuranceActs, "sent_to"), tab.shown(InsuranceActs, "refusal")) == ("fleur@example.com", "")
    assert tab.shown(Toasts, "items")[-1]["kind"] == "success"


async def test_only_the_owner_can_cancel_a_request_and_only_once(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.token(*FLEUR)
    tab = signed_in(tabs.tab("cancel"), token)
    reference = await sent(shop, tab, token)
    stranger = signed_in(tabs.tab("stranger"), await shop.token(*NOOR))
    await stranger.send(InsuranceActs.cancel, COMPARE, reference=reference)
    assert stranger.shown(InsuranceActs, "refusal") == "not_found"
    await stranger.send(InsuranceActs.resend, COMPARE, reference=reference)
    assert stranger.shown(InsuranceActs, "attempt") == 2
    await tab.send(InsuranceActs.cancel, CONFIRMATION, reference=reference)
    assert tab.shown(Toasts, "items")[-1]["title"] == both(CANCELLED)
    await tab.send(InsuranceSent.load, CONFIRMATION)
    assert tab.shown(InsuranceSent, "requests")[reference].status == "cancelled"
    await tab.send(InsuranceActs.cancel, CONFIRMATION, reference=reference)
    assert tab.shown(InsuranceActs, "refusal") == "status_not_allowed"


@pytest.mark.parametrize("kind", ["none", "already_insured"])
async def test_an_answer_without_a_policy_is_passed_on(tabs: Pipeline, shop: Shop, kind: str) -> None:
    token = await shop.token(*FLEUR)
    tab = signed_in(tabs.tab(f"answer-{kind}"), token)
    reference = await sent(shop, tab, token, type=kind)
    receipt = tab.shown(FlowRun, "receipt")
    assert (receipt.summary["status"], receipt.summary["premium"], receipt.email) == ("finished", "", "")
    await tab.send(InsurancePackages.load, COMPARE)
    bike = next(bike for bike in tab.shown(InsurancePackages, "bikes") if bike.order_number == FLEUR[0])
    assert (bike.request.reference, bike.request.type, bike.refusal) == (reference, kind, None)


async def test_a_refusal_names_the_bike_and_the_reason(tabs: Pipeline, shop: Shop) -> None:
    ordered = "UPDATE orders SET ordered_at = datetime('now', ?) WHERE order_number = '900000081'"
    token = await shop.token(*FLEUR)
    tab = signed_in(tabs.tab("refused"), token)
    bike = await bike_of(shop, token)
    draft = await filled(shop, token, FLOW, bike.bike_id)
    form = form_version(draft)
    await tab.send(FlowRun.enter, CHECK)
    await shop.alter(ordered, "-15 days")
    try:
        await tab.send(FlowRun.send, CHECK, form=form)
    finally:
        await shop.alter(ordered, "-3 days")
    assert tab.shown(FlowRun, "refusal") == "insurance_term_over"
    toast = tab.shown(Toasts, "items")[-1]
    assert toast["title"] == both(BIKE_NOT_INSURED, bike=bike.name)
    assert toast["text"] == both(MESSAGES[Code.INSURANCE_TERM_OVER])
    # The customer must see the changed premium before sending again.
    await tab.send(FlowRun.enter, CHECK)
    await tab.send(FlowRun.send, CHECK, form=form)
    assert tab.shown(FlowRun, "receipt").summary["bike"] == bike.name
