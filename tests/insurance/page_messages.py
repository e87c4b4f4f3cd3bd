"""Messages of the insurance pages: missing premiums, requested and not requested insurances."""

from portal.flow.pages.state import FlowRun
from portal.frontend.texts import message
from portal.insurance.pages.insurances import InsurancePackages, insurance_package
from portal.insurance.pages.status import insurance_sent
from portal.kernel.codes import Code
from tests.support.asking import CHECK, COMPARE, FLOW, bike_of, filled, no_tariffs, nobody_answers, sent
from tests.support.form_versions import form_version
from tests.support.page_messages import Connections, at, says, toasted, written
from tests.support.people import FLEUR
from tests.support.pipeline import signed_in

FAILED = ("We could not load your insurance options", "We konden je verzekeringsopties niet laden")


@says("insurance options load error", *FAILED, Code.INSURANCE_OPTIONS_FAILED)
async def _(connections: Connections) -> str:
    async with no_tariffs(connections.shop):
        tab = await connections.open(InsurancePackages, COMPARE, FLEUR)
    assert tab.shown(InsurancePackages, "failed") is True
    return written(insurance_package())


@says("insurance request without options", *FAILED)
async def _(connections: Connections) -> str:
    async with no_tariffs(connections.shop):
        tab = await connections.open(FlowRun, f"/{FLOW}", FLEUR)
    assert tab.shown(FlowRun, "problem") == Code.INSURANCE_OPTIONS_FAILED
    return at(message(FlowRun.problem), Code.INSURANCE_OPTIONS_FAILED)


@says(
    "insurance of a bike requested",
    "The insurance of your {bike} has been requested.",
    "De verzekering van je {bike} is aangevraagd.",
)
async def _(connections: Connections) -> str:
    token = await connections.shop.token(*FLEUR)
    tab = signed_in(connections.tabs.tab("requested"), token)
    assert await sent(connections.shop, tab, token)
    assert tab.shown(FlowRun, "receipt").summary["bike"] == (await bike_of(connections.shop, token)).name
    return written(insurance_sent())


@says(
    "insurance of a bike not requested",
    "The insurance of your {bike} couldn’t be requested. Try again, or contact us.",
    "De verzekering van je {bike} kon niet worden aangevraagd. Probeer het opnieuw of neem contact met ons op.",
)
async def _(connections: Connections) -> str:
    token = await connections.shop.token(*FLEUR)
    tab, bike = signed_in(connections.tabs.tab("not-requested"), token), await bike_of(connections.shop, token)
    draft = await filled(connections.shop, token, FLOW, bike.bike_id)
    await tab.send(FlowRun.enter, CHECK)
    async with nobody_answers(connections.shop):
        form = form_version(draft)
        await tab.send(FlowRun.send, CHECK, form=form)
    return toasted(tab).replace(bike.name, "{bike}")
