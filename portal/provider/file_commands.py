"""The command that joins the file store and the database: `python -m portal.provider adopt-files`."""

from __future__ import annotations

import argparse
from typing import Any

from portal.flow.provider.service import adopt
from portal.provider.command_line import in_application
from portal.settings import Settings


def add_file_commands(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser(
        "adopt-files", help="join the file store and the database, although they belong to others"
    )
    parser.set_defaults(run=adopt_files)


def adopt_files(options: Settings, _asked: argparse.Namespace) -> None:
    """Join them, and say how many files have no row."""
    files, unknown = in_application(options, adopt)
    print(f"The file store belongs to this database now. Of the first {files} files, {unknown} have no row in it.")
