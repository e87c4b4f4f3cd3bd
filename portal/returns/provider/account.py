"""The account of a return: what its page, confirmation, mails, PDFs and mailed link say (part-2 §4, §8, §9)."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import partial

from portal.backend import letter
from portal.contract.account import (
    Account,
    AccountAmount,
    AccountFact,
    AccountHandover,
    AccountMoney,
    Direction,
    LocalizedText,
)
from portal.kernel.address import NAMES, Country, address_lines, readable_phone
from portal.kernel.days import local_day, today
from portal.kernel.texts import LOCALES, N_, catalogue
from portal.kernel.validation import in_groups
from portal.returns.provider.queries import ReturnedUnit
from portal.returns.provider.return_case import (
    DEPARTMENT,
    ReturnCase,
    battery_unanswered,
    item_lines,
    item_name,
    may_be_brought,
    may_be_sent,
    never_sent,
)
from portal.returns.rules.settlement import (
    OF_AN_ORDER,
    SETTLEMENT_NAMES,
    TOTAL_NAMES,
    SettlementKind,
    SettlementLine,
    direction_of,
    payment_note,
)
from portal.setting_groups import Brand
from portal.tables.columns import in_language
from portal.tables.returns import ReturnRow
from portal.vocabulary.deliveries import WINDOW_NAMES
from portal.vocabulary.departures import Departure, Dependent, outcome
from portal.vocabulary.returns import (
    BATTERY_FIRST,
    BATTERY_NAMES,
    CANCELLABLE,
    DONE,
    EXCHANGE_NAMES,
    GIVES_BACK,
    PHASE_NAMES,
    PICKUP_DAY_OPEN,
    PICKUP_TEXTED,
    REASON_NAMES,
    RETURN_KIND_NAMES,
    STATE_NAMES,
    ReturnKind,
    ReturnMethod,
    ReturnStatus,
    label_of,
    meaning_of,
    phases,
    phases_done,
)

_T = LocalizedText.of

_WAYS: dict[ReturnMethod, str] = {
    ReturnMethod.STORE: N_("You bring it to the store"),
    ReturnMethod.PICK_UP: N_("We pick it up from your home"),
    ReturnMethod.NONE: N_("We’ll contact you first"),
}

_BROUGHT: dict[ReturnStatus, str] = {
    ReturnStatus.REQUEST_RECEIVED: N_("Bring it whenever suits you; no need to wait for us."),
    ReturnStatus.PICKUP_REQUEST_CREATED: N_("The store knows you’re bringing it."),
    ReturnStatus.PICKUP_CONFIRMED: N_("The store is expecting you."),
}
"""Meanings of the statuses of what is brought to a store."""

_NOTHING_REFUNDED = N_("We’ve processed it. There was nothing to refund.")
_WITHDRAWN_UNSENT = N_("You withdrew before we sent it.")
_CANCELLED = N_("It was cancelled, so you don’t get it and don’t pay for it.")
_NOTHING_TO_SEND = N_("Nothing will be delivered, and you have nothing to send back.")


def account_of(case: ReturnCase, brand: Brand) -> Account:
    row, status = case.row, case.status
    label, meaning = status_of(case)
    money = _money(case)
    shows_phases, brought = status not in GIVES_BACK and not never_sent(row), may_be_brought(row)
    names = [PHASE_NAMES[phase] for phase in phases(row.kind, brought=brought)] if shows_phases else []
    return Account(
        reference=in_groups(row.reference),
        title=title_of(row.kind, case.units),
        status=label,
        meaning=meaning,
        phases=[_T(name) for name in names],
        phase=phases_done(row.kind, status, brought=brought) if shows_phases else None,
        handover=_handover(case) if status in CANCELLABLE and not never_sent(row) else None,
        facts=_facts(case, brand),
        money=money,
        next_steps=_next_steps(case, money),
    )


def title_of(kind: ReturnKind, units: Sequence[ReturnedUnit]) -> LocalizedText:
    """The title of a return, such as "Retour: Fietshelm Kruin en nog 1 artikel"."""
    return _T(N_("{kind}: {item}"), kind=_T(RETURN_KIND_NAMES[kind]), item=names_of(units))


def names_of(units: Sequence[ReturnedUnit]) -> LocalizedText:
    """What comes back: "Fietshelm Kruin en nog 1 artikel"."""
    names = list({name.nl: name for name in (LocalizedText.each(partial(item_name, unit)) for unit in units)}.values())
    first, more = names[0] if names else LocalizedText(), len(names) - 1
    if more < 1:
        return first
    return LocalizedText.each(
        lambda locale: " ".join(
            (
                first.text(locale),
                catalogue(locale).ngettext("and {n} more item", "and {n} more items", more).format(n=more),
            )
        )
    )


def status_of(case: ReturnCase) -> tuple[LocalizedText, LocalizedText]:
    """The status in words, and what it means for the way the customer chose: what every list and timeline shows."""
    row, status = case.row, case.status
    meaning = meaning_of(row.kind, status)
    if row.kind is ReturnKind.CANCELLATION and status is ReturnStatus.CLOSED:
        return _T(N_("Cancelled")), _T(_CANCELLED)
    if never_sent(row) and status is ReturnStatus.CLOSED:
        return _T(N_("Withdrawn")), _T(_WITHDRAWN_UNSENT)
    if may_be_brought(row) and status in _BROUGHT:
        meaning = _BROUGHT[status]
    elif status is ReturnStatus.REFUND_PROCESSED and _money(case).direction is not Direction.CUSTOMER_RECEIVES:
        meaning = _NOTHING_REFUNDED
    elif status is ReturnStatus.PICKUP_CONFIRMED and pickup_ahead(case) is None:
        meaning = meaning_of(row.kind, ReturnStatus.PICKUP_REQUEST_CREATED)
    at_store = row.method is ReturnMethod.STORE and status is ReturnStatus.RECEIVED
    label = N_("Received in the store") if at_store else label_of(row.kind, status)
    return _T(label), _T(meaning)


def _handover(case: ReturnCase) -> AccountHandover:
    row = case.row
    if row.kind is ReturnKind.WITHDRAWAL:
        if battery_unanswered(row):
            return AccountHandover(how=_T(BATTERY_FIRST))
        if not may_be_sent(row):
            return AccountHandover(how=_T(_WAYS[ReturnMethod.NONE]))
        if row.method is ReturnMethod.NONE:
            return AccountHandover(how=_T(N_("You send it back within {send_back_days} days")))
    fee = next((-line.amount for line in case.settlement.lines if line.kind is SettlementKind.PICK_UP), Decimal("0.00"))
    picked_up = row.method is ReturnMethod.PICK_UP
    place, country = pickup_place(row) if picked_up else ([], LocalizedText())
    if row.method is ReturnMethod.STORE and case.store is not None:
        place = [case.store.name, *address_lines(case.store)]
    return AccountHandover(
        how=_T(_WAYS[row.method]),
        place=place,
        country=country,
        when=_when(case),
        cost=fee if picked_up else Decimal("0.00"),
        day=pickup_ahead(case),
    )


def pickup_ahead(case: ReturnCase) -> date | None:
    planned = case.row.method is ReturnMethod.PICK_UP and case.status in CANCELLABLE
    day = case.row.pickup_day if planned else None
    return day if day and day >= today() else None


def _when(case: ReturnCase) -> LocalizedText:
    row = case.row
    if row.method is ReturnMethod.STORE:
        return _T(N_("Whenever suits you, during opening hours"))
    if row.method is not ReturnMethod.PICK_UP:
        return LocalizedText()
    ahead = pickup_ahead(case)
    if ahead is None:
        return _T(PICKUP_DAY_OPEN)
    day = _weekday(ahead)
    if row.pickup_window is None:
        return day
    return _T(N_("{day}, {window}"), day=day, window=_lowered(_T(WINDOW_NAMES[row.pickup_window])))


def pickup_place(row: ReturnRow) -> tuple[list[str], LocalizedText]:
    """Name and address lines of the pick-up, and the name of its country; empty without a pick-up."""
    address = row.address or {}
    street, city = address_lines(address)
    lines = [str(address.get("name", "")), street, str(address.get("street_addition", "")), city]
    country = str(address.get("country_code", ""))
    return [line for line in lines if line], _T(NAMES[Country(country)]) if country else LocalizedText()


def _money(case: ReturnCase) -> AccountMoney:
    row, settlement = case.row, case.settlement
    if not settlement.lines or case.status in GIVES_BACK:
        return AccountMoney()
    names = _names(case)
    lines = [AccountAmount(label=_label(line, names), amount=line.amount) for line in settlement.lines]
    refund, charge = settlement.refund, settlement.charge
    decided = row.refund_amount
    if decided is not None and decided != refund:
        lines.append(AccountAmount(label=_T(N_("Changed after our check")), amount=decided - settlement.total))
        refund, charge = decided, Decimal("0.00")
    besides = (
        [AccountAmount(label=_T(N_("Still to pay for your order")), amount=settlement.open)] if settlement.open else []
    )
    total = refund - charge
    direction = direction_of(total)
    return AccountMoney(
        lines=lines,
        direction=direction,
        total=abs(total),
        label=_T(TOTAL_NAMES[direction]),
        note=_note(case, direction, abs(total)),
        besides=besides,
    )


def _names(case: ReturnCase) -> dict[str, LocalizedText]:
    """The names of the items in both languages, by each of them: amounts are stored with the one that was shown."""
    texts = [LocalizedText.each(unit.line.name_in) for unit in case.units] + [new_item(case.row)]
    return {text.text(locale): text for text in texts for locale in LOCALES}


def new_item(row: ReturnRow) -> LocalizedText:
    """The name of the article that the customer gets instead; empty if there is none."""
    product = row.product or {}
    own, english = str(product.get("name", "")), str(product.get("name_en", ""))
    return LocalizedText.each(partial(in_language, own, english))


def _label(line: SettlementLine, names: Mapping[str, LocalizedText]) -> LocalizedText:
    name = _T(SETTLEMENT_NAMES[line.kind])
    if line.kind in OF_AN_ORDER:
        item = _T(N_("Order {number}"), number=line.item)
    else:
        shown = names.get(line.item) or LocalizedText.same(line.item)
        many = f"{line.quantity} × " if line.quantity > 1 else ""
        item = LocalizedText.each(lambda locale: many + shown.text(locale)) if line.item else shown
    return _T(N_("{item}: {price}"), item=item, price=name) if item else name


def _note(case: ReturnCase, direction: Direction, total: Decimal) -> LocalizedText:
    if direction is Direction.CUSTOMER_RECEIVES and case.row.refunded_at:
        day = _day(local_day(case.row.refunded_at))
        return _T(N_("We refunded {amount} on {day}."), amount=amount_text(total), day=day)
    if direction is Direction.CUSTOMER_RECEIVES and case.refund_by:
        return _T(
            N_("We’ll refund {amount}, by {day} at the latest."),
            amount=amount_text(total),
            day=_day(case.refund_by),
        )
    if direction is Direction.NONE and never_sent(case.row):
        return _T(outcome(Departure.WITHDRAWN_UNSENT, Dependent.INVOICE).customer)
    return _T(payment_note(direction, case.row.kind, set_off=bool(case.settlement.set_off)))


def _next_steps(case: ReturnCase, money: AccountMoney) -> list[LocalizedText]:
    """What happens until the return is closed. `AccountMoney.note` says who pays whom and when."""
    row, status = case.row, case.status
    if never_sent(row):
        return [_T(_NOTHING_TO_SEND)]
    if status in GIVES_BACK | DONE:
        return []
    steps = []
    if status is ReturnStatus.PENDING_CONFIRMATION:
        steps.append(
            _T(
                N_(
                    "Open the email and confirm your return within {link_hours} hours. Until then, nothing "
                    "has been requested."
                )
            )
        )
    is_answered = status in (ReturnStatus.PENDING_CONFIRMATION, ReturnStatus.REQUEST_RECEIVED)
    if is_answered and not may_be_brought(row):
        steps.append(
            _T(N_("We’ll contact you within {return_answer_days} working days."), return_answer_days=row.answer_days)
        )
    if status in CANCELLABLE:
        steps.append(_handover_step(case))
    if row.kind is ReturnKind.EXCHANGE:
        steps.append(_T(N_("As soon as we’ve checked it, we’ll deliver your new item.")))
    elif money.direction is not Direction.CUSTOMER_RECEIVES:
        steps.append(_T(N_("We’ll let you know when we’ve checked it.")))
    return steps


def _handover_step(case: ReturnCase) -> LocalizedText:
    row = case.row
    if row.kind is ReturnKind.WITHDRAWAL and battery_unanswered(row):
        return _T(BATTERY_FIRST)
    if not may_be_sent(row):
        return _T(N_("We’ll agree with you how it can travel safely."))
    if row.method is ReturnMethod.STORE:
        store = case.store
        place = ", ".join((store.name, address_lines(store).joined)) if store else ""
        return _T(
            N_("Bring it to {store} whenever suits you. Show the drop-off slip: on paper or on your phone."),
            store=place or _T(N_("the store")),
        )
    if row.method is ReturnMethod.PICK_UP:
        if pickup_ahead(case) is None:
            return _T(PICKUP_DAY_OPEN)
        comes = _T(N_("We’ll pick it up on {when}."), when=_when(case))
        return _sentences(comes, _T(PICKUP_TEXTED)) if case.texted else comes
    return _T(
        N_("Send it back within {send_back_days} days, with your return number {reference} on it."),
        reference=in_groups(row.reference),
    )


def _facts(case: ReturnCase, brand: Brand) -> list[AccountFact]:
    row = case.row
    declared_by = str((row.statement or {}).get("name", ""))
    day = local_day(row.created_at)
    at = letter.clock(row.created_at)
    received = LocalizedText.each(
        lambda locale: f"{letter.day(day, locale)}, {at}" if declared_by else letter.day(day, locale)
    )
    address = row.address or {}
    facts: Sequence[tuple[str, LocalizedText]] = (
        (N_("Order numbers") if len(case.order_numbers) > 1 else N_("Order number"), LocalizedText.same(case.orders)),
        (N_("Received on") if declared_by else N_("Requested on"), received),
        (N_("Declared by"), LocalizedText.same(declared_by)),
        (RETURN_KIND_NAMES[ReturnKind.EXCHANGE], _T(EXCHANGE_NAMES[row.exchange_type] if row.exchange_type else "")),
        (SETTLEMENT_NAMES[SettlementKind.NEW_ITEM], new_item(row)),
        (N_("Reason"), _T(REASON_NAMES[row.reason] if row.reason else "")),
        (N_("Explanation"), LocalizedText.same(row.reason_text)),
        (N_("Condition"), _T(STATE_NAMES[row.state] if row.state else "")),
        (N_("Mileage"), distance(row.mileage)),
        (N_("Battery"), _T(BATTERY_NAMES[row.battery] if row.battery else "")),
        (N_("Phone number"), LocalizedText.same(readable_phone(row.phone) if row.phone else "")),
        (N_("Email address"), LocalizedText.same(str(address.get("email", "")))),
        (N_("Remarks for the driver"), LocalizedText.same(row.remarks)),
        (N_("Refund to account"), LocalizedText.same(case.paid_to)),
        (N_("Not sent yet: you don’t send this back"), _unsent_items(case)),
    )
    rows = [AccountFact(label=_T(label), lines=_lines(value)) for label, value in facts if value]
    return [*send_to(case, brand), *rows, *case.dependents]


def _unsent_items(case: ReturnCase) -> LocalizedText:
    """The items of a withdrawal that were not sent, if others have to come back."""
    if never_sent(case.row) or case.status not in CANCELLABLE:
        return LocalizedText()
    units = [unit for unit in case.units if unit.unit.received]
    return LocalizedText.each(lambda locale: "\n".join(item_lines(units, locale)))


def send_to(case: ReturnCase, brand: Brand) -> list[AccountFact]:
    """The address to which the customer sends a withdrawal; empty if it goes another way or must not travel."""
    row = case.row
    mailed = row.kind is ReturnKind.WITHDRAWAL and row.method is ReturnMethod.NONE
    if not mailed or not may_be_sent(row) or case.status not in CANCELLABLE:
        return []
    lines = [LocalizedText.same(brand.name), _T(DEPARTMENT)]
    lines += [LocalizedText.same(line) for line in address_lines(brand)]
    return [AccountFact(label=_T(N_("Send it to")), lines=lines)]


def _lines(text: LocalizedText) -> list[LocalizedText]:
    """The lines of a text; what the customer typed may have several."""
    return [LocalizedText(nl=nl, en=en) for nl, en in zip(text.nl.splitlines(), text.en.splitlines(), strict=True)]


def distance(mileage: str) -> LocalizedText:
    """A mileage with its unit, such as "120,5 km"; empty if there is none."""
    return (
        LocalizedText.each(lambda locale: letter.kilometres(Decimal(mileage), locale)) if mileage else LocalizedText()
    )


def amount_text(amount: Decimal) -> LocalizedText:
    return LocalizedText.each(lambda locale: letter.money(amount, locale))


def _day(day: date) -> LocalizedText:
    return LocalizedText.each(lambda locale: letter.day(day, locale))


def _weekday(day: date) -> LocalizedText:
    return LocalizedText.each(lambda locale: letter.weekday(day, locale))


def _lowered(text: LocalizedText) -> LocalizedText:
    return LocalizedText(nl=text.nl.lower(), en=text.en.lower())


def _sentences(*texts: LocalizedText) -> LocalizedText:
    return LocalizedText.each(lambda locale: " ".join(text.text(locale) for text in texts))
