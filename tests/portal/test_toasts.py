"""Notifications as the server keeps them (part-1 §4)."""

from __future__ import annotations

import pytest

from portal.states.toasts import DEFAULT_MILLISECONDS, LIMIT, NEVER, Toasts


@pytest.fixture
def toasts() -> Toasts:
    """An empty list."""
    return Toasts(_reflex_internal_init=True)  # type: ignore[call-arg]


def test_a_notification_brings_both_languages_and_a_time(toasts: Toasts) -> None:
    toasts._add("error", "Something went wrong", "Please try again")
    assert toasts.items == [
        {
            "id": 1,
            "kind": "error",
            "title": {"nl": "Er ging iets mis", "en": "Something went wrong"},
            "text": {"nl": "Probeer het opnieuw", "en": "Please try again"},
            "timeout": DEFAULT_MILLISECONDS,
        }
    ]


def test_ids_go_up_and_are_never_used_again(toasts: Toasts) -> None:
    toasts._add("info", "Copied")
    Toasts.dismiss.fn(toasts, 1)
    toasts._add("info", "Copied")
    assert [item["id"] for item in toasts.items] == [2]


def test_a_further_one_is_dropped_when_ten_are_shown(toasts: Toasts) -> None:
    assert [toasts._add("info", "Copied", timeout=NEVER) for _number in range(LIMIT + 1)] == [True] * LIMIT + [False]
    assert len(toasts.items) == LIMIT


def test_there_is_room_again_when_one_has_left(toasts: Toasts) -> None:
    for _number in range(LIMIT):
        toasts._add("info", "Copied")
    Toasts.dismiss.fn(toasts, 3)
    assert toasts._add("info", "Copied")
    assert [item["id"] for item in toasts.items] == [1, 2, *range(4, 12)]


def test_dismissing_an_unknown_one_changes_nothing(toasts: Toasts) -> None:
    toasts._add("info", "Copied")
    Toasts.dismiss.fn(toasts, 99)
    assert len(toasts.items) == 1
