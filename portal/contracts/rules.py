"""When a contract ends, and what is paid back (Directive 2011/83, article 14; decision 0059)."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

from portal.kernel.days import add_months
from portal.vocabulary.contracts import EndKind
from portal.vocabulary.departures import Money

_CENT = Decimal("0.01")
_ZERO = Decimal("0.00")


def withdraw_until(concluded_on: date, days: int) -> date:
    """The last of the days of the right of withdrawal; it ends at 24:00 in Amsterdam."""
    return concluded_on + timedelta(days=days)


def kind_on(concluded_on: date, day: date, withdrawal_days: int) -> EndKind:
    """Whether a contract that is ended on a day is withdrawn from or cancelled."""
    in_time = day <= withdraw_until(concluded_on, withdrawal_days)
    return EndKind.WITHDRAWAL if in_time else EndKind.CANCELLATION


@dataclass(frozen=True, slots=True)
class Ending:
    """How a contract ends. Amounts are in euro, including VAT.

    `refund`: what the customer gets back of what was collected.
    `last_payment`: what is still collected for the period in which the contract ends; zero if nothing is.
    `last_from`: first day of that period; None if nothing is collected any more.
    """

    kind: EndKind
    ends_on: date
    refund: Decimal = _ZERO
    last_payment: Decimal = _ZERO
    last_from: date | None = None


def ending(
    *,
    concluded_on: date,
    starts_on: date,
    monthly: Decimal,
    declared_on: date,
    notice_months: int,
    withdrawal_days: int,
) -> Ending:
    """Compute how a contract ends.

    The price of a month is collected on the first day of each period. A withdrawal ends the contract at once, and
    everything collected is paid back. A cancellation ends it after the notice; the last period is charged by the day.
    `concluded_on`: local day on which the contract was concluded.
    `starts_on`: first day of the first period.
    `monthly`: price of a month, in euro.
    `declared_on`: local day of the declaration.
    `notice_months`: months of notice of a cancellation.
    `withdrawal_days`: days of the right of withdrawal.
    """
    if kind_on(concluded_on, declared_on, withdrawal_days) is EndKind.WITHDRAWAL:
        begun = 0 if declared_on < starts_on else _period(starts_on, declared_on) + 1
        return Ending(EndKind.WITHDRAWAL, declared_on, refund=monthly * begun)
    ends_on = add_months(declared_on, notice_months)
    if ends_on < starts_on:
        return Ending(EndKind.CANCELLATION, ends_on)
    period = _period(starts_on, ends_on)
    first, following = add_months(starts_on, period), add_months(starts_on, period + 1)
    share = Decimal((ends_on - first).days + 1) / (following - first).days
    due = (monthly * share).quantize(_CENT, ROUND_HALF_UP)
    if first <= declared_on:
        return Ending(EndKind.CANCELLATION, ends_on, refund=monthly - due)
    return Ending(EndKind.CANCELLATION, ends_on, last_payment=due, last_from=first)


def ending_with_bike(*, starts_on: date, monthly: Decimal, day: date, collected_until: date, money: Money) -> Ending:
    """Compute how a contract ends because its bike left the customer; there is no notice.

    `starts_on`: first day of the first period.
    `monthly`: price of a month, in euro.
    `day`: the last day of the contract.
    `collected_until`: the local day up to which periods were collected.
    `money`: what is paid back: everything, or what was paid for the days after the last one.
    """
    collected = 0 if collected_until < starts_on else _period(starts_on, collected_until) + 1
    if money is Money.EVERYTHING:
        return Ending(EndKind.DEPARTURE, day, refund=monthly * collected)
    used = _ZERO
    if day >= starts_on:
        period = _period(starts_on, day)
        first, following = add_months(starts_on, period), add_months(starts_on, period + 1)
        share = Decimal((day - first).days + 1) / (following - first).days
        used = monthly * period + (monthly * share).quantize(_CENT, ROUND_HALF_UP)
    return Ending(EndKind.DEPARTURE, day, refund=max(monthly * collected - used, _ZERO))


def _period(starts_on: date, day: date) -> int:
    """The number of the period, from 0, that contains a day."""
    period = max(0, (day.year - starts_on.year) * 12 + day.month - starts_on.month - 1)
    # The 31st becomes the last day of a shorter month, so the months alone do not decide.
    while add_months(starts_on, period + 1) <= day:
        period += 1
    return period
