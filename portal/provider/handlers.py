"""The list of the provider's flow handlers. Add the handler of a new flow here."""

from __future__ import annotations

from portal.conversations.provider.service import ANSWER_HANDLER
from portal.insurance.provider.service import INSURANCE_HANDLER
from portal.returns.provider.handlers import RETURN_HANDLERS
from portal.service_packages.provider import SERVICE_PACKAGE_HANDLER
from portal.work_orders.provider.handlers import CLAIM_HANDLER, REPAIR_HANDLER, SERVICE_HANDLER

FLOW_HANDLERS = (
    REPAIR_HANDLER,
    SERVICE_HANDLER,
    CLAIM_HANDLER,
    *RETURN_HANDLERS,
    INSURANCE_HANDLER,
    SERVICE_PACKAGE_HANDLER,
)

UPLOAD_HANDLERS = (ANSWER_HANDLER,)
"""Handlers without pages, to which files are uploaded."""
