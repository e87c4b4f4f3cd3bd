"""Texts in both languages, without any framework: catalogues, and which language somebody wants."""

from portal.texts.catalogue import DOMAINS, Catalogue, Domain, both, catalogue, gettext_for
from portal.texts.locales import COOKIE, DEFAULT, LOCALES, TRANSLATED, Locale, known_locale, locale_of

__all__ = [
    "COOKIE",
    "DEFAULT",
    "DOMAINS",
    "LOCALES",
    "TRANSLATED",
    "Catalogue",
    "Domain",
    "Locale",
    "both",
    "catalogue",
    "gettext_for",
    "known_locale",
    "locale_of",
]
