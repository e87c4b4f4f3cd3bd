"""The guide for shops: its examples are accepted, and its commands do what it says, from an empty database on."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

import httpx
import pytest

from portal.imports.rules.reading import read_file
from portal.imports.rules.records import RECORDS
from portal.launch import main as portal
from portal.provider.__main__ import main as provider
from portal.provider.api import create_api
from portal.provider.application import Application
from portal.settings import Settings
from tests.support.smtp import MailServer

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "connect.md").read_text("utf-8")
SERVER, OTHER_SHOP = "python -m portal", "curl -u"
"""What is not run here: the server, which the story starts, and a call of WooCommerce."""
ADDRESS = "https://mijn.tweewieler.example"


@pytest.mark.parametrize("kind", RECORDS)
def test_the_example_of_each_kind_is_a_record(kind: str) -> None:
    found = re.search(rf"^### {kind}\n(?:(?!^#).)*?^```json\n(.*?)```", GUIDE, re.DOTALL | re.MULTILINE)
    assert found, f"no example of {kind}"
    assert RECORDS[kind].model_validate(json.loads(found[1]))


def test_the_example_of_a_csv_file_is_read(tmp_path: Path) -> None:
    found = re.search(r"^```csv\n(.*?)```", GUIDE, re.DOTALL | re.MULTILINE)
    assert found
    file = tmp_path / "orders.csv"
    file.write_text(found[1], "utf-8")
    (record,) = read_file(file)
    assert len(RECORDS["orders"].model_validate(record.values).model_dump()["lines"]) == 2


def test_every_sample_is_named_in_the_guide() -> None:
    for sample in (ROOT / "docs" / "samples").rglob("*.*"):
        assert f"samples/{sample.relative_to(ROOT / 'docs' / 'samples')}" in GUIDE, sample.name


def commands() -> Iterator[str]:
    """The commands of the guide, one by one, in its order."""
    for block in re.findall(r"^```sh\n(.*?)```", GUIDE, re.DOTALL | re.MULTILINE):
        command = ""
        for line in block.splitlines():
            command += line
            if command.endswith("\\"):
                command = command[:-1]
            elif command.count("'") % 2:
                command += "\n"
            else:
                yield command
                command = ""


@dataclass
class Shell:
    """Runs the commands of the guide in this process.

    Attributes:
        mail_port: of a mail server in the place of the guide's, which has no certificate.
        answers: of each call of the API, by the command.
        codes: exit status of each other command, by the command.
    """

    patch: pytest.MonkeyPatch
    mail_port: int
    answers: dict[str, httpx.Response] = field(default_factory=dict)
    codes: dict[str, int] = field(default_factory=dict)

    def run(self, command: str) -> None:
        """Run one command."""
        written = re.sub(r"\$\(openssl rand -hex 32\)", lambda _found: os.urandom(32).hex(), command)
        words = shlex.split(os.path.expandvars(written))
        if words[0] == "export":
            given = dict(word.split("=", 1) for word in words[1:])
            if "PORTAL_SMTP__HOST" in given:
                given |= {"PORTAL_SMTP__HOST": "127.0.0.1", "PORTAL_SMTP__PORT": str(self.mail_port)}
                given |= {"PORTAL_SMTP__SECURITY": "none", "PORTAL": ADDRESS}
            for name, value in given.items():
                self.patch.setenv(name, str(ROOT / value) if name.startswith("PORTAL_LEGAL") else value)
        elif words[0] == "curl":
            self.answers[command] = asyncio.run(self._call(words[1:]))
        else:
            module, arguments = words[2], words[3:]
            with redirect_stdout(StringIO()) as printed:
                self.codes[command] = (portal if module == "portal" else provider)(arguments)
            if arguments[0] == "api-key":
                self.patch.setenv("KEY", printed.getvalue().strip())

    @staticmethod
    async def _call(words: list[str]) -> httpx.Response:
        method, url, headers, content = "GET", "", {}, b""
        for word in (rest := iter(words)):
            if word == "-X":
                method = next(rest)
            elif word == "-H":
                name, _, value = next(rest).partition(": ")
                headers[name] = value
            elif word in {"-d", "--data-binary"}:
                given = next(rest)
                content = (ROOT / given[1:]).read_bytes() if given.startswith("@") else given.encode()
            else:
                url = word
        options = Settings()
        application = Application(options)
        await application.open()
        app = create_api(lambda: application.services, options, back_office=lambda: application.back_office)
        try:
            async with httpx.AsyncClient(transport=httpx.ASGITransport(app)) as http:
                return await http.request(method, url, headers=headers, content=content)
        finally:
            await application.close()


@pytest.fixture
def mails() -> Iterator[MailServer]:
    """A mail server that wants the password of the guide."""
    server = MailServer(password="secret")
    server.start()
    yield server
    server.stop()


def test_every_command_of_the_guide_works_from_an_empty_database(
    mails: MailServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "samples").symlink_to(ROOT / "docs" / "samples")
    monkeypatch.chdir(tmp_path)
    shell = Shell(monkeypatch, mails.port)
    for command in commands():
        if command == SERVER or command.startswith(OTHER_SHOP):
            continue
        if "differences/12" in command:
            _disagree(tmp_path, shell)
        shell.run(command)
    failed = [command for command, code in shell.codes.items() if code]
    assert [command.split()[5] for command in failed] == ["docs/samples/customers-with-mistakes.jsonl", "--again"]
    for command, answer in shell.answers.items():
        assert answer.status_code == 200, (command, answer.text)
        assert '"rejected":1' not in answer.text, command
    assert [mail["To"] for mail in mails.answers.taken] == ["you@tweewieler.example"]
    assert len(shell.answers) + len(shell.codes) > 35


def _disagree(folder: Path, shell: Shell) -> None:
    """Let the portal and then the shop change the same field; the difference gets the number of the guide."""
    (database,) = folder.rglob("portal.db")
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE customers SET city = 'Zeist' WHERE email = 'noor.dewit@example.com'")
    moved = (ROOT / "docs" / "samples" / "customers.jsonl").read_text("utf-8").replace("Utrecht", "Bunnik")
    (folder / "moved.jsonl").write_text(moved, "utf-8")
    shell.run("python -m portal import customers moved.jsonl --source myshop")
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE import_differences SET id = 12")
