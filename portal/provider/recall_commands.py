"""Commands about recalls: `python -m portal.provider recall TEXT.toml NUMBERS.csv` and `recall-answers CODE`."""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path
from typing import Any

from portal.backend.context import Context
from portal.backend.spreadsheet import cell
from portal.contract.errors import InvalidInput
from portal.provider.command_line import TransitionRefused, in_application
from portal.recalls.provider import OwnerAnswer, owner_answers, publish_recall
from portal.recalls.rules import WrongRecall, read_content, read_numbers
from portal.settings import Settings


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
    """Load a recall and say what was done."""
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
    """Print the answers of the owners."""

    async def read(context: Context) -> list[OwnerAnswer] | None:
        async with context.database.session() as session:
            return await owner_answers(session, asked.code)

    answers = in_application(options, read)
    if answers is None:
        raise TransitionRefused(f"there is no recall {asked.code}")
    writer = csv.DictWriter(sys.stdout, [*OwnerAnswer.model_fields], lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: cell(value) for name, value in answer.model_dump().items()} for answer in answers)
