"""What a start and a command import. Everything else is imported where it is used, so that neither waits for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from portal.launch import ROOT
from portal.provider.__main__ import GROUPS
from portal.provider.application import LATER as LATER_JOBS
from portal.provider.cases import PATHS
from portal.reflex_adapter.build import SERVER_ENVIRONMENT, Build

LATER = {
    "PIL",
    "aiosmtplib",
    "alembic",
    "authlib",
    "css_inline",
    "email_validator",
    "fastapi",
    "fontTools",
    "holidays",
    "httpx",
    "icalendar",
    "jinja2",
    "joserfc",
    "markdown_it",
    "obstore",
    "pi_heif",
    "pikepdf",
    "portal.client",
    "portal.demo",
    "portal.provider.api",
    "av",
    "regex",
    "sepaxml",
    "standardwebhooks",
    "typst",
    "webauthn",
    "websockets.asyncio",
}
"""Documents, calendars, pictures, mail, S3, OpenID, passkeys, migrations, the API for others, the demonstration."""

OF_STAFF = {
    "portal.cases.provider.service",
    "portal.exports.provider",
    "portal.imports.provider",
    "portal.master_data",
    "portal.provider.staff_registry",
    "portal.staff.provider",
}
"""What only the staff site, the back office and jobs need."""

PAGES = {"reflex", "reflex_base", "socketio", "granian", "portal.frontend", "portal.ui", "portal.portal"}

_APP = """
import json, os, sys
import {module} as site
site.served()
print(json.dumps({{"modules": sorted(sys.modules)}}), flush=True)
os._exit(0)
"""

_COMMAND = """
import json, sys
from portal.{program} import main
try:
    main({arguments})
except SystemExit:
    pass
print(json.dumps({{"modules": sorted(sys.modules)}}))
"""


def _found(code: str, tmp_path: Path, **environment: str) -> dict[str, Any]:
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "PORTAL_DATA_DIR": str(tmp_path), **environment},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(run.stdout.splitlines()[-1])


@pytest.mark.parametrize(
    ("site", "module", "later"),
    [("customers", "portal.portal", LATER | OF_STAFF), ("desk", "portal.desk_app", LATER - {"httpx"})],
)
def test_a_loaded_site_has_imported_nothing_that_only_some_requests_need(
    built: Build, built_desk: Build, site: str, module: str, later: set[str], tmp_path: Path
) -> None:
    assert built  # Without built pages a site compiles them, which needs more.
    assert built_desk
    found = _found(_APP.format(module=module), tmp_path, PORTAL_SITE=site, **SERVER_ENVIRONMENT)
    assert not later.intersection(found["modules"])


@pytest.mark.parametrize("command", ["migrate", *sorted(min(names) for names in GROUPS.values())])
def test_a_command_imports_neither_pages_nor_the_api(command: str, tmp_path: Path) -> None:
    arguments = [command] if command == "migrate" else [command, "--help"]
    found = _found(_COMMAND.format(program="provider.__main__", arguments=arguments), tmp_path)
    assert not (PAGES | {"fastapi", "portal.provider.application"}).intersection(found["modules"])


def test_the_import_of_a_shop_imports_no_pages_when_it_is_a_command_of_the_portal(tmp_path: Path) -> None:
    found = _found(_COMMAND.format(program="launch", arguments=["import", "--help"]), tmp_path)
    assert not (PAGES - {"granian"}).intersection(found["modules"])


def test_a_command_imports_the_kind_of_case_that_it_moves_and_no_other(tmp_path: Path) -> None:
    found = _found(
        _COMMAND.format(program="provider.__main__", arguments=["shipment", "900000001", "unknown"]), tmp_path
    )
    assert not {path.partition(":")[0] for path in PATHS.values()}.intersection(found["modules"])


@pytest.mark.parametrize(("kind", "path"), LATER_JOBS.items())
def test_a_job_whose_handler_is_imported_late_has_the_kind_of_its_module(kind: str, path: str) -> None:
    module, _, handler = path.partition(":")
    name, _, method = handler.partition(".")
    imported = import_module(module)
    assert kind in {value for name, value in vars(imported).items() if name.endswith("JOB")}
    assert callable(getattr(getattr(imported, name), method))


@pytest.mark.parametrize("path", GROUPS)
def test_a_group_of_commands_has_the_names_by_which_it_is_found(path: str) -> None:
    module, _, function = path.partition(":")
    commands = ArgumentParser().add_subparsers()
    getattr(import_module(module), function)(commands)
    assert set(commands.choices) == GROUPS[path]
