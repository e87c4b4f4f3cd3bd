"""State of the package step: the two families, and the prices of services."""

import pytest

from portal.flow.api import DraftStart, FlowApi
from portal.flow.pages.state import FlowRun
from portal.service_packages.flow import PACKAGE_STEP, SERVICE_PACKAGE
from portal.service_packages.pages import PackageOffers
from portal.work_orders.flow.service import JOB_STEP, SERVICE
from portal.work_orders.pages.service import ServiceJobs
from tests.support.asking import PACKAGE, bike_of, filled, nobody_answers
from tests.support.connections import Shop
from tests.support.filling import save
from tests.support.form_versions import form_version
from tests.support.people import FLEUR
from tests.support.pipeline import Pipeline, signed_in

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.usefixtures("nothing_asked_for")]
SETTINGS = {"code_wait_seconds": 60}
"""Mails may be repeated once a minute, as in production."""


async def test_the_packages_of_a_bike_are_grouped_in_two_families(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.token(*FLEUR)
    tab = signed_in(tabs.tab("packages"), token)
    bike = (await bike_of(shop, token)).bike_id
    await filled(shop, token, PACKAGE, bike)
    step = SERVICE_PACKAGE.url(PACKAGE_STEP)
    await tab.send(FlowRun.enter, step)
    async with nobody_answers(shop):
        await tab.send(PackageOffers.load, step)
        assert tab.shown(PackageOffers, "view_state") == "failed"
    await tab.send(PackageOffers.load, step)
    families = tab.shown(PackageOffers, "families")
    codes = [[package.code for package in family] for family in families]
    assert codes == [["SERVICE11", "SERVICE21", "SERVICE31"], ["SERVICE12", "SERVICE22", "SERVICE32", "SERVICE42"]]
    every = [package for family in families for package in family]
    assert [package.code for package in every if package.most_chosen] == ["SERVICE21"]
    comfort = next(package for package in every if package.code == "SERVICE21")
    assert [service.half for service in comfort.services] == [True, True, False, False]


async def test_a_service_costs_what_the_package_promised(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.token(*FLEUR)
    tab = signed_in(tabs.tab("discount"), token)
    owned = await bike_of(shop, token)
    bike = owned.bike_id
    draft = await filled(shop, token, PACKAGE, bike)
    await tab.send(FlowRun.enter, SERVICE_PACKAGE.url(PACKAGE_STEP))
    await tab.send(PackageOffers.load, SERVICE_PACKAGE.url(PACKAGE_STEP))
    every = [package for family in tab.shown(PackageOffers, "families") for package in family]
    (comfort,) = [package for package in every if package.code == "SERVICE21"]
    promised = {service.job: service for service in comfort.services}
    form = form_version(draft)
    await tab.send(FlowRun.send, SERVICE_PACKAGE.url(SERVICE_PACKAGE.check_step), form=form)
    assert tab.shown(FlowRun, "receipt").summary["package"] == "SERVICE21"
    (about,) = tab.shown(FlowRun, "receipt").items
    assert (about.name, tab.shown(FlowRun, "sent_picture")) == (owned.name, owned.picture)
    service = await shop.ask(FlowApi).open_draft(token, DraftStart(flow="service-request", subject=bike))
    await save(shop, token, service, "bike", {"bike": bike})
    await tab.send(FlowRun.enter, SERVICE.url(JOB_STEP))
    await tab.send(ServiceJobs.load, SERVICE.url(JOB_STEP))
    offer = tab.shown(ServiceJobs, "offer")
    assert offer.service_package == "SERVICE21"
    for job in offer.products:
        assert (job.reduced or job.price) == promised[job.job].price
        assert bool(job.reduced) == promised[job.job].half
