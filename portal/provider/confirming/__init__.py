"""Requests that are confirmed by a mailed link, one desk for each purpose."""

from __future__ import annotations

from portal.domain.links import LinkPurpose
from portal.provider.confirming.desk import ConfirmationDesk

DESKS: dict[LinkPurpose, ConfirmationDesk] = {}
"""By purpose of the link."""
