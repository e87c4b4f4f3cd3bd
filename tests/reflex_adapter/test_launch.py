"""Starting the portal: wrong settings, a taken port, and when the pages are built again."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from portal.backend.faults import CommandFailed, claim
from portal.launch import ROOT
from portal.reflex_adapter import build
from portal.reflex_adapter.build import CUSTOMERS, DESK, Site, ensure_built, fingerprint
from portal.reflex_adapter.worker import is_free
from portal.settings import Settings
from portal.wiring import NotReady, prepare
from tests.support.ports import free_port
from tests.support.postgres import PostgresCluster
from tests.support.production import PRODUCTION


def _start(*arguments: str, module: str = "portal", **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PORTAL_")}
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=ROOT,
        env={**inherited, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"PORT": "eighty"}, "PORT"),
        ({"PORTAL_ENV": "prod"}, "PORTAL_ENV"),
        ({"PORTAL_CODE_MINUTES": "0"}, "PORTAL_CODE_MINUTES"),
        ({"PORTAL_SMTP__PORT": "none"}, "PORTAL_SMTP__PORT"),
        ({"PORTAL_SECRET_KEY": "short"}, "PORTAL_SECRET_KEY"),
        ({"PORTAL_ENV": "production"}, "PORTAL_SECRET_KEY"),
        ({"PORTAL_COUNTRIES": "not json"}, "countries"),
    ],
)
def test_a_wrong_setting_stops_the_start_with_one_line_that_names_it(settings: dict[str, str], named: str) -> None:
    ended = _start(**settings)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert len(ended.stderr.strip().splitlines()) == 1
    assert named in ended.stderr


@pytest.mark.parametrize("module", ["portal", "portal.dev", "portal.provider", "portal.i18n"])
@pytest.mark.parametrize("arguments", [("import",), ("--resett",)])
def test_a_command_refuses_arguments_that_it_does_not_know(module: str, arguments: tuple[str, ...]) -> None:
    ended = _start(*arguments, module=module, PORT="eighty")
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert f"usage: python -m {module} " in ended.stderr
    assert "error: " in ended.stderr


def test_an_import_stores_records_before_the_portal_was_ever_started(tmp_path: Path) -> None:
    folder, sample = str(tmp_path), ROOT / "docs" / "samples" / "orders.csv"
    assert _start("migrate", module="portal.provider", PORTAL_DATA_DIR=folder).returncode == 0
    done = _start("import", "orders", str(sample), PORTAL_DATA_DIR=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert "waiting 2" in done.stdout
    refused = _start("import", "orders", "none.csv", PORTAL_DATA_DIR=folder)
    assert (refused.returncode, refused.stderr[:8]) == (1, "portal: ")


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"PORTAL_RETURN_DAYS": "many"}, "PORTAL_RETURN_DAYS"),
        ({"PORTAL_WITHDRAWAL_DAYS": "13"}, "PORTAL_WITHDRAWAL_DAYS"),
        ({"PORTAL_RETURN_PICK_UP_COST": "39.955"}, "PORTAL_RETURN_PICK_UP_COST"),
        ({"PORTAL_EVENING_STARTS": "08:00"}, "PORTAL_EVENING_STARTS"),
        ({"PORTAL_SEND_BACK_DAYS": "30"}, "PORTAL_BATTERY_LINK_DAYS"),
    ],
)
@pytest.mark.parametrize("arguments", [("portal",), ("portal.provider", "openapi")])
def test_a_wrong_term_stops_the_start_with_one_line_that_names_it(
    arguments: tuple[str, ...], settings: dict[str, str], named: str
) -> None:
    ended = _start(*arguments[1:], module=arguments[0], **settings)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert len(ended.stderr.strip().splitlines()) == 1
    assert named in ended.stderr


def test_a_taken_port_is_reported_and_not_shared() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert not is_free("127.0.0.1", port)
        ended = _start(PORT=str(port))
    assert ended.returncode == 2
    assert f"port {port}" in ended.stderr


def test_a_second_process_on_one_sqlite_file_is_refused_in_one_line(tmp_path: Path) -> None:
    program = (
        "from portal.backend.faults import claim; from portal.settings import Settings; "
        "claim(Settings(), 'customers'); print(flush=True); input()"
    )
    command = [sys.executable, "-c", program]
    environment = {**os.environ, "PORTAL_DATA_DIR": str(tmp_path)}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
        assert first.stdout
        first.stdout.readline()
        for arguments, module in (((), "portal"), (("serve",), "portal.provider")):
            ended = _start(*arguments, module=module, PORT=str(free_port()), PORTAL_DATA_DIR=str(tmp_path))
            assert (ended.returncode, ended.stdout) == (1, "")
            assert ended.stderr.strip().endswith("portal.db; SQLite serves one process")
        first.kill()


async def test_a_second_process_on_one_postgresql_needs_redis(postgres_cluster: PostgresCluster) -> None:
    options = Settings.model_validate({"database_url": postgres_cluster.create_database()})
    claim(options, "customers")
    claim(options, "desk")
    with pytest.raises(CommandFailed, match="PORTAL_REDIS_URL"):
        claim(options, "customers")
    claim(options.model_copy(update={"redis_url": "redis://localhost"}), "customers")


@pytest.mark.parametrize(
    "database", ["sqlite+aiosqlite:////proc/nowhere/portal.db", "postgresql+psycopg://fien:geheim@127.0.0.1:9/portal"]
)
def test_a_database_that_cannot_be_had_is_reported_in_one_line_without_its_password(database: str) -> None:
    with pytest.raises(NotReady) as refused:
        prepare(Settings.model_validate({"database_url": database}), "customers")
    assert str(refused.value)
    assert "\n" not in str(refused.value)
    assert "geheim" not in str(refused.value)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("rxconfig.py", "requirements.txt"):
        shutil.copy(ROOT / name, tmp_path / name)
    for name in ("pages", "provider"):
        (tmp_path / "portal" / name).mkdir(parents=True)
        (tmp_path / "portal" / name / "module.py").write_text("a = 1\n")
    return tmp_path


def test_another_page_means_another_build(project: Path) -> None:
    before = fingerprint(project)
    (project / "portal/pages/module.py").write_text("a = 2\n")
    assert fingerprint(project) != before


def test_the_retailers_side_is_not_part_of_the_build(project: Path) -> None:
    before = fingerprint(project)
    (project / "portal/provider/module.py").write_text("a = 2\n")
    assert fingerprint(project) == before


@pytest.mark.parametrize(
    "path",
    ["portal/desk/shell.py", "portal/desk_app.py", "portal/returns/desk/receiving.py", "portal/ui/browser/desk.js"],
)
def test_another_staff_page_builds_the_staff_site_only(project: Path, path: str) -> None:
    before = {site.name: fingerprint(project, site=site) for site in (CUSTOMERS, DESK)}
    (project / path).parent.mkdir(parents=True, exist_ok=True)
    (project / path).write_text("a = 2\n")
    assert fingerprint(project, site=CUSTOMERS) == before["customers"]
    assert fingerprint(project, site=DESK) != before["desk"]


def test_an_edit_while_the_pages_are_compiled_means_another_build(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[int] = []

    def compile_slowly(root: Path, target: Path, *_more: object) -> None:
        runs.append(1)
        if len(runs) == 1:
            (root / "portal/pages/module.py").write_text("a = 2\n")
        (target / "build/client").mkdir(parents=True, exist_ok=True)
        (target / "build/client/index.html").touch()

    monkeypatch.setattr(build, "_export", compile_slowly)
    monkeypatch.setenv("PORTAL_WEB_DIR", str(project / ".web"))
    for compiled in (1, 2, 2):
        ensure_built(project)
        assert len(runs) == compiled


def test_starts_at_the_same_time_compile_once_though_the_directory_is_made_anew(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[int] = []

    def compile_slowly(_root: Path, target: Path, *_more: object) -> None:
        runs.append(1)
        shutil.rmtree(target)
        time.sleep(0.3)
        (target / "build/client").mkdir(parents=True)
        (target / "build/client/index.html").touch()

    monkeypatch.setattr(build, "_export", compile_slowly)
    monkeypatch.setenv("PORTAL_WEB_DIR", str(project / ".web"))
    with ThreadPoolExecutor() as starts:
        first = starts.submit(ensure_built, project)
        time.sleep(0.15)
        second = starts.submit(ensure_built, project)
        assert first.result().fingerprint == second.result().fingerprint
    assert len(runs) == 1


def test_two_sites_are_compiled_one_after_the_other(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    running: list[str] = []
    seen: list[int] = []

    def compile_slowly(_root: Path, target: Path, site: Site, _gentle: int) -> None:
        running.append(site.name)
        seen.append(len(running))
        time.sleep(0.2)
        running.remove(site.name)
        (target / "build/client").mkdir(parents=True)
        (target / "build/client/index.html").touch()

    monkeypatch.setattr(build, "_export", compile_slowly)
    for site in (CUSTOMERS, DESK):
        monkeypatch.setenv(site.variable, str(project / site.directory))
    with ThreadPoolExecutor() as starts:
        for start in [starts.submit(ensure_built, project, site=site) for site in (CUSTOMERS, DESK)]:
            start.result()
    assert seen == [1, 1]


def test_only_our_own_addresses_may_open_the_socket() -> None:
    at_home = Settings.model_validate({"port": 8123}).origins()
    assert "http://retouren.localhost:8123" in at_home
    production = Settings.model_validate(
        {
            **PRODUCTION,
            "public_url": "https://mijn.bovenbuis.example/",
            "allowed_hosts": ["retouren.bovenbuis.example"],
        }
    )
    assert production.origins() == [
        "https://mijn.bovenbuis.example",
        "https://retouren.bovenbuis.example",
    ]


def test_the_staff_site_is_the_host_beside_the_public_one() -> None:
    names = {
        "": "http://balie.localhost:8001",
        "https://mijn.bovenbuis.example": "https://balie.bovenbuis.example",
        "https://bovenbuis.example": "https://balie.bovenbuis.example",
        "https://www.bovenbuis.example/": "https://balie.bovenbuis.example",
    }
    for public, desk in names.items():
        assert Settings.model_validate({"public_url": public}).desk_address == desk
    own = Settings.model_validate({"desk_url": "https://counter.example/"})
    assert own.desk_address == "https://counter.example"
    assert own.hosts(staff=True) == ["counter.example", "balie.localhost"]
    assert not set(own.hosts(staff=True)) & set(own.hosts())


def test_either_site_takes_sockets_from_its_own_addresses_only() -> None:
    options = Settings.model_validate({"allowed_hosts": ["retouren.bovenbuis.example", "balie.zadelpen.example"]})
    customers, staff = options.origins(), options.origins(staff=True)
    assert "http://balie.localhost:8001" in staff
    assert "http://balie.zadelpen.example" in staff
    assert not set(customers) & set(staff)
    assert not [origin for origin in customers if "balie" in origin]
