"""Moving a delivery to another day: its statuses and terms (part-2 §4, §9)."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from portal.domain.marks import N_
from portal.domain.status_graph import StatusGraph
from portal.domain.statuses import STATUS_UNKNOWN


class DateChangeStatus(StrEnum):
    """Where the wish for another delivery day stands."""

    WAITING_FOR_CUSTOMER = "waiting_for_customer"
    """The link in the mail was not used yet."""
    WAITING_FOR_RETAILER = "waiting_for_retailer"
    """Confirmed by the customer; the retailer confirms within 48 hours."""
    ACCEPTED = "accepted"
    REFUSED = "refused"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"
    """Sent by a newer provider; never stored."""


_S = DateChangeStatus

DATE_CHANGES: StatusGraph[DateChangeStatus] = StatusGraph(
    _S.WAITING_FOR_CUSTOMER,
    {
        _S.WAITING_FOR_CUSTOMER: frozenset({_S.WAITING_FOR_RETAILER, _S.EXPIRED, _S.CANCELLED}),
        _S.WAITING_FOR_RETAILER: frozenset({_S.ACCEPTED, _S.REFUSED, _S.CANCELLED}),
        # Asked for again by a new link.
        _S.EXPIRED: frozenset({_S.WAITING_FOR_CUSTOMER}),
        _S.ACCEPTED: frozenset(),
        _S.REFUSED: frozenset(),
        _S.CANCELLED: frozenset(),
    },
)
PENDING: frozenset[DateChangeStatus] = frozenset({_S.WAITING_FOR_CUSTOMER, _S.WAITING_FOR_RETAILER})
"""Block a new wish (part-2 §4)."""

DATE_CHANGE_LABELS: dict[DateChangeStatus, str] = {
    _S.WAITING_FOR_CUSTOMER: N_("Waiting for your confirmation"),
    _S.WAITING_FOR_RETAILER: N_("Waiting for our confirmation"),
    _S.ACCEPTED: N_("Accepted"),
    _S.REFUSED: N_("Not possible"),
    _S.EXPIRED: N_("Expired"),
    _S.CANCELLED: N_("Cancelled"),
    _S.UNKNOWN: STATUS_UNKNOWN,
}
DATE_CHANGE_MEANINGS: dict[DateChangeStatus, str] = {
    _S.WAITING_FOR_CUSTOMER: N_("One more step: confirm the new day by the link in our email, within 24 hours."),
    _S.WAITING_FOR_RETAILER: N_("You have confirmed the new day. We let you know within 48 hours whether it works."),
    _S.ACCEPTED: N_("Your order will be delivered on the new day."),
    _S.REFUSED: N_("The new day is not possible. Your order is delivered on the day that was planned."),
    _S.EXPIRED: N_("The link was not used within 24 hours, so nothing has changed. Choose a day again."),
    _S.CANCELLED: N_("This request was cancelled. Nothing has changed."),
    _S.UNKNOWN: N_("We cannot show here how far this is. Contact us if you want to know more."),
}
STEPS: tuple[str, ...] = (
    N_("You choose another day on which we deliver."),
    N_("You confirm it within 24 hours by the link in our email."),
    N_("We let you know within 48 hours whether the new day works."),
)
"""The three steps that the entry page explains (part-2 §2)."""

ANSWER_WITHIN = timedelta(hours=48)
"""The retailer confirms within this time after the customer did (part-2 §9)."""


def as_it_stands(status: DateChangeStatus, link_expires_at: datetime, now: datetime) -> DateChangeStatus:
    """The status at this moment: a link that was not used in time has expired, whether that was noted or not."""
    if status is _S.WAITING_FOR_CUSTOMER and link_expires_at <= now:
        return _S.EXPIRED
    return status
