"""The account of the end of a contract: what page, receipt and mail say about it."""

from datetime import datetime
from decimal import Decimal

from portal.backend.bike_names import bike_in_full
from portal.backend.letter import localized_day, localized_moment
from portal.backend.letter import money as amount_text
from portal.contract.account import (
    Account,
    AccountAmount,
    AccountFact,
    AccountMoney,
    Direction,
    LocalizedText,
)
from portal.contracts.provider.queries import TakenOut
from portal.contracts.rules import Ending
from portal.kernel.days import local_day
from portal.kernel.texts import N_
from portal.kernel.validation import in_groups
from portal.settings import Settings
from portal.tables.columns import ZERO
from portal.tables.insurance import ContractEndRow
from portal.vocabulary.contracts import END_KIND_NAMES, END_STATUSES, ContractKind, EndKind, EndStatus
from portal.vocabulary.departures import Dependent, outcome

_T = LocalizedText.of

DEPENDENTS = {ContractKind.INSURANCE: Dependent.INSURANCE, ContractKind.SERVICE_PACKAGE: Dependent.PACKAGE}


def offer_account(contract: TakenOut, ending: Ending, settings: Settings) -> Account:
    return Account(
        reference=contract.reference,
        title=end_title(ending.kind, contract.product),
        status=LocalizedText(),
        facts=[AccountFact.of(N_("Last day"), localized_day(ending.ends_on))],
        money=money(ending),
        next_steps=[*_own_text(settings)],
    )


def end_account(contract: TakenOut, row: ContractEndRow, settings: Settings, *, named: bool = True) -> Account:
    ending = Ending(row.ending, row.ends_on, row.refund, row.last_payment, row.last_from)
    # It ended without a declaration of the customer.
    why = outcome(contract.departure, DEPENDENTS[contract.kind]).customer if row.status is EndStatus.CONFIRMED else ""
    counts = row.status is not EndStatus.TAKEN_BACK
    return Account(
        reference=in_groups(row.reference),
        title=end_title(row.ending, contract.product),
        status=_T(END_STATUSES[row.status].label),
        meaning=_T(why or END_STATUSES[row.status].meaning),
        facts=[
            AccountFact.of(N_("Contract"), contract.product),
            AccountFact.of(N_("Bike"), LocalizedText.each(lambda locale: bike_in_full(contract.bike, locale))),
            AccountFact.of(N_("Contract number"), LocalizedText.same(in_groups(contract.reference))),
            *([AccountFact.of(N_("Declared by"), LocalizedText.same(row.name))] if named and row.name else []),
            AccountFact.of(N_("Received on"), localized_moment(row.received_at)),
            *([AccountFact.of(N_("Last day"), localized_day(row.ends_on))] if counts else []),
        ],
        # Without a login nobody is told an amount before the customer confirms.
        money=money(ending, row.refunded_at)
        if row.status in (EndStatus.CONFIRMED, EndStatus.PROCESSED)
        else AccountMoney(),
        next_steps=_next_steps(row, settings),
    )


def money(ending: Ending, refunded_at: datetime | None = None) -> AccountMoney:
    paid = (
        _T(
            N_("We refunded {amount} on {day}."),
            amount=LocalizedText.each(lambda locale: amount_text(ending.refund, locale)),
            day=localized_day(local_day(refunded_at)),
        )
        if refunded_at
        else None
    )
    if ending.kind is EndKind.WITHDRAWAL:
        if not ending.refund:
            return AccountMoney(note=_T(N_("Nothing has been collected yet, so there is nothing to pay.")))
        return _receives(
            _T(N_("Everything paid so far")),
            ending.refund,
            paid or _T(N_("You’ll get it back within {refund_days} days of your declaration, the way you paid.")),
        )
    if ending.refund:
        if ending.kind is EndKind.DEPARTURE:
            line = _T(N_("Paid, but not used"))
        else:
            line = _T(N_("Paid for the days after {day}"), day=localized_day(ending.ends_on))
        return _receives(
            line,
            ending.refund,
            paid or _T(N_("You’ll get it back within {refund_days} days of the last day, the way you paid.")),
        )
    if not ending.last_payment or ending.last_from is None:
        return AccountMoney(note=_T(N_("Nothing more will be collected.")))
    line = _T(
        N_("From {first} until {last}"), first=localized_day(ending.last_from), last=localized_day(ending.ends_on)
    )
    return AccountMoney(
        lines=[AccountAmount(label=line, amount=ending.last_payment)],
        direction=Direction.CUSTOMER_PAYS,
        total=ending.last_payment,
        label=_T(N_("Last payment")),
        note=_T(N_("We collect it as usual. For the month in which your contract ends, you pay by the day.")),
    )


def _receives(line: LocalizedText, amount: Decimal, note: LocalizedText) -> AccountMoney:
    return AccountMoney(
        lines=[AccountAmount(label=line, amount=amount)],
        direction=Direction.CUSTOMER_RECEIVES,
        total=amount or ZERO,
        label=_T(N_("You get back")),
        note=note,
    )


def _next_steps(row: ContractEndRow, settings: Settings) -> list[LocalizedText]:
    if row.status is EndStatus.RECEIVED:
        return [
            _T(N_("Confirm it with the link in the email, or log in and confirm it at your contract.")),
            _T(N_("Until then, your contract stays as it is. What counts is the moment of your declaration.")),
            _T(N_("Then we’ll tell you what you get back or what is still to be collected.")),
            *_own_text(settings),
        ]
    if row.status is EndStatus.TAKEN_BACK:
        return [_T(N_("You can still end it later."))]
    over = row.ending is EndKind.WITHDRAWAL or row.ended_at is not None
    text = N_("Your contract ended on {day}.") if over else N_("Your contract runs until {day}.")
    steps = [_T(text, day=localized_day(row.ends_on))]
    if row.status is EndStatus.CONFIRMED:
        steps.append(_T(N_("We’ll email you as soon as we have processed it.")))
    return [*steps, *_own_text(settings)]


def _own_text(settings: Settings) -> list[LocalizedText]:
    """The text of the shop's lawyer, if there is one."""
    own = settings.contract_end_text
    return [LocalizedText(nl=own.nl, en=own.en)] if own.nl and own.en else []


def end_title(kind: EndKind, product: LocalizedText) -> LocalizedText:
    """The title of an end: "Opzegging: Servicepakket Deluxe"."""
    return _T(N_("{kind}: {product}"), kind=_T(END_KIND_NAMES[kind]), product=product)
