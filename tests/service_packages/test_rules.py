"""Rules of service packages."""

from __future__ import annotations

from itertools import pairwise

from portal.flow.registry import FLOWS
from portal.service_packages.rules import FAMILY_NAMES, INCLUSION_TEXTS, OFFERS, Inclusion, PackageFamily
from portal.vocabulary.services import ServicePackage


def test_the_seven_packages_stand_in_two_families_and_hold_more_for_more() -> None:
    assert [offer.code for offer in OFFERS] == [*ServicePackage]
    for family in PackageFamily:
        row = [offer for offer in OFFERS if offer.family is family]
        assert [offer.monthly for offer in row] == sorted(offer.monthly for offer in row)
        for less, more in pairwise(row):
            assert set(less.half_price) <= set(more.half_price)
    assert set(INCLUSION_TEXTS) == set(Inclusion)
    assert set(FAMILY_NAMES) == set(PackageFamily)


def test_the_new_flows_ask_for_a_bike_first() -> None:
    for name in ("insurance-request", "service-package"):
        assert FLOWS[name].subject == "bike"
