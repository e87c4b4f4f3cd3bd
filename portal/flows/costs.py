"""What a request will cost, flow by flow: one computation for the page, the request, its mail and its document."""

from __future__ import annotations

from portal.domain.costs import Cost
from portal.domain.flow import Asked
from portal.flows.location import handover_costs
from portal.flows.repair import REPAIR
from portal.flows.service import SERVICE, service_costs

_COSTS = {REPAIR.name: handover_costs, SERVICE.name: service_costs}


def costs_of(flow: str, asked: Asked) -> list[Cost]:
    """The costs as far as they are known; empty for a flow without any.

    Args:
        flow: its name.
        asked: answers and facts.
    """
    compute = _COSTS.get(flow)
    return compute(asked) if compute else []
