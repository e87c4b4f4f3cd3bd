"""The conversation on the case page of staff, run through Reflex: two modes, templates, and the other side live."""

from datetime import timedelta

import pytest
from sqlmodel import col, select

import portal.cases.desk.case
from portal.cases.desk.case_state import CasePage
from portal.conversations.api import AnswerEntry, ConversationsApi, StaffConversationsApi
from portal.conversations.desk.state import FILES
from portal.flow.api import StaffFilesApi, UploadStart
from portal.frontend.load import READY
from portal.kernel.days import today
from portal.provider.application import Application
from portal.tables.cases import CaseRow
from portal.tables.returns import ReturnRow
from portal.vocabulary.staff import Role
from tests.contract.operations import flowing
from tests.support import files
from tests.support.channels import plain
from tests.support.connections import Shop
from tests.support.conversing import CaseName, case_of_repair, staff_token
from tests.support.people import SANNE
from tests.support.pipeline import Pipeline, Tab, on_duty

pytestmark = pytest.mark.asyncio(loop_scope="module")
assert portal.cases.desk.case


async def opened(
    tabs: Pipeline, office: Application, name: str, role: Role = Role.MECHANIC
) -> tuple[Tab, CaseName, str]:
    """A tab with the case of Sanne, and the path of its page."""
    case = await case_of_repair(office.context, SANNE[1])
    tab = on_duty(tabs.tab(name), await staff_token(office.context, role, case.partner_id))
    path = f"/cases/{case.kind}/{case.reference}"
    await tab.send(CasePage.load, path=path)
    assert tab.stored(CasePage).view_state == READY
    return tab, case, path


async def test_a_question_is_sent_and_the_case_waits(desk_tabs: Pipeline, shop: Shop, office: Application) -> None:
    tab, case, path = await opened(desk_tabs, office, "asks")
    await tab.send(CasePage.choose_asks, path=path, asks="photo")
    await tab.send(CasePage.send_message, path=path, form={"message": "Kun je een foto sturen?"})
    page = tab.stored(CasePage)
    assert (page.said[-1].text, page.messages_sent, page.asks) == ("Kun je een foto sturen?", 1, "nothing")
    assert tab.held(CasePage, "talk").asks == "photo"
    own = await shop.ask(ConversationsApi).conversation(await shop.token(*SANNE), case.kind, case.reference)
    assert (own.asks, own.messages[-1].author) == ("photo", "Mila")
    await tab.send(CasePage.close_question, path=path)
    assert tab.held(CasePage, "talk").asks == "nothing"


async def test_a_file_goes_with_the_message_and_the_next_one_begins_without(
    desk_tabs: Pipeline, shop: Shop, office: Application
) -> None:
    tab, case, path = await opened(desk_tabs, office, "sends-a-file")
    draft = tab.stored(CasePage).message_draft
    key = draft.rpartition("/")[2]
    assert draft == f"messages/{case.kind}/{case.reference}/{key}"
    token, content = tab.cookie.removeprefix("staff="), files.jpg()
    place = await office.services.ask(StaffConversationsApi).begin_message_file(
        token, case.kind, case.reference, key, UploadStart(field=FILES, name="vork.jpg", size=len(content))
    )
    await office.services.ask(StaffFilesApi).receive_staff_file(token, place.upload_id, flowing(content))
    await tab.send(CasePage.message_files_changed, path=path)
    assert [file.name for file in tab.stored(CasePage).message_files] == ["vork.jpg"]
    await tab.send(CasePage.send_message, path=path, form={"message": "", FILES: "ABCDEFGH23"})
    page = tab.stored(CasePage)
    assert (page.files_error, page.messages_sent, page.message_draft) == ("unresolved_files", 0, draft)
    await tab.send(CasePage.send_message, path=path, form={"message": "Zo ziet hij eruit", FILES: place.upload_id})
    page = tab.stored(CasePage)
    assert [file.name for file in page.said[-1].files] == ["vork.jpg"]
    assert (page.message_files, page.files_error, page.messages_sent) == ([], "", 1)
    assert page.message_draft != draft
    own = await shop.ask(ConversationsApi).conversation(await shop.token(*SANNE), case.kind, case.reference)
    assert [file.name for file in own.messages[-1].files] == ["vork.jpg"]


async def test_a_note_is_kept_and_never_sent(desk_tabs: Pipeline, shop: Shop, office: Application) -> None:
    tab, case, path = await opened(desk_tabs, office, "notes")
    await tab.send(CasePage.choose_mode, path=path, mode="note")
    await tab.send(CasePage.add_note, path=path, form={"note": "  "})
    assert (tab.stored(CasePage).note_error, tab.stored(CasePage).talk_failures) == ("required", 1)
    await tab.send(CasePage.add_note, path=path, form={"note": "ZQ belt na vieren", "message": "ZQ belt na vieren"})
    page = tab.stored(CasePage)
    assert [(entry.kind, entry.text) for entry in page.said][-1] == ("note", "ZQ belt na vieren")
    assert page.notes_sent == 1
    own = await shop.ask(ConversationsApi).conversation(await shop.token(*SANNE), case.kind, case.reference)
    assert "ZQ" not in repr(own)


async def test_an_empty_message_is_refused_beside_the_field(desk_tabs: Pipeline, office: Application) -> None:
    tab, _, path = await opened(desk_tabs, office, "empty")
    before = len(tab.stored(CasePage).said)
    await tab.send(CasePage.send_message, path=path, form={"message": " "})
    page = tab.stored(CasePage)
    assert (page.text_error, page.messages_sent, len(page.said)) == ("required", 0, before)


async def test_a_template_is_seen_before_it_is_sent(desk_tabs: Pipeline, office: Application) -> None:
    tab, _, path = await opened(desk_tabs, office, "template")
    await tab.send(CasePage.choose_mode, path=path, mode="template")
    await tab.send(CasePage.choose_template, path=path, name="parts-ordered")
    assert tab.stored(CasePage).preview == ""
    await tab.send(CasePage.send_template, path=path, form={})
    assert tab.stored(CasePage).day_error == "required"
    await tab.send(CasePage.choose_day, path=path, day=str(today() - timedelta(days=1)))
    assert (tab.stored(CasePage).day_error, tab.stored(CasePage).preview) == ("invalid_choice", "")
    await tab.send(CasePage.choose_day, path=path, day=str(today() + timedelta(days=9)))
    page = tab.stored(CasePage)
    assert (page.day_error, f"{(today() + timedelta(days=9)).day} " in plain(page.preview)) == ("", True)
    await tab.send(CasePage.edit_template, path=path)
    page = tab.stored(CasePage)
    assert (page.mode, page.prefill) == ("customer", page.preview)
    await tab.send(CasePage.send_template, path=path, form={})
    page = tab.stored(CasePage)
    said = page.said[-1]
    assert (said.template, page.chosen, page.preview) == ("parts-ordered", "", "")


async def test_a_role_without_free_text_begins_with_templates(desk_tabs: Pipeline, office: Application) -> None:
    async with office.context.database.session() as session:
        row = (
            await session.exec(select(CaseRow).join(ReturnRow, col(ReturnRow.reference) == CaseRow.reference))
        ).first()
    assert row
    tab = on_duty(desk_tabs.tab("warehouse"), await staff_token(office.context, Role.WAREHOUSE))
    await tab.send(CasePage.load, path=f"/cases/return/{row.reference}")
    page = tab.stored(CasePage)
    assert (page.view_state, tab.held(CasePage, "talk").may_write, page.mode) == (READY, False, "template")


async def test_what_the_customer_answers_is_shown_and_read(
    desk_tabs: Pipeline, shop: Shop, office: Application
) -> None:
    tab, case, path = await opened(desk_tabs, office, "reads")
    token, api = await shop.token(*SANNE), shop.ask(ConversationsApi)
    draft = await api.begin_answer(token, case.kind, case.reference)
    await api.send_answer(token, case.kind, case.reference, AnswerEntry(draft_id=draft.draft_id, text="Hier"))
    assert not (await api.conversation(token, case.kind, case.reference)).messages[-1].read
    await tab.send(CasePage.load, path=path)
    said = tab.stored(CasePage).said[-1]
    assert (said.kind, said.who, said.text) == ("customer", "Sanne", "Hier")
    assert (await api.conversation(token, case.kind, case.reference)).messages[-1].read
