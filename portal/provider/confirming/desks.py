"""Everything that is confirmed by a mailed link: a line for each purpose."""

from __future__ import annotations

from portal.provider.confirming import battery, delivery_date, insurance, returns
from portal.provider.confirming.desk import ConfirmationDesk
from portal.vocabulary.links import LinkPurpose

DESKS: dict[LinkPurpose, ConfirmationDesk] = {
    LinkPurpose.ORDER_RETURN: returns.DESK,
    LinkPurpose.DELIVERY_DATE: delivery_date.DESK,
    LinkPurpose.INSURANCE: insurance.DESK,
    LinkPurpose.BATTERY: battery.DESK,
}
"""By purpose of the link."""
