"""Logging: one JSON object per line on standard error, without personal data.

Codes, tokens, e-mail addresses and account numbers must not be logged. Our own log calls contain none of them; the
masking here covers libraries, tracebacks and mistakes.
"""

import logging
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

MASK = "***"

REQUEST_HEADER = "X-Request-ID"
_REQUEST = re.compile(r"[\w.-]{8,64}", re.ASCII)


def request_id() -> str:
    """The id of the request or event that is being handled; empty if there is none. Every line of the log has it."""
    return str(structlog.contextvars.get_contextvars().get("request", ""))


def known_request(given: str = "") -> str:
    """The id that a request brought, or a new one if it brought none that can be one."""
    return given if _REQUEST.fullmatch(given) else secrets.token_hex(8)


@contextmanager
def handling(request: str) -> Iterator[None]:
    """Log under the id of a request. What it starts meanwhile, such as a job, has the same id."""
    with structlog.contextvars.bound_contextvars(request=request):
        yield


_PATTERNS = (
    re.compile(r"\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}"),  # a signed token
    re.compile(r"(?<=token=)[^&\s\"']+"),
    re.compile(r"(?<=/)[\w-]{43}(?![\w-])"),  # a token of a mailed link
    re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", re.IGNORECASE),  # a token of a tab
    re.compile(r"[\w.+%'-]+@[\w-]+(?:\.[\w-]+)+"),  # a mail address
    re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b"),  # an IBAN
    re.compile(r"(?<![\w.:-])\d{6}(?![\w.:-])"),  # six digits on their own: a login code
)

_NAMES = re.compile(
    r"token|jwt|code|password|secret|cookie|authorization|challenge|email|recipient|iban", re.IGNORECASE
)

_SAFE_NAMES = frozenset({"code_name", "status_code"})


def mask(text: str) -> str:
    """Replace everything that must not be logged with `MASK`."""
    for pattern in _PATTERNS:
        text = pattern.sub(MASK, text)
    return text


def mask_event(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Mask the values of a log event (a structlog processor); a value with a secret name is masked completely."""
    return {name: MASK if _is_secret(name) and value else _masked(value) for name, value in event.items()}


def _is_secret(name: str) -> bool:
    return name not in _SAFE_NAMES and bool(_NAMES.search(name))


def _masked(value: Any) -> Any:
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, Mapping):
        return {name: MASK if _is_secret(str(name)) else _masked(part) for name, part in value.items()}
    if isinstance(value, list | tuple | set):
        return [_masked(part) for part in value]
    return value if isinstance(value, int | float | None) else mask(str(value))


def _traceback(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Add the traceback that was cleaned when the record was made."""
    if text := event["_record"].exc_text:
        event["exception"] = text
    return event


def configure(*also: Processor, level: int = logging.INFO) -> None:
    """Set up logging for this process: lines of ours and of libraries have the same form. `also` sees ours."""
    lines: list[Processor] = [
        structlog.stdlib.add_logger_name,
        structlog.processors.add_log_level,
        structlog.processors.format_exc_info,
        mask_event,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            *lines,
            *also,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.stdlib.LoggerFactory(),
    )
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.contextvars.merge_contextvars, _traceback, *lines],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=max(level, logging.WARNING), force=True)
    logging.getLogger("portal").setLevel(level)
