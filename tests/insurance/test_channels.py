"""Page, mailed link, mail and the page of the bike say the same about an insurance request."""

from collections.abc import Awaitable, Callable
from datetime import date
from decimal import Decimal
from html import unescape

import pytest

from portal.contract.account import Account
from portal.contract.models import Locale
from portal.insurance.api import InsuranceApi, InsuranceRequest
from portal.kernel.texts import LOCALES
from portal.links.api import LinkEntry, LinksApi
from portal.overview.api import OverviewApi
from portal.tables.customers import CustomerRow
from portal.vocabulary.links import LinkPurpose
from tests.support.living import FLEUR, Living

FLOW, NEW = "insurance-request", "900000081"
CHOICE = ("insurance", {"type": "theft_and_damage", "insurer": "kettingzeker", "key_number": "B12345"})
ACCOUNT = ("account", {"iban": "NL91 ABNA 0417 1643 00", "agreed": "yes"})
NONE = ("insurance", {"type": "none"})


async def _confirmed(living: Living, _reference: str) -> None:
    living.clock.forward(minutes=1)
    await living.confirm(await living.end(FLEUR[1], LinkPurpose.INSURANCE), LinkPurpose.INSURANCE)


def _moved(status: str, **more: object) -> Callable[[Living, str], Awaitable[None]]:
    async def act(living: Living, reference: str) -> None:
        await _confirmed(living, reference)
        living.clock.forward(minutes=1)
        await living.move("insurance", reference, status, **more)

    return act


CASES: dict[str, Callable[[Living, str], Awaitable[None]] | None] = {
    "waiting for the link": None,
    "with the insurer": _confirmed,
    "the insurer asks": _moved("waiting_for_input", note="Stuur een foto van je slot."),
    "taken out": _moved("finished", policy_number="P123456789", planned_date=date(2026, 12, 1)),
    "cancelled": _moved("cancelled", note="Deze fiets verzekeren we niet."),
}
"""How a request comes to each status."""


def flat(text: str) -> str:
    """The text without blanks; mails break lines where they like."""
    return "".join(unescape(text).split())


def sentences(account: Account, locale: Locale) -> list[str]:
    """Everything that a channel must say."""
    facts = [text.text(locale) for fact in account.facts for text in (fact.label, *fact.lines)]
    steps = [step.text(locale) for step in account.next_steps]
    return [flat(text) for text in (account.meaning.text(locale), account.money.note.text(locale), *facts, *steps)]


async def asked(living: Living, locale: Locale, *steps: tuple[str, dict[str, str]]) -> str:
    """Request an insurance as a customer who reads this language; return the reference."""
    await living.change(CustomerRow, {"locale": locale}, email=FLEUR[1])
    token = await living.log_in(FLEUR)
    bike = await living.bike_of(token, NEW)
    return (await living.send(token, await living.fill(token, FLOW, bike, *steps))).reference


async def found(living: Living) -> InsuranceRequest:
    """The request as the pages get it; all pages get the same account."""
    token = await living.log_in(FLEUR)
    bike = await living.bike_of(token, NEW)
    request = (await living.ask(InsuranceApi).insurance_options(token, bike)).bike.request
    home = (await living.ask(OverviewApi).bike_home(token, bike)).insurance
    assert request
    assert home
    assert request.account == home.account
    return request


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("case", CASES)
async def test_channels_say_the_same_about_an_insurance_request(living: Living, case: str, locale: Locale) -> None:
    reference = await asked(living, locale, CHOICE, ACCOUNT)
    end = await living.end(FLEUR[1], LinkPurpose.INSURANCE)
    if act := CASES[case]:
        await act(living, reference)
    account = (await found(living)).account
    link = await living.ask(LinksApi).link(LinkEntry(purpose=LinkPurpose.INSURANCE, hash=end))
    if link.about.account:
        assert link.about.account == account
    mail = (await living.mails(FLEUR[1]))[0]
    said = sentences(account, locale)
    named = next(fact.lines[0] for fact in account.facts if fact.label.en == "Bike").text(locale)
    assert ", " in named, "equal bikes are told apart"
    if case == "waiting for the link":
        # The mail has the button of which the page speaks.
        spoken = {flat(text.text(locale)) for text in (account.meaning, account.next_steps[0])}
        said = [text for text in said if text not in spoken]
        assert mail.subject == f"{'Bevestig je verzekering' if locale == 'nl' else 'Confirm your insurance'}: {named}"
    else:
        assert mail.subject == f"{account.title.text(locale)}: {named}"
    for body in (mail.text, mail.html):
        assert not [text for text in said if text not in flat(body)]
    if case == "the insurer asks":
        assert f"/requests/{reference}" in mail.text, "where the customer answers"
    assert "0417" not in account.model_dump_json() + mail.text, "the bank account is nobody's reading"


@pytest.mark.parametrize("locale", LOCALES)
async def test_who_wants_no_insurance_is_asked_for_nothing(living: Living, locale: Locale) -> None:
    await asked(living, locale, NONE)
    account = (await found(living)).account
    assert (account.phases, account.phase, account.money.total) == ([], None, Decimal("0.00"))
    assert account.status.text(locale) == ("Doorgegeven" if locale == "nl" else "Passed on")
    again = "zolang we er een voor je fiets aanbieden" if locale == "nl" else "as long as we offer insurance"
    assert again in account.next_steps[0].text(locale)
