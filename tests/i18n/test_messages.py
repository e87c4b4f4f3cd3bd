"""Texts on the pages, as they are compiled."""

import pytest
import reflex as rx

from portal.i18n import _, choice, lowered, messages, money, ngettext
from portal.kernel.texts import Catalogue
from portal.reflex_adapter.var import needs

NAME = rx.Var("name").to(str)


@pytest.fixture(autouse=True)
def small_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small catalogue instead of the real one."""
    dutch = {"Hello {name}": ("Hoi {name}",), "Bikes": ("Fietsen",), "{n} bike": ("{n} fiets", "{n} fietsen")}
    texts = {"nl": Catalogue("nl", dutch), "en": Catalogue("en", {})}
    monkeypatch.setattr(messages, "catalogue", lambda locale: texts[locale])


def test_both_languages_are_written_where_the_text_is_used() -> None:
    assert str(_("Hello {name}", name=NAME)) == '(t(lang, "Hoi {name}", "Hello {name}", ({ ["name"] : name })))'


def test_a_text_that_is_the_same_in_both_languages_costs_nothing() -> None:
    assert str(_("Bovenbuis")) == '"Bovenbuis"'
    assert needs(_("Bovenbuis")) is None


def test_a_text_brings_the_hook_and_the_module_that_it_needs() -> None:
    data = needs(_("Bikes"))
    assert data is not None
    assert "const lang = useLanguage()" in data.hooks
    assert {tag.tag for _library, tags in data.imports for tag in tags} == {"t", "useLanguage"}


def test_a_counted_text_brings_both_forms_of_both_languages() -> None:
    text = str(ngettext("{n} bike", "{n} bikes", rx.Var("count").to(int)))
    assert text == '(tn(lang, ["{n} fiets", "{n} fietsen"], ["{n} bike", "{n} bikes"], count, ({ ["n"] : count })))'


def test_a_choice_translates_plain_texts_and_keeps_ready_ones() -> None:
    text = str(choice(rx.Var("status").to(str), {"a": "Bikes", "b": _("Bovenbuis")}, "Bikes"))
    assert '["a"] : (t(lang, "Fietsen", "Bikes"))' in text
    assert '["b"] : "Bovenbuis"' in text
    assert text.endswith('status, (t(lang, "Fietsen", "Bikes"))))')


def test_a_text_within_another_one_begins_with_a_small_letter_and_is_written_once() -> None:
    text = _("Hello {name}", name=lowered(_("Bikes")))
    small = '((t(lang, "Fietsen", "Bikes"))).replace(/^./, (letter) => letter.toLowerCase())'
    assert str(text) == f'(t(lang, "Hoi {{name}}", "Hello {{name}}", ({{ ["name"] : {small} }})))'
    data = needs(text)
    assert data is not None
    assert "const lang = useLanguage()" in data.hooks


def test_an_amount_is_formatted_in_the_browser() -> None:
    assert str(money(rx.Var("total").to(str))) == '(money(lang, total, "EUR"))'
