"""Photos of the demonstration, of `data/photos`: judged as those of customers are, and kept in the store.

A few serve all cases, so that loading stays fast.
"""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

from portal.backend.context import Context
from portal.backend.files.checks import FileFindings, inspect
from portal.backend.files.store import store_of
from portal.demo.plans import DATA, number_from, stable_id
from portal.flow.provider.cleanup import PREVIEW
from portal.tables.drafts import UploadRow, UploadState
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
