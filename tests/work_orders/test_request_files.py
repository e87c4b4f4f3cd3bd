"""The files of a request: its customer sees and plays them, staff see each once, and names tell them in documents."""

from __future__ import annotations

from sqlmodel import col, update

from portal.cases.api import CasesApi
from portal.flow.api import DraftStart, FlowApi, Submission
from portal.tables.drafts import UploadRow, UploadState
from portal.work_orders.api import RequestDetail, WorkOrdersApi
from portal.work_orders.pages.requests import request_view
from tests.flow.filling import saved
from tests.support.customers import NOOR
from tests.support.filling import ABOUT_THE_REPAIR, photographed, placed
from tests.support.furnished import Furnished
from tests.support.staff import CARLA, staff_token


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
    async with furnished.context.database.transaction() as session:
        gone = update(UploadRow).where(col(UploadRow.public_id) == request.files[0].upload_id)
        await session.exec(gone.values(state=UploadState.REMOVED))
    later = await furnished.ask(WorkOrdersApi).service_request(token, request.reference)
    assert later.files == []
    assert "Photos and other files" in [fact.label.en for fact in request_view(later).account.facts]
    case = await furnished.ask(CasesApi).case(await staff_token(furnished, CARLA), "repair", request.reference)
    assert [fact.files for fact in case.account.facts].count(True) == 1
