"""Nothing that the demonstration made up is left in production, and the documented proxy works."""

from __future__ import annotations

import re
import secrets
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from pydantic import ValidationError
from pydantic_settings import SettingsError

from portal.launch import ROOT
from portal.settings import Settings, explain
from portal.vocabulary.links import PATHS, PHONE_PATH, TRACKING_PATH
from tests.support.production import PRODUCTION, certificate

_MADE_UP = re.compile(r"bovenbuis|kwiekpost", re.IGNORECASE)
_OF_THE_DEMONSTRATION = {"text_gateway.sender"}
"""Settings that nothing reads without a gateway."""


def _leaves(part: Any, name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(part, dict):
        for key, value in part.items():
            yield from _leaves(value, f"{name}.{key}" if name else key)
    else:
        yield name, str(part)


def test_production_has_no_name_of_the_demonstration() -> None:
    left = {name for name, value in _leaves(Settings.model_validate(PRODUCTION).model_dump()) if _MADE_UP.search(value)}
    assert left <= _OF_THE_DEMONSTRATION


@pytest.mark.parametrize("name", sorted(PRODUCTION.keys() - {"env"}))
def test_production_names_the_setting_that_is_missing(name: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Settings.model_validate({key: value for key, value in PRODUCTION.items() if key != name})
    assert f"PORTAL_{name.upper()}" in explain(refused.value)


@pytest.mark.parametrize("field", sorted(PRODUCTION["brand"]))
def test_production_names_the_part_of_the_company_data_that_is_missing(field: str) -> None:
    brand = {key: value for key, value in PRODUCTION["brand"].items() if key != field}
    with pytest.raises(ValidationError) as refused:
        Settings.model_validate({**PRODUCTION, "brand": brand})
    assert explain(refused.value).endswith(f"needs PORTAL_BRAND__{field.upper()}")


OPS = ROOT / "ops"


@pytest.fixture
def nginx(tmp_path: Path) -> list[str]:
    """The command of the nginx of production, at sockets and with its logs in the folder of the test."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/bin")
    assert program, "nginx is not installed"
    documented = (OPS / "nginx.conf").read_text(encoding="utf-8")
    certificate(tmp_path)
    documented = documented.replace("/etc/ssl/portal", str(tmp_path)).replace("/var/log/nginx", str(tmp_path))
    documented = documented.replace("listen 80;", f"listen unix:{tmp_path}/plain;")
    documented = documented.replace("listen 443", f"listen unix:{tmp_path}/secure")
    whole = tmp_path / "nginx.conf"
    whole.write_text(f"pid {tmp_path}/nginx.pid;\nevents {{}}\nhttp {{\n{documented}\n}}\n")
    return [program, "-e", str(tmp_path / "error.log"), "-c", str(whole)]


def test_the_nginx_of_production_loads(nginx: list[str]) -> None:
    tested = subprocess.run([*nginx, "-t"], capture_output=True, text=True, check=False)
    assert tested.returncode == 0, tested.stderr


def test_the_log_of_nginx_has_no_secret_of_a_link_or_a_tab(nginx: list[str], tmp_path: Path) -> None:
    secret = secrets.token_urlsafe(32)
    subprocess.run(nginx, check=True)
    try:
        at = httpx.HTTPTransport(uds=str(tmp_path / "secure"), verify=False)
        with httpx.Client(transport=at, base_url="https://mijn.shop.example") as client:
            for path in (*PATHS.values(), TRACKING_PATH, PHONE_PATH):
                client.get(f"{path}/{secret}?token={secret}")
    finally:
        subprocess.run([*nginx, "-s", "stop"], check=True)
    lines = (tmp_path / "portal.log").read_text().splitlines()
    assert len(lines) == len(PATHS) + 2
    assert secret not in "".join(lines)


@pytest.mark.parametrize("name", sorted(path.name for path in OPS.glob("*.service")))
def test_the_units_of_production_are_valid(name: str, tmp_path: Path) -> None:
    unit = tmp_path / name.replace("@", "@8000")
    unit.write_text((OPS / name).read_text().replace("/srv/portal/.venv/bin/python", sys.executable))
    timer = [str(OPS / "portal-backup.timer")] if "backup" in name else []
    tested = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit), *timer], capture_output=True, text=True, check=False
    )
    about = [line for line in tested.stderr.splitlines() if "portal" in line and "postgresql.service" not in line]
    assert about == []


def test_the_settings_of_production_start(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (OPS / "portal.env").read_text().replace("/etc/portal/", f"{ROOT}/portal/legal/texts/")
    for line in shlex.split(text, comments=True):
        monkeypatch.setenv(*line.split("=", 1))
    monkeypatch.setenv("PORTAL_SECRET_KEY", "s" * 40)
    monkeypatch.setenv("PORTAL_DATA_KEY", "d" * 40)
    found = Settings()
    assert (found.env, found.secure, found.trusted_proxy_hops) == ("production", True, 1)


def test_the_database_of_production_reads_its_settings(tmp_path: Path) -> None:
    program = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name)) / "postgres"
    for name, value in {"archive_timeout": "60", "archive_mode": "on", "wal_level": "replica"}.items():
        command = [program, "-C", name, "-D", tmp_path, "-c", f"config_file={OPS / 'postgresql.conf'}"]
        assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == value


def test_compose_has_the_same_parts() -> None:
    services = yaml.safe_load((OPS / "compose.yaml").read_text())["services"]
    assert set(services) == {"customers", "desk", "jobs", "postgres", "redis", "nginx"}
    files = [volume.split(":")[0] for service in services.values() for volume in service.get("volumes", [])]
    assert all((OPS / name).is_file() for name in [*files, "Dockerfile"] if name.startswith("./"))


def test_secrets_are_read_from_files_below_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret, keys = "from-a-file-and-long-enough-for-a-secret", ["n" * 40, "o" * 40]
    own = {"SECRET_KEY": secret, "DATA_KEY": "\n".join(keys)}
    for name, value in {**own, "SMTP__PASSWORD": "word", "SMTP__HOST": "of.a.file"}.items():
        (tmp_path / f"PORTAL_{name}").write_text(f"{value}\n")
    monkeypatch.setenv("PORTAL_SMTP__HOST", "mail.example")
    for variable in ("PORTAL_SECRETS_DIR", "CREDENTIALS_DIRECTORY"):
        with monkeypatch.context() as within:
            within.setenv(variable, str(tmp_path))
            found = Settings()
        assert (found.secret_keys, found.data_keys) == ([secret], keys)
        assert (found.smtp.password.get_secret_value(), found.smtp.host) == ("word", "mail.example")
    monkeypatch.setenv("PORTAL_SECRETS_DIR", str(tmp_path / "missing"))
    with pytest.raises(SettingsError):
        Settings()
