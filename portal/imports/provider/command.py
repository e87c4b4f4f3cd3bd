"""`python -m portal import`: reads files and stores their records."""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from portal.backend.faults import CommandFailed
from portal.imports.api import SOURCE_FORM
from portal.imports.rules.files import ADAPTERS, FORMS, FolderStep, records_of
from portal.imports.rules.reasons import WrongFile
from portal.imports.rules.records import RECORDS
from portal.settings import Settings
from portal.vocabulary.exchange import IMPORT_ADVICE, IMPORT_KINDS, ImportForm, ImportOutcome

_BAR = 30
"""Characters of the progress bar."""

SHOWN = 20
"""Records of each outcome that are printed; `--report` writes all."""


class ImportFailed(CommandFailed):
    """The import cannot go on; the message is one line."""


def add_command(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser("import", help="store the data of a shop")
    parser.add_argument("kind", type=_kind, metavar="kind", help=f"{', '.join(RECORDS)}; or a folder with files of all")
    parser.add_argument("files", nargs="*", type=Path, metavar="file", help=".csv, .jsonl or .json")
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
    if asked.schema and asked.kind in RECORDS:
        print(json.dumps(RECORDS[asked.kind].model_json_schema(), indent=2))
        return
    steps = steps_of(asked)
    if not steps and not asked.again:
        raise ImportFailed("name at least one file")
    if options.api_root is not None:
        raise ImportFailed("the provider is elsewhere (PORTAL_API_ROOT); import there")
    problems = asyncio.run(_import(options, asked, steps))
    if problems and asked.dry_run:
        raise ImportFailed(f"{_records(problems)} would be rejected")
    if problems:
        raise ImportFailed(f"{_records(problems)} rejected; correct the file, or send them again with --again")


def steps_of(asked: argparse.Namespace) -> list[FolderStep]:
    """The files in an order in which no record has to wait."""
    form = ImportForm(asked.format)
    if asked.kind in RECORDS:
        return [FolderStep(asked.kind, form, path) for path in asked.files]
    adapter, found = ADAPTERS.get(form), list[FolderStep]()
    paths = sorted(path for path in Path(asked.kind).iterdir() if path.is_file())
    prefixed = any(path.name.startswith(f"{form.value}-") for path in paths)
    for kind in IMPORT_KINDS:
        # Who ordered without an account is no customer of WooCommerce but in the orders.
        guests = kind == "customers" and form is ImportForm.WOOCOMMERCE
        names = [kind, *(["orders"] if guests else [])]
        theirs = adapter is not None and kind in adapter.kinds
        prefix = f"{form.value}-" if theirs and prefixed else ""
        fitting = re.compile(rf"{prefix}({'|'.join(names)})([-_ ]?[0-9]+)?\.(csv|jsonl|ndjson|json)")
        found += [
            FolderStep(kind, form if theirs else ImportForm.OWN, path) for path in paths if fitting.fullmatch(path.name)
        ]
    return found


async def _import(options: Settings, asked: argparse.Namespace, steps: list[FolderStep]) -> int:
    from portal.backend.context import Context, database_of
    from portal.imports.provider.importer import Importer
    from portal.imports.provider.preview import Sample, pages_of
    from portal.imports.provider.report import Report
    from portal.imports.provider.runs import finished

    context = Context(options, database_of(options))
    importer = Importer(context, asked.source, dry_run=asked.dry_run, folder=Path())
    reports: dict[str, Report] = {}
    sample = Sample()
    try:
        for kind, form, path in steps:
            importer.folder, began = path.parent, context.clock()
            records = records_of(kind, form, path)
            picked = sample.picking(kind, records) if asked.dry_run else records
            report = await importer.store(kind, picked, path.name, _progress(path))
            reports[str(path) if str(path) not in reports else f"{path} ({kind})"] = report
            if sys.stderr.isatty():
                print(file=sys.stderr)
            if not asked.dry_run:
                await finished(context, asked.source, kind, report, began, form=form, file=path.name)
        if asked.again:
            began = context.clock()
            report = reports["rejected records"] = await importer.again(asked.kind)
            if not asked.dry_run:
                await finished(context, asked.source, asked.kind, report, began, form=ImportForm.AGAIN)
        pages = await pages_of(context, asked.source, sample, steps) if asked.dry_run else []
    except WrongFile as error:
        raise ImportFailed(f"{error.name}: {error.reason.code}: {error}") from None
    except OSError as error:
        raise ImportFailed(str(error)) from None
    finally:
        await context.database.close()
    await asyncio.to_thread(_print, reports, pages, asked)
    return sum(report.rejected for report in reports.values())


def _print(reports: Mapping[str, Any], pages: list[str], asked: argparse.Namespace) -> None:
    for name, report in reports.items():
        print("\n".join(_lines(name, report, dry_run=asked.dry_run)))
    if pages:
        print("\n".join(["Customers as they would be:", *pages]))
    if asked.report:
        found = {
            name: report.model_dump() | {"problems": [line.model_dump() for line in report.described()]}
            for name, report in reports.items()
        }
        asked.report.write_text(json.dumps(found, indent=2, ensure_ascii=False))


def _records(number: int) -> str:
    return f"{number:,} record{'' if number == 1 else 's'}"


def _progress(path: Path) -> Callable[[Any, int], None]:
    """A bar on a terminal. A file of JSON is a page of records and needs none."""
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
    counts = ((key.replace("_", " "), value) for key, value in report.counts().items())
    yield "  " + ", ".join(f"{key} {value:,}" for key, value in counts if value or key == "read")
    described = report.described()
    for outcome in ImportOutcome:
        found = [problem for problem in described if problem.outcome is outcome]
        if found:
            yield f"  {outcome.value.replace('_', ' ')}:{'' if dry_run else f' {IMPORT_ADVICE[outcome]}'}"
        for problem in found[:SHOWN]:
            place = f"line {problem.line}" if problem.line else "sent again"
            about = f" {problem.external_id}" if problem.external_id else ""
            at = f" {problem.field}:" if problem.field else ":"
            yield f"    {place}{about}{at} {problem.code}: {problem.reason}"
        if len(found) > SHOWN:
            yield f"    and {len(found) - SHOWN} more; --report FILE writes them"


def _source(text: str) -> str:
    if not re.fullmatch(SOURCE_FORM, text):
        raise argparse.ArgumentTypeError("use lower-case letters, digits and dashes for a source")
    return text


def _kind(text: str) -> str:
    if text not in RECORDS and not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"neither a folder nor one of {', '.join(RECORDS)}")
    return text
