"""What staff do not see in a session of a customer: policy, account and pin numbers, wherever they stand."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from io import BytesIO

import pytest
from pypdf import PdfReader
from sqlmodel import select

from portal.contract.errors import InvalidInput
from portal.flow import Answer
from portal.flow.api import Draft, DraftStart, FlowApi, Submission
from portal.flow.journey import FLOWS
from portal.flow.model import OPTIONAL_FIELDS
from portal.flow.pages.views import journey_of
from portal.kernel.codes import Code
from portal.kernel.days import today
from portal.login.api import LoginApi, VisitLink
from portal.staff.api.customers import CustomersApi, VisitEntry
from portal.tables.customers import CustomerRow
from portal.tables.insurance import InsuranceRequestRow
from portal.vocabulary.staff import CONCEALED, HiddenNumber, VisitMode
from portal.work_orders.api import WorkOrdersApi
from tests.staff.test_visits import HERE
from tests.support.customers import AMBER, NOOR
from tests.support.entries import step_entry
from tests.support.living import FLEUR, Living
from tests.support.staff import ESRA, staff_token
from tests.work_orders.test_service import submit_claim

READ, IN_NAME = VisitMode.READ_ONLY, VisitMode.IN_NAME
CODES = {Code.INVALID_IBAN, Code.INVALID_PIN_CODE, Code.INVALID_POLICY_NUMBER}
"""With these a number is refused that staff have to reveal."""


@dataclass(frozen=True)
class Begun:
    """A request that a customer has begun, and the number in its last step.

    Attributes:
        name: of the field with the number.
        other: another number, that can be given instead.
        refused: the code of what is no such number.
    """

    customer: tuple[str, str]
    flow: str
    steps: tuple[tuple[str, Mapping[str, Answer]], ...]
    name: str
    number: str
    other: str
    refused: Code

    @property
    def last(self) -> tuple[str, Mapping[str, Answer]]:
        return self.steps[-1]


_INSURANCE = {"type": "theft_and_damage", "insurer": "kettingzeker", "key_number": "b 12-345"}
BEGUN = {
    "account": Begun(
        FLEUR,
        "insurance-request",
        (("insurance", _INSURANCE), ("account", {"iban": "nl91 abna 0417 1643 00", "agreed": "yes"})),
        "iban",
        "NL91ABNA0417164300",
        "BE68539007547034",
        Code.INVALID_IBAN,
    ),
    "pin code": Begun(
        AMBER,
        "repair-request",
        (("pincode", {"pin_known": "known", "pin_code": "4817"}),),
        "pin_code",
        "4817",
        "",
        Code.INVALID_PIN_CODE,
    ),
    "policy": Begun(
        NOOR,
        "claim-request",
        (
            ("parts", {"parts": ["frame", "wheels"]}),
            ("policy", {"insurer": "Fietspolis Direct", "policy_number": "FP 2044.881"}),
        ),
        "policy_number",
        "FP 2044.881",
        "FP 3000.112",
        Code.INVALID_POLICY_NUMBER,
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


@pytest.mark.parametrize("mode", [READ, IN_NAME])
@pytest.mark.parametrize("name", BEGUN)
async def test_a_number_in_a_draft_stays_hidden_from_staff(living: Living, name: str, mode: VisitMode) -> None:
    begun = BEGUN[name]
    draft = await begin(living, await living.log_in(begun.customer), begun)
    told = draft.model_dump_json()
    assert begun.number in told
    shown = await living.ask(FlowApi).draft(await look(living, begun.customer, mode), draft.draft_id)
    # At the counter photos are optional.
    facts = {fact: value for fact, value in shown.facts.items() if fact != OPTIONAL_FIELDS}
    assert shown.model_copy(update={"facts": facts}).model_dump_json() == told.replace(begun.number, CONCEALED)
    assert journey_of(shown, today()).open == journey_of(draft, today()).open


@pytest.mark.parametrize("name", BEGUN)
async def test_dots_that_staff_leave_keep_the_number_and_elsewhere_are_none(living: Living, name: str) -> None:
    begun = BEGUN[name]
    own, api = await living.log_in(begun.customer), living.ask(FlowApi)
    acting, (step, answers) = await look(living, begun.customer, IN_NAME), begun.last
    dots = {**answers, begun.name: CONCEALED}
    without = await begin(living, own, replace(begun, steps=begun.steps[:-1]))
    with pytest.raises(InvalidInput) as caught:
        await api.save_step(acting, without.draft_id, step_entry(without, step, dots))
    assert caught.value.fields == {begun.name: begun.refused}
    draft = await begin(living, own, begun)
    with pytest.raises(InvalidInput) as caught:
        await api.save_step(own, draft.draft_id, step_entry(draft, step, dots))
    assert caught.value.fields == {begun.name: begun.refused}
    kept = await api.save_step(acting, draft.draft_id, step_entry(draft, step, dots))
    assert (kept.answers[begun.name], kept.version) == (CONCEALED, draft.version)
    assert (await api.draft(own, draft.draft_id)).answers == draft.answers


async def test_dots_stay_while_the_answer_beside_them_changes(living: Living) -> None:
    begun = BEGUN["policy"]
    own, api = await living.log_in(begun.customer), living.ask(FlowApi)
    draft = await begin(living, own, begun)
    acting, (step, _) = await look(living, begun.customer, IN_NAME), begun.last
    entry = step_entry(draft, step, {"policy_number": CONCEALED, "insurer": "Fietspolis Anders"})
    saved = await api.save_step(acting, draft.draft_id, entry)
    assert (saved.answers["policy_number"], saved.version) == (CONCEALED, draft.version + 1)
    assert (await api.draft(own, draft.draft_id)).answers == {**draft.answers, "insurer": "Fietspolis Anders"}


@pytest.mark.parametrize("before", ["", CONCEALED])
@pytest.mark.parametrize("name", [name for name, begun in BEGUN.items() if begun.other])
async def test_a_number_that_staff_type_is_stored_and_then_hidden(living: Living, name: str, before: str) -> None:
    begun = BEGUN[name]
    own, api = await living.log_in(begun.customer), living.ask(FlowApi)
    draft = await begin(living, own, begun)
    acting, (step, answers) = await look(living, begun.customer, IN_NAME), begun.last
    entry = step_entry(draft, step, {**answers, begun.name: before + begun.other})
    for saved in (await api.save_step(acting, draft.draft_id, entry), await api.draft(acting, draft.draft_id)):
        assert saved.answers[begun.name] == CONCEALED
        assert begun.other not in saved.model_dump_json()
    assert (await api.draft(own, draft.draft_id)).answers[begun.name] == begun.other


async def test_the_policy_number_that_is_known_of_a_bike_is_proposed_to_staff_as_dots(living: Living) -> None:
    acting, api = await look(living, AMBER, IN_NAME), living.ask(FlowApi)
    own = await living.log_in(AMBER)
    draft = await api.open_draft(acting, DraftStart(flow="claim-request", anew=True))
    bike = next(each["id"] for each in draft.facts["bikes"] if not each["refusal"] and each["policy_number"])
    draft = await api.save_step(acting, draft.draft_id, step_entry(draft, "bike", {"bike": bike}))
    assert journey_of(draft, today()).proposed["policy_number"] == CONCEALED
    known = journey_of(await api.draft(own, draft.draft_id), today()).proposed["policy_number"]
    draft = await api.save_step(acting, draft.draft_id, step_entry(draft, "parts", {"parts": ["frame"]}))
    entry = step_entry(draft, "policy", {"policy_number": CONCEALED})
    assert (await api.save_step(acting, draft.draft_id, entry)).answers["policy_number"] == CONCEALED
    assert (await api.draft(own, draft.draft_id)).answers["policy_number"] == known
    assert known.startswith("P")


async def test_staff_send_the_number_that_they_do_not_see(living: Living) -> None:
    begun = BEGUN["account"]
    draft = await begin(living, await living.log_in(begun.customer), begun)
    acting, (step, answers) = await look(living, begun.customer, IN_NAME), begun.last
    api = living.ask(FlowApi)
    entry = step_entry(draft, step, {**answers, begun.name: CONCEALED})
    kept = await api.save_step(acting, draft.draft_id, entry)
    receipt = await api.submit_draft(acting, draft.draft_id, Submission(key=kept.key))
    assert begun.number not in receipt.model_dump_json()
    async with living.context.database.session() as session:
        query = select(InsuranceRequestRow).where(InsuranceRequestRow.reference == receipt.reference)
        assert (await session.exec(query)).one().iban == begun.number


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
