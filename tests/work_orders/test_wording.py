"""Language of a request: our text follows the reader; text that the customer wrote is not translated."""

from __future__ import annotations

from portal.contract.changes import ChangesApi, Watch
from portal.contract.session import LocaleChoice
from portal.contract.session_api import SessionApi
from portal.flow.api import DraftStart, FlowApi, Submission
from portal.overview.api import OverviewApi
from portal.vocabulary.actions import Topic
from portal.vocabulary.work_orders import RequestKind
from portal.work_orders.api import WorkOrdersApi
from tests.support.customers import JORIS, NOOR
from tests.support.entries import step_entry
from tests.support.filling import ABOUT_THE_REPAIR, photographed, placed
from tests.support.furnished import Furnished


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
    token, provider = await furnished.log_in(NOOR), furnished.provider
    draft = await provider.ask(FlowApi).open_draft(token, DraftStart(flow="repair-request"))
    bike = next(entry["id"] for entry in draft.facts["bikes"] if not entry["refusal"] and not entry["pin"])
    for step, answers in {"bike": {"bike": bike}, **ABOUT_THE_REPAIR}.items():
        entry = step_entry(draft, step, answers)
        draft = await provider.ask(FlowApi).save_step(token, draft.draft_id, entry)
    draft = await placed(provider, token, await photographed(provider, token, draft))
    reference = (await provider.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))).reference
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
