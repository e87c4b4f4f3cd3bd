"""Files that go along with a request (part-1 §12)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

from pydantic import Field

from portal.contract.base import Shape


class UploadStart(Shape):
    """Announce a file, before a byte of it is sent.

    Attributes:
        field: of the flow that asks for it.
        name: as it is called on the customer's device.
        size: its bytes.
    """

    field: str = Field(max_length=40)
    name: str = Field(max_length=1000)
    size: int = Field(ge=0, le=2**53)


class UploadPlace(Shape):
    """Where an announced file is sent to. It is kept free for a minute, and while the file arrives."""

    upload_id: str


class Upload(Shape):
    """A file that arrived whole and was looked into.

    Attributes:
        upload_id: names it; the answer to the field is the list of these.
        field: of the flow.
        name: for showing, tidied.
        size: bytes as they were sent.
        kind: what it is by its content, a value of `FileKind`.
        photo: whether it is a picture, with a preview.
    """

    upload_id: str
    field: str
    name: str
    size: int
    kind: str
    photo: bool


@dataclass(frozen=True, slots=True)
class Content:
    """A file for its owner, piece by piece.

    Attributes:
        name: for saving it.
        media_type: of what is kept: a HEIC photo is kept as JPEG.
        size: bytes.
        chunks: the bytes; to be read to the end, or closed.
    """

    name: str
    media_type: str
    size: int
    chunks: AsyncIterator[bytes]
