"""Address, service location and hand-over on the confirmation, in the words of the check page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from portal.domain.countries import NAMES, Country
from portal.domain.handovers import HANDOVER_NAMES, Handover
from portal.provider.confirmations.kept import StoredRequest
from portal.provider.confirmations.rows import Row
from portal.provider.documents.letterhead import spoken_phone
from portal.texts import gettext_for


def address_rows(stored: StoredRequest) -> list[Row]:
    """Where the customer is, and on which number the mechanic calls."""
    home = stored.further.get("home")
    if not home:
        return []
    _ = gettext_for(stored.locale)
    country = NAMES[Country(home["country_code"])]
    return [
        Row(_("Address"), (*_street_and_city(home), _(country))),
        Row(_("Phone number"), (spoken_phone(home.get("phone", "")),)),
    ]


def location_rows(stored: StoredRequest) -> list[Row]:
    """The chosen location, where it is, and its waiting time."""
    location = stored.further.get("service_location")
    if not location:
        return []
    _ = gettext_for(stored.locale)
    low = int(location.get("waiting_weeks") or 0)
    waiting = _("Waiting time: {low}–{high} weeks").format(low=low, high=low + 1)
    return [Row(_("Service location"), (location["name"], *_street_and_city(location["address"]), waiting))]


def handover_rows(stored: StoredRequest) -> list[Row]:
    """How the bike gets there."""
    way = stored.text("handed_over")
    if not way:
        return []
    _ = gettext_for(stored.locale)
    return [Row(_("How your bike gets there"), (_(HANDOVER_NAMES[Handover(way)]),))]


def _street_and_city(address: Mapping[str, Any]) -> tuple[str, str]:
    number = f"{address['house_number']} {address.get('house_number_addon', '')}".strip()
    return f"{address['street']} {number}", f"{address['post_code']} {address['city']}"
