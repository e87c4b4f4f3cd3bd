"""Files by telephone: what a link opens, what it never opens, and when it ends; on both databases."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from structlog.testing import capture_logs

from portal.backend.security import challenge_hash
from portal.contract.errors import InvalidInput, NotAuthenticated, NotFound, ProviderError, Refused, TooMany
from portal.contract.operations import ParameterPlace
from portal.flow.api import DraftStart, FlowApi, PhoneLinkState, PhonePlace, UploadPlace, UploadStart
from portal.flow.provider import phone
from portal.kernel.codes import Code
from portal.kernel.days import now
from portal.login.api import LoginApi
from portal.tables.customers import SessionRow
from portal.tables.drafts import DraftRow, PhoneLinkRow, UploadRow
from tests.contract.operations import ALL, WITH_PHONE_LINK, flowing
from tests.support import files
from tests.support.customers import NOOR, SANNE
from tests.support.declared import DECLARED
from tests.support.furnished import Furnished
from tests.support.living import Living

PHOTOS = PhonePlace(field="photos")


class Begun:
    """A draft with a link."""

    def __init__(self, shop: Any, token: str, draft: str, link: str) -> None:
        self.flow, self.token, self.draft, self.link = shop.ask(FlowApi), token, draft, link

    @classmethod
    async def of(cls, shop: Any, customer: tuple[str, str] = SANNE) -> Begun:
        """Begin one."""
        token = await shop.log_in(customer)
        draft = (await shop.ask(FlowApi).open_draft(token, DraftStart(flow="repair-request"))).draft_id
        return cls(shop, token, draft, (await shop.ask(FlowApi).open_phone_link(token, draft, PHOTOS)).hash)

    async def announce(self, size: int = 10, field: str = "photos") -> UploadPlace:
        """Announce a file on the telephone."""
        return await self.flow.begin_phone_upload(self.link, UploadStart(field=field, name="foto.jpg", size=size))

    async def send(self) -> str:
        """Send a photo from the telephone."""
        content = files.jpg()
        place = await self.announce(len(content))
        return (await self.flow.receive_phone_upload(self.link, place.upload_id, flowing(content))).upload_id

    async def send_here(self) -> str:
        """Send a photo from the computer."""
        content = files.jpg()
        start = UploadStart(field="photos", name="hier.jpg", size=len(content))
        place = await self.flow.begin_upload(self.token, self.draft, start)
        return (await self.flow.receive_upload(self.token, place.upload_id, flowing(content))).upload_id

    async def ended(self) -> None:
        """Check that the link opens nothing any more."""
        assert await self.flow.phone_link(self.token, self.draft) == PhoneLinkState(active=False, opened=False)
        with pytest.raises(NotAuthenticated):
            await self.flow.phone_uploads(self.link)
        with pytest.raises(NotAuthenticated):
            await self.announce()


@pytest.mark.each_database
async def test_a_photo_of_the_telephone_is_a_photo_of_the_draft(furnished: Furnished) -> None:
    begun = await Begun.of(furnished)
    assert await begun.flow.phone_link(begun.token, begun.draft) == PhoneLinkState(active=True, opened=False)
    seen = await begun.flow.phone_uploads(begun.link)
    assert (seen.flow, seen.field, seen.locale, seen.files) == ("repair-request", "photos", "nl", [])
    assert (await begun.flow.phone_link(begun.token, begun.draft)).opened
    here, there = await begun.send_here(), await begun.send()
    assert [file.upload_id for file in (await begun.flow.phone_uploads(begun.link)).files] == [there]
    listed = (await begun.flow.draft(begun.token, begun.draft)).facts["files"]
    assert [file["id"] for file in listed] == [here, there]
    assert (await begun.flow.phone_preview(begun.link, there)).content
    await begun.flow.remove_phone_upload(begun.link, there)
    assert [file["id"] for file in (await begun.flow.draft(begun.token, begun.draft)).facts["files"]] == [here]


async def test_the_link_is_stored_as_a_hash_only(furnished: Furnished) -> None:
    begun = await Begun.of(furnished)
    row = await furnished.one(PhoneLinkRow)
    assert row.link_hash == challenge_hash(begun.link)
    assert begun.link not in str(row)


async def test_a_telephone_sees_and_removes_only_what_it_added_and_another_is_noted(furnished: Furnished) -> None:
    begun, other = await Begun.of(furnished), await Begun.of(furnished, NOOR)
    here, theirs = await begun.send_here(), await other.send()
    for upload in (here, theirs, "ABCDEFGH23", "../x"):
        with capture_logs() as lines:
            for call in (
                begun.flow.phone_preview(begun.link, upload),
                begun.flow.remove_phone_upload(begun.link, upload),
                begun.flow.receive_phone_upload(begun.link, upload, flowing(b"x")),
            ):
                with pytest.raises(NotFound):
                    await call
        assert [line["event"] for line in lines] == ["phone link refused"] * 3
    with pytest.raises(InvalidInput) as caught:
        await begun.announce(field="copies")
    assert caught.value.code is Code.FILE_PARAMS_MISSING


async def test_the_link_opens_no_other_operation(furnished: Furnished) -> None:
    begun = await Begun.of(furnished)
    with_token = {name for name, declared in DECLARED.items() if declared.at(ParameterPlace.TOKEN)}
    others = with_token - WITH_PHONE_LINK.keys() - {"logout"}
    assert len(others) > 100
    for name in others:
        with pytest.raises((NotAuthenticated, NotFound) if DECLARED[name].right else NotAuthenticated):
            await ALL[name](furnished.provider, begun.link)
    await furnished.ask(LoginApi).logout(begun.link)
    assert await begun.flow.draft(begun.token, begun.draft), "it ends no session either"


@pytest.mark.parametrize("token", ["", "x", "a" * 43, "é" * 43, "session"])
async def test_a_link_that_was_never_made_opens_nothing_and_is_noted(furnished: Furnished, token: str) -> None:
    flow = furnished.ask(FlowApi)
    if token == "session":
        token = await furnished.log_in(SANNE)
    with capture_logs() as lines:
        for call in (
            flow.phone_uploads(token),
            flow.begin_phone_upload(token, UploadStart(field="photos", name="x.jpg", size=1)),
            flow.receive_phone_upload(token, "ABCDEFGH23", flowing(b"x")),
            flow.remove_phone_upload(token, "ABCDEFGH23"),
            flow.phone_preview(token, "ABCDEFGH23"),
        ):
            with pytest.raises(NotAuthenticated):
                await call
    assert [line["event"] for line in lines] == ["phone link refused"] * 5


async def test_a_link_ends_with_the_session_the_draft_the_time_and_the_next_link(living: Living) -> None:
    begun = await Begun.of(living)
    newer = await begun.flow.open_phone_link(begun.token, begun.draft, PHOTOS)
    with pytest.raises(NotAuthenticated):
        await begun.flow.phone_uploads(begun.link)
    begun.link = newer.hash
    await begun.flow.end_phone_link(begun.token, begun.draft)
    await begun.ended()
    begun.link = (await begun.flow.open_phone_link(begun.token, begun.draft, PHOTOS)).hash
    await living.change(SessionRow, {"last_used_at": now() + timedelta(hours=1)}, revoked_at=None)
    living.clock.forward(minutes=29)
    assert await begun.flow.phone_uploads(begun.link)
    living.clock.forward(minutes=2)
    await begun.ended()
    begun.link = (await begun.flow.open_phone_link(begun.token, begun.draft, PHOTOS)).hash
    await begun.flow.discard_draft(begun.token, begun.draft)
    with pytest.raises(NotAuthenticated):
        await begun.flow.phone_uploads(begun.link)
    begun = await Begun.of(living)
    await living.ask(LoginApi).logout(begun.token)
    with pytest.raises(NotAuthenticated):
        await begun.flow.phone_uploads(begun.link)


@pytest.mark.each_database
async def test_a_link_ends_when_the_request_is_sent_also_for_a_file_on_its_way(furnished: Furnished) -> None:
    begun = await Begun.of(furnished)
    content = files.jpg()
    place = await begun.announce(len(content))
    await furnished.change(DraftRow, {"sent_at": now()}, public_id=begun.draft)
    with pytest.raises(NotAuthenticated):
        await begun.flow.receive_phone_upload(begun.link, place.upload_id, flowing(content))
    await begun.ended()


async def test_a_file_that_arrives_after_the_link_was_ended_is_refused(furnished: Furnished) -> None:
    begun = await Begun.of(furnished)
    content = files.jpg()
    place = await begun.announce(len(content))

    async def slowly() -> Any:
        yield content[:100]
        await begun.flow.end_phone_link(begun.token, begun.draft)
        yield content[100:]

    with pytest.raises(NotAuthenticated):
        await begun.flow.receive_phone_upload(begun.link, place.upload_id, slowly())
    assert not await furnished.rows(UploadRow)


async def test_the_limits_are_those_of_the_draft_and_a_link_is_no_way_round_them(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = await Begun.of(furnished)
    await begun.send_here()
    for _ in range(4):
        await begun.announce()
    with pytest.raises(Refused) as full:
        await begun.announce()
    assert full.value.code is Code.MAX_UPLOAD_FILE_COUNT_REACHED
    for size, code in ((0, Code.FILE_EMPTY), (101 * 1024 * 1024, Code.MAX_UPLOAD_SIZE_REACHED)):
        with pytest.raises(InvalidInput) as refused:
            await begun.announce(size)
        assert refused.value.code is code
    monkeypatch.setattr(phone, "FILES_PER_LINK", 7)
    with pytest.raises(TooMany):
        await begun.announce()


async def test_links_are_limited_and_only_for_an_own_draft_and_a_field_for_files(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, other = await Begun.of(furnished), await Begun.of(furnished, NOOR)
    errors: list[tuple[str, PhonePlace, type[ProviderError]]] = [
        (other.draft, PHOTOS, NotFound),
        ("x", PHOTOS, NotFound),
        (begun.draft, PhonePlace(field="parts"), InvalidInput),
    ]
    for draft, place, error in errors:
        with pytest.raises(error):
            await begun.flow.open_phone_link(begun.token, draft, place)
    for call in (begun.flow.phone_link, begun.flow.end_phone_link):
        with pytest.raises(NotFound):
            await call(begun.token, other.draft)
    assert await other.flow.phone_uploads(other.link)
    monkeypatch.setattr(phone, "LINKS_PER_HOUR", 2)
    await begun.flow.open_phone_link(begun.token, begun.draft, PHOTOS)
    with pytest.raises(TooMany):
        await begun.flow.open_phone_link(begun.token, begun.draft, PHOTOS)
