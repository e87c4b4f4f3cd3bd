"""Files, over the provider API: passed on piece by piece in both directions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncIterator
from typing import Any

from pydantic import TypeAdapter

from portal.client import answers
from portal.client.caller import Call, Caller
from portal.client.calls import Calls
from portal.client.replies import LARGEST_DOCUMENT
from portal.contract.base import Document
from portal.contract.uploads import Content, Upload, UploadPlace, UploadStart

_NOTHING = TypeAdapter[Any](Any)
_PLACE = TypeAdapter(UploadPlace)
_UPLOAD = TypeAdapter(Upload)


class UploadCalls(Calls):
    """The operations on files; what they say is said in the contract."""

    _caller: Caller

    @abstractmethod
    def _bearer(self, token: str) -> str: ...

    async def begin_upload(self, token: str, draft_id: str, start: UploadStart) -> UploadPlace:
        """Announce a file."""
        path = f"/drafts/{await self._known_form(token, draft_id)}/files"
        return await self._send("begin_upload", "POST", path, token, start, _PLACE)

    async def receive_upload(self, token: str, upload_id: str, body: AsyncIterator[bytes]) -> Upload:
        """Pass a file on as it arrives."""
        path = f"/files/{await self._known_form(token, upload_id)}/body"
        call = Call("receive_upload", "PUT", path, token=self._bearer(token), body=body)
        return answers.data(call.operation, await self._caller.pass_on(call), _UPLOAD)

    async def remove_upload(self, token: str, upload_id: str) -> None:
        """Remove a file."""
        path = f"/files/{await self._known_form(token, upload_id)}"
        await self._send("remove_upload", "DELETE", path, token, None, _NOTHING)

    async def upload_content(self, token: str, upload_id: str) -> Content:
        """A file for its owner."""
        path = f"/files/{await self._known_form(token, upload_id)}/content"
        call = Call("upload_content", "GET", path, token=self._bearer(token), largest=LARGEST_DOCUMENT)
        return answers.content(call.operation, await self._caller.open(call))

    async def upload_preview(self, token: str, upload_id: str) -> Document:
        """A small picture of a photo."""
        path = f"/files/{await self._known_form(token, upload_id)}/preview"
        call = Call("upload_preview", "GET", path, token=self._bearer(token), largest=LARGEST_DOCUMENT)
        return answers.picture(call.operation, await self._caller.send(call))
