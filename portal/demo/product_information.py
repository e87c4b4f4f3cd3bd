"""Insurance product information documents of the demonstration, laid out as Regulation (EU) 2017/1469 asks.

A retailer gets these documents from the insurers as PDF files. Here they are rendered from the packages that the shop
offers, so that the example is complete and never contradicts them.
"""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from functools import cache

from portal.backend.letter import money
from portal.backend.pdf import compile_pdf
from portal.contract.models import Locale
from portal.demo.catalogue import INSURANCES
from portal.insurance.rules import InsurancePackage
from portal.kernel.texts import N_, gettext_for
from portal.vocabulary.insurance import COVER_TEXTS, INSURANCE_TYPES, INSURER_NAMES, Cover, InsuranceType

VERSION = "2026-01"
"""Version of the documents: the month from which they apply."""

_MADE = datetime(2026, 1, 5, 12, tzinfo=UTC)

_LIMITS = (
    N_("The bike must be locked with the lock whose key number we know."),
    N_("A battery left on an unlocked bike is not insured."),
    N_("We pay no more than what you paid for the bike."),
    N_("After 3 years we deduct 1% of the price each month."),
)
_NEVER = (
    N_("Wear, rust and damage that was there before"),
    N_("Damage caused on purpose, in a race, or while the bike is rented out"),
    N_("A bike that was left unlocked"),
)
_DUTIES = (
    N_("Answer our questions truthfully when you request the insurance."),
    N_("Report a theft to the police within 24 hours, and to us within 3 days."),
    N_("Keep both keys of your lock; we ask for them after a theft."),
    N_("Tell us when you move or sell the bike."),
)


@cache
def product_information(package: InsurancePackage, locale: Locale) -> bytes:
    """Render the document of a package in one language. This call blocks. Raises DocumentError."""
    _ = gettext_for(locale)
    insurer, kind = INSURER_NAMES[package.insurer], _(INSURANCE_TYPES[package.type])
    product = _("Bike insurance {insurer}: {type}").format(insurer=insurer, type=kind)
    damage = package.type is InsuranceType.THEFT_AND_DAMAGE
    about = (
        N_("This insurance pays out if your bike is stolen or damaged.")
        if damage
        else N_("This insurance pays out if your bike or its battery is stolen.")
    )
    page = {
        "kind": _("Demonstration example, version {version}").format(version=VERSION),
        "heading": _("Insurance product information document"),
        "running": product,
        "insurer": insurer,
        "product": product,
        "statement": _(
            "This document is a summary of the main cover and exclusions. It does not take your "
            "personal situation into account. You’ll find the complete information in the policy "
            "conditions."
        ),
        "sections": [
            _section(locale, N_("What is this type of insurance?"), "plain", [_(about)]),
            _section(locale, N_("What is insured?"), "yes", [_(COVER_TEXTS[cover]) for cover in package.covers]),
            _section(locale, N_("What is not insured?"), "no", _not_insured(package, locale)),
            _section(locale, N_("Are there any restrictions on cover?"), "limit", _restrictions(package, locale)),
            _section(locale, N_("Where am I covered?"), "yes", [_(COVER_TEXTS[Cover.ABROAD])]),
            _section(locale, N_("What are my obligations?"), "plain", [_(duty) for duty in _DUTIES]),
            _section(
                locale,
                N_("When and how do I pay?"),
                "plain",
                [
                    _(
                        "You pay the premium every month by direct debit. You see the amount before you request "
                        "the insurance."
                    )
                ],
            ),
            _section(
                locale,
                N_("When does the cover start and end?"),
                "plain",
                [
                    _("Cover starts on the date shown in your policy. It’s renewed every month."),
                    _("It ends when you cancel, when the bike is sold, or 5 years after you bought it."),
                ],
            ),
            _section(
                locale,
                N_("How do I cancel the contract?"),
                "plain",
                [_("You can withdraw within {withdrawal_days} days. After that you can cancel every month.")],
            ),
        ],
        "closing": _("{insurer} is a fictional insurer. This document is an example; it gives you no rights.").format(
            insurer=insurer
        ),
        "foot": [[insurer, product]],
    }
    return compile_pdf("product_information", page, locale, product, author=insurer, created=_MADE)


def _section(locale: Locale, title: str, sign: str, lines: list[str]) -> dict[str, object]:
    return {"title": gettext_for(locale)(title), "sign": sign, "lines": lines}


def _not_insured(package: InsurancePackage, locale: Locale) -> list[str]:
    _ = gettext_for(locale)
    return [*[_(COVER_TEXTS[cover]) for cover in package.covers_not], *[_(text) for text in _NEVER]]


def _restrictions(package: InsurancePackage, locale: Locale) -> list[str]:
    _ = gettext_for(locale)
    excess = (
        _("You pay {amount} of each claim yourself.").format(amount=money(package.excess, locale))
        if package.excess > Decimal(0)
        else _("There is no excess.")
    )
    return [excess, *[_(limit) for limit in _LIMITS]]


def all_documents() -> list[tuple[InsurancePackage, bytes, bytes]]:
    """Each package with its document in Dutch and in English. This call blocks."""
    return [(entry, product_information(entry, "nl"), product_information(entry, "en")) for entry in INSURANCES]
