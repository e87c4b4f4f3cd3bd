"""What the retailer's side does for each flow: the list of its handlers. A new flow is a line here."""

from __future__ import annotations

from portal.insurance.provider.handler import INSURANCE_HANDLER
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
