"""Rules of insurances: premiums, packages, reasons for a refusal."""

from datetime import date, timedelta
from decimal import Decimal

from portal.insurance import rules
from portal.kernel.codes import Code


def test_a_premium_is_rounded_once_half_up_and_never_below_the_minimum() -> None:
    assert rules.premium(Decimal("2199.00"), Decimal("52.50"), Decimal("4.95")) == Decimal("9.62")
    assert rules.premium(Decimal("12.00"), Decimal("5.00"), Decimal("0.00")) == Decimal("0.01")
    assert rules.premium(Decimal("100.00"), Decimal("1.00"), Decimal("4.95")) == Decimal("4.95")


def test_the_most_important_reason_for_a_refusal_comes_first() -> None:
    day = date(2026, 6, 1)
    free = {"insured": False, "requested": False, "frame_known": True, "until": day, "day": day}
    assert rules.refusal(**free) is None
    assert rules.refusal(**{**free, "frame_known": False}) is Code.FRAME_NUMBER_UNKNOWN
    late = {**free, "day": day + timedelta(days=1), "frame_known": False}
    assert rules.refusal(**late) is Code.INSURANCE_TERM_OVER
    assert rules.refusal(**{**late, "requested": True}) is Code.INSURANCE_REQUEST_EXISTS
    everything = {**late, "requested": True, "insured": True}
    assert rules.refusal(**everything) is Code.INSURANCE_EXISTS
    assert rules.refusal(**everything, gone=Code.ORDER_CANCELLED) is Code.ORDER_CANCELLED
