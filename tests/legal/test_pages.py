"""The legal pages: for everybody, in both languages, linked where the law asks, with a shop's own texts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from portal.contracts.pages.contracts import guest_end
from portal.frontend.layout import LEGAL_LINKS, PRIVACY, frame
from portal.frontend.registry import pages_of
from portal.legal.pages import PAGES
from portal.legal.rendering import legal_html, text_values
from portal.login.pages.login import login
from portal.settings import Settings, settings
from portal.shown_settings import shown_settings
from portal.subjects import MODULES
from portal.withdrawals.pages.withdrawal import guest_withdrawal
from portal.work_orders.flow.repair import ADDRESS_STEP, REPAIR

TEXTS = [(name, language) for name, _ in settings().legal for language in ("nl", "en")]


def rendered(options: Settings, name: str, language: str) -> str:
    return legal_html(getattr(getattr(options.legal, name), language), text_values(options))


@pytest.mark.parametrize(("name", "language"), TEXTS)
def test_every_example_text_can_be_shown(name: str, language: str) -> None:
    assert len(rendered(settings(), name, language)) > 2000


@pytest.mark.parametrize("name", [name for name, _ in settings().legal])
def test_both_languages_of_a_text_have_the_same_parts(name: str) -> None:
    text, values = getattr(settings().legal, name), text_values(settings())
    dutch, english = (
        re.findall(r"<(h\d|p|ul|ol|li|table|tr|t[dh])\b", legal_html(path, values)) for path in (text.nl, text.en)
    )
    assert dutch == english


@pytest.mark.parametrize(("name", "language"), TEXTS)
def test_links_of_the_example_texts_lead_to_pages(name: str, language: str) -> None:
    routes = {f"/{page.route}" for page in pages_of(MODULES)}
    assert set(re.findall(r'href="(/[^"]*)"', rendered(settings(), name, language))) <= routes


@pytest.mark.parametrize("language", ["nl", "en"])
def test_the_privacy_statement_names_the_periods_that_hold(language: str) -> None:
    other = Settings.model_validate({"retention": {"tax_years": 11, "mail_days": 123}})
    shown = rendered(other, "privacy", language)
    assert "11 jaar" in shown or "11 years" in shown
    assert "123 dagen" in shown or "123 days" in shown


def test_everybody_can_read_the_legal_pages() -> None:
    assert [page.route for page in PAGES] == ["privacy", "terms", "accessibility"]
    assert not any(page.protected for page in PAGES)
    assert {link.path for link in LEGAL_LINKS} == {f"/{page.route}" for page in PAGES}


def test_the_footer_links_to_every_legal_page() -> None:
    footer = str(frame([]))
    for link in LEGAL_LINKS:
        assert f'to:"{link.path}"' in footer


def test_forms_that_ask_for_personal_data_link_to_the_privacy_statement() -> None:
    asking = next(page.body for page in pages_of(MODULES) if page.route == REPAIR.url(ADDRESS_STEP)[1:])
    for body in (login, guest_withdrawal, guest_end, asking):
        assert f'to:"{PRIVACY.path}"' in str(body())


def test_a_shop_has_its_own_text(tmp_path: Path) -> None:
    own = tmp_path / "privacy.md"
    own.write_text("# Our privacy\n\nWe are {name}.", encoding="utf-8")
    options = Settings.model_validate({"legal": {"privacy": {"nl": own, "en": own}}})
    assert shown_settings(options)["legal.privacy.nl"] == '<h1 tabindex="-1">Our privacy</h1><p>We are Bovenbuis.</p>'


def test_a_missing_text_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="does not point to a file"):
        Settings.model_validate({"legal": {"terms": {"nl": tmp_path / "none.md", "en": tmp_path / "none.md"}}})
