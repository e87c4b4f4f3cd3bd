"""Formatting shared by mails and documents: letterhead, amounts, dates, addresses, and localized days."""

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any, TypedDict
from urllib.parse import urlsplit

from babel import Locale as BabelLocale
from babel.dates import format_date, get_day_names
from babel.numbers import format_currency, format_decimal, format_percent
from stdnum import iban

from portal.backend.pdf import Exact
from portal.contract.account import Account, AccountHandover, LocalizedText
from portal.contract.models import Locale
from portal.contract.session import Address
from portal.kernel.address import Country, address_lines, readable_phone
from portal.kernel.days import AMSTERDAM, local_day, read, runs
from portal.kernel.texts import N_, gettext_for, with_units
from portal.setting_groups import Brand
from portal.settings import Settings

HOME = Country.NL
"""The sender's country. Addresses in other countries include the country."""

_LOCALES: dict[Locale, BabelLocale] = {"nl": BabelLocale("nl", "NL"), "en": BabelLocale("en", "GB")}
"""British English: day before month, decimal point."""


def money(amount: Decimal, locale: Locale, currency: str = "EUR") -> str:
    """'€ 39,95' (with a no-break space) or '€39.95'."""
    return format_currency(amount, currency, locale=_LOCALES[locale])


def day(value: date, locale: Locale) -> str:
    """'3 juni 2026' or '3 June 2026', with a no-break space between day and month."""
    return format_date(value, format="d\u00a0MMMM y", locale=_LOCALES[locale])


def weekday(value: date, locale: Locale) -> str:
    """'woensdag 3 juni 2026' or 'Wednesday 3 June 2026', with the same space."""
    return format_date(value, format="EEEE d\u00a0MMMM y", locale=_LOCALES[locale])


def kilometres(value: Decimal, locale: Locale) -> str:
    """'120,5 km' (with a no-break space), with at most two decimals."""
    return with_units(f"{format_decimal(value, format='#,##0.##', locale=_LOCALES[locale])} km")


def clock(moment: datetime) -> str:
    """'14:05' in Europe/Amsterdam."""
    return f"{moment.astimezone(AMSTERDAM):%H:%M}"


def size(count: int, locale: Locale) -> str:
    """A file size for display: '350 kB', '2,4 MB' (with a no-break space); at least 1 kB."""
    kilo = max(1, round(count / 1000))
    if kilo < 1000:
        return with_units(f"{kilo} kB")
    return with_units(f"{format_decimal(Decimal(count) / 1_000_000, format='#,##0.#', locale=_LOCALES[locale])} MB")


def unbroken(text: str) -> Exact:
    """Make a text of ours unbreakable, so that it stays on one line."""
    return Exact(text.replace(" ", "\N{NO-BREAK SPACE}"))


def percentage(rate: Decimal, locale: Locale) -> str:
    """'21%' for 21, with at most two decimals."""
    return format_percent(rate / 100, format="#,##0.##%", locale=_LOCALES[locale])


def postal_lines(address: Address, locale: Locale) -> list[str]:
    """Street and number, postcode and city, and the country if it is not the sender's."""
    lines = [*address_lines(address)]
    if address.country_code is not HOME:
        lines.append(_LOCALES[locale].territories[address.country_code.value])
    return [line for line in lines if line]


def seller(brand: Brand, locale: Locale) -> list[str]:
    """Name, address and the registration numbers that an invoice must show."""
    return [brand.name, *address_lines(brand), *_registrations(brand, locale)]


def footer(brand: Brand, locale: Locale) -> list[list[str]]:
    """The two lines of the page footer, each a list of parts: the address and the contact details."""
    website = brand.shop_url.removeprefix("https://").removeprefix("http://").rstrip("/")
    return [
        [brand.name, *address_lines(brand), *_registrations(brand, locale)],
        [website, unbroken(brand.email), readable_phone(brand.phone), unbroken(f"IBAN {iban.format(brand.iban)}")],
    ]


def _registrations(brand: Brand, locale: Locale) -> list[str]:
    _ = gettext_for(locale)
    return [
        _("KvK {number}").format(number=brand.chamber_of_commerce),
        _("VAT {number}").format(number=brand.vat_number),
    ]


def localized_day(value: date) -> LocalizedText:
    """'3 juni 2026' and '3 June 2026'."""
    return LocalizedText.each(lambda locale: day(value, locale))


def opening_hours(text: str) -> LocalizedText:
    """'ma t/m wo 09:30-18:00, do 09:30-21:00'; empty for unknown hours."""

    def written(locale: Locale) -> str:
        names, _ = get_day_names("abbreviated", locale=_LOCALES[locale]), gettext_for(locale)
        parts = []
        for first, last in runs(read(text)):
            begin, end = names[first.weekday - 1], names[last.weekday - 1]
            span = begin if begin == end else _("{first} to {last}").format(first=begin, last=end)
            parts.append(f"{span} {first.opens}-{first.closes}")
        return ", ".join(parts)

    return LocalizedText.each(written) if text else LocalizedText()


def localized_weekday(value: date) -> LocalizedText:
    """'woensdag 3 juni 2026' and 'Wednesday 3 June 2026'."""
    return LocalizedText.each(lambda locale: weekday(value, locale))


def localized_moment(moment: datetime) -> LocalizedText:
    """'3 juni 2026 om 14:05' and '3 June 2026 at 14:05', in Europe/Amsterdam."""
    return LocalizedText.of(N_("{day} at {time}"), day=localized_day(local_day(moment)), time=clock(moment))


class HandoverValues(TypedDict):
    """How, where and when something is handed over, and what that costs; what is unknown is empty."""

    how: str
    place: list[str]
    when: str
    cost: str


def subject_line(says: LocalizedText, about: LocalizedText) -> LocalizedText:
    """The subject of a mail about a status, a sentence: "Je fiets is gerepareerd: Duinroos Zilt"."""
    return LocalizedText.each(lambda locale: f"{_first(says.text(locale))}: {about.text(locale)}")


def _first(text: str) -> str:
    return re.split(r"[.:] ", text)[0].rstrip(".")


def with_button(details: dict[str, Any], subject: str) -> dict[str, Any]:
    """The details of a mail that asks for the first step itself, with a button."""
    account = details["account"]
    return details | {"account": account | {"subject": subject, "next_steps": account["next_steps"][1:]}}


def account_values(account: Account, locale: Locale, subject: LocalizedText | None = None) -> dict[str, Any]:
    """The texts and amounts of an account, for the templates of mails and documents. JSON can hold them.

    Returns `subject`, `title`, `status`, `meaning`, `reference`, `handover` (None without one), `facts` (label and
    lines), `costs` (label and amount), `total` (label and amount), `note` (who pays whom and when) and `next_steps`.
    """
    amounts = account.money
    return {
        "subject": (subject or account.title).text(locale),
        "title": account.title.text(locale),
        "status": account.status.text(locale),
        "meaning": account.meaning.text(locale),
        "reference": account.reference,
        "handover": handover_values(account.handover, locale) if account.handover else None,
        "facts": [(fact.label.text(locale), [line.text(locale) for line in fact.lines]) for fact in account.facts],
        "costs": [(line.label.text(locale), money(line.amount, locale)) for line in amounts.lines],
        "total": (amounts.label.text(locale), money(amounts.total, locale)),
        "note": amounts.note.text(locale),
        "next_steps": [step.text(locale) for step in account.next_steps],
    }


def handover_values(handover: AccountHandover, locale: Locale) -> HandoverValues:
    """One handover in one language. Its cost is told if the way was chosen; free is told too."""
    _ = gettext_for(locale)
    cost = money(handover.cost, locale) if handover.cost else _("Free")
    return HandoverValues(
        how=handover.how.text(locale),
        place=[line for line in handover.place if line],
        when=handover.when.text(locale),
        cost=cost if handover.how else "",
    )


def all_day_event(
    settings: Settings,
    locale: Locale,
    *,
    name: str,
    sequence: int,
    changed_at: datetime,
    day: date,
    summary: str,
    description: Iterable[str],
    place: Iterable[str],
    url: str,
) -> bytes:
    """A day as an iCalendar file (RFC 5545). A file of the same name with a higher sequence replaces the older event.

    An all-day event keeps its day in every time zone. It does not mark the customer as busy.
    """
    from icalendar import Calendar, Event

    calendar, event = Calendar(), Event()
    calendar.add("prodid", f"-//{settings.brand.name}//Portal//{locale.upper()}")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    event.add("uid", f"{name}@{urlsplit(settings.address).hostname}")
    event.add("sequence", sequence)
    event.add("dtstamp", changed_at.astimezone(UTC))
    event.add("last-modified", changed_at.astimezone(UTC))
    event.add("dtstart", day)
    event.add("dtend", day + timedelta(days=1))
    event.add("summary", summary)
    event.add("description", "\n".join([*filter(None, description), url]))
    if location := ", ".join(place):
        event.add("location", location)
    event.add("url", url)
    event.add("status", "CONFIRMED")
    event.add("transp", "TRANSPARENT")
    calendar.add_component(event)
    return calendar.to_ical()
