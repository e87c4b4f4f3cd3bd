"""Uploaded files as a page shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from portal.domain.flow import FILES, Facts, Files, Flow

_KILO = 1000
_MEGA = 1_000_000


@dataclass(frozen=True, slots=True)
class FileView:
    """A file that arrived. `amount` and `unit` are its size in words, `size` in bytes."""

    id: str
    name: str
    size: int
    kind: str
    photo: bool
    amount: str
    unit: str


def file_views(flow: Flow, facts: Facts) -> dict[str, list[FileView]]:
    """The files of every field that asks for some."""
    entries = facts.get(FILES, ())
    return {
        field.name: [_view(entry) for entry in entries if entry["field"] == field.name]
        for field in flow.fields
        if isinstance(field.rule, Files)
    }


def _view(entry: Any) -> FileView:
    size = int(entry["size"])
    few = size < _MEGA
    return FileView(
        id=entry["id"],
        name=entry["name"],
        size=size,
        kind=entry["kind"],
        photo=bool(entry["photo"]),
        amount=str(max(1, round(size / _KILO))) if few else f"{size / _MEGA:.1f}",
        unit="kB" if few else "MB",
    )
