"""The way of a return."""

import re

from portal.kernel.texts import catalogue
from portal.vocabulary.returns import (
    CANCELLABLE,
    DONE,
    GIVES_BACK,
    RETURN_LABELS,
    RETURN_MEANINGS,
    RETURNS,
    ReturnKind,
    ReturnStatus,
    label_of,
    meaning_of,
    phases,
    phases_done,
)

EXCHANGED = ReturnKind.EXCHANGE
KNOWN = [status for status in ReturnStatus if status is not ReturnStatus.UNKNOWN]


def test_an_exchange_never_speaks_of_a_return_nor_promises_money_instead_of_the_new_item() -> None:
    shown = [status for status in KNOWN if status not in (ReturnStatus.PENDING_CONFIRMATION, ReturnStatus.EXPIRED)]
    for language in ("en", "nl"):
        say = catalogue(language).gettext
        texts = {status: (say(label_of(EXCHANGED, status)), say(meaning_of(EXCHANGED, status))) for status in shown}
        for text in (part for parts in texts.values() for part in parts):
            assert not re.search(r"\b(your|this) (return|refund)|retour", text, re.IGNORECASE), text
        arrived = texts[ReturnStatus.RECEIVED][1]
        assert "new item" in arrived or "nieuwe artikel" in arrived
    for kind in set(ReturnKind) - {EXCHANGED}:
        assert all(label_of(kind, status) == RETURN_LABELS[status] for status in ReturnStatus)
        assert all(meaning_of(kind, status) == RETURN_MEANINGS[status] for status in ReturnStatus)


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
    way = RETURNS.path_to(ReturnStatus.REFUND_PROCESSED)
    done = [phases_done(ReturnKind.RETURN, status) for status in way]
    assert done == sorted(done)
    assert done[-1] == len(phases(ReturnKind.RETURN))
    assert phases_done(ReturnKind.EXCHANGE, ReturnStatus.CLOSED) == 4
