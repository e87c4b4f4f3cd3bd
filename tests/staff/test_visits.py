"""Staff on the customers' site: a link that works once, reading only or in the customer's name, and marked."""

from collections.abc import Awaitable, Callable
from email import message_from_bytes
from email.policy import default
from typing import Any

import pytest

from portal.backend.cases import CaseFacts, record
from portal.backend.sessions import VISIT, Sessions
from portal.backend.staff import acting
from portal.backend.transports import mail_directory
from portal.backend.visits import Visits
from portal.bikes.api import BikesApi
from portal.contract.common_api import SessionApi
from portal.contract.errors import InvalidInput, NotAuthenticated, ProviderError, Refused
from portal.contract.operations import InVisit, ParameterPlace
from portal.contract.session import LocaleChoice, Origin
from portal.conversations.api import ConversationsApi
from portal.flow.api import DraftStart, FlowApi
from portal.insurance.api import InsuranceApi
from portal.kernel.codes import Code
from portal.login.api import LoginApi, VisitLink
from portal.orders.api import OrdersApi
from portal.overview.api import OverviewApi
from portal.staff.api.customers import CustomersApi, VisitEntry
from portal.staff.api.people import Activation, PeopleApi
from portal.staff.provider.customers import LINK_SECONDS
from portal.tables.bikes import BikeRow
from portal.tables.cases import CaseEventRow, CaseRow
from portal.tables.customers import CustomerRow
from portal.tables.orders import PartnerRow
from portal.tables.staff import AuditRow, CustomerVisitRow, StaffRow
from portal.vocabulary.cases import CaseEventType, CaseKind
from portal.vocabulary.staff import CONCEALED, Role, VisitMode
from tests.contract.operations import WITH_PHONE_LINK, WITH_SESSION
from tests.imports.test_dated import OTHER_SHOP
from tests.support.customers import SANNE
from tests.support.declared import DECLARED
from tests.support.filling import ABOUT_THE_REPAIR, ADDRESS, FLOW
from tests.support.living import Living
from tests.support.staff import CARLA, ESRA, FEMKE, staff_token

HERE = Origin(address="192.0.2.50")
READ, IN_NAME = VisitMode.READ_ONLY, VisitMode.IN_NAME
OF_CUSTOMERS = {name: call for name, call in WITH_SESSION.items() if DECLARED[name].right is None and name != "logout"}


async def sanne(shop: Living) -> CustomerRow:
    return await shop.row(CustomerRow, email=SANNE[1])


async def link(shop: Living, mode: VisitMode, person: str = ESRA) -> VisitLink:
    entry = VisitEntry.model_validate({"mode": mode})
    made = await shop.ask(CustomersApi).visit_customer(
        await staff_token(shop, person), (await sanne(shop)).public_id, entry
    )
    address, _, name = made.url.rpartition("/")
    assert address == "http://localhost:8000/visit"
    return VisitLink(hash=name)


async def visit(shop: Living, mode: VisitMode, person: str = ESRA) -> str:
    """The token of a session of Sanne that somebody of the staff opened."""
    return (await shop.ask(LoginApi).open_visit(await link(shop, mode, person), HERE)).jwt


async def refusal(call: Awaitable[Any]) -> Code:
    with pytest.raises(Refused) as caught:
        await call
    return caught.value.code


@pytest.mark.parametrize("mode", [READ, IN_NAME])
async def test_a_policy_number_stays_hidden_in_a_session_of_staff(living: Living, mode: VisitMode) -> None:
    insured = (await sanne(living)).id
    await living.change(BikeRow, {"policy_number": "P-SECRET"}, customer_id=insured)
    own, looking = await living.log_in(SANNE), await visit(living, mode)
    bike = (await living.ask(BikesApi).bikes(own)).items[0].bike_id
    for ask in (
        lambda token: living.ask(BikesApi).bike(token, bike),
        lambda token: living.ask(OverviewApi).bike_home(token, bike),
        lambda token: living.ask(InsuranceApi).insurance_bikes(token),
    ):
        told, hidden = (await ask(own)).model_dump_json(), (await ask(looking)).model_dump_json()
        assert "P-SECRET" in told
        assert hidden == told.replace("P-SECRET", CONCEALED)


async def test_a_link_leads_to_the_site_of_the_customers_shop(living: Living, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(living.context.settings, "shops", {"other": OTHER_SHOP})
    await living.change(CustomerRow, {"source": "other"}, email=SANNE[1])
    desk, entry = await staff_token(living, ESRA), VisitEntry(mode=READ)
    made = await living.ask(CustomersApi).visit_customer(desk, (await sanne(living)).public_id, entry)
    assert made.url.startswith("http://other.localhost/visit/")


async def test_a_link_opens_one_short_session_that_says_whose_it_is(living: Living) -> None:
    opened = await living.ask(LoginApi).open_visit(await link(living, READ, FEMKE), HERE)
    checked = await living.ask(SessionApi).check_session(opened.jwt)
    assert (checked.mode, checked.visitor) == (READ, "Femke Dijkstra")
    own = await living.ask(SessionApi).check_session(await living.log_in(SANNE))
    assert (own.mode, own.visitor) == (None, "")
    assert (await living.ask(SessionApi).customer_info(opened.jwt)).customer.email == SANNE[1]
    assert opened.expires_at <= living.clock() + VISIT
    living.clock.go_to(opened.expires_at)
    with pytest.raises(NotAuthenticated):
        await living.ask(SessionApi).check_session(opened.jwt)


async def test_a_link_is_stored_as_a_hash_and_works_once_and_not_for_long(living: Living) -> None:
    used, late = await link(living, READ), await link(living, READ)
    assert used.hash not in str(await living.rows(CustomerVisitRow))
    await living.ask(LoginApi).open_visit(used, HERE)
    assert await refusal(living.ask(LoginApi).open_visit(used, HERE)) is Code.INVALID_HASH
    living.clock.forward(seconds=LINK_SECONDS)
    for wrong in (late, VisitLink(hash="a" * 43), VisitLink()):
        assert await refusal(living.ask(LoginApi).open_visit(wrong, HERE)) is Code.INVALID_HASH


@pytest.mark.parametrize("name", OF_CUSTOMERS)
async def test_reading_only_refuses_everything_that_changes_and_nothing_that_reads(living: Living, name: str) -> None:
    declared, token = DECLARED[name], await visit(living, READ)
    outcome: Code | None = None
    try:
        answer = await OF_CUSTOMERS[name](living.provider, token)
        if hasattr(answer, "chunks"):
            await answer.chunks.aclose()
    except ProviderError as error:
        outcome = error.code
    always = declared.in_visit is InVisit.ALWAYS
    reads = always or (declared.method == "GET" and declared.in_visit is not InVisit.NEVER)
    assert (outcome is Code.READ_ONLY) is not reads


def test_an_operation_with_a_token_of_customers_is_covered() -> None:
    with_token = {name for name, each in DECLARED.items() if each.at(ParameterPlace.TOKEN) and each.right is None}
    assert with_token == OF_CUSTOMERS.keys() | {"logout"} | WITH_PHONE_LINK.keys()


ONLY_THE_CUSTOMER: dict[str, Callable[[Living, str], Awaitable[Any]]] = {
    name: (lambda shop, token, name=name: OF_CUSTOMERS[name](shop.provider, token))
    for name, each in DECLARED.items()
    if each.in_visit is InVisit.NEVER
}


@pytest.mark.parametrize("name", ONLY_THE_CUSTOMER)
async def test_some_things_only_the_customer_does(living: Living, name: str) -> None:
    token = await visit(living, IN_NAME)
    assert await refusal(ONLY_THE_CUSTOMER[name](living, token)) is Code.READ_ONLY


def test_copies_erasure_and_the_address_of_the_login_stay_with_the_customer() -> None:
    assert ONLY_THE_CUSTOMER.keys() >= {
        "ask_for_export", "export_content", "request_erasure", "confirm_erasure", "request_email_change",
        "confirm_email_change", "acknowledge_recall", "begin_passkey", "add_passkey", "remove_passkey",
        "name_refund_account",
    }  # fmt: skip


async def test_what_is_done_in_the_customers_name_is_recorded_as_such(living: Living) -> None:
    token = await visit(living, IN_NAME)
    await living.ask(FlowApi).open_draft(token, DraftStart(flow="repair-request"))
    *earlier, last = await living.rows(AuditRow)
    assert (last.actor, last.action, last.kind) == ("Esra Yilmaz", "in_name", "customer")
    assert (last.reference, last.details) == ((await sanne(living)).public_id, {"operation": "open_draft"})
    assert [each.action for each in earlier] == ["visit_customer"]


async def test_a_case_that_staff_open_in_the_customers_name_names_both(living: Living) -> None:
    customer = (await sanne(living)).id

    async def send(_token: str) -> None:
        facts = CaseFacts(CaseKind.REPAIR, "ABCD2345", customer, "new")
        async with living.context.database.transaction() as session:
            await record(session, facts, CaseEventType.OPENED, living.clock(), by_customer=True)

    token = await visit(living, IN_NAME)
    visits = Visits(living.context, Sessions(living.context))
    await visits.admitted(DECLARED["change_locale"], _as_change_locale(send))(token, None)
    assert acting.get() is None
    case, esra = await living.row(CaseRow, reference="ABCD2345"), await living.row(StaffRow, email=ESRA)
    event = await living.row(CaseEventRow, case_id=case.id)
    assert (case.opened_by, event.staff_id, event.by_customer) == (esra.id, esra.id, True)


def _as_change_locale(act: Callable[[str], Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    async def change_locale(token: str, choice: object) -> None:
        await act(token)

    return change_locale


async def test_staff_read_in_their_language_and_leave_that_of_the_customer(living: Living) -> None:
    own, staff = await living.log_in(SANNE), await visit(living, IN_NAME)
    await living.ask(SessionApi).change_locale(staff, LocaleChoice(locale="en"))
    checks = [await living.ask(SessionApi).check_session(token) for token in (own, staff)]
    assert [check.locale for check in checks] == ["nl", "en"]
    assert (await sanne(living)).locale == "nl"


async def test_who_logs_out_or_leaves_loses_the_sessions_of_customers_too(living: Living) -> None:
    left = await visit(living, READ)
    await living.ask(LoginApi).logout(left)
    token, unused = await visit(living, IN_NAME), await link(living, READ)
    admin = await staff_token(living, CARLA)
    person = next(each for each in (await living.ask(PeopleApi).people(admin)).items if each.email == ESRA)
    await living.ask(PeopleApi).set_person_active(admin, person.person_id, Activation(active=False))
    for ended in (left, token):
        with pytest.raises(NotAuthenticated):
            await living.ask(OrdersApi).orders(ended)
    assert await refusal(living.ask(LoginApi).open_visit(unused, HERE)) is Code.INVALID_HASH


async def test_who_may_no_longer_act_for_customers_changes_nothing(living: Living) -> None:
    token = await visit(living, IN_NAME)
    await living.change(StaffRow, {"role": Role.FINANCE}, email=ESRA)
    with pytest.raises(NotAuthenticated):
        await living.ask(FlowApi).open_draft(token, DraftStart(flow="repair-request"))


async def test_a_repair_at_the_counter_needs_no_photo_begins_at_the_own_store_and_says_who_sent_it(
    living: Living,
) -> None:
    token = await visit(living, IN_NAME, FEMKE)
    bike = await _repairable(living, token)
    begun = await living.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW, anew=True))
    store = await living.row(PartnerRow, public_id=begun.answers["location"])
    assert store.name == "Bovenbuis Utrecht"
    draft = await living.fill(
        token,
        FLOW,
        bike,
        ("damage", ABOUT_THE_REPAIR["damage"]),
        ("photos", {}),
        ("address", ADDRESS),
        ("location", {"location": store.public_id}),
        ("handover", {"handover": "bring"}),
    )
    receipt = await living.send(token, draft)
    own = await living.ask(ConversationsApi).conversation(await living.log_in(SANNE), "repair", receipt.reference)
    assert [(entry.what.nl, entry.name) for entry in own.done] == [("Aanvraag verstuurd", "Femke")]
    newest = (await living.mails(SANNE[1]))[0]
    assert "Femke van Bovenbuis deed dit namens jou." in newest.text
    raw = (mail_directory(living.context.settings.data_dir) / newest.name).read_bytes()
    assert message_from_bytes(raw, policy=default)["Reply-To"] == store.email


async def test_a_customer_needs_a_photo_and_begins_without_a_store(living: Living) -> None:
    token = await living.log_in(SANNE)
    bike = await _repairable(living, token)
    with pytest.raises(InvalidInput):
        await living.fill(token, FLOW, bike, ("damage", ABOUT_THE_REPAIR["damage"]), ("photos", {}))
    begun = await living.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW, anew=True))
    assert "location" not in begun.answers


async def _repairable(living: Living, token: str) -> str:
    """A bike that can have a repair, and has no pin code."""
    bikes = (await living.ask(FlowApi).flow_start(token, FLOW)).facts["bikes"]
    return str(next(each["id"] for each in bikes if not each["refusal"] and not each["pin"]))
