"""Responses with files of customers and staff (security C1-C7), whole or in parts."""

import re
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from portal.contract.models import Content, Document, FilePart
from portal.kernel.ranges import asked_range, content_range

_SHOWN = frozenset({"image/jpeg", "image/png", "video/mp4", "video/quicktime", "application/pdf"})
"""Media types that browsers show by themselves; everything else is saved."""

_POLICY = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"
_SANDBOX = f"{_POLICY}; sandbox"
_SAVED = "default-src 'none'; frame-ancestors 'none'; sandbox"


def part_asked(request: Request, file_id: str) -> FilePart:
    """The part of a file that a request asks for.

    What stands under an id never changes, so the id is the validator: a download that began with another file, or with
    another server's date, starts again.
    """
    if request.headers.get("if-range", _tag(file_id)) != _tag(file_id):
        return FilePart()
    first, last = asked_range(request.headers.get("range", ""))
    return FilePart(first=first, last=last)


def file_response(content: Content, file_id: str, *, shown: bool = False) -> Response:
    """A file, or the part of it that was asked for; 416 when it has none of those bytes."""
    inline = shown and content.media_type in _SHOWN
    # The viewer of a browser for PDF files does not start in a sandbox of ours; it has its own.
    policy = (_POLICY if content.media_type == "application/pdf" else _SANDBOX) if inline else _SAVED
    headers = {
        "content-disposition": _disposition(content.name, "inline" if inline else "attachment"),
        "content-length": str(content.length),
        "content-security-policy": policy,
        "x-content-type-options": "nosniff",
        "cache-control": "private, no-store",
        "accept-ranges": "bytes",
        "etag": _tag(file_id),
    }
    status = 200
    if content.part is not None:
        headers["content-range"] = content_range(content.part, content.size)
        status = 206 if content.part.length else 416
    return StreamingResponse(content.chunks, status, media_type=content.media_type, headers=headers)


def preview_response(document: Document, *, seconds: int = 0) -> Response:
    headers = {
        "content-security-policy": _SAVED,
        "x-content-type-options": "nosniff",
        "cache-control": f"private, max-age={seconds}" if seconds else "private, no-store",
        "vary": "cookie",
    }
    return Response(document.content, media_type="image/jpeg", headers=headers)


def _disposition(name: str, how: str) -> str:
    ascii_name = re.sub(r"[^A-Za-z0-9._-]", "-", name) or "file"
    return f"{how}; filename=\"{ascii_name}\"; filename*=UTF-8''{quote(name, safe='')}"


def _tag(file_id: str) -> str:
    return f'"{file_id}"'
