"""Pages of a request that staff fill in for a customer: dots stand for the number, and typing replaces it."""

import json

import pytest

from portal.contract.session import Origin
from portal.flow.api import Answer, Draft, DraftStart, FlowApi
from portal.flow.pages.form import DRAFT, VERSION
from portal.flow.pages.state import FlowRun
from portal.insurance.flow import ACCOUNT, INSURANCE
from portal.insurance.pages.request import InsuranceChoice
from portal.login.api import LoginApi, VisitLink
from portal.staff.api.customers import CustomersApi, VisitEntry
from portal.vocabulary.staff import CONCEALED, Role, VisitMode
from tests.staff.test_correcting_pages import customer_id
from tests.support.connections import Shop
from tests.support.desk import hire
from tests.support.entries import step_entry
from tests.support.people import FLEUR
from tests.support.pipeline import Pipeline, signed_in

pytestmark = pytest.mark.asyncio(loop_scope="module")

STORED, TYPED = "NL91ABNA0417164300", "BE68539007547034"
COVER = {"type": "theft_and_damage", "insurer": "kettingzeker", "key_number": "b 12-345"}
PAGE, CHECK = INSURANCE.url(ACCOUNT), INSURANCE.url(INSURANCE.check_step)


async def insured(shop: Shop) -> tuple[str, str, Draft]:
    """Tokens of the customer and of staff in their name, and an insurance that the customer filled in to the end."""
    own, api = await shop.token(*FLEUR), shop.ask(FlowApi)
    draft = await api.open_draft(own, DraftStart(flow=INSURANCE.name, anew=True))
    bike = next(each["id"] for each in draft.facts["bikes"] if not each["refusal"])
    account = {"iban": STORED, "agreed": "yes"}
    for step, answers in (("bike", {"bike": bike}), ("insurance", COVER), ("account", account)):
        draft = await api.save_step(own, draft.draft_id, step_entry(draft, step, answers))
    desk, entry = await hire(shop, Role.SERVICE_DESK), VisitEntry(mode=VisitMode.IN_NAME)
    made = await shop.ask(CustomersApi).visit_customer(desk, customer_id(shop, FLEUR[1]), entry)
    link = VisitLink(hash=made.url.rpartition("/")[2])
    return own, (await shop.ask(LoginApi).open_visit(link, Origin(address="192.0.2.50"))).jwt, draft


def form_of(draft: Draft, **answers: Answer) -> dict[str, Answer]:
    """The form of a step."""
    return {DRAFT: draft.draft_id, VERSION: str(draft.version), "agreed": "yes", **answers}


async def test_next_keeps_the_dots_until_a_number_is_typed_over_them(tabs: Pipeline, shop: Shop) -> None:
    own, acting, draft = await insured(shop)
    tab = signed_in(tabs.tab("fills in"), acting)
    await tab.send(FlowRun.load, PAGE)
    assert (tab.shown(FlowRun, "texts")["iban"], tab.shown(InsuranceChoice, "iban")) == (CONCEALED, CONCEALED)
    before = tab.stored(FlowRun).marks
    for typed, stored, version in ((CONCEALED, STORED, draft.version), (TYPED, TYPED, draft.version + 1)):
        await tab.send(FlowRun.next, PAGE, form=form_of(draft, iban=typed))
        assert (tab.events[-1].payload["path"], tab.stored(FlowRun).version) == (CHECK, version)
        assert tab.stored(InsuranceChoice).iban == CONCEALED
        assert stored not in json.dumps(tab.deltas, default=str).replace(" ", "")
        assert (await shop.ask(FlowApi).draft(own, draft.draft_id)).answers["iban"] == stored
    # The form starts anew: the browser must not show again what was typed in it.
    after = tab.stored(FlowRun).marks
    assert [name for name in after if after[name] != before[name]] == [ACCOUNT.name]
