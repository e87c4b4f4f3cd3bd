"""Rules of service packages, and the terms of the demonstration shop."""

from itertools import pairwise

from portal.demo.catalogue import packages
from portal.service_packages.rules import FAMILY_NAMES, INCLUSION_TEXTS, Inclusion, PackageFamily, family_of
from portal.vocabulary.services import ServicePackage


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
