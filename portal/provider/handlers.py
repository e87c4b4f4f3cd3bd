"""What the retailer's side does for each flow: the list of its handlers. A new flow is a line here."""

from __future__ import annotations

from portal.provider.flows.claim import CLAIM_HANDLER
from portal.provider.flows.insurance import INSURANCE_HANDLER
from portal.provider.flows.repair import REPAIR_HANDLER
from portal.provider.flows.return_desks import RETURN_HANDLERS
from portal.provider.flows.service import SERVICE_HANDLER
from portal.provider.flows.service_package import SERVICE_PACKAGE_HANDLER

FLOW_HANDLERS = (
    REPAIR_HANDLER,
    SERVICE_HANDLER,
    CLAIM_HANDLER,
    *RETURN_HANDLERS,
    INSURANCE_HANDLER,
    SERVICE_PACKAGE_HANDLER,
)
