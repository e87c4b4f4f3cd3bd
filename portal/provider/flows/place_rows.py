"""Address, service location and hand-over on the confirmation, in the words of the check page."""

from __future__ import annotations

from portal.domain.address import address_lines
from portal.domain.countries import NAMES, Country
from portal.provider.confirmations.kept import StoredRequest
from portal.provider.confirmations.rows import Row
from portal.provider.documents.letterhead import spoken_phone
from portal.texts import gettext_for
from portal.vocabulary.locations import HANDOVER_NAMES, Handover


def address_rows(stored: StoredRequest) -> list[Row]:
    """Where the customer is, and on which number the mechanic calls."""
    home = stored.further.get("home")
    if not home:
        return []
    _ = gettext_for(stored.locale)
    country = NAMES[Country(home["country_code"])]
    return [
        Row(_("Address"), (*address_lines(home), _(country))),
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
    return [Row(_("Service location"), (location["name"], *address_lines(location["address"]), waiting))]


def handover_rows(stored: StoredRequest) -> list[Row]:
    """How the bike gets there."""
    way = stored.text("handed_over")
    if not way:
        return []
    _ = gettext_for(stored.locale)
    return [Row(_("How your bike gets there"), (_(HANDOVER_NAMES[Handover(way)]),))]
