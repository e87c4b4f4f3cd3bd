"""The files of drafts: storing, limits and cleanup; on both databases."""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from portal.backend.files import incoming
from portal.contract.errors import ProviderError, Refused, TooMany, Unavailable
from portal.flow.api import Draft, DraftStart, FlowApi, Submission, Upload, UploadStart
from portal.flow.provider import uploads
from portal.flow.provider.cleanup import clean_files, compare_with_rows
from portal.kernel.codes import Code
from portal.kernel.days import now
from portal.provider.application import Application
from portal.tables.drafts import DraftRow, UploadRow
from tests.contract.operations import flowing
from tests.support import files
from tests.support.customers import SANNE
from tests.support.furnished import Furnished

FLOW = "repair-request"


async def begun(shop: Furnished) -> tuple[str, Draft]:
    token = await shop.log_in(SANNE)
    return token, await shop.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))


async def send(shop: Furnished, token: str, draft: Draft, content: bytes, name: str = "foto.jpg") -> Upload:
    start = UploadStart(field="photos", name=name, size=len(content))
    place = await shop.ask(FlowApi).begin_upload(token, draft.draft_id, start)
    return await shop.ask(FlowApi).receive_upload(token, place.upload_id, flowing(content))


def on_disk(shop: Furnished) -> list[Path]:
    return [path for path in (shop.context.settings.data_dir / "files").rglob("*") if path.is_file()]


async def test_a_photo_and_its_preview_are_stored_and_deleted_together(furnished: Furnished) -> None:
    token, draft = await begun(furnished)
    upload = await send(furnished, token, draft, files.jpg())
    assert len(on_disk(furnished)) == 2
    assert all(path.stat().st_mode & 0o077 == 0 for path in on_disk(furnished))
    await furnished.ask(FlowApi).remove_upload(token, upload.upload_id)
    assert not on_disk(furnished)
    assert not await furnished.rows(UploadRow)


@pytest.mark.each_database
async def test_files_of_a_discarded_or_expired_draft_are_deleted(furnished: Furnished) -> None:
    token, draft = await begun(furnished)
    await send(furnished, token, draft, files.jpg())
    await clean_files(furnished.context)
    assert len(on_disk(furnished)) == 2, "the draft still wants them"
    await furnished.ask(FlowApi).discard_draft(token, draft.draft_id)
    await clean_files(furnished.context)
    assert not on_disk(furnished)
    assert not await furnished.rows(UploadRow)
    draft = await furnished.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    await send(furnished, token, draft, files.jpg())
    await furnished.change(DraftRow, {"expires_at": now() - timedelta(minutes=1)}, public_id=draft.draft_id)
    await clean_files(furnished.context)
    assert not on_disk(furnished)
    assert not await furnished.rows(UploadRow)


@pytest.mark.each_database
async def test_files_left_by_a_crash_are_deleted(furnished: Furnished) -> None:
    token, draft = await begun(furnished)
    await furnished.ask(FlowApi).begin_upload(token, draft.draft_id, UploadStart(field="photos", name="x.jpg", size=10))
    await furnished.change(UploadRow, {"expires_at": now() - timedelta(minutes=1)}, draft=draft.draft_id)
    root = furnished.context.settings.data_dir / "files"
    half, fresh = root / "incoming" / "half", root / "incoming" / "fresh"
    for path in (half, fresh):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    long_ago = time.time() - 100_000
    os.utime(half, (long_ago, long_ago))
    await clean_files(furnished.context)
    assert not await furnished.rows(UploadRow)
    assert on_disk(furnished) == [fresh]


async def test_files_of_a_request_are_not_deleted(furnished: Furnished) -> None:
    token, draft = await begun(furnished)
    upload = await send(furnished, token, draft, files.jpg())
    await furnished.change(UploadRow, {"request_key": "of-a-request"}, public_id=upload.upload_id)
    await furnished.ask(FlowApi).discard_draft(token, draft.draft_id)
    for path in on_disk(furnished):
        os.utime(path, (0, 0))
    await clean_files(furnished.context)
    await compare_with_rows(furnished.context)
    assert len(on_disk(furnished)) == 2
    assert (await furnished.ask(FlowApi).upload_preview(token, upload.upload_id)).content


@pytest.mark.each_database
async def test_the_files_of_a_customer_are_limited(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    token, draft = await begun(furnished)
    upload = await send(furnished, token, draft, files.jpg())
    start = UploadStart(field="photos", name="x.jpg", size=100 * 1024 * 1024)
    await furnished.change(UploadRow, {"size": 2 * 1024**3, "draft": "ANOTHER"}, public_id=upload.upload_id)
    with pytest.raises(Refused) as caught:
        await furnished.ask(FlowApi).begin_upload(token, draft.draft_id, start)
    assert caught.value.code is Code.UPLOAD_QUOTA_REACHED
    await furnished.change(UploadRow, {"size": 10, "draft": "ANOTHER"}, public_id=upload.upload_id)
    monkeypatch.setattr(uploads, "MAX_ARRIVING", 1)
    await furnished.ask(FlowApi).begin_upload(token, draft.draft_id, start)
    with pytest.raises(TooMany) as too_many:
        await furnished.ask(FlowApi).begin_upload(token, draft.draft_id, start)
    assert too_many.value.code is Code.UPLOADS_TOO_MANY_AT_ONCE
    assert too_many.value.retry_at is not None


async def test_a_full_disk_refuses_and_leaves_nothing(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    token, draft = await begun(furnished)
    start = UploadStart(field="photos", name="x.jpg", size=10)
    place = await furnished.ask(FlowApi).begin_upload(token, draft.draft_id, start)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(incoming.IncomingFiles, "_create", full)
    with pytest.raises(Unavailable) as caught:
        await furnished.ask(FlowApi).receive_upload(token, place.upload_id, flowing(b"0123456789"))
    assert caught.value.code is Code.UPLOAD_FAILED
    assert not await furnished.rows(UploadRow)
    monkeypatch.setattr(incoming, "SPARE", 10**18)
    with pytest.raises(Unavailable):
        await furnished.ask(FlowApi).begin_upload(token, draft.draft_id, start)


async def test_a_stalled_upload_times_out(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    token, draft = await begun(furnished)
    monkeypatch.setattr(incoming, "STALL_SECONDS", 0.2)
    place = await furnished.ask(FlowApi).begin_upload(
        token, draft.draft_id, UploadStart(field="photos", name="x.jpg", size=100_000)
    )

    async def silent() -> AsyncIterator[bytes]:
        yield b"\xff\xd8\xff"
        await asyncio.sleep(30)

    with pytest.raises(ProviderError) as caught:
        await furnished.ask(FlowApi).receive_upload(token, place.upload_id, silent())
    assert caught.value.code is Code.UPLOAD_FAILED
    assert not on_disk(furnished)
    assert not await furnished.rows(UploadRow)


@pytest.mark.each_database
async def test_a_file_that_is_removed_while_it_arrives_never_counts(furnished: Furnished) -> None:
    token, draft = await begun(furnished)
    content = files.jpg()
    place = await furnished.ask(FlowApi).begin_upload(
        token, draft.draft_id, UploadStart(field="photos", name="x.jpg", size=len(content))
    )

    async def slow() -> AsyncIterator[bytes]:
        yield content[:1000]
        await furnished.ask(FlowApi).remove_upload(token, place.upload_id)
        yield content[1000:]

    with pytest.raises(ProviderError):
        await furnished.ask(FlowApi).receive_upload(token, place.upload_id, slow())
    assert not on_disk(furnished)
    assert not await furnished.rows(UploadRow)
    assert not (await furnished.ask(FlowApi).draft(token, draft.draft_id)).facts["files"]


async def test_a_request_can_be_sent_without_photos_if_the_settings_allow_it(furnished: Furnished) -> None:
    options = furnished.context.settings.model_copy(update={"repair_uploads_required": False})
    application = Application(options)
    try:
        token = await Furnished(application).log_in(SANNE)
        draft = await application.services.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
        assert draft.facts["optional"] == ["photos"]
        with pytest.raises(ProviderError) as caught:
            await application.services.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))
        assert caught.value.code is not Code.MISSING_REPAIR_UPLOADED_FILES
    finally:
        await application.close()
