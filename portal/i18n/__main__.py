"""Command line of the catalogues: `python -m portal.i18n update | check | extract`."""

from __future__ import annotations

import argparse
import sys

from babel.messages.pofile import write_po

from portal.i18n.catalogues import problems, texts_of, update_all
from portal.kernel.texts import DOMAINS


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m portal.i18n", description="Catalogues of texts.")
    commands = parser.add_subparsers(dest="command", required=True)
    extract = commands.add_parser("extract", help="print the messages of one catalogue as a template")
    extract.add_argument("domain", choices=DOMAINS)
    commands.add_parser("update", help="update every catalogue from the sources")
    commands.add_parser("check", help="list messages that are missing, fuzzy, obsolete or have other placeholders")
    chosen = parser.parse_args(arguments)
    if chosen.command == "extract":
        write_po(sys.stdout.buffer, texts_of(chosen.domain), width=120, sort_by_file=True)
        return 0
    if chosen.command == "update":
        update_all()
        return 0
    found = problems()
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
