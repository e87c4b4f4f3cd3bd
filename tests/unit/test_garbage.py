"""Objects that stay until the end are not looked through again."""

from __future__ import annotations

import gc

from portal.garbage import settle, wait


def test_nothing_is_looked_for_while_loading_and_afterwards_only_among_what_is_new() -> None:
    frozen, usual = gc.get_freeze_count(), gc.get_threshold()
    try:
        wait()
        assert not gc.isenabled()
        settle()
        assert gc.isenabled()
        assert gc.get_freeze_count() > frozen
        assert all(now > before for now, before in zip(gc.get_threshold(), usual, strict=True))
    finally:
        gc.set_threshold(*usual)
        gc.enable()
        gc.unfreeze()
