"""A request in the language of whoever reads it: our words follow the language, the customer's stay as they are."""

from __future__ import annotations

from portal.contract.base import Locale
from portal.provider.confirmations.confirmation import FLOW_OF
from portal.provider.confirmations.kept import StoredRequest
from portal.provider.flows.desk import HANDLERS
from portal.provider.tables.requests import RequestRow


def spoken(row: RequestRow, locale: Locale) -> tuple[str, str]:
    """Title and description.

    Args:
        row: the request. One that did not come through a flow has only what was written down.
        locale: language of the reader.
    """
    handler = HANDLERS.get(FLOW_OF.get(row.kind, ""))
    if handler is None or handler.describe is None:
        return row.title, row.description
    title, description = handler.describe(StoredRequest.of(row.details, locale))
    return title or row.title, description or row.description
