"""Commands that write files: refunds to pay, the hand-over to insurers, and cases."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from sqlalchemy import true
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from portal.backend.context import Context
from portal.backend.spreadsheet import cell
from portal.backend.staff import write_audit
from portal.cases.provider.queries import case_list
from portal.contract.errors import Conflict, InvalidInput, NotFound
from portal.contract.models import Document
from portal.exports.provider import refunds
from portal.exports.provider.service import BATCH, insurance_list
from portal.provider.cases import TransitionRefused, in_application
from portal.provider.webhook_commands import ACTOR
from portal.recalls.provider import OwnerAnswer, owner_answers, publish_recall
from portal.recalls.rules import WrongRecall, read_content, read_numbers
from portal.settings import Settings
from portal.tables.cases import CaseRow
from portal.tables.exchange import RefundBatchRow
from portal.vocabulary.audit import AuditAction
from portal.vocabulary.cases import CaseState
from portal.vocabulary.exchange import RefundWay

WAYS = [way.value for way in RefundWay if way is not RefundWay.UNKNOWN]


def add_export_commands(commands: Any) -> None:
    export = commands.add_parser("refunds", help="export the refunds to pay, each once, and write their files")
    export.add_argument("way", choices=WAYS, help="how they are paid")
    export.add_argument("directory", type=Path, help="where the files are written")
    export.set_defaults(run=_export)
    again = commands.add_parser("refund-batch", help="write the files of a batch of refunds again")
    again.add_argument("batch", help="id of the batch")
    again.add_argument("directory", type=Path, help="where the files are written")
    again.set_defaults(run=_again)
    insurance = commands.add_parser(
        "insurance-list", help="write the insurance requests that wait for the insurer as CSV"
    )
    insurance.add_argument("file", type=Path)
    insurance.set_defaults(run=_insurance)
    cases = commands.add_parser("case-list", help="write cases as CSV")
    cases.add_argument("file", type=Path)
    cases.add_argument("--all", action="store_true", help="include cases that are done")
    cases.set_defaults(run=_cases)


def _export(options: Settings, asked: argparse.Namespace) -> None:
    async def act(context: Context, session: AsyncSession) -> list[Document]:
        batch = await refunds.export(context, session, RefundWay(asked.way), None)
        await _record(context, session, AuditAction.EXPORT_REFUNDS, BATCH, batch.public_id)
        return await _files(context, session, batch)

    _write(asked.directory, _done(options, "", act))


def _again(options: Settings, asked: argparse.Namespace) -> None:
    async def act(context: Context, session: AsyncSession) -> list[Document]:
        batch = await refunds.find_batch(session, asked.batch)
        await _record(context, session, AuditAction.REFUND_LIST, BATCH, batch.public_id)
        return await _files(context, session, batch)

    _write(asked.directory, _done(options, asked.batch, act))


async def _files(context: Context, session: AsyncSession, batch: RefundBatchRow) -> list[Document]:
    files = [await refunds.as_list(session, batch, context.settings.desk_locale)]
    if batch.way is RefundWay.ACCOUNT:
        files.append(await refunds.as_payment(session, context.settings, batch))
    return files


def _insurance(options: Settings, asked: argparse.Namespace) -> None:
    async def act(context: Context, session: AsyncSession) -> Document:
        await _record(context, session, AuditAction.INSURANCE_LIST)
        return await insurance_list(session, context.clock(), options.desk_locale)

    asked.file.write_bytes(_done(options, "", act).content)


def _cases(options: Settings, asked: argparse.Namespace) -> None:
    async def act(context: Context) -> None:
        async with context.database.transaction() as session:
            await _record(context, session, AuditAction.CASE_LIST)
        with asked.file.open("wb") as file:
            wanted = true() if asked.all else col(CaseRow.state) != CaseState.DONE
            async for chunk in case_list(context, wanted, options.desk_locale):
                file.write(chunk)

    in_application(options, act)


def _done(options: Settings, name: str, act: Callable[[Context, AsyncSession], Awaitable[Any]]) -> Any:
    async def in_transaction(context: Context) -> Any:
        async with context.database.transaction() as session:
            return await act(context, session)

    try:
        return in_application(options, in_transaction)
    except NotFound:
        raise TransitionRefused(f"there is no {name}") from None
    except Conflict as refusal:
        raise TransitionRefused(refusal.code.value.replace("_", " ")) from None


def _write(directory: Path, files: list[Document]) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    for file in files:
        path = directory / file.name
        path.write_bytes(file.content)
        print(path)


async def _record(
    context: Context, session: AsyncSession, action: AuditAction, kind: str = "", reference: str = ""
) -> None:
    await write_audit(session, None, action, kind, reference, actor=ACTOR, moment=context.clock())


def add_recall_commands(commands: Any) -> None:
    publish = commands.add_parser("recall", help="load a recall and warn the owners who have not been warned yet")
    publish.add_argument("text", type=Path, help="TOML file with code, remedies and the texts in both languages")
    publish.add_argument("numbers", type=Path, help="CSV file with the columns kind (frame or battery) and number")
    publish.set_defaults(run=publish_command)
    answers = commands.add_parser(
        "recall-answers", help="print as CSV who was warned, who confirmed it and what they chose"
    )
    answers.add_argument("code", help="code of the recall")
    answers.set_defaults(run=answers_command)


def publish_command(options: Settings, asked: argparse.Namespace) -> None:
    try:
        content, numbers = read_content(asked.text), read_numbers(asked.numbers)
    except WrongRecall as error:
        raise TransitionRefused(str(error)) from None
    try:
        done = in_application(options, lambda context: publish_recall(context, content, numbers))
    except InvalidInput:
        raise TransitionRefused(f"{asked.text.name}: picture: not a JPEG or PNG that can be read") from None
    print(f"recall {content.code}: {done.numbers} numbers, {done.added} of them new; {done.warned} owners warned")


def answers_command(options: Settings, asked: argparse.Namespace) -> None:
    async def read(context: Context) -> list[OwnerAnswer] | None:
        async with context.database.session() as session:
            return await owner_answers(session, asked.code)

    answers = in_application(options, read)
    if answers is None:
        raise TransitionRefused(f"there is no recall {asked.code}")
    writer = csv.DictWriter(sys.stdout, [*OwnerAnswer.model_fields], lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: cell(value) for name, value in answer.model_dump().items()} for answer in answers)
