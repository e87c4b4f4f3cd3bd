"""The addresses of all flows. Customers bookmark them, so a change must be a decision."""

from __future__ import annotations

import pytest

from portal.flow.journey import FLOWS
from portal.frontend.actions import OLDER_RETURN, STARTS
from portal.frontend.registry import pages_of
from portal.subjects import MODULES

ADDRESSES = {
    "repair-request": "step-1 pincode-step step-2 step-3 step-4 step-5 step-6 step-7 step-8",
    "service-request": "step-1 pincode-step step-2 step-3 step-4 step-5",
    "claim-request": "step-1 step-2 step-3 step-4 pincode-step step-5 step-6 step-7 step-8",
    "return-request": "step-1 step-2 step-3 step-4 step-5 pincode-step summary",
    "return-accessories-request": "step-1 step-2 step-3 step-4 step-5",
    "exchange-request": "step-1 step-2 step-3 step-4 step-5 step-6 pincode-step summary",
    "order-return": "step-1 step-2 step-3 step-4 step-5 summary",
    "insurance-request": "step-1 step-2 step-3 step-4",
    "service-package": "step-1 step-2 step-3",
}
"""By name of the flow: what stands behind its name, from the first question to the check page."""


@pytest.mark.parametrize("flow", ADDRESSES)
def test_every_flow_keeps_its_addresses(flow: str) -> None:
    found = [page.route for page in pages_of(MODULES) if page.route.split("/")[0] == flow]
    routes = [route for route in found if route != f"{flow}/confirm/[hash]"]  # the page of a mailed link
    assert routes == [flow, *(f"{flow}/{address}" for address in [*ADDRESSES[flow].split(), "confirmation"])]


def test_actions_lead_to_existing_pages() -> None:
    routes = {f"/{page.route}" for page in pages_of(MODULES)}
    assert {*STARTS.values(), OLDER_RETURN} <= routes
    assert {flow.path for flow in FLOWS.values()} <= routes
