"""Files that staff send in a conversation: judged as those of customers, and only for the customer of the case."""

from datetime import timedelta

import pytest

from portal.contract.errors import InvalidInput, NotFound, ProviderError, Refused
from portal.contract.models import FilePart
from portal.conversations.api import ConversationsApi, MessageEntry, StaffConversationsApi
from portal.flow.api import FlowApi, StaffFilesApi, Upload, UploadStart
from portal.flow.provider.cleanup import clean_files
from portal.flow.provider.queries import STAFF_FILES_WAIT
from portal.kernel.codes import Code
from portal.tables.cases import CaseEventRow
from portal.tables.drafts import UploadRow
from portal.tables.messages import OutboxMail
from portal.vocabulary.cases import MAX_FILES, CaseEventType
from portal.vocabulary.staff import Role
from tests.contract.operations import flowing
from tests.support import files
from tests.support.conversing import CaseName, case_of_repair, message, staff_token
from tests.support.customers import JORIS, SANNE
from tests.support.furnished import Furnished

FIELD = "message-files"


async def told(shop: Furnished) -> tuple[CaseName, str, str]:
    """A case, a session of its customer, and one of a mechanic of its store."""
    case = await case_of_repair(shop.context, SANNE[1])
    return case, await shop.log_in(SANNE), await staff_token(shop.context, Role.MECHANIC, case.partner_id)


async def added(
    shop: Furnished, token: str, case: CaseName, key: str, content: bytes = b"", name: str = "foto.jpg"
) -> Upload:
    """Upload a file for the message with a key."""
    content = content or files.jpg()
    start = UploadStart(field=FIELD, name=name, size=len(content))
    place = await shop.ask(StaffConversationsApi).begin_message_file(token, case.kind, case.reference, key, start)
    return await shop.ask(StaffFilesApi).receive_staff_file(token, place.upload_id, flowing(content))


async def sent(shop: Furnished, token: str, case: CaseName, entry: MessageEntry) -> list[str]:
    """Send a message, and return the names of the files of the last message."""
    found = await shop.ask(StaffConversationsApi).send_message(token, case.kind, case.reference, entry)
    return [file.name for file in found.messages[-1].files]


async def test_a_customer_and_no_other_sees_and_opens_what_staff_sent(furnished: Furnished) -> None:
    case, customer, mechanic = await told(furnished)
    entry = message("")
    photo = await added(furnished, mechanic, case, entry.key)
    quote = await added(furnished, mechanic, case, entry.key, files.pdf(), "offerte.pdf")
    entry = entry.model_copy(update={"files": [photo.upload_id, quote.upload_id]})
    assert await sent(furnished, mechanic, case, entry) == ["foto.jpg", "offerte.pdf"]
    read = await furnished.ask(ConversationsApi).conversation(customer, case.kind, case.reference)
    assert [(file.name, file.photo) for file in read.messages[-1].files] == [("foto.jpg", True), ("offerte.pdf", False)]
    content = await furnished.ask(FlowApi).upload_content(customer, quote.upload_id, FilePart(first=0, last=4))
    assert b"".join([piece async for piece in content.chunks]) == b"%PDF-"
    assert (await furnished.ask(FlowApi).upload_preview(customer, photo.upload_id)).content[:2] == b"\xff\xd8"
    assert await furnished.ask(StaffFilesApi).staff_files(mechanic, entry.key) == []
    # Metadata of a photo are removed.
    content = await furnished.ask(FlowApi).upload_content(customer, photo.upload_id)
    assert b"GEHEIM" in files.jpg()
    assert b"GEHEIM" not in b"".join([piece async for piece in content.chunks])
    stranger = await furnished.log_in(JORIS)
    elsewhere = await staff_token(furnished.context, Role.MECHANIC, case.partner_id + 1)
    start = UploadStart(field=FIELD, name="foto.jpg", size=9)
    staff = furnished.ask(StaffConversationsApi)
    for call in (
        furnished.ask(FlowApi).upload_content(stranger, photo.upload_id),
        furnished.ask(FlowApi).upload_preview(stranger, photo.upload_id),
        staff.message_file(elsewhere, case.kind, case.reference, photo.upload_id),
        staff.begin_message_file(elsewhere, case.kind, case.reference, "message-else", start),
    ):
        with pytest.raises(NotFound):
            await call


@pytest.mark.parametrize(
    ("content", "code"),
    [(files.film(), Code.FILE_NOT_ALLOWED), (b"<html>", Code.FILE_NOT_ALLOWED), (files.jpg()[:200], Code.FILE_DAMAGED)],
)
async def test_a_file_that_is_no_photo_and_no_pdf_is_refused(furnished: Furnished, content: bytes, code: Code) -> None:
    case, _, mechanic = await told(furnished)
    with pytest.raises(InvalidInput) as caught:
        await added(furnished, mechanic, case, "message-bad", content)
    assert caught.value.code is code
    await clean_files(furnished.context)
    assert not await furnished.rows(UploadRow, field=FIELD)


async def test_before_it_is_sent_only_its_writer_has_a_file(furnished: Furnished) -> None:
    case, customer, mechanic = await told(furnished)
    entry = message("")
    photo = await added(furnished, mechanic, case, entry.key)
    colleague = await staff_token(furnished.context, Role.MECHANIC, case.partner_id)
    desk = furnished.ask(StaffFilesApi)
    assert [file.upload_id for file in await desk.staff_files(mechanic, entry.key)] == [photo.upload_id]
    assert await desk.staff_files(colleague, entry.key) == []
    for call in (
        furnished.ask(FlowApi).upload_content(customer, photo.upload_id),
        furnished.ask(FlowApi).upload_preview(customer, photo.upload_id),
        furnished.ask(FlowApi).remove_upload(customer, photo.upload_id),
        desk.staff_file_preview(colleague, photo.upload_id),
        desk.remove_staff_file(colleague, photo.upload_id),
        furnished.ask(StaffConversationsApi).message_file(mechanic, case.kind, case.reference, photo.upload_id),
    ):
        with pytest.raises(NotFound):
            await call
    with pytest.raises(InvalidInput):
        await sent(furnished, colleague, case, entry.model_copy(update={"files": [photo.upload_id]}))


async def test_a_file_for_one_customer_is_never_sent_to_another(furnished: Furnished) -> None:
    case, _, mechanic = await told(furnished)
    entry = message("")
    photo = await added(furnished, mechanic, case, entry.key)
    other = await case_of_repair(furnished.context, JORIS[1])
    desk = await staff_token(furnished.context, Role.SERVICE_DESK)
    for token in (mechanic, desk):
        with pytest.raises(ProviderError):
            await sent(furnished, token, other, entry.model_copy(update={"files": [photo.upload_id]}))
    assert [row.shared for row in await furnished.rows(UploadRow, field=FIELD)] == [False]


async def test_a_message_has_at_most_five_files(furnished: Furnished) -> None:
    case, _, mechanic = await told(furnished)
    for _ in range(MAX_FILES):
        await added(furnished, mechanic, case, "message-many")
    with pytest.raises(Refused) as caught:
        await added(furnished, mechanic, case, "message-many")
    assert caught.value.code is Code.MAX_UPLOAD_FILE_COUNT_REACHED


async def test_a_removed_file_is_gone_and_a_sent_one_stays(furnished: Furnished) -> None:
    case, _, mechanic = await told(furnished)
    entry, desk = message(""), furnished.ask(StaffFilesApi)
    kept, gone = [await added(furnished, mechanic, case, entry.key) for _ in range(2)]
    await desk.remove_staff_file(mechanic, gone.upload_id)
    await sent(furnished, mechanic, case, entry.model_copy(update={"files": [kept.upload_id]}))
    with pytest.raises(NotFound):
        await desk.remove_staff_file(mechanic, kept.upload_id)
    assert [row.public_id for row in await furnished.rows(UploadRow, field=FIELD)] == [kept.upload_id]


async def test_an_unsent_file_is_deleted_after_a_day(furnished: Furnished) -> None:
    case, _, mechanic = await told(furnished)
    await added(furnished, mechanic, case, "message-left")
    await clean_files(furnished.context)
    assert len(await furnished.rows(UploadRow, field=FIELD)) == 1
    yesterday = furnished.context.clock() - STAFF_FILES_WAIT - timedelta(minutes=1)
    await furnished.change(UploadRow, {"created_at": yesterday}, field=FIELD)
    await clean_files(furnished.context)
    assert not await furnished.rows(UploadRow, field=FIELD)


async def test_mail_and_event_tell_of_files_and_never_carry_them(furnished: Furnished) -> None:
    case, _, mechanic = await told(furnished)
    entry = message("")
    photo = await added(furnished, mechanic, case, entry.key, name="kenteken.jpg")
    await sent(furnished, mechanic, case, entry.model_copy(update={"files": [photo.upload_id]}))
    mail = await furnished.row(OutboxMail, template="case_message")
    event = await furnished.row(CaseEventRow, type=CaseEventType.MESSAGE_FROM_STAFF)
    assert (mail.details["files"], event.details["files"]) == (1, 1)
    assert "kenteken" not in str((mail.details, event.details))
