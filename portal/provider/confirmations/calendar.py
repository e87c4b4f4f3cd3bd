"""The appointment of a request as an iCalendar file (RFC 5545)."""

from __future__ import annotations

from datetime import UTC, timedelta
from urllib.parse import urlsplit

from icalendar import Calendar, Event

from portal.provider.confirmations.confirmation import Confirmation
from portal.settings import Settings
from portal.texts import gettext_for

MEDIA_TYPE = "text/calendar"
METHOD = "PUBLISH"


def calendar_of(confirmation: Confirmation, settings: Settings) -> bytes:
    """A day in the customer's calendar. The same request gives the same event: a newer file replaces the older one.

    Raises:
        ValueError: nothing is planned.
    """
    planned = confirmation.appointment
    if planned is None:
        raise ValueError("nothing is planned")
    _ = gettext_for(confirmation.locale)
    calendar = Calendar()
    calendar.add("prodid", f"-//{settings.brand.name}//Portal//{confirmation.locale.upper()}")
    calendar.add("version", "2.0")
    calendar.add("method", METHOD)
    event = Event()
    event.add("uid", f"{confirmation.reference}@{urlsplit(settings.address).hostname}")
    event.add("sequence", planned.change)
    event.add("dtstamp", planned.changed_at.astimezone(UTC))
    event.add("last-modified", planned.changed_at.astimezone(UTC))
    event.add("dtstart", planned.day)
    event.add("dtend", planned.day + timedelta(days=1))
    event.add("summary", f"{confirmation.kind}: {confirmation.bike}")
    event.add(
        "description",
        "\n".join(
            (
                _("Reference number: {reference}").format(reference=confirmation.spoken),
                _("The workshop tells you the time."),
                f"{settings.address}/maintenance",
            )
        ),
    )
    if planned.where:
        event.add("location", planned.where)
    event.add("url", f"{settings.address}/maintenance")
    event.add("status", "CANCELLED" if planned.cancelled else "CONFIRMED")
    # A whole day in the calendar, and the customer is not busy all of it.
    event.add("transp", "TRANSPARENT")
    calendar.add_component(event)
    return calendar.to_ical()
