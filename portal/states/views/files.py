"""Uploaded files as a page shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from portal.domain.flow import FILES, Facts, Files, Flow

_KILO = 1024
_FEW = 100_000


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
    few = size < _FEW
    amount = max(size / _KILO, 0.1) if few else size / _KILO**2
    return FileView(
        id=entry["id"],
        name=entry["name"],
        size=size,
        kind=entry["kind"],
        photo=bool(entry["photo"]),
        amount=f"{amount:.1f}",
        unit="kB" if few else "MB",
    )
