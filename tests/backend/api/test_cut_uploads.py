"""Connections that end in the middle of a file, on a real server (security C2)."""

import socket
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from portal.client.remote import HttpProvider
from portal.contract.errors import NotFound
from portal.flow.api import DraftStart, FlowApi, UploadStart
from tests.support import files
from tests.support.connections import UNHURRIED, Shop, opened
from tests.support.people import SANNE

FLOW = "repair-request"


@pytest.mark.parametrize("chunked", [False, True])
async def test_a_connection_that_is_cut_leaves_nothing(demonstration: Path, tmp_path: Path, chunked: bool) -> None:
    async with opened("socket", demonstration, tmp_path, UNHURRIED) as shop:
        provider = shop.provider
        assert isinstance(provider, HttpProvider)
        token = await shop.log_in(*SANNE)
        # The images of products of the demonstration are there already.
        before = _kept(tmp_path)
        draft = await provider.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
        content = files.jpg()
        place = await provider.ask(FlowApi).begin_upload(
            token, draft.draft_id, UploadStart(field="photos", name="foto.jpg", size=len(content))
        )
        _cut(str(provider._caller._http.base_url), place.upload_id, token, content, chunked=chunked)
        assert _is_gone(shop)
        with pytest.raises(NotFound):
            await provider.ask(FlowApi).upload_content(token, place.upload_id)
        assert not (await provider.ask(FlowApi).draft(token, draft.draft_id)).facts["files"]
        assert _kept(tmp_path) == before


def _kept(data_dir: Path) -> set[Path]:
    """The files in the store."""
    return {path for path in (data_dir / "files").rglob("*") if path.is_file()}


def _cut(root: str, upload_id: str, token: str, content: bytes, *, chunked: bool) -> None:
    """Send half of a file and hang up."""
    address = urlsplit(root)
    length = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {len(content)}"
    half = content[: len(content) // 2]
    body = b"%x\r\n%s\r\n" % (len(half), half) if chunked else half
    head = (
        f"PUT {address.path.rstrip('/')}/files/{upload_id}/body HTTP/1.1\r\nHost: {address.netloc}\r\n"
        f"Authorization: Bearer {token}\r\n{length}\r\n\r\n"
    )
    with socket.create_connection((address.hostname or "", address.port or 0), 5) as connection:
        connection.sendall(head.encode() + body)
        time.sleep(0.3)


def _is_gone(shop: Shop) -> bool:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if not shop.change("UPDATE uploads SET name = name"):
            return True
        time.sleep(0.1)
    return False
