"""The calendar file of a planned day."""

from __future__ import annotations

from datetime import UTC, date, timedelta
from typing import Any

import pytest
from icalendar import Calendar

from portal.contract.models import Locale
from portal.kernel.days import today
from portal.settings import Settings
from portal.vocabulary.work_orders import WorkOrderStatus
from portal.work_orders.provider.confirmation import calendar_of
from tests.support.confirmations import SENT, confirmation, planned

SETTINGS = Settings(public_url="https://mijn.bovenbuis.example")


def event(**changes: Any) -> Any:
    content = calendar_of(confirmation("nl", **planned(**changes)), SETTINGS)
    calendar = Calendar.from_ical(content.decode())
    (found,) = calendar.walk("VEVENT")
    return found


def test_a_calendar_gets_a_whole_day_with_what_and_where() -> None:
    found = event()
    assert (found.decoded("dtstart"), found.decoded("dtend")) == (date(2065, 6, 12), date(2065, 6, 13))
    assert str(found["summary"]) == "Reparatie: Stadsfiets Singel 7"
    assert str(found["location"]) == "Fietsplaats; Jansen, Zn., Vredenburg 40, 3511 BD Utrecht"
    assert "Referentienummer: K7M3 P9RT" in str(found["description"])
    assert str(found["status"]) == "CONFIRMED"
    assert found.decoded("dtstamp") == SENT.astimezone(UTC)


@pytest.mark.parametrize(("locale", "end"), [("nl", "/maintenance"), ("en", "/maintenance?lang=en")])
def test_its_link_opens_the_portal_in_the_language_of_the_file(locale: Locale, end: str) -> None:
    calendar = Calendar.from_ical(calendar_of(confirmation(locale, **planned()), SETTINGS).decode())
    (found,) = calendar.walk("VEVENT")
    assert str(found["url"]) == f"https://mijn.bovenbuis.example{end}"
    assert str(found["url"]) in str(found["description"])


def test_it_is_written_as_calendars_want_it() -> None:
    content = calendar_of(confirmation("nl", **planned()), SETTINGS)
    lines = content.split(b"\r\n")
    assert b"\n" not in b"".join(lines)
    assert max(len(line) for line in lines) <= 75
    assert b"LOCATION:Fietsplaats\\; Jansen\\, Zn.\\, Vredenburg 40\\, 3511 BD Utrecht" in content
    assert b"METHOD:PUBLISH" in lines
    assert Calendar.from_ical(content.decode()).errors == []


def test_a_change_is_the_same_event_with_a_higher_number() -> None:
    first = event()
    moved = event(planned_date=date(2065, 6, 15), updated_at=SENT + timedelta(days=2))
    assert str(first["uid"]) == str(moved["uid"]) == "K7M3P9RT@mijn.bovenbuis.example"
    assert first["sequence"] < moved["sequence"]


def test_a_name_with_a_line_break_adds_no_line() -> None:
    content = calendar_of(confirmation("nl", **planned(partner=_evil())), SETTINGS)
    assert b"\r\nATTENDEE" not in content
    assert len(Calendar.from_ical(content.decode()).walk("VEVENT")) == 1


def _evil() -> Any:
    partner = planned()["partner"]
    partner.name = "x\r\nATTENDEE:mailto:a@example.com\r\nEND:VEVENT"
    return partner


@pytest.mark.parametrize(
    "changes",
    [
        {"planned_date": None},
        {"planned_date": today() - timedelta(days=1)},
        {"status": WorkOrderStatus.IN_REPAIR},
        {"status": WorkOrderStatus.CANCELLED},
    ],
)
def test_without_a_day_ahead_there_is_no_appointment(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="nothing is planned"):
        event(**changes)
    assert confirmation("nl", **planned(planned_date=today())).appointment
