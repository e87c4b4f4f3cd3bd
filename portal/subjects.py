"""What the shop offers: the list of its flows. A new flow is a line here."""

from __future__ import annotations

from portal.flows.accessories import ACCESSORIES
from portal.flows.claim import CLAIM
from portal.flows.exchange import EXCHANGE
from portal.flows.insurance import INSURANCE
from portal.flows.order_return import ORDER_RETURN
from portal.flows.repair import REPAIR
from portal.flows.returns import RETURN
from portal.flows.service import SERVICE
from portal.flows.service_package import SERVICE_PACKAGE

ALL_FLOWS = (REPAIR, SERVICE, CLAIM, RETURN, ACCESSORIES, EXCHANGE, ORDER_RETURN, INSURANCE, SERVICE_PACKAGE)
