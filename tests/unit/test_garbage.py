"""Objects that stay until the end are not looked through again."""

from __future__ import annotations

import gc

from portal.garbage import settle


def test_what_is_there_is_left_alone_and_what_comes_is_looked_through_less_often() -> None:
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    try:
        settle()
        assert gc.get_freeze_count() > frozen
        assert gc.get_threshold()[0] > before[0]
        assert gc.isenabled()
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
