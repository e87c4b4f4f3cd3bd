"""Files that go along with a request."""

from __future__ import annotations

from collections.abc import AsyncIterator

from fastapi import APIRouter, Request, Response
from starlette.requests import ClientDisconnect
from starlette.responses import StreamingResponse

from portal.contract.errors import InvalidInput
from portal.contract.uploads import Upload, UploadPlace, UploadStart
from portal.domain.codes import Code
from portal.provider.api.access import Reference, Services, Token
from portal.provider.api.envelope import Answer, refusals
from portal.provider.api.invoices import content_disposition

router = APIRouter(tags=["requests"])
_BYTES = {"schema": {"type": "string", "format": "binary"}}


@router.post(
    "/drafts/{draft_id}/files",
    operation_id="begin_upload",
    summary="Announce a file; all limits are checked here",
    responses=refusals(401, 403, 404, 409, 413, 422, 429),
)
async def begin_upload(
    token: Token, draft_id: Reference, start: UploadStart, provider: Services
) -> Answer[UploadPlace]:
    """Keep a place free for a file."""
    return Answer[UploadPlace](data=await provider.begin_upload(token, draft_id, start))


@router.put(
    "/files/{upload_id}/body",
    operation_id="receive_upload",
    summary="Send an announced file, exactly the announced bytes",
    responses=refusals(401, 403, 404, 409, 413, 422),
    openapi_extra={"requestBody": {"required": True, "content": {"application/octet-stream": _BYTES}}},
)
async def receive_upload(token: Token, upload_id: Reference, request: Request, provider: Services) -> Answer[Upload]:
    """Receive a file piece by piece."""
    return Answer[Upload](data=await provider.receive_upload(token, upload_id, body_of(request)))


@router.delete(
    "/files/{upload_id}",
    operation_id="remove_upload",
    summary="Remove a file from a request that was not sent",
    responses=refusals(401, 404, 409),
)
async def remove_upload(token: Token, upload_id: Reference, provider: Services) -> Answer[None]:
    """Delete a file."""
    await provider.remove_upload(token, upload_id)
    return Answer[None](data=None)


@router.get(
    "/files/{upload_id}/content",
    operation_id="upload_content",
    summary="A file, for its owner",
    response_class=Response,
    responses={
        200: {"description": "The file.", "content": {"application/octet-stream": _BYTES}},
        **refusals(401, 404),
    },
)
async def upload_content(token: Token, upload_id: Reference, provider: Services) -> Response:
    """Send a file piece by piece."""
    content = await provider.upload_content(token, upload_id)
    headers = {"Content-Disposition": content_disposition(content.name), "Content-Length": str(content.size)}
    return StreamingResponse(content.chunks, media_type=content.media_type, headers=headers)


@router.get(
    "/files/{upload_id}/preview",
    operation_id="upload_preview",
    summary="A small picture of a photo",
    response_class=Response,
    responses={200: {"description": "The picture.", "content": {"image/jpeg": _BYTES}}, **refusals(401, 404)},
)
async def upload_preview(token: Token, upload_id: Reference, provider: Services) -> Response:
    """Send a picture."""
    document = await provider.upload_preview(token, upload_id)
    return Response(document.content, media_type=document.media_type)


async def body_of(request: Request) -> AsyncIterator[bytes]:
    """The body as it arrives.

    Raises:
        InvalidInput: `upload_failed`, it broke off.
    """
    try:
        async for chunk in request.stream():
            if chunk:
                yield chunk
    except ClientDisconnect:
        raise InvalidInput(Code.UPLOAD_FAILED) from None
