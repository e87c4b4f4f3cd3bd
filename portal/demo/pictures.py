"""Pictures of the demonstration shop: every article in every colour, drawn here before a light wall.

The files in `images/` are made once, by `python -m portal.demo.pictures`: bringing thirty images to
size takes longer than anybody wants to wait for a demonstration.
"""

import asyncio
import json
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlmodel import select
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.files.checks import FileFindings, inspect
from portal.backend.files.store import store_of
from portal.demo.plans import ACCESSORIES, BIKES, DATA, Color, Product, number_from, stable_id
from portal.flow.provider.cleanup import PREVIEW
from portal.illustrations import DEFAULT_COLOR, HEIGHT, WIDTH, drawing
from portal.pictures.api import ImageFormat
from portal.pictures.provider.service import FILES, file_key, key_of, make_sizes, png_of, put
from portal.pictures.rules import WIDTHS, drawing_of
from portal.tables.bikes import PictureRow, ProductPictureRow
from portal.tables.drafts import UploadRow, UploadState
from portal.tables.orders import ProductRow
from portal.vocabulary.files import FileKind

_SHOWING = {"motor": "battery", "gears": "chain", "cause": "fork"}
"""What else is photographed, and what it looks like."""


@dataclass(frozen=True, slots=True)
class Photo:
    content: bytes
    preview: bytes
    found: FileFindings


@cache
def photo_of(subject: str) -> Photo:
    with tempfile.TemporaryDirectory() as folder:
        path, preview = Path(folder) / "photo", Path(folder) / "preview"
        shutil.copyfile(DATA / "photos" / f"{_SHOWING.get(subject, subject)}.jpg", path)
        found = inspect(path, {FileKind.JPG.value}, preview)
        return Photo(path.read_bytes(), preview.read_bytes(), found)


def upload_row(
    photo: Photo, customer_id: int, name: str, request_key: str, made: datetime, **values: object
) -> UploadRow:
    number = number_from("photo", request_key, name)
    return UploadRow.model_validate(
        {
            "public_id": stable_id("photo", request_key, name),
            "customer_id": customer_id,
            "draft": "",
            "field": "photos",
            "name": name,
            "key": f"{number:032x}"[-32:],
            "size": photo.found.size,
            "stored_size": photo.found.size,
            "kind": photo.found.kind,
            "media_type": photo.found.media_type,
            "sha256": photo.found.sha256,
            "has_preview": photo.found.preview,
            "state": UploadState.COMPLETE,
            "request_key": request_key,
            "created_at": made,
            "expires_at": made,
            **values,
        }
    )


async def keep(context: Context, key: str, photo: Photo) -> None:
    store = store_of(context.settings)
    folder = context.settings.data_dir / "files" / "incoming"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name, content in ((key, photo.content), (key + PREVIEW, photo.preview)):
        place = folder / f"demo-{name}"
        place.write_bytes(content)
        await store.keep(name, place)


FOLDER = Path(__file__).parent / "images"
SOURCE = "demonstration"
_PREVIEWS = FOLDER / "previews.json"

_SCENE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"><defs>'
    '<linearGradient id="wall" x2="0" y2="1"><stop stop-color="#fbfaf7"/><stop offset=".8" stop-color="#f1efe8"/>'
    '<stop offset=".8" stop-color="#e6e3d9"/><stop offset="1" stop-color="#efede6"/></linearGradient></defs>'
    '<rect width="{width}" height="{height}" fill="url(#wall)"/>'
    '<g transform="translate(29 11) scale(.88)">{inside}</g></svg>'
)


@dataclass(frozen=True, slots=True)
class Pictured:
    product: Product
    color: Color | None

    @property
    def name(self) -> str:
        shade = self.color.code[1:] if self.color else "plain"
        return f"{self.product.sku.lower()}-{shade}"

    def place(self, form: ImageFormat, width: int) -> Path:
        return FOLDER / f"{self.name}-{width}.{form}"

    @property
    def scene(self) -> str:
        color = self.color.code if self.color else DEFAULT_COLOR
        svg = drawing(drawing_of(self.product.kind, self.product.name, self.product.drawing), color)
        inside = svg.partition(">")[2].removesuffix("</svg>")
        return _SCENE.format(width=WIDTH, height=HEIGHT, inside=inside)


def pictured() -> Iterator[Pictured]:
    for product in (*BIKES, *ACCESSORIES):
        for color in product.colors or (None,):
            yield Pictured(product, color)


async def complete_pictures(context: Context, session: AsyncSession) -> None:
    articles = {row.public_id: row for row in await session.exec(select(ProductRow))}
    previews = json.loads(_PREVIEWS.read_text())
    known = set(await session.exec(select(ProductPictureRow.product_id)))
    for entry in pictured():
        row = articles.get(stable_id("article", entry.product.sku, entry.color.name if entry.color else ""))
        if row is None or row.id in known:
            continue
        largest = entry.place("avif", WIDTHS[-1]).read_bytes()
        key = key_of(largest)
        for form, width in FILES:
            await put(context, file_key(key, form, width), entry.place(form, width).read_bytes())
        kept = PictureRow(key=key, preview=previews[entry.name], ready=True, created_at=context.clock())
        session.add(kept)
        await session.flush()
        session.add(
            ProductPictureRow(
                source=SOURCE,
                external_id=row.public_id,
                product_id=row.id,
                picture_id=kept.id,
                received_at=context.clock(),
            )
        )


def draw_all() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    previews = {}
    with TemporaryDirectory() as folder:
        for entry in pictured():
            place = Path(folder, "scene")
            place.write_bytes(png_of(entry.scene, WIDTHS[-1]))
            made = asyncio.run(make_sizes(place))
            previews[entry.name] = made.preview
            for (form, width), content in made.files.items():
                entry.place(form, width).write_bytes(content)
    _PREVIEWS.write_text(json.dumps(previews, indent=1) + "\n")


if __name__ == "__main__":
    draw_all()
