"""The states of contracts, of a customer and of a guest, in Reflex's event pipeline."""

import pytest

from portal.contracts.pages.state import ContractPage, Contracts, GuestContractEnd
from portal.declarations.pages import CHECK, DECLARE, FIND, RECEIPT
from portal.frontend.load import MISSING, READY
from portal.kernel.codes import Code
from portal.overview.pages.state import BikeDetail
from tests.support.connections import Shop
from tests.support.living import FLEUR
from tests.support.people import EVA
from tests.support.pipeline import Pipeline, Tab, signed_in

pytestmark = pytest.mark.asyncio(loop_scope="module")

GUEST = "/cancel-contract"


async def contract_of(shop: Shop, tabs: Pipeline, name: str) -> tuple[Tab, str]:
    """Fleur opens her service package, which was taken out 20 days ago in the demonstration; the tab and its path."""
    await shop.alter("DELETE FROM jobs WHERE kind = 'contract_end'")
    await shop.alter("DELETE FROM contract_ends")
    tab = signed_in(tabs.tab(name), await shop.token(*FLEUR))
    await tab.send(Contracts.load, path="/contracts")
    package = next(view for view in tab.shown(Contracts, "running") if view.kind == "service_package")
    path = f"/contracts/{package.reference}"
    await tab.send(ContractPage.load, path=path)
    return tab, path


async def test_a_customer_cancels_in_two_steps_and_takes_it_back(tabs: Pipeline, shop: Shop) -> None:
    tab, path = await contract_of(shop, tabs, "cancels")
    shown = tab.shown(ContractPage, "shown")
    assert (tab.shown(ContractPage, "view_state"), shown.offered, shown.end) == (READY, "cancellation", None)
    await tab.send(ContractPage.confirm, path=path, form={})
    assert tab.shown(ContractPage, "shown") is None, "the first step cannot be left out"
    await tab.send(ContractPage.declare, path=path, form={"name": " "})
    assert tab.shown(ContractPage, "errors") == {"name": Code.REQUIRED}
    await tab.send(ContractPage.declare, path=path, form={"name": " Fleur Smit "})
    assert tab.shown(ContractPage, "step") == CHECK
    await tab.send(ContractPage.confirm, path=path, form={})
    end = tab.shown(ContractPage, "shown").end
    assert (tab.shown(ContractPage, "step"), end.status, end.can_take_back) == (DECLARE, "confirmed", True)
    assert end.account.money.total == end.account.money.lines[0].amount
    bike = tab.shown(ContractPage, "shown").bike_id
    await tab.send(BikeDetail.load, path=f"/bikes/{bike}")
    assert shown.picture == tab.shown(BikeDetail, "bike").picture
    kept = {view.kind: view.end and view.end.status for view in tab.shown(BikeDetail, "contracts")}
    assert kept["service_package"] == "confirmed"
    await tab.send(ContractPage.load, path=path)
    await tab.send(ContractPage.take_back, path=path)
    found = tab.shown(ContractPage, "shown")
    assert (found.end.status, found.offered) == ("taken_back", "cancellation")


async def test_another_customers_contract_is_missing(tabs: Pipeline, shop: Shop) -> None:
    _, path = await contract_of(shop, tabs, "owner")
    tab = signed_in(tabs.tab("no-owner"), await shop.token(*EVA))
    await tab.send(ContractPage.load, path=path)
    assert tab.shown(ContractPage, "view_state") == MISSING


async def test_a_guest_declares_and_the_customer_confirms_at_the_contract(tabs: Pipeline, shop: Shop) -> None:
    _, path = await contract_of(shop, tabs, "confirms")
    tab = tabs.tab("guest-ends")
    form = {"reference": path.rpartition("/")[2], "email": FLEUR[1]}
    await tab.send(GuestContractEnd.find, path=GUEST, form=form | {"email": EVA[1]})
    assert tab.shown(GuestContractEnd, "refusal") == Code.CONTRACT_NOT_FOUND
    await tab.send(GuestContractEnd.find, path=GUEST, form=form)
    assert tab.shown(GuestContractEnd, "step") == DECLARE
    assert tab.shown(GuestContractEnd, "found").offered == "cancellation"
    await tab.send(GuestContractEnd.declare, path=GUEST, form={"name": "Fleur"})
    assert FLEUR[1] not in repr(tab.deltas).lower(), "the e-mail address is not sent before the receipt"
    await tab.send(GuestContractEnd.confirm, path=GUEST, form={})
    found = tab.shown(GuestContractEnd, "receipt")
    assert (tab.shown(GuestContractEnd, "step"), found.email, found.account.money.lines) == (RECEIPT, FLEUR[1], [])
    assert "Fleur" in [line.nl for fact in found.account.facts for line in fact.lines]
    own = signed_in(tabs.tab("confirms-later"), await shop.token(*FLEUR))
    await own.send(ContractPage.load, path=path)
    shown = own.shown(ContractPage, "shown")
    assert (shown.end.status, shown.offered, shown.end.account.money.lines) == ("received", "cancellation", [])
    await own.send(ContractPage.confirm_declared, path=path, form={})
    assert own.shown(ContractPage, "shown").end.status == "confirmed"
    await own.send(ContractPage.confirm_declared, path=path, form={})
    await tab.send(GuestContractEnd.again, path=GUEST)
    assert tab.shown(GuestContractEnd, "step") == FIND
    await shop.alter("DELETE FROM contract_ends")
