"""Rules of insurances: premiums, packages, and why there is none."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from portal.insurance import rules as insured
from portal.kernel.codes import Code
from portal.vocabulary import insurance


def test_every_status_has_a_label_and_a_meaning() -> None:
    assert set(insurance.INSURANCE_LABELS) == set(insurance.INSURANCE_MEANINGS) == set(insurance.InsuranceStatus)
    assert set(insurance.COVER_TEXTS) == set(insurance.Cover)


def test_a_premium_is_rounded_once_half_up_and_never_below_the_minimum() -> None:
    assert insured.premium(Decimal("2199.00"), Decimal("52.50"), Decimal("4.95")) == Decimal("9.62")
    assert insured.premium(Decimal("12.00"), Decimal("5.00"), Decimal("0.00")) == Decimal("0.01")
    assert insured.premium(Decimal("100.00"), Decimal("1.00"), Decimal("4.95")) == Decimal("4.95")


def test_the_reasons_for_no_insurance_come_in_the_order_in_which_they_matter() -> None:
    day = date(2026, 6, 1)
    free = {"insured": False, "requested": False, "frame_known": True, "bought_on": day, "day": day}
    assert insured.refusal(**free) is None
    assert insured.refusal(**{**free, "frame_known": False}) is Code.FRAME_NUMBER_UNKNOWN
    late = {**free, "day": day + timedelta(days=15), "frame_known": False}
    assert insured.refusal(**late) is Code.INSURANCE_TERM_OVER
    assert insured.refusal(**{**late, "requested": True}) is Code.INSURANCE_REQUEST_EXISTS
    everything = {**late, "requested": True, "insured": True}
    assert insured.refusal(**everything) is Code.INSURANCE_EXISTS
    assert insured.refusal(**everything, gone=Code.ORDER_CANCELLED) is Code.ORDER_CANCELLED


def test_two_insurers_offer_two_packages_each_and_one_is_chosen_most() -> None:
    keys = {entry.key for entry in insured.PACKAGES}
    assert len(keys) == 4
    assert all(insured.package(key) for key in keys)
    assert [entry.most_chosen for entry in insured.PACKAGES].count(True) == 1
