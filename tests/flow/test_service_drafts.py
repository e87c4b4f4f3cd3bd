"""Drafts in the database: parallel saves, ownership and expiry; on both databases."""

import asyncio
from datetime import timedelta

import pytest

from portal.contract.errors import Conflict, NotAuthenticated, NotFound, Refused
from portal.flow.api import Draft, DraftStart, FlowApi, Submission, UploadStart
from portal.kernel.codes import Code
from portal.kernel.days import now
from portal.login.api import LoginApi
from portal.overview.api import OverviewApi
from portal.provider.hourly import purge
from portal.tables.drafts import DraftRow
from tests.contract.operations import flowing
from tests.flow.filling import end_of_repair
from tests.support.customers import NOOR, SANNE
from tests.support.entries import step_entry
from tests.support.files import jpg
from tests.support.filling import PARTS
from tests.support.furnished import Furnished

FLOW = "repair-request"
TEXT = "Bij het wegfietsen hoor ik een tikkend geluid."


def _parts(text: str) -> dict[str, str | list[str]]:
    return {"parts": ["chain"], "details_chain": text}


async def _begin(shop: Furnished, token: str, place: int = 0) -> Draft:
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    entry = step_entry(draft, "bike", {"bike": draft.facts["bikes"][place]["id"]})
    return await shop.ask(FlowApi).save_step(token, draft.draft_id, entry)


async def _with_photo(shop: Furnished, token: str, draft: Draft) -> Draft:
    content = jpg(64, 48)
    place = await shop.ask(FlowApi).begin_upload(
        token, draft.draft_id, UploadStart(field="photos", name="foto.jpg", size=len(content))
    )
    upload = await shop.ask(FlowApi).receive_upload(token, place.upload_id, flowing(content))
    entry = step_entry(draft, "photos", {"photos": upload.upload_id})
    return await shop.ask(FlowApi).save_step(token, draft.draft_id, entry)


@pytest.mark.each_database
async def test_many_customers_save_at_once_and_each_finds_their_own(furnished: Furnished) -> None:
    tokens = [await furnished.log_in(customer) for customer in (SANNE, NOOR)]
    drafts = [await _begin(furnished, token, place) for token in tokens for place in (0, 1)]
    owners = [token for token in tokens for _ in (0, 1)]

    async def fill(token: str, draft: Draft, name: int) -> None:
        version = draft.version
        for turn in range(8):
            entry = step_entry(draft, "damage", _parts(f"{TEXT} {name} {turn}"), version)
            version = (await furnished.ask(FlowApi).save_step(token, draft.draft_id, entry)).version

    await asyncio.gather(
        *(fill(token, draft, place) for place, (token, draft) in enumerate(zip(owners, drafts, strict=True)))
    )
    for place, (token, draft) in enumerate(zip(owners, drafts, strict=True)):
        found = await furnished.ask(FlowApi).draft(token, draft.draft_id)
        assert found.answers["details_chain"] == f"{TEXT} {place} 7"
        assert found.version == draft.version + 8


@pytest.mark.each_database
async def test_of_parallel_saves_of_one_version_only_one_succeeds(furnished: Furnished) -> None:
    token = await furnished.log_in(SANNE)
    draft = await _begin(furnished, token)
    entries = [step_entry(draft, "damage", _parts(f"{TEXT} {n}")) for n in range(12)]
    outcomes = await asyncio.gather(
        *(furnished.ask(FlowApi).save_step(token, draft.draft_id, entry) for entry in entries), return_exceptions=True
    )
    assert [type(outcome) for outcome in outcomes].count(Draft) == 1
    assert [type(outcome) for outcome in outcomes].count(Conflict) == 11


@pytest.mark.each_database
async def test_a_session_that_ended_does_not_disturb_the_others(furnished: Furnished) -> None:
    token, ended = await furnished.log_in(SANNE), await furnished.log_in(SANNE)
    draft = await _begin(furnished, token)
    await furnished.ask(LoginApi).logout(ended)
    entry = step_entry(draft, "damage", _parts(TEXT))
    outcomes = await asyncio.gather(
        *(furnished.ask(FlowApi).save_step(one, draft.draft_id, entry) for one in (ended, token, "nonsense")),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [NotAuthenticated, Draft, NotAuthenticated]


@pytest.mark.each_database
async def test_two_tabs_that_begin_at_once_begin_one_draft(furnished: Furnished) -> None:
    token = await furnished.log_in(SANNE)
    drafts = await asyncio.gather(*(furnished.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW)) for _ in range(8)))
    assert len({draft.draft_id for draft in drafts}) == 1
    assert len(await furnished.rows(DraftRow)) == 1


@pytest.mark.each_database
async def test_a_draft_expires_after_thirty_days_and_is_deleted(furnished: Furnished) -> None:
    token = await furnished.log_in(SANNE)
    draft = await _begin(furnished, token)
    assert now() + timedelta(days=29) < draft.expires_at <= now() + timedelta(days=30)
    await furnished.change(DraftRow, {"expires_at": now() - timedelta(minutes=1)}, public_id=draft.draft_id)
    with pytest.raises(NotFound):
        await furnished.ask(FlowApi).draft(token, draft.draft_id)
    entry = step_entry(draft, "damage", _parts(TEXT))
    start = UploadStart(field="photos", name="foto.jpg", size=10)
    stranger = await furnished.log_in(NOOR)
    for who, error, code in ((token, Refused, Code.EXPIRED_REPAIR_REQUEST), (stranger, NotFound, Code.NOT_FOUND)):
        for attempt in (
            furnished.ask(FlowApi).save_step(who, draft.draft_id, entry),
            furnished.ask(FlowApi).submit_draft(who, draft.draft_id, Submission(key=draft.key)),
            furnished.ask(FlowApi).begin_upload(who, draft.draft_id, start),
        ):
            with pytest.raises(error) as caught:
                await attempt
            assert caught.value.code is code
    assert not (await furnished.ask(FlowApi).flow_start(token, FLOW)).drafts
    again = await furnished.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW, subject=draft.subject))
    assert again.draft_id != draft.draft_id
    await furnished.change(DraftRow, {"expires_at": now() - timedelta(minutes=1)}, public_id=again.draft_id)
    await purge(furnished.context)
    assert not await furnished.rows(DraftRow)


async def test_every_statement_about_drafts_carries_the_owner(furnished: Furnished) -> None:
    token = await furnished.log_in(SANNE)
    with furnished.statements() as sent:
        draft = await _begin(furnished, token)
        draft = await furnished.ask(FlowApi).save_step(token, draft.draft_id, step_entry(draft, "damage", PARTS))
        await furnished.ask(FlowApi).draft(token, draft.draft_id)
        await furnished.ask(FlowApi).flow_start(token, FLOW)
        await furnished.ask(OverviewApi).dashboard(token)
        draft = await _with_photo(furnished, token, draft)
        for upload in draft.answers["photos"]:
            await furnished.ask(FlowApi).upload_preview(token, upload)
        draft = await end_of_repair(furnished, token, draft)
        await furnished.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
    about = [
        statement
        for statement in sent
        if (" drafts" in statement or " uploads" in statement or statement.startswith("UPDATE uploads"))
        and not statement.startswith("INSERT")
    ]
    assert len(about) > 20
    for statement in about:
        condition = statement.partition("WHERE")[2]
        # What was read for this owner in the same transaction is written back by its primary key.
        assert "customer_id" in condition or condition.strip().startswith(("drafts.id =", "uploads.id =")), statement
