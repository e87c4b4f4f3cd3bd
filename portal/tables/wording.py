"""What a shop names in both languages: articles and their colours.

The column holds the Dutch word, or the only one. Beside it stands the English one, empty where the shop has none.
"""

from typing import Protocol

from portal.kernel.texts import Locale


def in_language(own: str, english: str, locale: Locale) -> str:
    """The word in a language; where the shop has none in English, its only one."""
    return english if locale == "en" and english else own


class _HasName(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def name_en(self) -> str: ...


class _HasItemColor(Protocol):
    @property
    def item_color(self) -> str: ...
    @property
    def item_color_en(self) -> str: ...


class Named:
    """A row with the name of an article."""

    def name_in(self: _HasName, locale: Locale) -> str:
        """The name in a language."""
        return in_language(self.name, self.name_en, locale)


class InColor:
    """A row with the colour of an article."""

    def color_in(self: _HasItemColor, locale: Locale) -> str:
        """The colour in a language; empty if it has none."""
        return in_language(self.item_color, self.item_color_en, locale)
