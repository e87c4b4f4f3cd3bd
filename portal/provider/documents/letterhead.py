"""Who sends a document: the seller's block and the foot of every page."""

from __future__ import annotations

import phonenumbers
from phonenumbers import NumberParseException, PhoneNumberFormat
from stdnum import iban

from portal.contract.base import Locale
from portal.domain.address import address_lines
from portal.provider.documents.formats import unbroken
from portal.settings import Brand
from portal.texts import gettext_for


def seller(brand: Brand, locale: Locale) -> list[str]:
    """Name, address and the registrations that an invoice must bear."""
    return [brand.name, *address_lines(brand), *_registrations(brand, locale)]


def footer(brand: Brand, locale: Locale) -> list[list[str]]:
    """Two lines for the foot of the page, each of parts: where to find us, and how to reach us."""
    website = brand.shop_url.removeprefix("https://").removeprefix("http://").rstrip("/")
    return [
        [brand.name, *address_lines(brand), *_registrations(brand, locale)],
        [website, unbroken(brand.email), spoken_phone(brand.phone), unbroken(f"IBAN {iban.format(brand.iban)}")],
    ]


def spoken_phone(number: str) -> str:
    """A phone number grouped for reading: '+31 30 200 1234'; as it is when it is none."""
    try:
        return phonenumbers.format_number(phonenumbers.parse(number), PhoneNumberFormat.INTERNATIONAL)
    except NumberParseException:
        return number


def _registrations(brand: Brand, locale: Locale) -> list[str]:
    _ = gettext_for(locale)
    return [
        _("KvK {number}").format(number=brand.chamber_of_commerce),
        _("VAT {number}").format(number=brand.vat_number),
    ]
