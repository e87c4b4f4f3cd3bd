"""The models of the import over HTTP, for a shop that sends its records itself."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from portal.contract.models import Model
from portal.vocabulary.imports import Side

SOURCE_FORM = r"^[a-z0-9][a-z0-9-]{0,39}$"
"""Form of the name of a shop or system."""

Source = Annotated[str, Field(pattern=SOURCE_FORM)]


class ImportBatch(Model):
    """Records of one kind. They may be in any order."""

    source: Source
    records: Annotated[list[dict[str, Any]], Field(min_length=1, max_length=1000)]


class ImportProblem(Model):
    """A record that was rejected or waits.

    Attributes:
        record: its place in the list, from 1.
        external_id: empty if the record has none.
        field: such as `lines.0.sku`; empty if it is about the whole record.
    """

    record: int
    external_id: str
    field: str
    reason: str


class Difference(Model):
    """A field that both the shop and the portal changed. The portal keeps its value until staff decide.

    Attributes:
        external_id: id of the record at the source.
        field: such as `city`, or `lines.2.name` for the second line of an order.
    """

    difference_id: int
    source: str
    kind: str
    external_id: str
    field: str
    shop_value: str
    portal_value: str
    found_at: datetime


class Differences(Model):
    """Open differences, the oldest first. `next_after` asks for the following ones; None after the last."""

    items: list[Difference]
    next_after: int | None


class RejectedRecord(Model):
    """A record that could not be stored; the record itself is kept and can be sent again.

    Attributes:
        external_id: empty if the record has none.
        file, line: where it stood; empty and 0 when it came by API.
        field: such as `document`; empty if it is about the whole record.
    """

    rejected_id: int
    source: str
    kind: str
    external_id: str
    file: str
    line: int
    field: str
    reason: str
    rejected_at: datetime


class RejectedRecords(Model):
    """Rejected records, the oldest first. `next_after` asks for the following ones; None after the last."""

    items: list[RejectedRecord]
    next_after: int | None


class Settlement(Model):
    """Whose value is kept."""

    keep: Side


class ImportReport(Model):
    """What became of the records.

    Attributes:
        joined: records that had waited and are stored now.
        waiting: records that wait for another one.
        differences: fields that the portal keeps although the shop changed them.
    """

    read: int
    created: int
    changed: int
    unchanged: int
    joined: int
    waiting: int
    rejected: int
    differences: int
    problems: list[ImportProblem]
