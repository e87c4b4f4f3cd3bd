"""Photos of the demonstration: drawn here, judged as those of customers are, and kept in the store.

A few drawings serve all cases, so that loading stays fast. The same drawing gives the same bytes.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter

from portal.backend.context import Context
from portal.backend.files.checks import FileFindings, inspect
from portal.backend.files.store import store_of
from portal.demo.plans import number_from, stable_id
from portal.flow.provider.cleanup import PREVIEW
from portal.tables.drafts import UploadRow, UploadState
from portal.vocabulary.files import FileKind

_WIDTH, _HEIGHT, _FINER = 1024, 768, 2
_STEEL, _RUBBER, _PAINT, _GREASE, _RED, _WHITE = "#aab2b8", "#25292c", "#2f5d50", "#4a443c", "#c8402f", "#eef0ee"

Point = tuple[float, float]


class _Canvas:
    """A picture of a floor on which a part lies, drawn finer than it is kept."""

    def __init__(self, floor: tuple[int, int, int]) -> None:
        self._image = Image.new("RGB", (_WIDTH * _FINER, _HEIGHT * _FINER))
        self._draw = ImageDraw.Draw(self._image)
        for line in range(_HEIGHT * _FINER):
            shade = 0.7 + 0.45 * line / (_HEIGHT * _FINER)
            color = (min(255, int(floor[0] * shade)), min(255, int(floor[1] * shade)), min(255, int(floor[2] * shade)))
            self._draw.line((0, line, _WIDTH * _FINER, line), fill=color)

    def ring(self, at: Point, radius: float, color: str, width: float = 0) -> None:
        """A circle; filled without a width."""
        box = [value * _FINER for value in (at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius)]
        self._draw.ellipse(box, fill=None if width else color, outline=color, width=int(width * _FINER))

    def line(self, *points: Point, color: str, width: float) -> None:
        scaled = [(x * _FINER, y * _FINER) for x, y in points]
        self._draw.line(scaled, fill=color, width=int(width * _FINER), joint="curve")

    def box(self, left: float, top: float, right: float, bottom: float, color: str, radius: float = 12) -> None:
        scaled = [value * _FINER for value in (left, top, right, bottom)]
        self._draw.rounded_rectangle(scaled, radius * _FINER, fill=color)

    def around(self, at: Point, radius: float, count: int, act: Callable[[Point, float], None]) -> None:
        for number in range(count):
            angle = 2 * math.pi * number / count
            act((at[0] + radius * math.cos(angle), at[1] + radius * math.sin(angle)), angle)

    def save(self, path: Path) -> None:
        small = self._image.resize((_WIDTH, _HEIGHT), Image.Resampling.LANCZOS)
        small.filter(ImageFilter.GaussianBlur(0.6)).save(path, "JPEG", quality=72)


def _chain(canvas: _Canvas) -> None:
    at = (390.0, 400.0)
    canvas.around(at, 205, 42, lambda point, _: canvas.ring(point, 13, _STEEL))
    canvas.ring(at, 205, _GREASE, 26)
    canvas.around(at, 95, 5, lambda point, _: canvas.line(at, point, color=_STEEL, width=34))
    canvas.ring(at, 46, _RUBBER)
    for place in range(15):
        canvas.ring((400 + place * 44, 190 - place * 3 + (place == 9) * 34), 17, _GREASE, 9)
    canvas.line((390, 400), (640, 610), color=_RUBBER, width=40)


def _wheel(canvas: _Canvas) -> None:
    at = (540.0, 420.0)
    canvas.ring(at, 380, _RUBBER, 52)
    canvas.ring(at, 330, _STEEL, 24)

    def spoke(point: Point, angle: float) -> None:
        broken = 0.9 < angle < 1.3
        end = ((at[0] + point[0]) / 2 + 40, (at[1] + point[1]) / 2) if broken else point
        canvas.line(at, end, color=_RED if broken else _STEEL, width=6)

    canvas.around(at, 318, 28, spoke)
    canvas.ring(at, 52, _RUBBER)


def _brake(canvas: _Canvas) -> None:
    at = (470.0, 410.0)
    canvas.ring(at, 270, _STEEL, 62)
    canvas.around(at, 240, 30, lambda point, _: canvas.ring(point, 11, _RUBBER))
    canvas.around(at, 200, 6, lambda point, _: canvas.line(at, point, color=_STEEL, width=22))
    canvas.ring(at, 62, _RUBBER)
    canvas.box(640, 180, 860, 380, _RUBBER, 40)
    canvas.box(690, 230, 740, 340, _RED)
    canvas.line((750, 190), (820, 20), color=_RUBBER, width=20)


def _battery(canvas: _Canvas) -> None:
    canvas.box(150, 230, 880, 540, _RUBBER, 50)
    canvas.box(190, 270, 640, 500, "#33383c", 30)
    for place in range(5):
        canvas.ring((700, 300 + place * 44), 14, _RED if place == 4 else "#5b6166")
    canvas.box(780, 330, 850, 440, _STEEL)
    canvas.line((230, 330), (600, 330), color=_WHITE, width=8)
    canvas.line((230, 370), (500, 370), color=_STEEL, width=6)


def _fork(canvas: _Canvas) -> None:
    canvas.line((520, 0), (500, 190), (380, 420), (470, 700), color=_PAINT, width=46)
    canvas.line((570, 0), (560, 190), (620, 420), (560, 700), color=_PAINT, width=46)
    canvas.box(440, 150, 640, 230, _PAINT, 24)
    canvas.ring((515, 700), 330, _RUBBER, 46)
    canvas.line((395, 400), (440, 470), color=_WHITE, width=10)


def _carrier(canvas: _Canvas) -> None:
    for top in (220, 330, 440):
        canvas.line((120, top), (900, top - 60), color=_RUBBER, width=26)
    for left in (200, 520, 820):
        canvas.line((left, 215 - left / 14), (left, 450 - left / 14), color=_RUBBER, width=22)
    canvas.line((240, 420), (330, 740), color=_RUBBER, width=24)
    canvas.line((760, 390), (700, 740), color=_STEEL, width=24)
    canvas.ring((330, 700), 30, _RED, 10)


def _crank(canvas: _Canvas) -> None:
    canvas.ring((380, 340), 90, _STEEL)
    canvas.ring((380, 340), 40, _RUBBER)
    canvas.line((380, 340), (690, 560), color=_STEEL, width=58)
    canvas.box(640, 520, 880, 620, _RUBBER, 18)
    canvas.line((660, 505), (870, 480), color=_RED, width=9)


def _helmet(canvas: _Canvas) -> None:
    canvas.box(220, 180, 820, 560, _WHITE, 190)
    for place in range(4):
        canvas.box(300 + place * 120, 260, 360 + place * 120, 440, _RUBBER, 28)
    canvas.line((280, 540), (470, 700), (600, 540), color=_RUBBER, width=16)


def _parcel(canvas: _Canvas) -> None:
    canvas.box(170, 200, 860, 640, "#c39a6b", 6)
    canvas.box(480, 200, 560, 640, "#dcc39c", 0)
    canvas.box(230, 440, 420, 590, _WHITE, 4)
    for place in range(9):
        canvas.line((250 + place * 17, 470), (250 + place * 17, 560), color=_RUBBER, width=4 + place % 3 * 3)


_DRAWINGS: Mapping[str, tuple[Callable[[_Canvas], None], tuple[int, int, int]]] = {
    "chain": (_chain, (176, 168, 156)),
    "wheels": (_wheel, (150, 158, 150)),
    "brakes": (_brake, (164, 166, 172)),
    "battery": (_battery, (182, 160, 132)),
    "fork": (_fork, (138, 146, 152)),
    "carrier": (_carrier, (168, 172, 160)),
    "pedals": (_crank, (158, 152, 146)),
    "helmet": (_helmet, (150, 134, 112)),
    "parcel": (_parcel, (128, 136, 140)),
}

_SHOWING = {"motor": "battery", "gears": "chain", "cause": "fork"}
"""What else is photographed, and what it looks like."""


@dataclass(frozen=True, slots=True)
class Photo:
    content: bytes
    preview: bytes
    found: FileFindings


@cache
def photo_of(subject: str) -> Photo:
    draw, floor = _DRAWINGS[_SHOWING.get(subject, subject)]
    canvas = _Canvas(floor)
    draw(canvas)
    with tempfile.TemporaryDirectory() as folder:
        path, preview = Path(folder) / "photo", Path(folder) / "preview"
        canvas.save(path)
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
