"""How a provider that runs alone writes its log: one JSON object a line, to standard error."""

from __future__ import annotations

from portal.logs import configure

__all__ = ["configure"]
