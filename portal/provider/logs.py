"""How a provider that runs alone writes its log: one JSON object a line, to standard error."""

from __future__ import annotations

import sys

import structlog


def configure() -> None:
    """Set up the log of this process."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
