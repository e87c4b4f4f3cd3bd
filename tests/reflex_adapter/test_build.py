"""What the compiler and the server of Reflex are told by their environment."""

from __future__ import annotations

from pathlib import Path

import pytest
import reflex as rx
from reflex_base.environment import EnvironmentVariables

from portal.reflex_adapter.build import SERVER_ENVIRONMENT, SITE, compiler_environment

_OF_THE_CONFIGURATION = {
    "REFLEX_TELEMETRY_ENABLED": "telemetry_enabled",
    "REFLEX_STATE_MANAGER_MODE": "state_manager_mode",
}


@pytest.mark.parametrize("name", sorted({*SERVER_ENVIRONMENT, *compiler_environment({}, Path())} - {"PATH", SITE}))
def test_reflex_still_reads_these_variables(name: str) -> None:
    if field := _OF_THE_CONFIGURATION.get(name):
        assert hasattr(rx.Config(app_name="portal", _skip_plugins_checks=True), field)
    else:
        assert getattr(EnvironmentVariables, name.lstrip("_")).name == name
