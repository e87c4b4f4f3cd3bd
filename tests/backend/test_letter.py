"""A distance is one figure in every document and language, with its unit."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.backend.letter import kilometres
from portal.contract.models import Locale
from portal.kernel.texts import LOCALES

SEPARATORS: dict[Locale, tuple[str, str]] = {"nl": (".", ","), "en": (",", ".")}


@pytest.mark.parametrize(
    ("value", "dutch", "english"),
    [
        ("120.50", "120,5\u00a0km", "120.5\u00a0km"),
        ("0", "0\u00a0km", "0\u00a0km"),
        ("12500.25", "12.500,25\u00a0km", "12,500.25\u00a0km"),
        ("42.00", "42\u00a0km", "42\u00a0km"),
    ],
)
def test_a_distance_has_separators_of_its_language_and_no_empty_decimals(value: str, dutch: str, english: str) -> None:
    assert (kilometres(Decimal(value), "nl"), kilometres(Decimal(value), "en")) == (dutch, english)


@given(st.decimals(0, 999_999, places=2))
def test_a_distance_keeps_its_figure_in_every_language(value: Decimal) -> None:
    for locale in LOCALES:
        thousands, decimal = SEPARATORS[locale]
        figure, unit = kilometres(value, locale).split("\u00a0")
        assert unit == "km"
        assert Decimal(figure.replace(thousands, "").replace(decimal, ".")) == value
