"""What follows in each subject when a bike or an order leaves its customer."""

from __future__ import annotations

from portal.backend.departures import FOLLOWERS


def register_followers() -> None:
    """Register the followers of all subjects. They are imported here, because few commands move anything."""
    from portal.contracts.provider.ends import end_contracts
    from portal.flow.provider.cleanup import remove_drafts
    from portal.insurance.provider.backoffice import end_insurance_requests
    from portal.returns.provider.creation import refund_cancelled
    from portal.work_orders.provider.backoffice import end_requests

    FOLLOWERS.register((end_requests, end_insurance_requests, end_contracts, remove_drafts, refund_cancelled))
