"""What follows in each subject when a bike or an order leaves its customer."""

from __future__ import annotations

from portal.backend.departures import FOLLOWERS


def register_followers() -> None:
    """Register the followers of all subjects. They are imported here, because few commands move anything."""
    FOLLOWERS.register(())
