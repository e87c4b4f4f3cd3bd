"""The HTTP endpoints of the staff site for files that staff upload, and for the files of messages."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from portal.contract.registry import ask
from portal.conversations.api import StaffConversationsApi
from portal.desk.downloads import staff_only
from portal.flow.api import StaffFilesApi
from portal.flow.http import announced, done, placed, received
from portal.web.files import file_response, part_asked, preview_response

_PATH = "/files/messages/{kind}/{reference}/{upload_id}"


def routes() -> list[Route]:
    return [
        Route("/files/drafts/messages/{kind}/{reference}/{key}", staff_only(_announce), methods=["POST"]),
        Route("/files/uploads/{upload_id}", staff_only(_upload), methods=["PUT", "DELETE"]),
        Route("/files/uploads/{upload_id}/preview", staff_only(_upload_preview), methods=["GET"]),
        Route(_PATH, staff_only(_file), methods=["GET"]),
        Route(f"{_PATH}/preview", staff_only(_preview), methods=["GET"]),
    ]


async def _announce(request: Request, token: str) -> Response:
    kind, reference, key = (request.path_params[name] for name in ("kind", "reference", "key"))
    start = await announced(request)
    return placed(await ask(StaffConversationsApi).begin_message_file(token, kind, reference, key, start))


async def _upload(request: Request, token: str) -> Response:
    upload_id = request.path_params["upload_id"]
    if request.method == "DELETE":
        await ask(StaffFilesApi).remove_staff_file(token, upload_id)
        return done()
    return await received(request, lambda body: ask(StaffFilesApi).receive_staff_file(token, upload_id, body))


async def _upload_preview(request: Request, token: str) -> Response:
    return preview_response(
        await ask(StaffFilesApi).staff_file_preview(token, request.path_params["upload_id"]), seconds=600
    )


async def _file(request: Request, token: str) -> Response:
    kind, reference, upload_id = _named(request)
    part = part_asked(request, upload_id)
    content = await ask(StaffConversationsApi).message_file(token, kind, reference, upload_id, part)
    return file_response(content, upload_id, shown=True)


async def _preview(request: Request, token: str) -> Response:
    return preview_response(await ask(StaffConversationsApi).message_preview(token, *_named(request)), seconds=600)


def _named(request: Request) -> tuple[str, str, str]:
    kind, reference, upload_id = (request.path_params[name] for name in ("kind", "reference", "upload_id"))
    return kind, reference, upload_id
