"""The import over HTTP."""

from __future__ import annotations

from collections.abc import Sequence

from portal.backend.context import Context
from portal.contract.errors import InvalidInput, NotFound
from portal.imports.api import ImportProblem, ImportReport
from portal.imports.provider.importer import Importer
from portal.imports.provider.invoice_documents import store_document
from portal.imports.provider.record_files import DocumentRefused
from portal.imports.provider.runs import finished
from portal.imports.rules.reading import RawRecord, Values
from portal.imports.rules.records import RECORDS
from portal.kernel.codes import Code
from portal.vocabulary.exchange import ImportWay


async def import_records(context: Context, kind: str, source: str, records: Sequence[Values]) -> ImportReport:
    if kind not in RECORDS:
        raise NotFound
    raw = [RawRecord(place, values) for place, values in enumerate(records, 1)]
    began = context.clock()
    report = await Importer(context, source).store(kind, raw)
    await finished(context, source, kind, report, began, way=ImportWay.API)
    problems = [
        ImportProblem(record=problem.line, **problem.model_dump(exclude={"line"})) for problem in report.problems
    ]
    return ImportReport(problems=problems, **report.counts())


async def import_document(context: Context, source: str, external_id: str, content: bytes) -> bool:
    """Store the shop's own PDF of an invoice. Returns whether it is another one than before."""
    try:
        return await store_document(context, source, external_id, content)
    except DocumentRefused:
        raise InvalidInput(Code.INVALID_INPUT, fields={"document": Code.INVALID_INPUT}) from None


def schema(kind: str) -> dict[str, object]:
    if kind not in RECORDS:
        raise NotFound
    return RECORDS[kind].model_json_schema()
