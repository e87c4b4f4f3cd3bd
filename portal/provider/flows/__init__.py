"""The retailer's side of the flows: one module each."""

from __future__ import annotations

from portal.provider.flows import claim, insurance, repair, service, service_package
from portal.provider.flows.desk import Desk
from portal.provider.flows.return_desks import RETURN_DESKS

DESKS: dict[str, Desk] = {
    desk.flow.name: desk
    for desk in (repair.DESK, service.DESK, claim.DESK, *RETURN_DESKS, insurance.DESK, service_package.DESK)
}
"""By name of the flow."""
