"""The flows, one module each: declarations without screens. One house shows them, the other checks by them."""

from __future__ import annotations

from portal.domain.flow import Flow
from portal.flows.accessories import ACCESSORIES
from portal.flows.claim import CLAIM
from portal.flows.exchange import EXCHANGE
from portal.flows.insurance import INSURANCE
from portal.flows.order_return import ORDER_RETURN
from portal.flows.repair import REPAIR
from portal.flows.returns import RETURN
from portal.flows.service import SERVICE
from portal.flows.service_package import SERVICE_PACKAGE

FLOWS: dict[str, Flow] = {
    flow.name: flow
    for flow in (REPAIR, SERVICE, CLAIM, RETURN, ACCESSORIES, EXCHANGE, ORDER_RETURN, INSURANCE, SERVICE_PACKAGE)
}
"""All flows, by name."""
