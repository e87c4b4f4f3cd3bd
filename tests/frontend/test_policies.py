"""A handler without a policy stops the start."""

import subprocess
import sys

import pytest

_HEAD = """
import reflex as rx
from portal.frontend.policies import customer, public, require_policies

class Careless(rx.State):
    value: int = 0
"""


def started_with(method: str) -> subprocess.CompletedProcess[str]:
    """Check the policies of an app with one more handler."""
    body = "\n".join(f"    {line}" for line in method.splitlines())
    code = f"{_HEAD}{body}\n\nrequire_policies()\nprint('started')\n"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "method",
    [
        "@rx.event\ndef act(self) -> None: ...",
        "def helper(self) -> None: ...",
        "async def set_value(self, value: int): ...",
    ],
)
def test_a_handler_without_a_policy_stops_the_start(method: str) -> None:
    result = started_with(method)
    assert result.returncode != 0
    assert "need @public, @customer or @staff" in result.stderr
    assert "Careless" in result.stderr


def test_an_argument_without_a_type_stops_the_start() -> None:
    result = started_with("@rx.event\n@customer\ndef act(self, value) -> None: ...")
    assert result.returncode != 0
    assert "value needs a type hint" in result.stderr


def test_a_handler_with_a_policy_starts() -> None:
    result = started_with("@rx.event\n@public\ndef act(self, value: int = 0) -> None: ...")
    assert result.stdout == "started\n", result.stderr
