"""Nothing that identifies or authenticates a customer gets into the log."""

from __future__ import annotations

import inspect
import logging
from typing import Any

import pytest
from reflex import app
from reflex_base.event.processor import base_state_processor

from portal.reflex_adapter.border import PAYLOAD, quiet_logs, redact

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJlLXNpZ25hdHVyZQ"

SECRETS = [
    JWT,
    "sanne@example.com",
    "482913",
    "NL91 ABNA 0417 1643 00",
    "nl91abna0417164300",
    "6f1c2b7e-0d1a-4c3b-9e2f-1a2b3c4d5e6f",
    "/order-return/confirm/PkaMxW879A9GDxjo0G7AOVOGKQMHsCzo-lRwC_p4VNE",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_is_replaced_wherever_it_stands(secret: str) -> None:
    assert secret not in redact(f"before {secret}, after")
    assert redact(f"before {secret}, after").startswith("before ")


def test_ordinary_lines_are_left_alone() -> None:
    line = "worker started on port 8000 in 2.5 s, 12 pages, GET /orders 200"
    assert redact(line) == line


@pytest.mark.parametrize("name", ["reflex.app", "reflex_base.event.processor", "granian.access", "socketio.server"])
def test_the_framework_does_not_repeat_what_a_browser_sent(name: str, caplog: pytest.LogCaptureFixture) -> None:
    quiet_logs()
    log = logging.getLogger(name)
    with caplog.at_level(logging.DEBUG, logger=name):
        log.warning("Received event. Event data: %s", {"name": "x.y", "payload": {"iban": "mine"}})
        log.error(
            "Error processing event queue entry for Event(name='x', router_data={'headers': {'cookie': 'secret'}})"
        )
        try:
            raise ValueError(" ".join(["my", "own", "words"]))
        except ValueError:
            log.exception("failed")
    for forbidden in ("mine", "secret", "my own words"):
        assert forbidden not in caplog.text
    assert "ValueError" in caplog.text
    assert "test_log.py" in caplog.text


def test_an_unusual_record_is_no_trouble(caplog: pytest.LogCaptureFixture) -> None:
    quiet_logs()
    logging.getLogger("reflex").warning("%s and %s", "one")
    assert "%s and %s" in caplog.text


@pytest.mark.parametrize(
    ("module", "words"),
    [(app, "Event data: {"), (app, "event data: {"), (base_state_processor, "with value '{")],
)
def test_reflex_repeats_events_in_these_words(module: Any, words: str) -> None:
    assert words in inspect.getsource(module)
    assert PAYLOAD.search(words)
