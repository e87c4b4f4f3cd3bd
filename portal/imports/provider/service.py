"""The import over HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from portal.backend.context import Context
from portal.contract.errors import NotFound
from portal.imports.api import ImportProblem, ImportReport
from portal.imports.provider.importer import Importer
from portal.imports.reading import RawRecord
from portal.imports.records import RECORDS


async def import_records(context: Context, kind: str, source: str, records: Sequence[dict[str, Any]]) -> ImportReport:
    """Store records of one kind.

    Raises:
        NotFound: there is no such kind.
        Unavailable: the database does not answer; what was stored before stays, and the call can be repeated.
    """
    if kind not in RECORDS:
        raise NotFound
    raw = [RawRecord(place, values) for place, values in enumerate(records, 1)]
    found = asdict(await Importer(context, source).store(kind, raw))
    problems = [ImportProblem(record=problem.pop("line"), **problem) for problem in found.pop("problems")]
    return ImportReport(problems=problems, **found)


def schema(kind: str) -> dict[str, Any]:
    """The JSON Schema of a kind.

    Raises:
        NotFound: there is no such kind.
    """
    if kind not in RECORDS:
        raise NotFound
    return RECORDS[kind].model_json_schema()
