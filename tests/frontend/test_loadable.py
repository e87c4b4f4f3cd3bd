"""All pages share the base class that loads and watches."""

from collections.abc import Iterator
from typing import Any

import portal.portal
from portal.frontend.live import Live, Loadable
from portal.frontend.policies import Policy, policy_of


def _pages(kind: type[Any] = Loadable) -> Iterator[type[Any]]:
    subclasses: list[Any] = kind.__subclasses__()
    for page in subclasses:
        yield from _pages(page)
        if not page._mixin:
            yield page


def test_no_page_overrides_loading_or_watching() -> None:
    assert portal.portal.app  # imports the pages of all subjects
    pages = set(_pages())
    assert len(pages) > 15
    for page in pages:
        assert page.event_handlers["load"].fn.__code__ is Loadable.__dict__["load"].__code__, page
        assert page._question is not Loadable._question, page
        assert page._show is not Loadable._show, page
        if issubclass(page, Live):
            assert page.event_handlers["watch"].fn.__code__ is Live.__dict__["watch"].__code__, page
            assert page._topics, page


def test_only_the_customer_may_load_and_watch() -> None:
    for page in _pages():
        for name in {"load", "watch"} & set(page.event_handlers):
            assert policy_of(f"{page.get_full_name()}.{name}") is Policy.CUSTOMER
