"""Parts of files over HTTP: a video is sought in and a download continued, on the disk and in a bucket."""

from collections.abc import AsyncIterator, Iterator

import httpx
import pytest
import pytest_asyncio
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from portal.contract.errors import ProviderError
from portal.flow.api import DraftStart, FlowApi, Upload, UploadStart
from portal.provider.application import Application
from portal.setting_groups import FileStore
from portal.web.files import file_response, part_asked
from tests.contract.operations import flowing
from tests.support import files
from tests.support.bucket import s3_server
from tests.support.customers import SANNE
from tests.support.filling import FLOW
from tests.support.furnished import Furnished


@pytest.fixture(scope="module")
def bucket() -> Iterator[FileStore]:
    with s3_server() as settings:
        yield settings


@pytest_asyncio.fixture(params=["disk", "bucket"])
async def stored(request: pytest.FixtureRequest, furnished: Furnished) -> AsyncIterator[tuple[Furnished, str, Upload]]:
    """A shop with a video, a session of its customer, and the video."""
    if request.param == "disk":
        yield furnished, *await _uploaded(furnished)
        return
    options = furnished.context.settings.model_copy(update={"files": request.getfixturevalue("bucket")})
    application = Application(options)
    try:
        shop = Furnished(application)
        yield shop, *await _uploaded(shop)
    finally:
        await application.close()


async def _uploaded(shop: Furnished) -> tuple[str, Upload]:
    token, content = await shop.log_in(SANNE), files.film()
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    start = UploadStart(field="photos", name="rammel.mp4", size=len(content))
    place = await shop.ask(FlowApi).begin_upload(token, draft.draft_id, start)
    return token, await shop.ask(FlowApi).receive_upload(token, place.upload_id, flowing(content))


async def asked(shop: Furnished, token: str, upload_id: str, **headers: str) -> httpx.Response:
    """The answer of the route of a file to a request with these headers."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        try:
            content = await shop.ask(FlowApi).upload_content(token, upload_id, part_asked(request, upload_id))
            answer: Response = file_response(content, upload_id, shown=True)
        except ProviderError as error:
            answer = Response(status_code=error.status)
        await answer(scope, receive, send)

    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://portal.test") as client:
        return await client.get("/file", headers=headers)


async def test_a_range_of_a_video_is_sent_alone(stored: tuple[Furnished, str, Upload]) -> None:
    shop, token, video = stored
    whole = await asked(shop, token, video.upload_id)
    assert (whole.status_code, whole.headers["accept-ranges"]) == (200, "bytes")
    size = len(whole.content)
    for header, expected in {
        "bytes=0-": whole.content,
        "bytes=10-19": whole.content[10:20],
        "bytes=-7": whole.content[-7:],
        f"bytes={size - 1}-{size + 900}": whole.content[-1:],
    }.items():
        part = await asked(shop, token, video.upload_id, range=header)
        assert (part.status_code, part.content) == (206, expected)
        assert part.headers["content-length"] == str(len(expected))
        assert part.headers["content-range"].endswith(f"/{size}")
        assert part.headers["content-type"] == "video/mp4"
    behind = await asked(shop, token, video.upload_id, range=f"bytes={size}-")
    assert (behind.status_code, behind.headers["content-range"], behind.content) == (416, f"bytes */{size}", b"")


async def test_the_whole_file_is_sent_unless_one_part_of_it_is_asked_for(stored: tuple[Furnished, str, Upload]) -> None:
    shop, token, video = stored
    tag = (await asked(shop, token, video.upload_id)).headers["etag"]
    for headers, status in (
        ({"range": "bytes=0-3", "if-range": tag}, 206),
        ({"range": "bytes=0-3", "if-range": '"another"'}, 200),
        ({"range": "bytes=0-3", "if-range": "Mon, 23 Nov 2026 10:00:00 GMT"}, 200),
        ({"range": "bytes=0-1,4-5"}, 200),
    ):
        assert (await asked(shop, token, video.upload_id, **headers)).status_code == status
