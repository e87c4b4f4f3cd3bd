"""What pages of both sites show of a file. No state is imported here: staff pages load none of customers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_KILO = 1000
_MEGA = 1_000_000


@dataclass(frozen=True, slots=True)
class FileView:
    """A complete file. `amount` and `unit` are its readable size; `size` is in bytes."""

    id: str
    name: str
    size: int
    kind: str
    photo: bool
    amount: str
    unit: str


def file_view(entry: Mapping[str, Any]) -> FileView:
    size = int(entry["size"])
    small = size < _MEGA
    return FileView(
        id=entry["id"],
        name=entry["name"],
        size=size,
        kind=entry["kind"],
        photo=bool(entry["photo"]),
        amount=str(max(1, round(size / _KILO))) if small else f"{size / _MEGA:.1f}",
        unit="kB" if small else "MB",
    )
