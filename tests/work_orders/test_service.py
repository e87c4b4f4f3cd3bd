"""Services, claims, files and language of requests, in the service."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from portal.backend.outbox import Outbox
from portal.backend.sessions import Sessions
from portal.bikes.api import BikesApi
from portal.cases.api import CasesApi
from portal.contract.common_api import ChangesApi, SessionApi, Watch
from portal.contract.errors import Refused
from portal.contract.session import LocaleChoice
from portal.flow import AnswerContext
from portal.flow.api import Draft, DraftStart, FlowApi, Submission
from portal.flow.provider.handler import DraftSubmission, Submitted
from portal.kernel.codes import Code
from portal.kernel.days import add_months, now, today
from portal.locations.api import LocationsApi, LocationSearch
from portal.overview.api import OverviewApi
from portal.tables.bikes import BikeRow
from portal.tables.drafts import UploadRow, UploadState
from portal.tables.orders import PartnerRow
from portal.tables.work_orders import RequestRow
from portal.vocabulary.actions import Topic
from portal.vocabulary.services import ServiceJob
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus
from portal.work_orders.api import RequestDetail, WorkOrdersApi
from portal.work_orders.pages.requests import request_view
from portal.work_orders.provider.handlers import CLAIM_HANDLER
from tests.flow.filling import ADDRESS, own_shop, saved
from tests.support.customers import AMBER, JORIS, NOOR, SANNE
from tests.support.filling import ABOUT_THE_REPAIR, photographed, placed
from tests.support.furnished import Furnished
from tests.support.staff import CARLA, staff_token


async def _bike(shop: Furnished, token: str, place: int = 0) -> str:
    return (await shop.ask(BikesApi).bikes(token)).items[place].bike_id


async def _service(shop: Furnished, token: str, handover: str = "pick_up") -> Draft:
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow="service-request"))
    return await saved(
        shop,
        token,
        draft,
        {
            "bike": {"bike": await _bike(shop, token)},
            "job": {"job": "1"},
            "address": ADDRESS,
            "location": {"location": await own_shop(shop, token), "handover": handover},
        },
    )


@pytest.mark.each_database
async def test_a_service_that_was_done_or_cancelled_counts_as_it_should(furnished: Furnished) -> None:
    token = await furnished.log_in(JORIS)
    bike = await _bike(furnished, token)
    before = (await furnished.ask(WorkOrdersApi).service_products(token, bike)).due
    assert before.job is ServiceJob.SECOND
    assert before.last
    assert before.day == add_months(before.last, 12)
    await furnished.change(RequestRow, {"details": {"job": "3"}}, kind=RequestKind.SERVICE)
    assert (await furnished.ask(WorkOrdersApi).service_products(token, bike)).due.job is ServiceJob.FOURTH
    await furnished.change(RequestRow, {"status": WorkOrderStatus.CANCELLED}, kind=RequestKind.SERVICE)
    none = (await furnished.ask(WorkOrdersApi).service_products(token, bike)).due
    assert (none.job, none.last) == (ServiceJob.FIRST, None)


async def test_a_bike_that_was_sold_again_belongs_to_its_new_owner(furnished: Furnished) -> None:
    noor, sanne = await furnished.log_in(NOOR), await furnished.log_in(SANNE)
    tokens = {await _bike(furnished, sanne): sanne, await _bike(furnished, noor): noor}
    rows = [row for row in await furnished.rows(BikeRow) if row.public_id in tokens]
    older, newer = sorted(rows, key=lambda row: row.id)
    await furnished.change(BikeRow, {"frame_number": older.frame_number}, public_id=newer.public_id)
    with pytest.raises(Refused) as caught:
        await furnished.ask(WorkOrdersApi).service_products(tokens[older.public_id], older.public_id)
    assert caught.value.code is Code.COMBINATION_ORDER_LINE_FRAME_NR_NOT_VALID
    assert (await furnished.ask(WorkOrdersApi).service_products(tokens[newer.public_id], newer.public_id)).products


async def test_the_request_keeps_what_was_shown(furnished: Furnished) -> None:
    token = await furnished.log_in(SANNE)
    draft = await _service(furnished, token)
    receipt = await furnished.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
    row = await furnished.one(RequestRow, reference=receipt.reference)
    partner = await furnished.one(PartnerRow, id=row.partner_id)
    assert partner.public_id == draft.answers["location"]
    assert (row.kind, row.status) == (RequestKind.SERVICE, WorkOrderStatus.NEW)
    assert row.details
    assert row.details["costs"] == {
        "currency": "EUR",
        "lines": [
            {"kind": "service_job", "amount": "69.00"},
            {"kind": "package_discount", "amount": "-34.50"},
            {"kind": "pick_up", "amount": "60.00"},
        ],
        "total": "94.50",
    }
    assert row.details["home"]["city"] == "Utrecht"
    assert row.details["home"]["phone"] == "+31612345678"
    assert row.details["service_location"]["name"] == partner.name
    assert row.details["handed_over"] == "pick_up"


async def test_another_fee_for_picking_up_is_a_setting(furnished: Furnished) -> None:
    token = await furnished.log_in(SANNE)
    context = furnished.context
    object.__setattr__(context, "settings", context.settings.model_copy(update={"pick_up_cost": Decimal("45.50")}))
    draft = await _service(furnished, token)
    assert {entry["cost"] for entry in draft.facts["location"]["handovers"]} == {"", "45.50"}


async def test_a_closed_location_is_not_found_and_keeps_its_requests(furnished: Furnished) -> None:
    token = await furnished.log_in(SANNE)
    draft = await _service(furnished, token)
    await furnished.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
    name = str(draft.answers["location"])
    await furnished.change(PartnerRow, {"closed": True}, public_id=name)
    found = await furnished.ask(LocationsApi).service_locations(token, LocationSearch(text="Utrecht"))
    assert name not in {item.location_id for item in found.items}
    assert (await furnished.ask(WorkOrdersApi).service_requests(token)).items[0].partner_name


@pytest.mark.parametrize(("days", "refused"), [(6, False), (7, True), (60, True)])
async def test_only_a_vacation_over_the_whole_turn_keeps_one_away(
    furnished: Furnished, days: int, *, refused: bool
) -> None:
    token = await furnished.log_in(SANNE)
    draft = await _service(furnished, token)
    values = {"vacation_from": today(), "vacation_until": today() + timedelta(days=days), "waiting_weeks": 0}
    await furnished.change(PartnerRow, values, public_id=str(draft.answers["location"]))
    facts = (await furnished.ask(FlowApi).draft(token, draft.draft_id)).facts["location"]
    assert (facts["refusal"] == Code.LOCATION_ON_VACATION) == refused


FLOW = "claim-request"
IBAN = "NL91ABNA0417164300"
TEXT = "Een auto reed achteruit tegen mijn fiets, op het Stationsplein."

ANSWERS: dict[str, Any] = {
    "parts": ["wheels", "frame"],
    "policy_number": "FP 2044.881",
    "insurer": "Fietspolis Direct",
    "cause": TEXT,
    "handling": "now",
    "photos": ["ABCDEFGH23"],
    "method": "account",
    "account_holder": "Noor el Haddad",
    "iban": IBAN,
}


async def _facts(shop: Furnished, customer: tuple[str, str]) -> dict[str, Any]:
    return (await shop.ask(FlowApi).flow_start(await shop.log_in(customer), FLOW)).facts


async def submit_claim(shop: Furnished, customer: tuple[str, str], bike: str, **other: Any) -> Submitted:
    owner = await Sessions(shop.context).owner(await shop.log_in(customer))
    answers = {**ANSWERS, "bike": bike, **other}
    submission = DraftSubmission(
        owner=owner,
        key=f"key-{bike}-{len(other)}",
        answers=AnswerContext(answers, {}, today()),
        seen=AnswerContext(answers, {}, today()),
        now=now(),
        outbox=Outbox(shop.context),
        context=shop.context,
    )
    async with shop.context.database.transaction() as session:
        return await CLAIM_HANDLER.submit(session, submission)


async def test_a_claim_is_a_work_order_that_starts_like_a_repair(furnished: Furnished) -> None:
    bike = (await _facts(furnished, NOOR))["bikes"][0]["id"]
    sent = await submit_claim(furnished, NOOR, bike)
    row = await furnished.one(RequestRow, reference=sent.reference)
    assert (row.kind, row.status) == (RequestKind.CLAIM, WorkOrderStatus.NEW)
    assert row.title == "Wheels or tyres, Frame"
    assert row.description.startswith(TEXT)
    assert row.details
    assert row.details["iban"] == IBAN


async def test_account_and_pin_code_are_in_no_text_and_shown_only_in_part(furnished: Furnished) -> None:
    bike = next(bike["id"] for bike in (await _facts(furnished, AMBER))["bikes"] if bike["pin"])
    sent = await submit_claim(furnished, AMBER, bike, pin_known="known", pin_code="4817")
    token = await furnished.log_in(AMBER)
    shown = (
        str(await furnished.ask(WorkOrdersApi).service_requests(token))
        + str(await furnished.ask(OverviewApi).dashboard(token))
        + str(sent)
        + str(await _facts(furnished, AMBER))
    )
    for secret in (IBAN, "0417", "4817"):
        assert secret not in shown
    assert "NL…4300" in shown


async def sent(shop: Furnished) -> tuple[str, RequestDetail]:
    """A repair that was sent with a photo."""
    token = await shop.log_in(NOOR)
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow="repair-request"))
    bike = next(bike for bike in draft.facts["bikes"] if not bike["refusal"] and not bike["pin"])
    steps = {"bike": {"bike": bike["id"]}, **ABOUT_THE_REPAIR}
    draft = await saved(shop, token, draft, steps)
    draft = await placed(shop.provider, token, await photographed(shop.provider, token, draft))
    receipt = await shop.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
    return token, await shop.ask(WorkOrdersApi).service_request(token, receipt.reference)


def named(request: RequestDetail) -> list[str]:
    """The lines of the account that are names of files."""
    return [line.en for fact in request.account.facts if fact.files for line in fact.lines]


async def test_a_request_and_its_case_show_files_instead_of_their_names(furnished: Furnished) -> None:
    _, request = await sent(furnished)
    (file,) = request.files
    assert file.photo
    assert len(named(request)) == 1
    assert file.name in named(request)[0]
    shown = request_view(request)
    assert [each.id for each in shown.files] == [file.upload_id]
    labels = [fact.label.en for fact in shown.account.facts]
    assert "Photos and other files" not in labels
    assert labels
    case = await furnished.ask(CasesApi).case(await staff_token(furnished, CARLA), "repair", request.reference)
    assert len(case.files) == 1
    assert not [fact for fact in case.account.facts if fact.files]


async def test_names_stay_when_the_files_are_deleted(furnished: Furnished) -> None:
    token, request = await sent(furnished)
    await furnished.change(UploadRow, {"state": UploadState.REMOVED}, public_id=request.files[0].upload_id)
    later = await furnished.ask(WorkOrdersApi).service_request(token, request.reference)
    assert later.files == []
    assert "Photos and other files" in [fact.label.en for fact in request_view(later).account.facts]
    case = await furnished.ask(CasesApi).case(await staff_token(furnished, CARLA), "repair", request.reference)
    assert [fact.files for fact in case.account.facts].count(True) == 1


async def _wording(shop: Furnished, token: str, reference: str) -> list[str]:
    """The title in the list, on the request page and on the bike page."""
    listed = next(
        one for one in (await shop.ask(WorkOrdersApi).service_requests(token)).items if one.reference == reference
    )
    whole = await shop.ask(WorkOrdersApi).service_request(token, reference)
    timeline = (await shop.ask(OverviewApi).bike_home(token, whole.bike_id)).timeline
    event_line = next(entry.text for entry in timeline if entry.reference == reference)
    return [listed.title, whole.title, event_line]


async def test_a_repair_follows_the_language_of_its_reader(furnished: Furnished) -> None:
    token, request = await sent(furnished)
    provider, reference = furnished.provider, request.reference
    for locale, title in (("nl", "Ketting, Versnellingen"), ("en", "Chain, Gears")):
        await provider.ask(SessionApi).change_locale(token, LocaleChoice.model_validate({"locale": locale}))
        assert await _wording(furnished, token, reference) == [title] * 3
    account = (await provider.ask(WorkOrdersApi).service_request(token, reference)).account
    name, mark = next(fact.lines for fact in account.facts if fact.label.en == "Bike")
    assert name.en
    assert "framenummer eindigt op" in mark.nl
    assert "frame number ending in" in mark.en


async def test_a_service_is_called_by_its_job_and_what_a_customer_wrote_stays(furnished: Furnished) -> None:
    token = await furnished.log_in(JORIS)
    titles: dict[str, set[str]] = {}
    for locale in ("nl", "en"):
        await furnished.ask(SessionApi).change_locale(token, LocaleChoice.model_validate({"locale": locale}))
        requests = (await furnished.ask(WorkOrdersApi).service_requests(token)).items
        titles[locale] = {one.title for one in requests if one.kind is RequestKind.SERVICE}
        titles[f"{locale} written"] = {one.title for one in requests if one.kind is not RequestKind.SERVICE}
    assert titles["nl"] >= {"Eerste servicebeurt"}
    assert titles["en"] >= {"First service"}
    assert titles["nl written"] == titles["en written"] != set()


async def test_pages_with_requests_hear_of_another_language_once(furnished: Furnished) -> None:
    token = await furnished.log_in(NOOR)
    watch = Watch(topics=[Topic.REQUESTS], since=-1, wait_seconds=0)
    await furnished.ask(SessionApi).change_locale(token, LocaleChoice(locale="nl"))
    before = (await furnished.ask(ChangesApi).changes(token, watch)).mark
    for _ in range(2):
        await furnished.ask(SessionApi).change_locale(token, LocaleChoice(locale="en"))
        assert (await furnished.ask(ChangesApi).changes(token, watch)).mark == before + 1
