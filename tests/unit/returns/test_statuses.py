"""The way of a return."""

from __future__ import annotations

from portal.domain.returns.statuses import (
    CANCELLABLE,
    DONE,
    GIVES_BACK,
    RETURN_LABELS,
    RETURN_MEANINGS,
    RETURNS,
    ReturnKind,
    ReturnStatus,
    phases,
    phases_done,
)

KNOWN = [status for status in ReturnStatus if status is not ReturnStatus.UNKNOWN]


def test_every_status_can_be_reached_and_has_its_texts() -> None:
    assert RETURNS.statuses == set(KNOWN)
    assert set(RETURN_LABELS) == set(RETURN_MEANINGS) == set(ReturnStatus)


def test_what_has_arrived_cannot_be_cancelled_any_more() -> None:
    cancellable = {status for status in KNOWN if RETURNS.allows(status, ReturnStatus.CANCELLED)}
    assert cancellable == CANCELLABLE
    assert ReturnStatus.RECEIVED not in cancellable


def test_what_gives_its_units_back_never_finishes_without_asking_again() -> None:
    for status in GIVES_BACK - {ReturnStatus.EXPIRED}:
        assert RETURNS.following(status) == []
    assert RETURNS.following(ReturnStatus.EXPIRED) == [ReturnStatus.PENDING_CONFIRMATION]
    assert not GIVES_BACK & DONE


def test_a_return_goes_through_its_four_phases_in_order() -> None:
    way = RETURNS.way(ReturnStatus.REFUND_PROCESSED)
    done = [phases_done(ReturnKind.RETURN, status) for status in way]
    assert done == sorted(done)
    assert done[-1] == len(phases(ReturnKind.RETURN))
    assert phases_done(ReturnKind.EXCHANGE, ReturnStatus.CLOSED) == 4
