"""The commands of the shop about recalls."""

import csv
import io
import sqlite3
from pathlib import Path

import pytest

from tests.provider.test_commands import run
from tests.recalls.test_rules import TOML

CODE = "2026-ACCU-01"


@pytest.fixture
def data_dir(demonstration: Path, tmp_path: Path) -> Path:
    """A copy of the demonstration shop."""
    (tmp_path / "portal.db").write_bytes((demonstration / "portal.db").read_bytes())
    return tmp_path


def files(folder: Path, *numbers: str) -> tuple[str, str]:
    text, lines = folder / "recall.toml", folder / "numbers.csv"
    text.write_text(TOML.format(hazard="De accu kan in brand vliegen."), encoding="utf-8")
    lines.write_text("kind,number\n" + "".join(f"battery,{number}\n" for number in numbers), encoding="utf-8")
    return str(text), str(lines)


def battery(data_dir: Path, email: str) -> str:
    with sqlite3.connect(data_dir / "portal.db") as connection:
        query = (
            "SELECT battery_number FROM bikes JOIN customers ON customers.id = bikes.customer_id "
            "WHERE customers.email = ? AND battery_number != '' LIMIT 1"
        )
        return connection.execute(query, (email,)).fetchone()[0]


def test_a_recall_is_loaded_once_and_its_answers_are_printed(data_dir: Path) -> None:
    paths = files(data_dir, battery(data_dir, "sanne@example.com"), "PT-999999999")
    done = run("recall", *paths, DATA_DIR=str(data_dir))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"recall {CODE}: 2 numbers, 2 of them new; 1 owners warned\n"
    assert run("recall", *paths, DATA_DIR=str(data_dir)).stdout.endswith("0 of them new; 0 owners warned\n")
    answers = run("recall-answers", CODE, DATA_DIR=str(data_dir))
    (line,) = csv.DictReader(io.StringIO(answers.stdout))
    assert (line["email"], line["acknowledged_on"], line["remedy"]) == ("sanne@example.com", "", "")


def test_a_name_that_looks_like_a_formula_is_printed_as_text(data_dir: Path) -> None:
    with sqlite3.connect(data_dir / "portal.db") as connection:
        connection.execute("UPDATE customers SET first_name = '=HYPERLINK(1)' WHERE email = 'sanne@example.com'")
    run("recall", *files(data_dir, battery(data_dir, "sanne@example.com")), DATA_DIR=str(data_dir))
    (line,) = csv.DictReader(io.StringIO(run("recall-answers", CODE, DATA_DIR=str(data_dir)).stdout))
    assert line["customer"].startswith("'=HYPERLINK(1)")


def test_what_cannot_be_used_is_said_in_one_line_and_warns_nobody(data_dir: Path) -> None:
    text, lines = files(data_dir, "PT-1")
    (data_dir / "numbers.csv").write_text("kind,number\nbell,1\n", encoding="utf-8")
    wrong = run("recall", text, lines, DATA_DIR=str(data_dir))
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert wrong.stderr == "portal.provider: numbers.csv: line 2: the kind is frame or battery\n"
    unknown = run("recall-answers", "NONE", DATA_DIR=str(data_dir))
    assert (unknown.returncode, unknown.stderr) == (1, "portal.provider: there is no recall NONE\n")
