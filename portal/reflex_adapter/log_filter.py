"""Removes customers' input, tokens and cookies from log records, including those of Reflex and granian.

Reaches: the texts that precede an event in Reflex' log messages.
Why: Reflex logs unknown events in full, with the request headers and therefore the session cookie.
Gain: nothing in the log identifies or authenticates a customer.
Test: test_reflex_repeats_events_in_these_words (tests/reflex_adapter/test_log_filter.py).
"""

from __future__ import annotations

import logging
import re
import traceback
from typing import Any

_MASK = "[…]"
_SECRETS = (
    re.compile(r"eyJ[\w-]{8,}(?:\.[\w-]+){0,2}"),  # session tokens
    re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),  # e-mail addresses
    re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", re.IGNORECASE),  # tab tokens
    re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b", re.IGNORECASE),  # IBANs
    re.compile(r"(?<=token=)[^&\s\"']+"),
    re.compile(r"(?<=/)[\w-]{43}(?![\w-])"),  # tokens of mailed links
    re.compile(r"\b\d{6,}\b"),  # login codes, order numbers
)
# After one of these texts Reflex logs what the browser sent; everything after it is removed.
PAYLOAD = re.compile(
    r"(Event\(|Event data:|event data:|with value '|\{'name':|payload=|router_data|headers=).*", re.DOTALL
)
_FOREIGN = ("reflex", "granian", "_granian", "uvicorn", "socketio", "engineio", "asyncio", "hypercorn")


def redact(text: str) -> str:
    """Mask everything that could identify or authenticate a customer."""
    for secret in _SECRETS:
        text = secret.sub(_MASK, text)
    return text


def _clean(record: logging.LogRecord) -> None:
    foreign = record.name.startswith(_FOREIGN)
    try:
        message = record.getMessage()
    except (TypeError, ValueError):
        message = str(record.msg)
    record.msg, record.args = redact(PAYLOAD.sub(rf"\1{_MASK}", message) if foreign else message), ()
    if record.exc_info and record.exc_info[0] is not None:
        kind, error, trace = record.exc_info
        # The message of another package's exception may contain customer input, so only type and traceback stay.
        text = "" if foreign or error is None else f": {redact(str(error))}"
        record.exc_text = f"{''.join(traceback.format_tb(trace))}{kind.__name__}{text}"
        record.exc_info = None


def quiet_logs() -> None:
    """Clean every log record before any log handler gets it. A second call has no effect."""
    previous = logging.getLogRecordFactory()
    if getattr(previous, "_portal", False):
        return

    def factory(*args: Any, **kwargs: Any) -> logging.LogRecord:
        record = previous(*args, **kwargs)
        _clean(record)
        return record

    factory._portal = True  # pyrefly: ignore[missing-attribute]  # functions take any attribute
    logging.setLogRecordFactory(factory)
