"""Insurances and service packages, event by event: what is shown, what is refused, and what comes by itself."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from portal.client.provider import HttpProvider
from portal.contract import street
from portal.contract.drafts import Draft, DraftStart
from portal.contract.insurance import InsuranceBike
from portal.contract.links import LinkEntry
from portal.domain.codes import MESSAGES, Code
from portal.domain.insurances import BIKE_NOT_INSURED
from portal.domain.links import LinkPurpose
from portal.provider.backoffice.moves import Wish
from portal.provider.house import House
from portal.settings import Settings
from portal.states import live
from portal.states.flow import FlowRun
from portal.states.insurance_acts import TAKEN_BACK, InsuranceActs
from portal.states.insurance_choice import InsuranceChoice
from portal.states.insurance_package import InsurancePackages
from portal.states.insurance_sent import InsuranceSent
from portal.states.package_offers import PackageOffers
from portal.states.service_jobs import ServiceJobs
from portal.states.toasts import Toasts
from portal.texts import both
from tests.contract.filling import clear, save
from tests.contract.people import FLEUR, NOOR, SANNE
from tests.portal.conftest import signed_in
from tests.portal.test_live_states import begin, until
from tests.support.aftercare_flows import INSURING, PACKAGING
from tests.support.mailbox import text_of
from tests.support.pipeline import Pipeline, Tab
from tests.support.ports import free_port
from tests.support.ways import Shop, opened

pytestmark = pytest.mark.asyncio(loop_scope="module")
COMPARE, FLOW, PACKAGE = "/insurance-package", "insurance-request", "service-package"
CHECK, CONFIRMATION = f"/{FLOW}/step-4", f"/{FLOW}/confirmation"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shop(demonstration: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Shop]:
    """A shop that mails the same thing once a minute, as shops do."""
    async with opened("services", demonstration, tmp_path_factory.mktemp("shop"), {"code_wait_seconds": 60}) as shop:
        yield shop


@pytest_asyncio.fixture(loop_scope="module")
async def office(shop: Shop) -> AsyncIterator[House]:
    """The back office, as a process of its own would be."""
    house = House(Settings.model_validate({"data_dir": shop.data_dir}))
    yield house
    await house.context.database.close()


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def _as_it_was(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    monkeypatch.setattr(live, "SETTLED_SECONDS", 0.05)
    yield
    for statement in (
        "DELETE FROM drafts",
        "UPDATE bikes SET insurance = '' WHERE id IN (SELECT bike_id FROM insurance_requests WHERE draft_key <> '')",
        "DELETE FROM insurance_requests WHERE draft_key IS NOT NULL",
        "DELETE FROM confirmation_links",
        "DELETE FROM limit_windows",
        "UPDATE bikes SET service_package = NULL WHERE id IN"
        " (SELECT bike_id FROM package_orders WHERE draft_key IS NOT NULL)",
        "DELETE FROM package_orders WHERE draft_key IS NOT NULL",
    ):
        await shop.alter(statement)


@asynccontextmanager
async def _nobody_answers(shop: Shop) -> AsyncIterator[None]:
    down = HttpProvider(f"http://127.0.0.1:{free_port()}", api_key="k")
    street.connect(down)
    try:
        yield
    finally:
        street.connect(shop.provider)
        await down.close()


@asynccontextmanager
async def _no_tariffs(shop: Shop) -> AsyncIterator[None]:
    await shop.alter("UPDATE insurance_tariffs SET kind = 'away-' || kind")
    try:
        yield
    finally:
        await shop.alter("UPDATE insurance_tariffs SET kind = substr(kind, 6)")


async def _bike(shop: Shop, token: str, order: str = FLEUR[0]) -> InsuranceBike:
    return next(bike for bike in await shop.provider.insurance_bikes(token) if bike.order_number == order)


async def _filled(shop: Shop, token: str, flow: str, bike: str, **other: str) -> Draft:
    """A request with everything answered, as the cases say or otherwise."""
    await clear(shop, token, flow)
    case = {FLOW: INSURING, PACKAGE: PACKAGING}[flow]
    draft = await shop.provider.open_draft(token, DraftStart(flow=flow, subject=bike))
    for slug, answers in case.answers.items():
        given: Mapping[str, Any] = {**answers, **other, "bike": bike}
        draft = await save(shop, token, draft, slug, given)
        if slug == "step-2" and other.get("type"):
            break  # an answer that becomes no policy has no account
    return draft


async def _sent(shop: Shop, tab: Tab, token: str, **other: str) -> str:
    """An insurance that this tab asked for; its reference."""
    draft = await _filled(shop, token, FLOW, (await _bike(shop, token)).bike_id, **other)
    await tab.send(FlowRun.enter, CHECK)
    await tab.send(FlowRun.send, CHECK, form={"draft-id": draft.draft_id, "draft-version": str(draft.version)})
    return tab.shown(FlowRun, "receipt").reference


async def _end(shop: Shop) -> str:
    """The end of the link in the newest mail."""
    async with asyncio.timeout(5):
        while True:
            for mail in reversed(await asyncio.to_thread(shop.mailbox.mails_to, FLEUR[1])):
                if found := re.search(r"/insurance-request/confirm/([A-Za-z0-9_-]{43})", text_of(mail)):
                    return found.group(1)
            await asyncio.sleep(0.05)


async def test_each_bike_is_offered_until_a_day_or_says_why_not(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("compare"), await shop.token(*FLEUR))
    await tab.send(InsurancePackages.load, COMPARE)
    bikes = {bike.order_number: bike for bike in tab.shown(InsurancePackages, "bikes")}
    assert [(bikes[f"90000008{place}"].offered, bikes[f"90000008{place}"].refusal) for place in range(1, 6)] == [
        (True, ""),
        (False, "insurance_request_exists"),
        (False, "insurance_request_exists"),
        (False, "insurance_exists"),
        (False, "insurance_term_over"),
    ]
    assert bikes["900000081"].until > bikes["900000081"].order_day
    assert (bikes["900000082"].request.waiting, bikes["900000083"].request.status) == (True, "created")
    assert bikes["900000084"].policy.startswith("P")
    assert bikes["900000085"].request.status == "cancelled"


async def test_the_two_insurers_stand_beside_each_other_with_what_is_chosen_most_first(
    tabs: Pipeline, shop: Shop
) -> None:
    token = await shop.token(*FLEUR)
    tab = signed_in(tabs.tab("groups"), token)
    await tab.send(InsurancePackages.load, COMPARE)
    assert tab.shown(InsurancePackages, "chosen").order_number == FLEUR[0]
    groups = tab.shown(InsurancePackages, "groups")
    assert [group.type for group in groups] == ["theft_and_damage", "theft"]
    assert [[offer.insurer for offer in group.offers] for group in groups] == [["kettingzeker", "fietsvast"]] * 2
    assert [offer.most_chosen for group in groups for offer in group.offers] == [True, False, False, False]
    other = await _bike(shop, token, "900000085")
    await tab.send(InsurancePackages.load, f"{COMPARE}?bike={other.bike_id}")
    assert tab.shown(InsurancePackages, "chosen").bike_id == other.bike_id
    for stranger in ((await shop.provider.bikes(await shop.token(*SANNE)))[0].bike_id, "x", "ABCDEFGH23"):
        await tab.send(InsurancePackages.load, f"{COMPARE}?bike={stranger}")
        assert tab.shown(InsurancePackages, "chosen").order_number == FLEUR[0]


async def test_premiums_that_cannot_be_loaded_leave_the_bikes_and_can_be_asked_again(
    tabs: Pipeline, shop: Shop
) -> None:
    tab = signed_in(tabs.tab("no-premiums"), await shop.token(*FLEUR))
    async with _no_tariffs(shop):
        await tab.send(InsurancePackages.load, COMPARE)
        assert (tab.shown(InsurancePackages, "face"), tab.shown(InsurancePackages, "failed")) == ("ready", True)
        assert len(tab.shown(InsurancePackages, "bikes")) == 5
        await tab.send(FlowRun.load, f"/{FLOW}")
        assert (tab.shown(FlowRun, "face"), tab.shown(FlowRun, "problem")) == ("failed", "insurance_options_failed")
    await tab.send(InsurancePackages.load, COMPARE)
    assert tab.shown(InsurancePackages, "failed") is False
    async with _nobody_answers(shop):
        nobody = signed_in(tabs.tab("nobody"), await shop.token(*FLEUR))
        await nobody.send(InsurancePackages.load, COMPARE)
        assert nobody.shown(InsurancePackages, "face") in {None, "failed"}


async def test_the_answers_tell_the_premium_and_the_key_that_we_know(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.token(*FLEUR)
    tab = signed_in(tabs.tab("choice"), token)
    bike = await _bike(shop, token)
    await _filled(shop, token, FLOW, bike.bike_id)
    await tab.send(FlowRun.enter, CHECK)
    offers = {
        offer.key: f"{offer.premium:.2f}"
        for offer in (await shop.provider.insurance_options(token, bike.bike_id)).offers
    }
    assert tab.shown(InsuranceChoice, "premiums") == offers
    assert tab.shown(InsuranceChoice, "premium") == offers["kettingzeker-theft_and_damage"]
    assert (tab.shown(InsuranceChoice, "key_number") or "") == bike.key_number


async def test_an_insurance_from_the_request_to_the_policy_by_itself(tabs: Pipeline, shop: Shop, office: House) -> None:
    token = await shop.token(*FLEUR)
    tab = signed_in(tabs.tab("whole-way"), token)
    reference = await _sent(shop, tab, token)
    await tab.send(InsuranceSent.load, CONFIRMATION)
    request = tab.shown(InsuranceSent, "requests")[reference]
    assert (request.status, request.waiting, request.email) == ("waiting_for_input", True, "f…@…com")
    watching = await begin(tab, InsuranceSent.watch, CONFIRMATION)
    await asyncio.sleep(0.3)
    await shop.provider.confirm_link(LinkEntry(purpose=LinkPurpose.INSURANCE, hash=await _end(shop)))
    await until(lambda: (tab.shown(InsuranceSent, "requests") or {reference: request})[reference].status == "created")
    wish = Wish(status="finished", policy_number="P123456789", planned_date=None)
    await office.back_office.move("insurance", reference, wish)
    await until(lambda: tab.shown(InsuranceSent, "requests")[reference].status == "finished")
    finished = tab.shown(InsuranceSent, "requests")[reference]
    assert (finished.status, finished.policy, finished.open) == ("finished", "P123456789", False)
    watching.cancel()
    await tab.send(InsurancePackages.load, COMPARE)
    bike = next(bike for bike in tab.shown(InsurancePackages, "bikes") if bike.order_number == FLEUR[0])
    assert (bike.insurance, bike.policy, bool(bike.starts)) == ("theft_and_damage", "P123456789", True)


async def test_the_mail_comes_again_but_not_at_once(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.token(*FLEUR)
    tab = signed_in(tabs.tab("resend"), token)
    reference = await _sent(shop, tab, token)
    await tab.send(InsuranceActs.resend, CONFIRMATION, reference=reference)
    assert (tab.shown(InsuranceActs, "refusal"), tab.shown(InsuranceActs, "about")) == (
        "mail_sent_recently",
        reference,
    )
    assert tab.shown(InsuranceActs, "again_at")
    await shop.alter("DELETE FROM limit_windows")
    await tab.send(InsuranceActs.resend, CONFIRMATION, reference=reference)
    assert (tab.shown(InsuranceActs, "sent_to"), tab.shown(InsuranceActs, "refusal")) == ("f…@…com", "")
    assert tab.shown(Toasts, "items")[-1]["kind"] == "success"


async def test_a_request_is_taken_back_once_and_only_by_whose_it_is(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.token(*FLEUR)
    tab = signed_in(tabs.tab("cancel"), token)
    reference = await _sent(shop, tab, token)
    stranger = signed_in(tabs.tab("stranger"), await shop.token(*NOOR))
    await stranger.send(InsuranceActs.cancel, COMPARE, reference=reference)
    assert stranger.shown(InsuranceActs, "refusal") == "not_found"
    await stranger.send(InsuranceActs.resend, COMPARE, reference=reference)
    assert stranger.shown(InsuranceActs, "attempt") == 2
    await tab.send(InsuranceActs.cancel, CONFIRMATION, reference=reference)
    assert tab.shown(Toasts, "items")[-1]["title"] == both(TAKEN_BACK)
    await tab.send(InsuranceSent.load, CONFIRMATION)
    assert tab.shown(InsuranceSent, "requests")[reference].status == "cancelled"
    await tab.send(InsuranceActs.cancel, CONFIRMATION, reference=reference)
    assert tab.shown(InsuranceActs, "refusal") == "status_not_allowed"


@pytest.mark.parametrize("kind", ["none", "already_insured"])
async def test_an_answer_without_a_policy_is_passed_on(tabs: Pipeline, shop: Shop, kind: str) -> None:
    token = await shop.token(*FLEUR)
    tab = signed_in(tabs.tab(f"answer-{kind}"), token)
    reference = await _sent(shop, tab, token, type=kind)
    receipt = tab.shown(FlowRun, "receipt")
    assert (receipt.summary["status"], receipt.summary["premium"], receipt.email) == ("finished", "", "")
    await tab.send(InsurancePackages.load, COMPARE)
    bike = next(bike for bike in tab.shown(InsurancePackages, "bikes") if bike.order_number == FLEUR[0])
    assert (bike.request.reference, bike.request.insuring, bike.offered) == (reference, False, True)


CHANGES = {
    "insurance_term_over": (
        "UPDATE orders SET ordered_at = datetime('now', '-15 days') WHERE order_number = '900000081'",
        "UPDATE orders SET ordered_at = datetime('now', '-3 days') WHERE order_number = '900000081'",
    ),
    "insurance_exists": (
        "UPDATE bikes SET insurance = 'theft' WHERE order_id ="
        " (SELECT id FROM orders WHERE order_number = '900000081')",
        "UPDATE bikes SET insurance = '' WHERE order_id = (SELECT id FROM orders WHERE order_number = '900000081')",
    ),
    "insurance_request_exists": (
        "INSERT INTO insurance_requests (reference, customer_id, bike_id, type, key_number, iban, status,"
        " waits_for_link, policy_number, note, created_at, updated_at)"
        " SELECT 'COUNTER2', bikes.customer_id, bikes.id, 'theft', '', '', 'created', 0, '', '', orders.ordered_at,"
        " orders.ordered_at FROM bikes JOIN orders ON orders.id = bikes.order_id WHERE order_number = '900000081'",
        "DELETE FROM insurance_requests WHERE reference = 'COUNTER2'",
    ),
    "insurance_options_failed": (
        "UPDATE insurance_tariffs SET kind = 'away-' || kind",
        "UPDATE insurance_tariffs SET kind = substr(kind, 6)",
    ),
}
"""What happens between answering and sending, and how it is undone, by the code of the refusal."""


@pytest.mark.parametrize("code", CHANGES)
async def test_a_bike_that_could_not_be_insured_is_named_with_the_reason(tabs: Pipeline, shop: Shop, code: str) -> None:
    change, back = CHANGES[code]
    token = await shop.token(*FLEUR)
    tab = signed_in(tabs.tab(f"refused-{code}"), token)
    bike = await _bike(shop, token)
    draft = await _filled(shop, token, FLOW, bike.bike_id)
    form = {"draft-id": draft.draft_id, "draft-version": str(draft.version)}
    await tab.send(FlowRun.enter, CHECK)
    await shop.alter(change)
    try:
        await tab.send(FlowRun.send, CHECK, form=form)
    finally:
        await shop.alter(back)
    assert tab.shown(FlowRun, "refusal") == code
    toast = tab.shown(Toasts, "items")[-1]
    assert toast["title"] == both(BIKE_NOT_INSURED, bike=bike.name)
    assert toast["text"] == both(MESSAGES[Code(code)])
    await tab.send(FlowRun.send, CHECK, form=form)
    assert tab.shown(FlowRun, "receipt").summary["bike"] == bike.name


async def test_a_shop_that_does_not_answer_is_told_of_with_the_name_of_the_bike(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.token(*FLEUR)
    tab = signed_in(tabs.tab("not-sent"), token)
    bike = await _bike(shop, token)
    draft = await _filled(shop, token, FLOW, bike.bike_id)
    await tab.send(FlowRun.enter, CHECK)
    async with _nobody_answers(shop):
        form = {"draft-id": draft.draft_id, "draft-version": str(draft.version)}
        await tab.send(FlowRun.send, CHECK, form=form)
    assert tab.shown(Toasts, "items")[-1]["title"] == both(BIKE_NOT_INSURED, bike=bike.name)
    assert tab.shown(FlowRun, "refusal") == "network_error"


async def test_the_packages_of_a_bike_stand_in_two_series(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.token(*FLEUR)
    tab = signed_in(tabs.tab("packages"), token)
    bike = (await _bike(shop, token)).bike_id
    await _filled(shop, token, PACKAGE, bike)
    step = f"/{PACKAGE}/step-2"
    await tab.send(FlowRun.enter, step)
    async with _nobody_answers(shop):
        await tab.send(PackageOffers.load, step)
        assert tab.shown(PackageOffers, "face") == "failed"
    await tab.send(PackageOffers.load, step)
    families = tab.shown(PackageOffers, "families")
    codes = [[package.code for package in family.packages] for family in families]
    assert codes == [["SERVICE11", "SERVICE21", "SERVICE31"], ["SERVICE12", "SERVICE22", "SERVICE32", "SERVICE42"]]
    every = [package for family in families for package in family.packages]
    assert [package.code for package in every if package.most_chosen] == ["SERVICE21"]
    assert [package.code for package in every if not package.choosable] == ["SERVICE12"]
    comfort = next(package for package in every if package.code == "SERVICE21")
    assert [bool(service.usual) for service in comfort.services] == [True, True, False, False]


async def test_the_discount_of_a_package_is_what_a_service_then_costs(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.token(*FLEUR)
    tab = signed_in(tabs.tab("discount"), token)
    bike = (await _bike(shop, token)).bike_id
    draft = await _filled(shop, token, PACKAGE, bike)
    await tab.send(FlowRun.enter, f"/{PACKAGE}/step-2")
    await tab.send(PackageOffers.load, f"/{PACKAGE}/step-2")
    every = [package for family in tab.shown(PackageOffers, "families") for package in family.packages]
    told = {service.job: service for service in next(one for one in every if one.code == "SERVICE21").services}
    form = {"draft-id": draft.draft_id, "draft-version": str(draft.version)}
    await tab.send(FlowRun.send, f"/{PACKAGE}/step-3", form=form)
    assert tab.shown(FlowRun, "receipt").summary["package"] == "SERVICE21"
    service = await shop.provider.open_draft(token, DraftStart(flow="service-request", subject=bike))
    await save(shop, token, service, "step-1", {"bike": bike})
    await tab.send(FlowRun.enter, "/service-request/step-2")
    await tab.send(ServiceJobs.load, "/service-request/step-2")
    assert tab.shown(ServiceJobs, "package") == "SERVICE21"
    for job in tab.shown(ServiceJobs, "jobs"):
        assert (job.reduced or job.price) == told[job.job].price
        assert bool(job.reduced) == bool(told[job.job].usual)
