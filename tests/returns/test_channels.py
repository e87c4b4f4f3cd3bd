"""All channels of a return say the same, word for word and figure for figure (part-2 §4, §8, §9)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from portal.backend.letter import subject_line
from portal.backend.mail import Template, render
from portal.contract.account import Direction, LocalizedText
from portal.contract.models import Locale
from portal.frontend.models import viewed
from portal.kernel.address import Country
from portal.kernel.days import end_of_day, local_day, today
from portal.kernel.terms import SEND_BACK_DAYS
from portal.kernel.texts import LOCALES
from portal.overview.provider.dashboard import return_entry
from portal.overview.provider.timeline import return_events
from portal.returns.pages.state import ListedReturn, ShownReturn
from portal.returns.provider.account import account_of, names_of
from portal.returns.provider.confirmation import shown_by_link
from portal.returns.provider.documents import label_pdf, summary_pdf, values_of
from portal.returns.provider.queries import ReturnedUnit
from portal.returns.provider.return_case import ReturnCase
from portal.returns.provider.service import detail, has_label, summary
from portal.returns.provider.transitions import facts_of
from portal.returns.rules.settlement import Returned, Terms, Worth, payment_note, settle
from portal.settings import Settings
from portal.tables.bikes import BikeRow
from portal.tables.orders import OrderLineRow, PartnerRow
from portal.tables.returns import ReturnEventRow, ReturnRow, ReturnUnitRow
from portal.vocabulary.deliveries import HOURS, Window
from portal.vocabulary.locations import LocationType
from portal.vocabulary.orders import ItemKind
from portal.vocabulary.returns import (
    CANCELLABLE,
    DONE,
    GIVES_BACK,
    ExchangeType,
    ItemState,
    ReturnKind,
    ReturnMethod,
    ReturnStatus,
)
from portal.withdrawals.api import WithdrawalReceipt
from portal.withdrawals.pages.state import ShownWithdrawal
from tests.support.channels import Channel, missing, parts_of, plain, said_wrongly, view_text
from tests.support.invoices import text_of

NOW = datetime(2026, 6, 12, 9, 30, tzinfo=UTC)
SETTINGS = Settings()
BRAND = SETTINGS.brand
KINDS = [kind for kind in ReturnKind if kind is not ReturnKind.UNKNOWN]
STATUSES = [status for status in ReturnStatus if status is not ReturnStatus.UNKNOWN]
GHENT = {
    "street": "Veldstraat", "house_number": "82", "house_number_addon": "bus 3", "post_code": "9000", "city": "Gent",
    "country_code": "BE",
}  # fmt: skip
STORE = PartnerRow(
    name="Fietsplaats", location_type=LocationType.OWN_STORE, phone="+31302001234",
    **{**GHENT, "country_code": Country.BE, "house_number_addon": "2 hoog"},
)  # fmt: skip

TERMS: dict[Direction, Terms] = {
    Direction.CUSTOMER_RECEIVES: Terms(),
    Direction.CUSTOMER_PAYS: Terms(outstanding={"900000001": Decimal("700.00")}),
    Direction.NONE: Terms(outstanding={"900000001": Decimal("700.00")}),
}


def case_of(
    kind: ReturnKind,
    method: ReturnMethod,
    direction: Direction,
    status: ReturnStatus,
    **columns: Any,
) -> ReturnCase:
    """A return with two locks; what the customer pays is a pick-up or a dearer item."""
    picked_up, charged = method is ReturnMethod.PICK_UP, direction is Direction.CUSTOMER_PAYS
    terms = replace(TERMS[direction], pick_up=picked_up)
    if direction is Direction.NONE:
        terms = replace(terms, fee=Decimal("0.00"))
    if kind is ReturnKind.EXCHANGE or (charged and not picked_up):
        price = {Direction.NONE: "80.00", Direction.CUSTOMER_PAYS: "99.90"}.get(direction, "10.00")
        terms = replace(terms, new_item="Kettingslot", new_price=Decimal(price))
    settled = settle([Returned("Slot", (Worth(Decimal("40.00")),) * 2, "900000001")], terms)
    decided = settled.refund if status in DONE else None
    row = ReturnRow(
        id=7, reference="K7M3P9RT", customer_id=1, order_number="900000001", kind=kind, status=status, method=method,
        state=ItemState.USED_WITHOUT_SIGNS, mileage="1120.5", reason_text="Past niet.\nTe groot.",
        exchange_type=ExchangeType.OTHER if kind is ReturnKind.EXCHANGE else None,
        pickup_day=date(2065, 6, 16) if picked_up else None, pickup_window=Window.EVENING if picked_up else None,
        address={"name": "Buren van 12", **GHENT} if picked_up else None, phone="+31612345678" if picked_up else "",
        settlement=settled.to_json(), refund_amount=decided,
        refunded_at=NOW if status is ReturnStatus.REFUND_PROCESSED and settled.refund else None,
        statement={"name": "Roos de Wit", "battery": False} if kind is ReturnKind.WITHDRAWAL else None,
        created_at=NOW, updated_at=NOW, **columns,
    )  # fmt: skip
    line = OrderLineRow(
        id=3, order_id=1, position=1, name="Slot", sku="S", kind=ItemKind.ACCESSORY, quantity=2,
        unit_price=Decimal("40.00"), price=Decimal("80.00"),
    )  # fmt: skip
    units = [ReturnedUnit(ReturnUnitRow(return_id=7, order_line_id=3, number=n), line, "900000001") for n in (1, 2)]
    closed_at = NOW if status in DONE else None
    return ReturnCase(row, status, units, STORE if method is ReturnMethod.STORE else None, closed_at)


def _detail(case: ReturnCase) -> Any:
    return detail(case, {}, [], None, BRAND, {})


def _page(case: ReturnCase, locale: Locale) -> str:
    return view_text(viewed(ShownReturn, _detail(case)).account, locale)


def _confirmation(case: ReturnCase, locale: Locale) -> str:
    return view_text(account_of(case, BRAND), locale)


def _list(case: ReturnCase, locale: Locale) -> str:
    shown = viewed(ListedReturn, summary(case, {}, can_resend=False))
    return plain("\n".join(text.text(locale) for text in (shown.title, shown.label, shown.meaning)))


def _dashboard(case: ReturnCase, locale: Locale) -> str:
    entry = return_entry(case)[1]
    return plain(f"{entry.label[locale]}\n{entry.meaning[locale]}")


def _timeline(case: ReturnCase, locale: Locale) -> str:
    case.row.status, case.row.confirm_until = case.status, None
    (event,) = return_events([case.row], NOW)
    return plain(event.label[locale])


def _page_events(case: ReturnCase, locale: Locale) -> str:
    event = ReturnEventRow(return_id=7, status=case.status, created_at=NOW)
    shown = viewed(ShownReturn, detail(case, {}, [event], None, BRAND, {})).timeline
    return plain("\n".join(text.text(locale) for entry in shown for text in (entry.label, entry.meaning)))


def _withdrawal(case: ReturnCase, locale: Locale) -> str:
    if case.row.kind is not ReturnKind.WITHDRAWAL:
        return ""
    found = WithdrawalReceipt(
        reference="K7M3P9RT", order_number="900000001", name="Roos de Wit", received_at=NOW, lines=[], email="",
        account=account_of(case, BRAND), return_id="R",
    )  # fmt: skip
    return view_text(viewed(ShownWithdrawal, found).account, locale)


def _link(case: ReturnCase, locale: Locale) -> str:
    if case.status in GIVES_BACK:
        return ""
    account = shown_by_link(case, BRAND).account
    assert account
    return view_text(account, locale)


def _mails(case: ReturnCase, locale: Locale) -> Iterator[tuple[str, frozenset[str], str]]:
    """The texts of the mails, each rendered once."""
    values = {**values_of(case, BRAND, locale), "note": "", "path": "/p", "code": "c"}
    moved, received = (
        render(template, locale, SETTINGS, values) for template in (Template.RETURN_MOVED, Template.RETURN_RECEIVED)
    )
    assert moved.subject == subject_line(account_of(case, BRAND).meaning, names_of(case.units)).text(locale)
    for kind, change, request in (("html", moved.html, received.html), ("text", moved.text, received.text)):
        yield f"mail of a change, {kind}", frozenset({"reference", "meaning", "steps"}) | MONEY, plain(change)
        yield f"mail of the request, {kind}", frozenset({"reference", "steps"}) | MONEY, plain(request)


MONEY = frozenset({"amounts", "total", "besides", "note"})
EVERYTHING = frozenset({"title", "status", "meaning", "way", "place", "cost", "facts", "steps"}) | MONEY

CHANNELS: dict[str, Channel[ReturnCase]] = {
    "page": Channel(_page, EVERYTHING),
    "confirmation": Channel(_confirmation, frozenset({"way", "place", "cost", "steps"}) | MONEY),
    "list": Channel(_list, frozenset({"title", "status", "meaning"})),
    "dashboard": Channel(_dashboard, frozenset({"status", "meaning"})),
    "timeline of the bike": Channel(_timeline, frozenset({"status"})),
    "events of the page": Channel(_page_events, frozenset({"status", "meaning"})),
    "receipt of a withdrawal": Channel(_withdrawal, frozenset({"facts", "steps"}) | MONEY),
    "mailed link": Channel(_link, frozenset({"status", "way", "cost", "steps"}) | MONEY),
}


def _unit(number: int, order: str, *, name: str = "Duinroos", frame: str = "", has_equal: bool = True) -> ReturnedUnit:
    line = OrderLineRow(
        id=number, order_id=1, position=number, name=name, sku="S", kind=ItemKind.CITY_BIKE if frame else
        ItemKind.ACCESSORY, quantity=1, unit_price=Decimal("40.00"), price=Decimal("40.00"),
        frame_size="" if frame else "M",
    )  # fmt: skip
    bike = BikeRow(
        id=number, customer_id=1, order_id=1, name=name, brand="B", kind=ItemKind.CITY_BIKE, color="Zilt",
        frame_number=frame,
    ) if frame else None  # fmt: skip
    return ReturnedUnit(ReturnUnitRow(return_id=7, order_line_id=number, number=1), line, order, bike, has_equal)


EQUAL = (_unit(1, "900000001", frame="BB7000001"), _unit(2, "900000001", frame="BB7000002"))
_ABOUT_ITEMS = (Template.RETURN_MOVED, Template.RETURN_RECEIVED, Template.REFUND_ACCOUNT, Template.WITHDRAWAL_BATTERY)
HELMETS = (_unit(3, "900000001", name="Helm"), _unit(4, "900000002", name="Helm"))


@pytest.mark.parametrize(
    ("units", "names"),
    [
        (EQUAL[:1], "Duinroos, Zilt, framenummer eindigt op 0001"),
        (EQUAL[1:], "Duinroos, Zilt, framenummer eindigt op 0002"),
        (EQUAL, "Duinroos, Zilt, framenummer eindigt op 0001 en nog 1 artikel"),
        (HELMETS[1:], "Helm, M, bestelling 900000002"),
        (HELMETS, "Helm, M, bestelling 900000001 en nog 1 artikel"),
        ((_unit(5, "900000001", name="Slot", has_equal=False), *EQUAL), "Slot en nog 2 artikelen"),
    ],
)
def test_every_channel_says_which_of_equal_items_a_return_is_about(units: tuple[ReturnedUnit, ...], names: str) -> None:
    """Title of page, list and confirmation, subjects and items of the mails, and the card of the dashboard."""
    case = case_of(ReturnKind.RETURN, ReturnMethod.STORE, Direction.NONE, ReturnStatus.RECEIVED)
    case = replace(case, units=units)
    assert names_of(units).nl == names
    assert account_of(case, BRAND).title.nl == f"Retour: {names}"
    assert summary(case, {}, can_resend=False).title.nl == f"Retour: {names}"
    values = {
        **values_of(case, BRAND, "nl"),
        "note": "",
        "path": "/p",
        "code": "c",
        "department": [],
        "holder": "",
        "digits": "",
    }
    for template in _ABOUT_ITEMS:
        assert render(template, "nl", SETTINGS, values).subject.endswith(f": {names}"), template
    frames = [unit.bike.frame_number or "" for unit in units if unit.bike]
    assert all(frame[-4:] in " ".join(values["lines"]) for frame in frames)
    card = return_entry(case)[1]
    assert (card.name, card.mark) == (names, "" if case.orders in names else f"bestelling {case.orders}")


def texts(case: ReturnCase, locale: Locale) -> Iterator[tuple[str, frozenset[str], str]]:
    """Every channel that exists for a case: its name, the parts that it shows, and its plain text."""
    for name, channel in CHANNELS.items():
        if text := channel.render(case, locale):
            yield name, channel.parts, text
    yield from _mails(case, locale)


_NOTES = [
    LocalizedText.of(payment_note(direction, kind, set_off=set_off))
    for direction in Direction
    for kind in ReturnKind
    for set_off in (False, True)
    if payment_note(direction, kind, set_off=set_off)
]
NOTES: dict[Locale, set[str]] = {locale: {plain(note.text(locale)) for note in _NOTES} for locale in LOCALES}
"""All that is said about who pays whom and when before a refund is decided."""


def cases() -> Iterator[tuple[ReturnKind, ReturnMethod, Direction, ReturnStatus]]:
    """All flows x methods x directions of money x statuses."""
    for kind in KINDS:
        methods = [ReturnMethod.NONE] if kind is ReturnKind.WITHDRAWAL else list(ReturnMethod)
        for method in methods:
            for direction in Direction:
                for status in STATUSES:
                    yield kind, method, direction, status


@pytest.mark.parametrize("locale", LOCALES)
def test_every_channel_says_what_the_account_says(locale: Locale) -> None:
    found: dict[str, list[str]] = {}
    for kind, method, direction, status in cases():
        case = case_of(kind, method, direction, status, urgent=method is ReturnMethod.NONE and kind is not KINDS[-1])
        said = parts_of(account_of(case, BRAND), locale)
        for name, parts, text in texts(case, locale):
            wrong = missing(said, parts, text)
            wrong += [f"not: {words}" for words in said_wrongly(said, NOTES[locale], text)]
            if wrong:
                found[f"{name}: {kind} {method} {direction} {status}"] = wrong
    assert not found


def test_the_account_says_who_pays_whom() -> None:
    for kind, method, direction, status in cases():
        money = account_of(case_of(kind, method, direction, status), BRAND).money
        if status in GIVES_BACK:
            assert (money.lines, money.direction, money.note.nl) == ([], Direction.NONE, "")
            continue
        assert money.direction is direction, (kind, method, status)
        assert money.label.nl.startswith("Je krijgt terug") == (direction is Direction.CUSTOMER_RECEIVES)
        assert bool(money.total) == (direction is not Direction.NONE)
        promised = re.search(r"terug|refund", f"{money.note.nl} {money.note.en}")
        assert bool(promised) == (direction is Direction.CUSTOMER_RECEIVES), (kind, status, money.note)
        signed = {Direction.CUSTOMER_PAYS: -money.total, Direction.CUSTOMER_RECEIVES: money.total}
        assert sum(line.amount for line in money.lines) == signed.get(direction, 0)


@pytest.mark.parametrize(("place", "locale"), [(0, "nl"), (1, "en")])
async def test_the_documents_say_what_the_account_says(place: int, locale: Locale) -> None:
    """Each flow, method and status once in each language; the directions of money take turns."""
    directions = list(Direction)
    chosen = [entry for entry in cases() if entry[2] is directions[place]][place::2]
    for number, (kind, method, _direction, status) in enumerate(chosen):
        case = case_of(kind, method, directions[(number + place) % 3], status)
        said = parts_of(account_of(case, BRAND), locale)
        text = plain(text_of(await summary_pdf(case, locale, SETTINGS, {})))
        assert not missing(said, EVERYTHING | {"reference"}, text), (kind, method, status)
        assert not said_wrongly(said, NOTES[locale], text)
        if has_label(case.row, status) and number % 2:
            label = plain(text_of(await label_pdf(case, locale, SETTINGS, {})))
            assert [words for words in (*said["way"], *said["place"]) if words not in label] == []


async def test_a_drop_off_has_a_slip_without_an_address_for_a_parcel() -> None:
    case = case_of(ReturnKind.RETURN, ReturnMethod.STORE, Direction.CUSTOMER_RECEIVES, ReturnStatus.REQUEST_RECEIVED)
    named: dict[Locale, str] = {"nl": "Inleverbon K7M3 P9RT", "en": "Drop-off slip K7M3 P9RT"}
    for locale, title in named.items():
        slip = plain(text_of(await label_pdf(case, locale, SETTINGS, {})))
        assert title in slip
        assert "Fietsplaats" in slip
        for word in ("Afdeling retouren", "Returns department", "knip", "cut along"):
            assert word not in slip.split("www.")[0]
    pick_up = case_of(ReturnKind.RETURN, ReturnMethod.PICK_UP, Direction.CUSTOMER_RECEIVES, case.status)
    assert "Afdeling retouren" in plain(text_of(await label_pdf(pick_up, "nl", SETTINGS, {})))


def test_the_drop_off_says_what_to_do_and_where() -> None:
    for kind in (ReturnKind.RETURN, ReturnKind.ACCESSORIES, ReturnKind.EXCHANGE):
        case = case_of(kind, ReturnMethod.STORE, Direction.NONE, ReturnStatus.REQUEST_RECEIVED)
        steps = " ".join(step.nl for step in account_of(case, BRAND).next_steps)
        assert "Fietsplaats, Veldstraat 82 2 hoog, 9000 Gent" in steps
        assert "inleverbon" in steps


def test_a_pick_up_names_its_day_only_while_it_is_ahead() -> None:
    day = today() + timedelta(days=3)
    for status, planned in product(STATUSES, (None, day, today() - timedelta(days=1))):
        case = case_of(ReturnKind.RETURN, ReturnMethod.PICK_UP, Direction.NONE, status)
        case.row.pickup_day = planned
        account = account_of(case, BRAND)
        ahead = planned == day and status in CANCELLABLE
        assert ((account.handover and account.handover.day) == day) == ahead, status
        said = " ".join(text.nl for text in (account.meaning, *account.next_steps))
        assert (f"{day.day}\N{NO-BREAK SPACE}" in said) == ahead, (status, said)
        assert "bevestigd" not in account.meaning.nl or ahead
        assert "Avonds" not in said


_WAITING = re.compile("werkdagen|working days|bekijken|looking at it")


@pytest.mark.parametrize(("locale", "at_any_time"), [("nl", "wanneer je wilt"), ("en", "whenever suits you")])
async def test_nobody_has_to_wait_before_bringing_something(locale: Locale, at_any_time: str) -> None:
    for kind in (ReturnKind.RETURN, ReturnKind.ACCESSORIES, ReturnKind.EXCHANGE):
        brought, picked_up = (
            case_of(kind, method, Direction.NONE, ReturnStatus.REQUEST_RECEIVED)
            for method in (ReturnMethod.STORE, ReturnMethod.PICK_UP)
        )
        said = {name: text for name, _parts, text in texts(brought, locale)}
        said["summary"] = plain(text_of(await summary_pdf(brought, locale, SETTINGS, {})))
        said["slip"] = plain(text_of(await label_pdf(brought, locale, SETTINGS, {})))
        assert not {name: text for name, text in said.items() if _WAITING.search(text)}
        assert at_any_time in said["page"].lower()
        assert _WAITING.search(_page(picked_up, locale)), "a pick-up has to be agreed on"
        account = account_of(brought, BRAND)
        assert account.phase is not None
        assert account.phases[account.phase].en == "Bring"
        on_the_desk, planned = facts_of(brought.row, NOW), facts_of(picked_up.row, NOW)
        assert (on_the_desk.waiting, on_the_desk.promised_at) == (True, None)
        # Staff only ask where it is when the days to send it back are over, not after those of an answer.
        assert on_the_desk.waiting_until == end_of_day(
            local_day(brought.row.created_at) + timedelta(days=SEND_BACK_DAYS)
        )
        assert (planned.waiting, planned.promised_at is None) == (False, False)


def test_a_decided_refund_names_its_day_and_what_changed() -> None:
    case = case_of(ReturnKind.RETURN, ReturnMethod.STORE, Direction.CUSTOMER_RECEIVES, ReturnStatus.CLOSED)
    money = account_of(case, BRAND).money
    assert "26\u00a0juni 2026" in money.note.nl
    case.row.refund_amount = Decimal("50.00")
    money = account_of(case, BRAND).money
    assert (money.total, money.lines[-1].amount) == (Decimal("50.00"), Decimal("-30.00"))
    case.row.refund_amount = Decimal("0.00")
    assert account_of(case, BRAND).money.direction is Direction.NONE


def test_a_closed_return_that_the_customer_pays_for_stays_charged() -> None:
    case = case_of(ReturnKind.EXCHANGE, ReturnMethod.STORE, Direction.CUSTOMER_PAYS, ReturnStatus.CLOSED)
    assert case.row.refund_amount == 0
    money = account_of(case, BRAND).money
    assert (money.direction, money.total) == (Direction.CUSTOMER_PAYS, Decimal("19.90"))


def test_nothing_is_promised_about_what_was_cancelled() -> None:
    for status in GIVES_BACK:
        account = account_of(case_of(ReturnKind.RETURN, ReturnMethod.PICK_UP, Direction.CUSTOMER_PAYS, status), BRAND)
        assert (account.handover, account.next_steps, account.phases, account.phase) == (None, [], [], None)


def test_what_has_arrived_is_not_promised_money_from_its_arrival() -> None:
    for direction in Direction:
        account = account_of(case_of(ReturnKind.RETURN, ReturnMethod.STORE, direction, ReturnStatus.RECEIVED), BRAND)
        assert not re.search(r"\b14\b", account.meaning.nl + account.meaning.en)
    received = case_of(ReturnKind.RETURN, ReturnMethod.STORE, Direction.CUSTOMER_RECEIVES, ReturnStatus.RECEIVED)
    assert "nadat je retour is verwerkt" in account_of(received, BRAND).money.note.nl


def test_a_mileage_has_one_figure_in_every_language() -> None:
    case = case_of(ReturnKind.RETURN, ReturnMethod.STORE, Direction.NONE, ReturnStatus.REQUEST_RECEIVED)
    lines = {fact.label.en: fact.lines[0] for fact in account_of(case, BRAND).facts}
    assert (lines["Mileage"].nl, lines["Mileage"].en) == ("1.120,5\u00a0km", "1,120.5\u00a0km")


def test_the_hours_of_a_pick_up_are_those_of_its_text_message() -> None:
    case = case_of(ReturnKind.RETURN, ReturnMethod.PICK_UP, Direction.NONE, ReturnStatus.REQUEST_RECEIVED)
    way = account_of(case, BRAND).handover
    assert way
    for edge in HOURS[Window.EVENING]:
        assert f"{edge:%H:%M}" in way.when.nl
    assert ", ’s avonds, " in way.when.nl, "within a sentence"


@pytest.mark.parametrize("texted", [True, False])
def test_a_text_message_is_promised_only_when_one_is_planned(texted: bool) -> None:
    case = case_of(ReturnKind.RETURN, ReturnMethod.PICK_UP, Direction.NONE, ReturnStatus.REQUEST_RECEIVED)
    told = texts(replace(case, texted=texted), "nl")
    promised = {name: "een sms" in text for name, parts, text in told if "steps" in parts}
    assert promised
    assert promised == dict.fromkeys(promised, texted)


prices = st.integers(0, 90_000).map(lambda cents: Decimal(cents) / 100)


terms_of_return = st.builds(
    Terms,
    signs_of_use=st.booleans(),
    at_our_expense=st.booleans(),
    pick_up=st.booleans(),
    outstanding=st.fixed_dictionaries({"900000001": prices}),
    new_price=st.none() | prices,
)


@given(
    worths=st.lists(st.tuples(prices, prices), min_size=1, max_size=4),
    terms=terms_of_return,
    kind=st.sampled_from(KINDS),
    locale=st.sampled_from(LOCALES),
)
@hypothesis_settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_any_order_is_settled_alike_in_every_channel(
    worths: list[tuple[Decimal, Decimal]], terms: Terms, kind: ReturnKind, locale: Locale
) -> None:
    exchange = kind is ReturnKind.EXCHANGE
    terms = replace(terms, new_item="Nieuw slot" if exchange else "", new_price=terms.new_price if exchange else None)
    settled = settle([Returned("Slot", tuple(Worth(*worth) for worth in worths), "900000001")], terms)
    method = ReturnMethod.PICK_UP if terms.pick_up else ReturnMethod.STORE
    case = case_of(kind, method, Direction.NONE, ReturnStatus.REQUEST_RECEIVED)
    case.row.settlement = settled.to_json()
    account = account_of(case, BRAND)
    signed = {Direction.CUSTOMER_PAYS: -account.money.total, Direction.CUSTOMER_RECEIVES: account.money.total}
    assert signed.get(account.money.direction, Decimal(0)) == settled.total
    assert sum((line.amount for line in account.money.lines), Decimal(0)) == settled.total
    assert account.handover
    assert account.handover.cost == (terms.fee if terms.pick_up and not terms.at_our_expense else 0)
    said = parts_of(account, locale)
    for name, parts, text in texts(case, locale):
        assert missing(said, parts, text) == [], name
        assert said_wrongly(said, NOTES[locale], text) == [], name
