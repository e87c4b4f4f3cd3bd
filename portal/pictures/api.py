"""The operation that reads an image."""

from typing import Annotated, Literal, Protocol

from pydantic import Field

from portal.contract.models import Document
from portal.contract.operations import ANY_FILE, operation

ImageFormat = Literal["avif", "webp", "jpeg"]
Color = Annotated[str, Field(pattern="^#[0-9a-f]{6}$")]
Width = Annotated[int, Field(ge=1, le=4000)]


class PicturesApi(Protocol):
    """Images of products, which are no secret: who knows a key may read it."""

    @operation("GET", "/pictures/{key}/{form}/{width}", media=ANY_FILE)
    async def picture_file(self, key: str, form: ImageFormat, width: Width) -> Document:
        """Return an image in one of its sizes."""

    @operation("GET", "/drawings/{drawing}", media=ANY_FILE)
    async def drawing_file(self, drawing: str, color: Color) -> Document:
        """Return a drawing in a colour as a PNG, for mail programs."""
