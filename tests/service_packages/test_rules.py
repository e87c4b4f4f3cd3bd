"""Rules of service packages."""

from __future__ import annotations

from itertools import pairwise

from portal.flow.registry import FLOWS
from portal.service_packages.rules import FAMILY_NAMES, INCLUSION_TEXTS, OFFERS, Inclusion, PackageFamily
from portal.vocabulary.services import ServicePackage


def test_a_more_expensive_package_of_a_family_includes_at_least_as_much() -> None:
    assert [offer.code for offer in OFFERS] == [*ServicePackage]
    for family in PackageFamily:
        offers = [offer for offer in OFFERS if offer.family is family]
        assert [offer.monthly for offer in offers] == sorted(offer.monthly for offer in offers)
        for less, more in pairwise(offers):
            assert set(less.half_price) <= set(more.half_price)
    assert set(INCLUSION_TEXTS) == set(Inclusion)
    assert set(FAMILY_NAMES) == set(PackageFamily)


def test_insurance_and_service_package_are_about_a_bike() -> None:
    for name in ("insurance-request", "service-package"):
        assert FLOWS[name].subject == "bike"
