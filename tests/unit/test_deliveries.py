"""Rules of deliveries, date changes, insurances, packages and passwords."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.domain import insurances as insured
from portal.domain.codes import Code
from portal.domain.passwords import PASSWORD_RULES, PasswordRule, broken_rules
from portal.domain.service_packages import FAMILY_NAMES, INCLUSION_TEXTS, OFFERS, Inclusion, PackageFamily
from portal.flows import FLOWS
from portal.texts import catalogue
from portal.vocabulary.deliveries import (
    DATE_CHANGE_LABELS,
    DATE_CHANGE_MEANINGS,
    DATE_CHANGES,
    DELIVERIES,
    DELIVERY_LABELS,
    DELIVERY_MEANINGS,
    DateChangeStatus,
    DeliveryStatus,
    combined_status,
    current_status,
    handed_over,
)
from portal.vocabulary.insurance import COVER_TEXTS, INSURANCE_LABELS, INSURANCE_MEANINGS, Cover, InsuranceStatus
from portal.vocabulary.services import ServicePackage

KNOWN = [status for status in DeliveryStatus if status is not DeliveryStatus.UNKNOWN]
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


def test_all_fourteen_statuses_are_on_the_graph_and_none_that_is_unknown() -> None:
    assert len(KNOWN) == 14
    assert DELIVERIES.statuses == set(KNOWN)


@pytest.mark.parametrize(
    "text", [*DELIVERY_LABELS.values(), *DELIVERY_MEANINGS.values(), *DATE_CHANGE_MEANINGS.values()]
)
def test_every_status_has_a_dutch_text(text: str) -> None:
    assert catalogue("portal", "nl").gettext(text) != text


def test_every_status_has_a_label_and_a_meaning() -> None:
    assert set(DELIVERY_MEANINGS) == set(DELIVERY_LABELS) == set(DeliveryStatus)
    assert set(DATE_CHANGE_LABELS) == set(DATE_CHANGE_MEANINGS) == set(DateChangeStatus)
    assert set(INSURANCE_LABELS) == set(INSURANCE_MEANINGS) == set(InsuranceStatus)
    assert set(COVER_TEXTS) == set(Cover)


def test_what_is_with_the_carrier_never_comes_back_to_before_without_a_failed_try() -> None:
    for status in KNOWN:
        if handed_over(status):
            back = {target for target in DELIVERIES.following(status) if not handed_over(target)}
            assert back <= {DeliveryStatus.READY_FOR_TRANSPORT}


@given(st.lists(st.sampled_from(KNOWN), max_size=5))
def test_an_order_is_as_far_as_one_of_its_parts(parts: list[DeliveryStatus]) -> None:
    found = combined_status(parts)
    assert (found is None) == (not parts)
    assert found is None or found in parts
    if found is DeliveryStatus.ORDER_DELIVERED:
        assert not set(parts) - {
            DeliveryStatus.ORDER_DELIVERED,
            DeliveryStatus.ORDER_CANCELLED,
            DeliveryStatus.ORDER_REFUSED_AT_DOOR,
        }


@pytest.mark.parametrize("status", [status for status in DateChangeStatus if status is not DateChangeStatus.UNKNOWN])
def test_only_what_waits_for_the_customer_expires(status: DateChangeStatus) -> None:
    late = current_status(status, NOW, NOW)
    waits = status is DateChangeStatus.WAITING_FOR_CUSTOMER
    assert late is (DateChangeStatus.EXPIRED if waits else status)
    assert current_status(status, NOW + timedelta(seconds=1), NOW) is status
    assert status in DATE_CHANGES.statuses


def test_a_premium_is_rounded_once_half_up_and_never_below_the_minimum() -> None:
    assert insured.premium(Decimal("2199.00"), Decimal("52.50"), Decimal("4.95")) == Decimal("9.62")
    assert insured.premium(Decimal("12.00"), Decimal("5.00"), Decimal("0.00")) == Decimal("0.01")
    assert insured.premium(Decimal("100.00"), Decimal("1.00"), Decimal("4.95")) == Decimal("4.95")


def test_the_reasons_for_no_insurance_come_in_the_order_in_which_they_matter() -> None:
    day = NOW.date()
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


def test_the_seven_packages_stand_in_two_families_and_hold_more_for_more() -> None:
    assert [offer.code for offer in OFFERS] == [*ServicePackage]
    for family in PackageFamily:
        row = [offer for offer in OFFERS if offer.family is family]
        assert [offer.monthly for offer in row] == sorted(offer.monthly for offer in row)
        for less, more in pairwise(row):
            assert set(less.half_price) <= set(more.half_price)
    assert set(INCLUSION_TEXTS) == set(Inclusion)
    assert set(FAMILY_NAMES) == set(PackageFamily)


@pytest.mark.parametrize(
    ("password", "broken"),
    [
        ("Fietsbel-2026!", []),
        ("Kort-1!", [PasswordRule.LENGTH]),
        ("Aa1!" + "x" * 60, []),
        ("Aa1!" + "x" * 61, [PasswordRule.LENGTH]),
        ("fietsbel-2026", [PasswordRule.CAPITAL]),
        ("Fietsbel2026", [PasswordRule.SPECIAL]),
        ("Fietsbel 2026", [PasswordRule.SPECIAL]),
        ("Fietsbel-fiets", [PasswordRule.DIGIT]),
        ("12345678!", [PasswordRule.CAPITAL, PasswordRule.LETTER]),
        ("", [*PasswordRule]),
    ],
)
def test_the_checklist_of_a_password(password: str, broken: list[PasswordRule]) -> None:
    assert broken_rules(password) == broken
    assert set(PASSWORD_RULES) == set(PasswordRule)


def test_the_new_flows_ask_for_a_bike_first() -> None:
    for name in ("insurance-request", "service-package"):
        assert FLOWS[name].subject == "bike"
