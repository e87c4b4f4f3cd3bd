"""Over a real socket: what an ASGI app in the same process cannot show."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from portal.client.remote import HttpProvider
from portal.contract.common_api import ChangesApi, SessionApi, Watch
from portal.contract.errors import InvalidInput, NotAuthenticated, NotFound, TooMany
from portal.contract.session import CodeRequest, LocaleChoice, Origin
from portal.flow.api import DraftStart, FlowApi, Upload, UploadStart
from portal.kernel.codes import Code
from portal.login.api import LoginApi
from portal.vocabulary.actions import Topic
from tests.contract.operations import flowing
from tests.support.connections import Shop, opened
from tests.support.files import jpg
from tests.support.filling import FLOW, clear, sent
from tests.support.people import JORIS, MAX, NOOR, SANNE

pytestmark = pytest.mark.asyncio(loop_scope="module")
HERE = Origin(address="198.51.100.7", locale="nl")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shop(demonstration: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Shop]:
    """The demonstration shop in a process of its own."""
    settings = {"code_wait_seconds": 60, "codes_per_address_hour": 100_000}
    async with opened("socket", demonstration, tmp_path_factory.mktemp("socket"), settings) as shop:
        assert isinstance(shop.provider, HttpProvider)
        yield shop


async def photographed(shop: Shop, token: str, content: bytes) -> Upload:
    """A photo in a new draft."""
    await clear(shop, token)
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    return await sent(shop, token, draft.draft_id, "schade.jpg", content)


async def test_a_session_is_opened_used_and_ended(shop: Shop) -> None:
    token = await shop.log_in(*NOOR)
    assert (await shop.ask(SessionApi).check_session(token)).locale == "en"
    assert (await shop.ask(SessionApi).customer_info(token)).customer.email == NOOR[1]
    await shop.ask(LoginApi).logout(token)
    await shop.ask(LoginApi).logout(token)
    with pytest.raises(NotAuthenticated):
        await shop.ask(SessionApi).check_session(token)


async def test_a_limit_says_when_to_try_again_and_counts_the_address_of_the_customer(shop: Shop) -> None:
    request = CodeRequest(email=SANNE[1], order_number=SANNE[0])
    await shop.token(*SANNE)
    with pytest.raises(TooMany) as caught:
        await shop.ask(LoginApi).request_code(request, HERE)
    assert caught.value.code is Code.TOO_MANY_REQUESTS
    assert caught.value.retry_at


async def test_what_is_sent_for_everybody_is_each_customers_own(shop: Shop) -> None:
    tokens = [await shop.token(*customer) for customer in (SANNE, JORIS, MAX)]
    answers = await asyncio.gather(*(shop.ask(SessionApi).customer_info(token) for token in tokens * 20))
    assert [answer.customer.email for answer in answers] == [SANNE[1], JORIS[1], MAX[1]] * 20


async def test_a_file_goes_there_and_back_piece_by_piece(shop: Shop) -> None:
    token, content = await shop.token(*SANNE), jpg()
    upload = await photographed(shop, token, content)
    kept = await shop.ask(FlowApi).upload_content(token, upload.upload_id)
    assert len(b"".join([piece async for piece in kept.chunks])) == kept.size
    preview = await shop.ask(FlowApi).upload_preview(token, upload.upload_id)
    assert preview.content.startswith(b"\xff\xd8\xff")
    await shop.ask(FlowApi).remove_upload(token, upload.upload_id)
    with pytest.raises(NotFound):
        await shop.ask(FlowApi).upload_content(token, upload.upload_id)


async def test_a_file_that_is_shorter_than_announced_is_refused(shop: Shop) -> None:
    token, content = await shop.token(*SANNE), jpg()
    await clear(shop, token)
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    start = UploadStart(field="photos", name="schade.jpg", size=len(content))
    place = await shop.ask(FlowApi).begin_upload(token, draft.draft_id, start)
    with pytest.raises(InvalidInput) as caught:
        await shop.ask(FlowApi).receive_upload(token, place.upload_id, flowing(content[:-1]))
    assert caught.value.code is Code.UPLOAD_FAILED


async def test_who_waits_is_answered_when_something_changed_and_holds_up_nobody(shop: Shop) -> None:
    token = await shop.token(*SANNE)
    watch = Watch(topics=[Topic.REQUESTS])
    mark = (await shop.ask(ChangesApi).changes(token, watch)).mark
    later = watch.model_copy(update={"since": mark, "wait_seconds": 20})
    waiting = [asyncio.create_task(shop.ask(ChangesApi).changes(token, later)) for _ in range(5)]
    await asyncio.sleep(0.5)
    assert not [task for task in waiting if task.done()]
    await shop.ask(SessionApi).change_locale(token, LocaleChoice(locale="en"))
    async with asyncio.timeout(10):
        assert {(await task).mark > mark for task in waiting} == {True}
    await shop.ask(SessionApi).change_locale(token, LocaleChoice(locale="nl"))
