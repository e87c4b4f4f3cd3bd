"""Every channel says about a request what its account says: same words, same figures, in both languages."""

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from html import unescape
from html.parser import HTMLParser
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from icalendar import Calendar

from portal.backend.letter import localized_weekday
from portal.backend.mail import Template, render
from portal.contract.account import Account, LocalizedText
from portal.contract.models import Locale, Model
from portal.flow.api import Receipt
from portal.kernel.address import address_lines
from portal.kernel.texts import LOCALES, Cost, CostKind, gettext_for
from portal.overview.provider.dashboard import request_entry
from portal.settings import Settings
from portal.vocabulary.locations import HANDOVER_TEXTS, Handover
from portal.vocabulary.services import DRIVE_CONTENTS, Drive
from portal.vocabulary.work_orders import CLOSED_WORK_ORDER, RequestKind, WorkOrderStatus, desk_words
from portal.work_orders.pages.requests import listed_request, request_view
from portal.work_orders.provider.account import account_of
from portal.work_orders.provider.backoffice import StatusNotice, notice_details
from portal.work_orders.provider.confirmation import calendar_of, confirmation_of, confirmation_pdf, mail_of
from portal.work_orders.provider.queries import OwnedRequest, WorkOrderMatch
from portal.work_orders.provider.service import detail, to_service_request
from tests.support.confirmations import ANSWERS, SENT, found, workshop
from tests.support.invoices import text_of

SETTINGS = Settings(public_url="https://mijn.bovenbuis.example")
HOME = {
    "street": "Witte de Withstraat", "house_number": "50", "house_number_addon": "2 hoog", "post_code": "3012 BR",
    "city": "Rotterdam", "country_code": "NL", "phone": "+31612345678",
}  # fmt: skip
FEES = {
    Handover.BRING: None,
    Handover.PICK_UP: Cost(CostKind.PICK_UP, Decimal("60.00")),
    Handover.CALL_OUT: Cost(CostKind.CALL_OUT, Decimal("27.50")),
}
SERVICE_COSTS = (Cost(CostKind.SERVICE_JOB, Decimal("99.00")), Cost(CostKind.PACKAGE_DISCOUNT, Decimal("-49.50")))
STATUSES = [status for status in WorkOrderStatus if status is not WorkOrderStatus.UNKNOWN]

CASES: list[tuple[RequestKind, Handover | None, str]] = [
    *((kind, method, "") for kind in (RequestKind.REPAIR, RequestKind.SERVICE) for method in (None, *Handover)),
    *((RequestKind.CLAIM, None, handling) for handling in ("wait", "now", "")),
]
"""Kind, handover and handling. Without a handover and a handling, staff entered the request."""

DAYS = (None, date(2065, 6, 12), date(2026, 6, 12))
"""What is planned: nothing, a day ahead, and one that has gone by."""


def request(
    kind: RequestKind,
    method: Handover | None,
    handling: str,
    status: WorkOrderStatus = WorkOrderStatus.NEW,
    home: dict[str, str] | None = None,
    **changes: Any,
) -> OwnedRequest:
    """A request with its bike, customer and service location."""
    partner = workshop()
    address = {name: getattr(partner, name) for name in ("street", "house_number", "post_code", "city")}
    further: dict[str, Any] = {}
    if method:
        further = {
            "handed_over": method.value,
            "home": home or HOME,
            "service_location": {"id": "ABCDEFGH23", "name": partner.name, "address": address, "waiting_weeks": 1},
        }
    fee = FEES[method] if method else None
    answers: dict[str, Any] = {
        RequestKind.REPAIR: ANSWERS,
        RequestKind.SERVICE: {"bike": "ABCDEFGH23", "job": "2"},
        RequestKind.CLAIM: {"bike": "ABCDEFGH23", "parts": ["wheels"], "policy_number": "P1", "cause": "Gevallen.",
                            "handling": handling},
    }[kind]  # fmt: skip
    values = {
        "kind": kind,
        "status": status,
        "partner": partner if method else None,
        "costs": (*(SERVICE_COSTS if kind is RequestKind.SERVICE and method else ()), *([fee] if fee else ())),
        "further": further,
    } | changes
    if method is None and not handling:
        values["details"] = None
    return found(answers, **values)


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def plain(text: str) -> str:
    """A text with single blanks, however a channel breaks its lines; PDF viewers read a soft hyphen as one."""
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NON-BREAKING HYPHEN}", "-").split())


def _html(text: str) -> str:
    reader = _Words()
    reader.feed(text)
    return unescape(" ".join(reader.words))


def _texts(value: Any, locale: Locale) -> Iterator[str]:
    """Every text of a view in one language."""
    if isinstance(value, Model):
        value = value.model_dump(mode="json")
    if isinstance(value, dict) and set(value) == set(LOCALES):
        yield value[locale]
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part, locale)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part, locale)
    elif isinstance(value, str):
        yield value


def channels(match: OwnedRequest, locale: Locale) -> dict[str, str]:
    """What each channel says about a request in one language."""
    row = match.request
    row.id, match.bike.id, match.bike.color_code = 1, 1, "#475c54"
    confirmation = confirmation_of(match, locale)
    mail = mail_of(confirmation, SETTINGS)
    notice = StatusNotice(row.status, "", None, match.partner, LocalizedText(), LocalizedText())
    details = notice_details(WorkOrderMatch(row, match.customer, match.bike), notice, locale, match.called)
    moved = render(Template.WORK_ORDER_STATUS, locale, SETTINGS, details)
    listed = to_service_request(match, locale)
    whole = detail(match, [], [], locale)
    receipt = Receipt(
        flow="repair-request", draft_id="d", reference=row.reference, sent_at=SENT, email="", account=whole.account
    )
    entry = request_entry(match)[1]
    told = {
        "mail, text": mail.text,
        "mail, html": _html(mail.html),
        "status mail, text": moved.text,
        "status mail, html": _html(moved.html),
        "status mail, subject": moved.subject,
        "paper": text_of(confirmation_pdf(confirmation, SETTINGS.brand)),
        "status page": " ".join(_texts(request_view(whole).model_dump(mode="json"), locale)),
        "list": " ".join(_texts(listed_request(listed).model_dump(mode="json"), locale)),
        "confirmation": " ".join(_texts(receipt.account, locale)),
        "overview": f"{entry.label[locale]} {entry.meaning[locale]}",
    }
    if confirmation.appointment:
        (event,) = Calendar.from_ical(calendar_of(confirmation, SETTINGS).decode()).walk("VEVENT")
        told["calendar"] = f"{event['summary']} {event['description']} {event.get('location', '')}"
    return {name: plain(text) for name, text in told.items()}


def euros(amount: Decimal, locale: Locale) -> str:
    """An amount as mails and papers write it."""
    sign = "-" if amount < 0 else ""
    digits = f"{abs(amount):.2f}"
    return f"€ {sign}{digits.replace('.', ',')}" if locale == "nl" else f"{sign}€{digits}"


EVERYWHERE = {"mail, text", "mail, html", "status mail, text", "status mail, html", "paper", "status page",
              "confirmation"}  # fmt: skip


STATUS_MAILS = {"status mail, text", "status mail, html"}
DOCUMENTS = EVERYWHERE - STATUS_MAILS
PAGES = {"status page", "list", "confirmation"}
"""Pages get amounts as numbers; the browser writes them."""


def expected(account: Account, status: WorkOrderStatus, locale: Locale) -> Iterator[tuple[set[str], str]]:
    """Every text of an account, with the channels that must say it."""
    yield PAGES | DOCUMENTS | {"overview", "calendar"}, account.status.text(locale)
    yield {"status page", "list", "confirmation", "overview", "paper", *STATUS_MAILS}, account.meaning.text(locale)
    yield DOCUMENTS | {"list", "calendar"}, account.title.text(locale)
    yield {"status mail, subject"}, re.split(r"[.:] ", account.meaning.text(locale))[0].rstrip(".")
    for step in account.next_steps:
        yield EVERYWHERE, step.text(locale)
    for fact in account.facts:
        for line in (fact.label, *fact.lines):
            yield DOCUMENTS, line.text(locale)
    for amount in account.money.lines:
        yield DOCUMENTS, amount.label.text(locale)
        yield DOCUMENTS - PAGES, euros(amount.amount, locale)
        yield DOCUMENTS & PAGES, f"{amount.amount:.2f}"
    yield DOCUMENTS, account.money.note.text(locale)
    if account.handover:
        shown = DOCUMENTS if status in CLOSED_WORK_ORDER else EVERYWHERE
        for line in (*account.handover.place, account.handover.when.text(locale)):
            yield shown, line
        yield shown | {"list", "calendar"}, account.handover.how.text(locale)
        if account.handover.cost:
            yield (shown | {"calendar"}) - PAGES, euros(account.handover.cost, locale)
            yield PAGES, f"{account.handover.cost:.2f}"


BRING_IT = {
    "nl": ("Breng ", "Je brengt", "haalt hem weer op", "Haal je fiets op", "Je kunt hem ophalen"),
    "en": ("Bring your", "bring your bike to", "ollect your", "can collect"),
}
"""Words for who brings the bike to a workshop and collects it there."""


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(("kind", "method", "handling"), CASES)
def test_every_channel_says_the_same_in_every_status(
    kind: RequestKind, method: Handover | None, handling: str, locale: Locale
) -> None:
    """Also: who has the bike fetched, or the mechanic come, is never asked to bring it.

    Each status once in each language, in one of them with a day. Kinds and handovers take turns, so that each status is
    seen with a day and without in both.
    """
    turn = [*RequestKind].index(kind) + [None, *Handover].index(method) + LOCALES.index(locale)
    for number, status in enumerate(STATUSES):
        match = request(kind, method, handling, status, planned_date=DAYS[(turn + number) % 2])
        said = channels(match, locale)
        for names, text in expected(account_of(match.request, match.bike, match.partner), status, locale):
            for name in names & set(said):
                assert plain(text).casefold() in said[name].casefold(), name
        if method in {Handover.PICK_UP, Handover.CALL_OUT}:
            assert not [(name, words) for name, text in said.items() for words in BRING_IT[locale] if words in text], (
                status
            )


TO_PLAN = re.compile(r"contact you to|can be scheduled|\bagree\b|spreken|kan worden ingepland|in te plannen")
TO_BRING = re.compile(r"\b[Bb]ring (your bike|it)\b(?! back)|come to you|[Bb]reng (hem|je fiets)|halen (hem|we je)")
SCHEDULED = re.compile(r"\b(is|and) (scheduled|planned)|\b(is|en) ingepland")
AHEAD = {WorkOrderStatus.NEW, WorkOrderStatus.ACCEPTED, WorkOrderStatus.WAIT_FOR_OBJECT}


@pytest.mark.parametrize(("kind", "method", "handling"), CASES)
def test_what_a_status_says_agrees_with_what_is_known(
    kind: RequestKind, method: Handover | None, handling: str
) -> None:
    """A known day is not to be agreed, an unknown one is not agreed yet, and no day is named once the bike was brought.

    No service is called a repair.
    """
    for status, planned in product(STATUSES, DAYS):
        match = request(kind, method, handling, status, planned_date=planned)
        if match.partner:
            match.partner.opening_hours = "Mo-We 09:30-18:00, Th 09:30-21:00"
        account = account_of(match.request, match.bike, match.partner)
        when = account.handover.when if account.handover else LocalizedText()
        at_home = method is Handover.CALL_OUT and status is WorkOrderStatus.WAIT_FOR_REPAIR
        known = planned == DAYS[1]
        for locale in LOCALES:
            texts = (account.status, account.meaning, when, *account.next_steps)
            said = " ".join(text.text(locale) for text in texts)
            names = f"{account.status.text(locale)} {gettext_for(locale)(desk_words(kind, status, method))}"
            assert kind is not RequestKind.SERVICE or not re.search("repair|repar", names, re.IGNORECASE)
            ahead = known and (status in AHEAD or at_home)
            assert ("12" in said) == ahead, (status, said)
            assert known or not (status in AHEAD or at_home) or not SCHEDULED.search(said), (status, said)
            assert not ahead or not TO_PLAN.search(said), (status, said)
            assert "agreed time" not in said
            assert "afgesproken tijd" not in said
            assert known or ("agreed day" not in said and "afgesproken dag" not in said)
            assert status in AHEAD or at_home or not TO_BRING.search(account.meaning.text(locale))
        collected = status is WorkOrderStatus.WAIT_FOR_CUSTOMER and method is Handover.BRING
        expected = status is WorkOrderStatus.WAIT_FOR_OBJECT and not known
        open_then = method is Handover.BRING and (collected or expected)
        assert ("do 09:30-21:00" in when.nl) == open_then, when.nl


def test_a_planned_day_has_a_mail_of_its_own() -> None:
    match, day = request(RequestKind.REPAIR, Handover.BRING, "", WorkOrderStatus.ACCEPTED), date(2065, 6, 12)
    news = LocalizedText.of("The work is planned for {day}.", day=localized_weekday(day))
    written = [
        notice_details(
            WorkOrderMatch(match.request, match.customer, match.bike),
            StatusNotice(WorkOrderStatus.ACCEPTED, "", planned, match.partner, LocalizedText(), said),
            "nl",
            match.called,
        )
        for planned, said in ((None, LocalizedText()), (day, news))
    ]
    assert written[0]["subject"] != written[1]["subject"]
    assert plain(written[1]["subject"]) == "Het werk is gepland op vrijdag 12 juni 2065: Stadsfiets Singel 7"
    assert plain(written[1]["meaning"]) == "Het werk is gepland op vrijdag 12 juni 2065."


def _parts(match: OwnedRequest) -> tuple[Any, Any, Any]:
    return match.request, match.bike, match.partner


@pytest.mark.parametrize(("method", "cost"), [("bring", "0.00"), ("pick_up", "60.00"), ("call_out", "27.50")])
def test_the_account_names_the_way_its_place_and_its_price(method: str, cost: str) -> None:
    account = account_of(*_parts(request(RequestKind.REPAIR, Handover(method), "")))
    assert account.handover
    assert account.handover.how.en == HANDOVER_TEXTS[Handover(method)]
    assert account.handover.cost == Decimal(cost)
    first = "Fietsplaats; Jansen, Zn." if method == "bring" else "Witte de Withstraat 50 2 hoog"
    assert account.handover.place[0] == first
    assert account.money.total == Decimal(cost)


def test_a_new_day_or_status_is_in_the_mail_before_it_is_stored() -> None:
    match = request(RequestKind.REPAIR, Handover.PICK_UP, "")
    notice = StatusNotice(
        WorkOrderStatus.WAIT_FOR_OBJECT, "", date(2065, 6, 12), match.partner, LocalizedText(), LocalizedText()
    )
    details = notice_details(WorkOrderMatch(match.request, match.customer, match.bike), notice, "nl", match.called)
    assert details["subject"] == "De werkplaats is klaar voor je fiets: Stadsfiets Singel 7"
    assert details["next_steps"][0].startswith("Op vrijdag 12\u00a0juni 2065 halen we je fiets op.")


@pytest.mark.parametrize("drive", list(Drive))
def test_the_service_of_an_electric_bike_names_its_electric_half(drive: Drive) -> None:
    match = request(RequestKind.SERVICE, Handover.BRING, "")
    match.request.details = {**(match.request.details or {}), "drive": drive.value}
    for locale in LOCALES:
        half = gettext_for(locale)(DRIVE_CONTENTS[Drive.E_BIKE])
        said = {name: half in text for name, text in channels(match, locale).items() if name in DOCUMENTS}
        assert said == dict.fromkeys(DOCUMENTS, drive is Drive.E_BIKE)


ADDITIONS = st.sampled_from(["", "A", "bis", "2 hoog", "bus 3", "A-2"])
_NAMES = st.sampled_from(["Kerkstraat", "Witte de Withstraat", "Rue de l'Église", "1e Helmersstraat", "Plein '40-'45"])
ADDRESSES = st.fixed_dictionaries(
    {
        "street": _NAMES,
        "house_number": st.integers(1, 9999).map(str),
        "house_number_addon": ADDITIONS,
        "post_code": st.from_regex(r"[1-9][0-9]{3}( [A-HJ-NP-Z]{2})?", fullmatch=True),
        "city": st.sampled_from(["Utrecht", "'s-Hertogenbosch", "Bergen op Zoom", "Luik"]),
        "country_code": st.sampled_from(["NL", "BE"]),
    }
)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(home=ADDRESSES, method=st.sampled_from([Handover.PICK_UP, Handover.CALL_OUT]), locale=st.sampled_from(LOCALES))
def test_every_channel_writes_any_address_in_one_way(home: dict[str, str], method: Handover, locale: Locale) -> None:
    match = request(RequestKind.REPAIR, method, "", home=home, planned_date=date(2065, 6, 12))
    street, city = address_lines(home)
    number = " ".join(part for part in (home["house_number"], home["house_number_addon"]) if part)
    assert street == f"{home['street']} {number}"
    told = channels(match, locale)
    for name in {*EVERYWHERE, "calendar"}:
        assert plain(street) in told[name], name
        assert plain(city) in told[name], name
