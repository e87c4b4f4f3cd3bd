"""What pages show of settings: brand, terms, hours, other shops, legal texts.

A build knows no settings. Where a page shows one (`i18n.setting`), the build leaves a mark with its name and the
language, such as `⟦brand.nl⟧`. A document gets the values, and a block of all of them for its scripts, when it is
served.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from html import escape

from portal.frontend.session_end import NOTICE_SECONDS
from portal.kernel.address import NAMES, address_lines
from portal.kernel.days import UNTIL, WEEKDAYS
from portal.kernel.terms import ShopTerms
from portal.kernel.texts import LOCALES, Locale, catalogue, with_terms, written_terms
from portal.legal.rendering import WrongLegalText, legal_html, text_values
from portal.setting_groups import Hours
from portal.settings import Settings, settings

__all__ = ["WrongLegalText", "filled", "of_process", "shown_settings"]

_MARK = re.compile(r"⟦([^⟧]+)\.(nl|en)⟧")
_HTML = ("hours.", "legal.")
"""Values that are HTML of our own; those of `legal.` are long, and only in the document of their page."""
_SCRIPTS = "<script>window.__reactRouterContext"
_BLOCK = '<script id="settings" type="application/json">{}</script>'


def shown_settings(options: Settings) -> dict[str, str]:
    """Each value by its name; one that depends on the language has it at the end of its name."""
    brand = options.brand
    mailbox, domain = brand.email.split("@")
    found = {
        "brand": brand.name,
        "shop_url": brand.shop_url,
        "phone": brand.dialled,
        "phone_number": brand.phone,
        "email": brand.email,
        "mailbox": mailbox,
        "mail_domain": domain,
        "address": ", ".join(address_lines(brand)),
        "lease_portal_url": str(options.lease_portal_url),
        "tax_years": str(options.retention.tax_years),
        "notice_seconds": str(min(NOTICE_SECONDS, round(options.idle_minutes * 30))),
        "digits": "numeric" if options.usual_order_numbers else "text",
        **{f"usual.{name}": str(getattr(ShopTerms(), name)) for name in ShopTerms.__slots__},
    }
    for locale in LOCALES:
        found |= {f"{name}.{locale}": text for name, text in _in_language(options, locale).items()}
    return found


def _in_language(options: Settings, locale: Locale) -> dict[str, str]:
    shown = catalogue(locale)
    _ = shown.gettext
    minutes, usual = options.code_minutes, options.usual_order_numbers
    hint = shown.ngettext(
        "{code_digits} digits; works for {n} minute", "{code_digits} digits; works for {n} minutes", minutes
    )
    return {
        **written_terms(locale),
        "code_hint": hint.replace("{n}", str(minutes)),
        "order_number_hint": _("Starts with an 8 or a 9") if usual else "",
        "order_number_help": _("Your order number is at the top left of your invoice. It starts with an 8 or a 9.")
        if usual
        else _("Your order number is at the top left of your invoice."),
        **{
            f"shop_at.{url}": _("This order is with our shop in {country}").replace("{country}", _(NAMES[country]))
            for country, url in options.country_domains.items()
        },
        **{f"hours.{variant}": "".join(_hours(run, _) for run in runs) for variant, runs in options.hours},
        **{f"legal.{name}": legal_html(getattr(text, locale), text_values(options)) for name, text in options.legal},
    }


def _hours(run: Hours, _: Callable[[str], str]) -> str:
    until = f" {_(UNTIL[str(run.last_day)])}" if run.first_day != run.last_day else ""
    days, times = _(WEEKDAYS[str(run.first_day)]) + until, f"{run.opens:%H:%M}-{run.closes:%H:%M}"
    return f'<div class="contents"><dt>{days}</dt><dd>{times}</dd></div>'


@cache
def of_process() -> dict[str, str]:
    return shown_settings(settings())


def filled(page: str) -> str:
    """A built document with the settings of this process."""
    known = of_process()
    own = {f"legal.{name.split('.')[1]}." for name, _ in _MARK.findall(page) if name.startswith("legal.")}

    def value(found: re.Match[str]) -> str:
        name, locale = found[1], "en" if found[2] == "en" else "nl"
        text = known.get(f"{name}.{locale}", known.get(name, ""))
        return with_terms(text, locale) if name.startswith(_HTML) else escape(text)

    block = {name: text for name, text in known.items() if not name.startswith("legal.") or name.startswith(tuple(own))}
    data = json.dumps(block, ensure_ascii=False).replace("<", "\\u003c")
    return _MARK.sub(value, page).replace(_SCRIPTS, _BLOCK.format(data) + _SCRIPTS, 1)
