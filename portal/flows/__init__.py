"""The flows, one module each: declarations without screens. One house shows them, the other checks by them."""

from __future__ import annotations

from portal.domain.flow import Flow
from portal.flows.repair import REPAIR
from portal.flows.service import SERVICE

FLOWS: dict[str, Flow] = {flow.name: flow for flow in (REPAIR, SERVICE)}
"""All flows by name."""
