"""State of the comparison: offers, status of the bikes, failures."""

import pytest

from portal.bikes.api import BikesApi
from portal.flow.pages.state import FlowRun
from portal.insurance.pages.insurances import InsurancePackages
from tests.support.asking import COMPARE, FLOW, bike_of, no_tariffs, nobody_answers
from tests.support.connections import Shop
from tests.support.people import FLEUR, SANNE
from tests.support.pipeline import Pipeline, signed_in

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.usefixtures("nothing_asked_for")]
SETTINGS = {"code_wait_seconds": 60}
"""Mails may be repeated once a minute, as in production."""


async def test_offers_are_grouped_by_type_with_the_most_chosen_first(tabs: Pipeline, shop: Shop) -> None:
    token = await shop.token(*FLEUR)
    tab = signed_in(tabs.tab("groups"), token)
    await tab.send(InsurancePackages.load, COMPARE)
    assert tab.shown(InsurancePackages, "chosen").order_number == FLEUR[0]
    groups = tab.shown(InsurancePackages, "groups")
    assert [group[0].type for group in groups] == ["theft_and_damage", "theft"]
    assert [[offer.insurer for offer in group] for group in groups] == [["kettingzeker", "fietsvast"]] * 2
    assert [offer.most_chosen for group in groups for offer in group] == [True, False, False, False]
    other = await bike_of(shop, token, "900000085")
    await tab.send(InsurancePackages.load, f"{COMPARE}?bike={other.bike_id}")
    assert tab.shown(InsurancePackages, "chosen").bike_id == other.bike_id
    for stranger in ((await shop.ask(BikesApi).bikes(await shop.token(*SANNE))).items[0].bike_id, "x", "ABCDEFGH23"):
        await tab.send(InsurancePackages.load, f"{COMPARE}?bike={stranger}")
        assert tab.shown(InsurancePackages, "chosen").order_number == FLEUR[0]


async def test_the_bikes_are_shown_without_premiums_and_loading_can_be_repeated(tabs: Pipeline, shop: Shop) -> None:
    tab = signed_in(tabs.tab("no-premiums"), await shop.token(*FLEUR))
    async with no_tariffs(shop):
        await tab.send(InsurancePackages.load, COMPARE)
        assert (tab.shown(InsurancePackages, "view_state"), tab.shown(InsurancePackages, "failed")) == ("ready", True)
        assert len(tab.shown(InsurancePackages, "bikes")) == 5
        await tab.send(FlowRun.load, f"/{FLOW}")
        assert (tab.shown(FlowRun, "view_state"), tab.shown(FlowRun, "problem")) == (
            "failed",
            "insurance_options_failed",
        )
    await tab.send(InsurancePackages.load, COMPARE)
    assert tab.shown(InsurancePackages, "failed") is False
    async with nobody_answers(shop):
        nobody = signed_in(tabs.tab("nobody"), await shop.token(*FLEUR))
        await nobody.send(InsurancePackages.load, COMPARE)
        assert nobody.shown(InsurancePackages, "view_state") in {None, "failed"}
