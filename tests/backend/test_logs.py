"""Personal data stays out of the log, whoever writes it."""

import json
import subprocess
import sys
from typing import Any

import pytest

from portal import logs
from portal.launch import ROOT


def _written(*lines: str) -> dict[str, Any]:
    """What a process with its log set up writes for these lines of Python."""
    script = "\n".join(["import logging, structlog", "from portal import logs", "logs.configure()", *lines])
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(done.stderr)


SECRETS = [
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl",
    "sanne.van-der.meer+shop@mail.example.com",
    "NL91 ABNA 0417 1643 00",
    "NL91ABNA0417164300",
    "042137",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_inside_a_text_is_masked(secret: str) -> None:
    masked = logs.mask(f"the value ({secret}) is wrong")
    assert masked == "the value (***) is wrong"


@pytest.mark.parametrize(
    "text", ["order 900000001", "2026-03-01T10:15:00.123456+00:00", "took 0.123456 s", "port 8000", "kind-123456-x"]
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert logs.mask(text) == text


def test_our_own_lines_are_masked_by_name_and_by_form() -> None:
    line = _written(
        "try:",
        "    raise ValueError('sanne@example.com typed ' + str(42137 + 100000))",
        "except ValueError:",
        "    values = {'code': 'x1', 'nested': {'jwt': 'abc', 'list': ['a@example.com']}, 'count': 123456}",
        "    structlog.get_logger('test').exception('failed', **values)",
    )
    assert line["code"] == "***"
    assert line["nested"] == {"jwt": "***", "list": ["***"]}
    assert line["count"] == 123456
    assert line["exception"].endswith("ValueError: *** typed ***")


@pytest.mark.parametrize("served", [(), ("from portal.reflex_adapter.border import quiet_logs", "quiet_logs()")])
def test_lines_of_libraries_are_masked_with_their_tracebacks(served: tuple[str, ...]) -> None:
    line = _written(
        *served,
        "try:",
        "    raise ValueError('sanne@example.com')",
        "except ValueError:",
        "    logging.getLogger('library').exception('cannot mail %s', 'joris@example.com')",
    )
    assert (line["logger"], line["level"]) == ("library", "error")
    assert line["event"].startswith("cannot mail ")
    assert "@" not in str(line)
    assert line["timestamp"].endswith("Z")
    assert "ValueError: " in line["exception"]


def test_our_own_lines_keep_their_form_where_those_of_libraries_are_cleaned() -> None:
    line = _written(
        "from portal.reflex_adapter.border import quiet_logs",
        "quiet_logs()",
        "structlog.get_logger('portal.test').info('mail sent', mail=7)",
    )
    assert (line["event"], line["mail"], line["logger"]) == ("mail sent", 7, "portal.test")


def test_lines_of_ours_are_counted_for_prometheus() -> None:
    process = (
        "import structlog, prometheus_client; from portal import logs; from portal.metrics import count_line; "
        "logs.configure(count_line); structlog.get_logger('portal.test').warning('login failed'); "
        "print(prometheus_client.generate_latest().decode())"
    )
    done = subprocess.run([sys.executable, "-c", process], cwd=ROOT, capture_output=True, text=True, check=True)
    assert 'portal_log_lines_total{event="login failed",level="warning"} 1.0' in done.stdout
