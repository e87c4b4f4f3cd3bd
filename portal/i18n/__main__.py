"""Command line of the catalogues: `python -m portal.i18n update | check`."""

from __future__ import annotations

import argparse
import sys

from portal.i18n.catalogues import problems, update
from portal.kernel.texts import TRANSLATED


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m portal.i18n", description="Catalogues of texts.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("update", help="update every catalogue from the sources")
    commands.add_parser("check", help="list messages that are missing, fuzzy, obsolete or have other placeholders")
    if parser.parse_args(arguments).command == "update":
        for locale in TRANSLATED:
            update(locale)
        return 0
    found = problems()
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
