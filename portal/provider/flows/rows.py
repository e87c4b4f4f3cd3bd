"""Rows of the confirmation that several flows share: where the customer is, where the bike goes, and how."""

from __future__ import annotations

from portal.domain.countries import NAMES, Country
from portal.domain.locations import HANDOVER_NAMES, Handover
from portal.provider.confirmations.kept import Kept
from portal.provider.confirmations.rows import Row
from portal.provider.documents.letterhead import spoken_phone
from portal.texts import gettext_for


def address_rows(kept: Kept) -> list[Row]:
    """Where the customer is, and the number to call."""
    _ = gettext_for(kept.locale)
    home = kept.home
    if not home:
        return []
    country = _(NAMES[Country(home["country_code"])])
    return [
        Row(_("Address"), (_street(home), f"{home['post_code']} {home['city']}", country)),
        Row(_("Phone number"), (spoken_phone(home["phone"]),)),
    ]


def location_rows(kept: Kept) -> list[Row]:
    """The service location with its waiting time."""
    _ = gettext_for(kept.locale)
    location = kept.location
    if not location:
        return []
    address, weeks = location.get("address") or {}, location.get("waiting_weeks")
    lines = [location["name"], _street(address), f"{address.get('post_code', '')} {address.get('city', '')}"]
    rows = [Row(_("Service location"), tuple(line.strip() for line in lines if line.strip()))]
    if isinstance(weeks, int):
        rows.append(Row(_("Waiting time"), (_("{low}–{high} weeks").format(low=weeks, high=weeks + 1),)))
    return rows


def handover_rows(kept: Kept) -> list[Row]:
    """How the bike gets there."""
    _ = gettext_for(kept.locale)
    if not kept.handed_over:
        return []
    return [Row(_("How does your bike get there?"), (_(HANDOVER_NAMES[Handover(kept.handed_over)]),))]


def _street(address: object) -> str:
    known = address if isinstance(address, dict) else {}
    addition = str(known.get("house_number_addon") or "")
    gap = " " if len(addition) > 1 else ""
    return f"{known.get('street', '')} {known.get('house_number', '')}{gap}{addition}".strip()
