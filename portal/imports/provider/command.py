"""`python -m portal import`: reads files and stores their records."""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from portal.backend.faults import CommandFailed
from portal.imports.api import SOURCE_FORM
from portal.imports.rules.files import FORMS, records_of
from portal.imports.rules.reasons import WrongFile
from portal.imports.rules.records import RECORDS
from portal.settings import Settings
from portal.vocabulary.exchange import ImportForm

_BAR = 30
"""Characters of the progress bar."""

SHOWN = 20
"""Problems that are printed; `--report` writes all."""


class ImportFailed(CommandFailed):
    """The import cannot go on; the message is one line."""


def add_command(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("import", help="store the data of a shop")
    parser.add_argument("kind", choices=sorted(RECORDS), metavar="kind", help=", ".join(RECORDS))
    parser.add_argument("files", nargs="*", type=Path, metavar="file", help=".csv or .jsonl; .json of WooCommerce")
    parser.add_argument("--source", default="shop", type=_source, help="name of the shop or system; default: shop")
    parser.add_argument(
        "--format", default="own", choices=[form.value for form in FORMS], help="format of the files; default: own"
    )
    parser.add_argument("--dry-run", action="store_true", help="only show what an import would do")
    parser.add_argument("--again", action="store_true", help="send the rejected records of this kind again")
    parser.add_argument("--report", type=Path, metavar="file", help="write the report as JSON")
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of a record, and stop")
    parser.set_defaults(run=run)


def run(options: Settings, asked: argparse.Namespace) -> None:
    """Import files and print a report."""
    if asked.schema:
        print(json.dumps(RECORDS[asked.kind].model_json_schema(), indent=2))
        return
    if not asked.files and not asked.again:
        raise ImportFailed("name at least one file")
    if options.api_root is not None:
        raise ImportFailed("the provider is elsewhere (PORTAL_API_ROOT); import there")
    problems = asyncio.run(_import(options, asked))
    if problems and asked.dry_run:
        raise ImportFailed(f"{_records(problems)} would be rejected")
    if problems:
        raise ImportFailed(f"{_records(problems)} rejected; correct the file, or send them again with --again")


async def _import(options: Settings, asked: argparse.Namespace) -> int:
    from portal.backend.context import Context
    from portal.backend.database import Database
    from portal.imports.provider.importer import Importer
    from portal.imports.provider.report import Report
    from portal.imports.provider.runs import finished

    context = Context(options, Database(options.database))
    importer = Importer(context, asked.source, dry_run=asked.dry_run, folder=Path())
    reports: dict[str, Report] = {}
    try:
        for path in asked.files:
            importer.folder = path.parent
            form, began = ImportForm(asked.format), context.clock()
            report = await importer.store(asked.kind, records_of(asked.kind, form, path), path.name, _progress(path))
            reports[str(path)] = report
            if sys.stderr.isatty():
                print(file=sys.stderr)
            if not asked.dry_run:
                await finished(context, asked.source, asked.kind, report, began, form=form, file=path.name)
        if asked.again:
            began = context.clock()
            report = reports["rejected records"] = await importer.again(asked.kind)
            if not asked.dry_run:
                await finished(context, asked.source, asked.kind, report, began, form=ImportForm.AGAIN)
    except WrongFile as error:
        raise ImportFailed(f"{error.name}: {error.reason.code}: {error}") from None
    except OSError as error:
        raise ImportFailed(str(error)) from None
    finally:
        await context.database.close()
    for name, report in reports.items():
        print("\n".join(_lines(name, report, dry_run=asked.dry_run)))
    if asked.report:
        found = {name: report.model_dump() for name, report in reports.items()}
        await asyncio.to_thread(asked.report.write_text, json.dumps(found, indent=2, ensure_ascii=False))
    return sum(report.rejected for report in reports.values())


def _records(number: int) -> str:
    return f"{number:,} record{'' if number == 1 else 's'}"


def _progress(path: Path) -> Callable[[Any, int], None]:
    """A bar on a terminal. One answer of WooCommerce is a page of records and needs none."""
    if not sys.stderr.isatty() or not path.is_file():
        return lambda _report, _line: None
    lines = 0 if path.suffix == ".json" else _lines_of(path)

    def show(report: Any, line: int) -> None:
        part = min(1.0, line / lines) if lines else 0.0
        bar = f"[{'#' * round(part * _BAR):.<{_BAR}}] {part:4.0%}  " if lines else ""
        text = f"{path.name} {bar}{_records(report.read)}, {report.rejected:,} rejected"
        print(f"\r{text}", end="", file=sys.stderr, flush=True)

    return show


def _lines_of(path: Path) -> int:
    with path.open("rb") as file:
        found, last = 0, b""
        while piece := file.read(1_048_576):
            found, last = found + piece.count(b"\n"), piece
    return found + (not last.endswith(b"\n"))


def _lines(name: str, report: Any, *, dry_run: bool) -> Iterator[str]:
    yield f"{name}{' (dry run, nothing is stored)' if dry_run else ''}"
    yield "  " + ", ".join(f"{key} {value:,}" for key, value in report.counts().items() if value or key == "read")
    for problem in report.problems[:SHOWN]:
        place = f"line {problem.line}" if problem.line else "sent again"
        about = f" {problem.external_id}" if problem.external_id else ""
        at = f" {problem.field}:" if problem.field else ":"
        yield f"  {place}{about}{at} {problem.code}: {problem.reason}"
    if len(report.problems) > SHOWN:
        yield f"  and {len(report.problems) - SHOWN} more; --report FILE writes them"


def _source(text: str) -> str:
    if not re.fullmatch(SOURCE_FORM, text):
        raise argparse.ArgumentTypeError("use lower-case letters, digits and dashes for a source")
    return text
