"""The retailer's side of the flows: one module each."""

from __future__ import annotations

from portal.provider.flows import insurance, repair, service, service_package
from portal.provider.flows.desk import Desk

DESKS: dict[str, Desk] = {
    desk.flow.name: desk for desk in (repair.DESK, service.DESK, insurance.DESK, service_package.DESK)
}
"""By name of the flow."""
