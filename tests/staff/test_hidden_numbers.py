"""What staff do not see in a session of a customer: policy, account and pin numbers, wherever they stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO

import pytest
from pypdf import PdfReader
from sqlmodel import select

from portal.flow.api import Draft, DraftStart, FlowApi
from portal.flow.pages.views import journey_of
from portal.flow.registry import FLOWS
from portal.flow.rules import Answer
from portal.kernel.codes import Code
from portal.kernel.days import today
from portal.login.api import LoginApi, VisitLink
from portal.staff.api import CustomersApi, VisitEntry
from portal.tables.customers import CustomerRow
from portal.vocabulary.staff import CONCEALED, HiddenNumber, VisitMode
from portal.work_orders.api import WorkOrdersApi
from tests.staff.test_visits import HERE
from tests.support.customers import AMBER, NOOR
from tests.support.entries import step_entry
from tests.support.living import FLEUR, Living
from tests.support.staff import ESRA, staff_token
from tests.work_orders.test_service_claims import submit_claim

READ, IN_NAME = VisitMode.READ_ONLY, VisitMode.IN_NAME
CODES = {Code.INVALID_IBAN, Code.INVALID_PIN_CODE, Code.INVALID_POLICY_NUMBER}
"""With these a number is refused that staff have to reveal."""


@dataclass(frozen=True)
class Begun:
    """A request that a customer has begun, and the number in it."""

    customer: tuple[str, str]
    flow: str
    steps: tuple[tuple[str, Mapping[str, Answer]], ...]
    number: str


_INSURANCE = {"type": "theft_and_damage", "insurer": "kettingzeker", "key_number": "b 12-345"}
BEGUN = {
    "account": Begun(
        FLEUR,
        "insurance-request",
        (("insurance", _INSURANCE), ("account", {"iban": "nl91 abna 0417 1643 00", "agreed": "yes"})),
        "NL91ABNA0417164300",
    ),
    "pin code": Begun(
        AMBER,
        "repair-request",
        (("pincode", {"pin_known": "known", "pin_code": "4817"}),),
        "4817",
    ),
    "policy": Begun(
        NOOR,
        "claim-request",
        (
            ("parts", {"parts": ["frame", "wheels"]}),
            ("policy", {"insurer": "Fietspolis Direct", "policy_number": "FP 2044.881"}),
        ),
        "FP 2044.881",
    ),
}


async def look(shop: Living, customer: tuple[str, str], mode: VisitMode) -> str:
    """The token of a session of this customer that somebody of the staff opened."""
    async with shop.context.database.session() as session:
        row = (await session.exec(select(CustomerRow).where(CustomerRow.email == customer[1]))).one()
    desk = await staff_token(shop, ESRA)
    made = await shop.ask(CustomersApi).visit_customer(desk, row.public_id, VisitEntry.model_validate({"mode": mode}))
    return (await shop.ask(LoginApi).open_visit(VisitLink(hash=made.url.rpartition("/")[2]), HERE)).jwt


async def begin(shop: Living, token: str, begun: Begun) -> Draft:
    """Fill in a request about the first bike that admits it, until the number is given."""
    api = shop.ask(FlowApi)
    draft = await api.open_draft(token, DraftStart(flow=begun.flow, anew=True))
    wanted = begun.flow != "repair-request"
    bike = next(each["id"] for each in draft.facts["bikes"] if not each["refusal"] and (wanted or each["pin"]))
    for step, answers in (("bike", {"bike": bike}), *begun.steps):
        draft = await api.save_step(token, draft.draft_id, step_entry(draft, step, answers))
    return draft


@pytest.mark.parametrize("name", BEGUN)
async def test_a_number_in_a_draft_stays_hidden_from_who_only_looks(living: Living, name: str) -> None:
    begun = BEGUN[name]
    own = await living.log_in(begun.customer)
    draft = await begin(living, own, begun)
    looking, acting = [await look(living, begun.customer, mode) for mode in (READ, IN_NAME)]
    api, told = living.ask(FlowApi), draft.model_dump_json()
    assert begun.number in told
    shown = await api.draft(looking, draft.draft_id)
    assert shown.model_dump_json() == told.replace(begun.number, CONCEALED)
    assert journey_of(shown, today()).open == journey_of(draft, today()).open
    assert begun.number in (await api.draft(acting, draft.draft_id)).model_dump_json()


async def test_going_ahead_tells_no_number_to_who_only_looks(living: Living) -> None:
    begun = BEGUN["account"]
    draft = await begin(living, await living.log_in(begun.customer), begun)
    entry = step_entry(draft, "insurance", _INSURANCE | {"key_number": "K98765"})
    ahead = await living.ask(FlowApi).preview_step(await look(living, begun.customer, READ), draft.draft_id, entry)
    assert ahead.draft
    assert ahead.draft.answers["iban"] == CONCEALED


@pytest.mark.parametrize("mode", [READ, IN_NAME])
async def test_the_policy_number_of_a_claim_stays_hidden_on_its_page_and_in_its_document(
    living: Living, mode: VisitMode
) -> None:
    own, looking = await living.log_in(NOOR), await look(living, NOOR, mode)
    bikes = (await living.ask(FlowApi).flow_start(own, "claim-request")).facts["bikes"]
    reference = (await submit_claim(living, NOOR, bikes[0]["id"])).reference
    api = living.ask(WorkOrdersApi)

    async def texts(token: str) -> tuple[str, str]:
        document = await api.request_document(token, reference, "nl")
        pages = PdfReader(BytesIO(document.content)).pages
        detail = await api.service_request(token, reference)
        return detail.model_dump_json(), " ".join(page.extract_text() for page in pages)

    for told, hidden in zip(await texts(own), await texts(looking), strict=True):
        assert "FP 2044.881" in told
        assert "FP 2044.881" not in hidden
        assert CONCEALED in hidden


def test_every_number_that_is_revealed_has_a_name_by_which_it_is_hidden() -> None:
    fields = {field.name for flow in FLOWS.values() for field in flow.fields if CODES & set(field.rule.codes)}
    assert fields == set(HiddenNumber)
