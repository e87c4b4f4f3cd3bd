"""The operations on files, with the same results for every kind of provider."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from portal.contract.errors import Conflict, InvalidInput, NotFound, ProviderError, Refused
from portal.contract.models import FilePart
from portal.flow.api import Draft, DraftStart, FlowApi, Submission, Upload, UploadStart
from portal.kernel.codes import Code
from portal.vocabulary.files import LARGEST_FILE
from tests.contract.operations import flowing
from tests.support import files
from tests.support.connections import Shop
from tests.support.filling import FLOW, bikes_of, clear, filled, save, sent
from tests.support.people import NOOR, SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def begun(shop: Shop, customer: tuple[str, str] = SANNE, flow: str = FLOW) -> tuple[FlowApi, str, Draft]:
    token, flows = await shop.token(*customer), shop.ask(FlowApi)
    await clear(shop, token, flow)
    return flows, token, await flows.open_draft(token, DraftStart(flow=flow))


async def content_of(shop: Shop, token: str, upload_id: str) -> bytes:
    found = await shop.ask(FlowApi).upload_content(token, upload_id)
    content = b"".join([chunk async for chunk in found.chunks])
    assert len(content) == found.size
    return content


def stored(shop: Shop) -> set[Path]:
    """The files but that with the id of the installation, which is written while the first requests come."""
    found = (path for path in (shop.data_dir / "files").rglob("*") if not path.name.startswith("installation"))
    return {path for path in found if path.is_file()}


async def test_every_kind_of_file_can_be_uploaded_and_downloaded(shop_each_way: Shop) -> None:
    shop = shop_each_way
    flows, token, draft = await begun(shop)
    uploads: list[Upload] = []
    for kind, (name, content) in [*files.everything().items(), ("HEIC", ("IMG_0003.avif", files.avif()))]:
        upload = await sent(shop, token, draft.draft_id, name, content)
        uploads.append(upload)
        assert (upload.name, upload.size, upload.kind, upload.field) == (name, len(content), kind, "photos")
        assert upload.photo == (kind in {"JPG", "PNG", "HEIC"})
        found = await flows.upload_content(token, upload.upload_id)
        kept = b"".join([chunk async for chunk in found.chunks])
        part = await flows.upload_content(token, upload.upload_id, FilePart(first=5, last=9))
        assert b"".join([chunk async for chunk in part.chunks]) == kept[5:10]
        assert found.name == (name if kind != "HEIC" else f"{name[:8]}.jpg")
        assert b"GEHEIM" not in kept
        if upload.photo:
            preview = await flows.upload_preview(token, upload.upload_id)
            assert (preview.media_type, preview.content[:2]) == ("image/jpeg", b"\xff\xd8")
        else:
            with pytest.raises(NotFound):
                await flows.upload_preview(token, upload.upload_id)
        if len(uploads) == 5:
            facts = (await flows.draft(token, draft.draft_id)).facts["files"]
            assert [entry["id"] for entry in facts] == [one.upload_id for one in uploads]
            assert set(facts[0]) == {"id", "field", "name", "size", "kind", "photo"}
            for one in uploads:
                await flows.remove_upload(token, one.upload_id)
            uploads.clear()


async def test_an_invalid_file_is_refused_and_leaves_nothing(shop_each_way: Shop) -> None:
    shop = shop_each_way
    flows, token, draft = await begun(shop)
    before = stored(shop)
    good = files.jpg()
    for content, size, code in (
        (files.PROGRAM, None, Code.FILE_NOT_ALLOWED),
        (good[: len(good) // 2], None, Code.FILE_DAMAGED),
        (files.pdf(script=True), None, Code.FILE_PROTECTED),
        (good[:-100], len(good), Code.UPLOAD_FAILED),
        (good + b"more", len(good), Code.UPLOAD_FAILED),
    ):
        place = await flows.begin_upload(
            token, draft.draft_id, UploadStart(field="photos", name="foto.jpg", size=size or len(content))
        )
        with pytest.raises(InvalidInput) as caught:
            await flows.receive_upload(token, place.upload_id, flowing(content))
        assert caught.value.code is code
        with pytest.raises(NotFound):
            await flows.upload_content(token, place.upload_id)
    assert not (await flows.draft(token, draft.draft_id)).facts["files"]
    assert not stored(shop) - before
    assert not await shop.alter("UPDATE uploads SET name = name WHERE draft = ?", draft.draft_id)


async def test_limits_are_checked_before_the_body_is_sent(shop: Shop) -> None:
    flows, token, draft = await begun(shop)

    async def begin(**values: object) -> Code | None:
        start = UploadStart.model_validate({"field": "photos", "name": "foto.jpg", "size": 10, **values})
        try:
            await flows.begin_upload(token, draft.draft_id, start)
        except ProviderError as error:
            return error.code
        return None

    assert await begin(size=0) is Code.FILE_EMPTY
    assert await begin(size=LARGEST_FILE + 1) is Code.MAX_UPLOAD_SIZE_REACHED
    assert await begin(field="parts") is Code.FILE_PARAMS_MISSING
    assert await begin(field="nothing") is Code.FILE_PARAMS_MISSING
    for _ in range(5):
        assert await begin(size=LARGEST_FILE) is None
    assert await begin() is Code.MAX_UPLOAD_FILE_COUNT_REACHED
    # What is announced and never sent gives its place back after a minute.
    await shop.alter("UPDATE uploads SET expires_at = '2020-01-01 00:00:00'")
    assert await begin() is None
    await shop.alter("UPDATE uploads SET size = ? WHERE draft = ?", 1024**3, draft.draft_id)
    await shop.alter("UPDATE uploads SET expires_at = '2120-01-01 00:00:00' WHERE draft = ?", draft.draft_id)
    await shop.alter("DELETE FROM uploads WHERE id NOT IN (SELECT max(id) FROM uploads)")
    assert await begin() is Code.UPLOAD_QUOTA_REACHED
    await shop.alter("DELETE FROM uploads")


async def test_two_files_cannot_both_take_the_last_place(shop: Shop) -> None:
    flows, token, draft = await begun(shop)
    start = UploadStart(field="photos", name="foto.jpg", size=10)
    tries = [flows.begin_upload(token, draft.draft_id, start) for _ in range(12)]
    results = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(not isinstance(result, Exception) for result in results) == 5
    assert {type(result) for result in results if isinstance(result, Exception)} == {Refused}
    await shop.alter("DELETE FROM uploads")


async def test_files_are_only_for_their_owner(shop: Shop) -> None:
    flows, token, draft = await begun(shop)
    upload = await sent(shop, token, draft.draft_id, "foto.jpg", files.jpg())
    start = UploadStart(field="photos", name="foto.jpg", size=10)
    place = await flows.begin_upload(token, draft.draft_id, start)
    _, other, theirs = await begun(shop, NOOR)
    for attempt in (
        flows.begin_upload(other, draft.draft_id, start),
        flows.receive_upload(other, place.upload_id, flowing(b"0123456789")),
        flows.remove_upload(other, upload.upload_id),
        flows.remove_upload(other, place.upload_id),
        flows.upload_content(other, upload.upload_id),
        flows.upload_preview(other, upload.upload_id),
        flows.upload_content(token, place.upload_id),
        flows.receive_upload(token, upload.upload_id, flowing(b"0123456789")),
        flows.upload_content(token, "../../etc/passwd"),
    ):
        with pytest.raises(NotFound):
            await attempt
    assert await content_of(shop, token, upload.upload_id)
    assert not theirs.facts["files"]
    await flows.remove_upload(token, place.upload_id)


async def test_uploads_and_removals_change_the_answer(shop: Shop) -> None:
    flows, token, _ = await begun(shop)
    draft = await filled(shop, token, (await bikes_of(shop, token))[0]["id"])
    first = draft.answers["photos"][0]
    second = await sent(shop, token, draft.draft_id, "film.mp4", files.film())
    now = await flows.draft(token, draft.draft_id)
    assert now.answers["photos"] == [first, second.upload_id]
    assert now.version == draft.version, "a form that is open elsewhere stays valid"
    await flows.remove_upload(token, first)
    assert (await flows.draft(token, draft.draft_id)).answers["photos"] == [second.upload_id]
    await flows.remove_upload(token, second.upload_id)
    with pytest.raises(InvalidInput) as caught:
        await flows.submit_draft(token, draft.draft_id, Submission(key=draft.key))
    assert caught.value.code in {Code.MISSING_REPAIR_UPLOADED_FILES, Code.REPAIR_REQUEST_INVALID_UPLOADED_FILES}


async def test_a_removed_or_foreign_file_is_no_answer(shop: Shop) -> None:
    flows, token, _ = await begun(shop)
    draft = await filled(shop, token, (await bikes_of(shop, token))[0]["id"])
    _, other, theirs = await begun(shop, NOOR)
    foreign = await sent(shop, other, theirs.draft_id, "foto.jpg", files.jpg())
    place = await flows.begin_upload(token, draft.draft_id, UploadStart(field="photos", name="foto.jpg", size=10))
    for wrong in (foreign.upload_id, place.upload_id, "ABCDEFGH23", "' OR 1=1"):
        with pytest.raises(InvalidInput) as caught:
            await save(shop, token, draft, "photos", {"photos": [wrong]})
        assert caught.value.code is Code.REPAIR_REQUEST_INVALID_UPLOADED_FILES
        assert caught.value.fields == {"photos": Code.UNRESOLVED_FILES}
    with pytest.raises(InvalidInput) as caught:
        await save(shop, token, draft, "photos", {"photos": []})
    assert caught.value.fields == {"photos": Code.REQUIRED}


async def test_files_belong_to_the_request_and_stay_available_to_their_owner(shop: Shop) -> None:
    flows, token, _ = await begun(shop)
    draft = await filled(shop, token, (await bikes_of(shop, token))[-1]["id"])
    upload = draft.answers["photos"][0]
    await flows.submit_draft(token, draft.draft_id, Submission(key=draft.key))
    assert (
        await shop.alter("UPDATE uploads SET name = name WHERE public_id = ? AND request_key = ?", upload, draft.key)
        == 1
    )
    assert (await content_of(shop, token, upload)).startswith(b"\xff\xd8")
    with pytest.raises(Conflict):
        await flows.remove_upload(token, upload)
    with pytest.raises(Conflict):
        await sent(shop, token, draft.draft_id, "foto.jpg", files.jpg())
    await shop.alter("DELETE FROM uploads")
    await shop.alter("DELETE FROM requests WHERE draft_key = ?", draft.key)
    await shop.alter("DELETE FROM drafts")
