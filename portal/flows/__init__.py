"""The flows, one module each: declarations without screens. One house shows them, the other checks by them."""

from __future__ import annotations

from portal.domain.flow import Flow
from portal.flows.insurance import INSURANCE
from portal.flows.repair import REPAIR
from portal.flows.service import SERVICE
from portal.flows.service_package import SERVICE_PACKAGE

FLOWS: dict[str, Flow] = {flow.name: flow for flow in (REPAIR, SERVICE, INSURANCE, SERVICE_PACKAGE)}
"""All flows by name."""
