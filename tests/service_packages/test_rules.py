"""Rules of service packages, and the terms of the demonstration shop."""

from __future__ import annotations

from itertools import pairwise

from portal.demo.catalogue import packages
from portal.flow.journey import FLOWS
from portal.service_packages.rules import (
    FAMILY_NAMES,
    FOR_WHOM,
    INCLUSION_TEXTS,
    Inclusion,
    PackageFamily,
    family_of,
)
from portal.vocabulary.services import NO_PACKAGES, ServicePackage


def test_a_more_expensive_package_of_a_family_includes_at_least_as_much() -> None:
    every = packages()
    assert [terms.package for terms in every] == [*ServicePackage]
    for family in PackageFamily:
        found = [terms for terms in every if family_of(terms.package) is family]
        assert [terms.monthly for terms in found] == sorted(terms.monthly for terms in found)
        for less, more in pairwise(found):
            assert set(less.half_price_jobs) <= set(more.half_price_jobs)
    assert set(INCLUSION_TEXTS) == set(Inclusion)
    assert set(FAMILY_NAMES) == set(PackageFamily)


def test_insurance_and_service_package_are_about_a_bike() -> None:
    for name in ("insurance-request", "service-package"):
        assert FLOWS[name].subject == "bike"


def test_each_package_that_can_be_chosen_says_for_whom_it_is() -> None:
    assert set(FOR_WHOM) == {*ServicePackage} - NO_PACKAGES
    assert len({*FOR_WHOM.values()}) == len(FOR_WHOM)
