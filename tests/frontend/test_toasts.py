"""The notifications in the state (part-1 §4)."""

import time

import pytest

from portal.frontend.toasts import DEFAULT_MILLISECONDS, LIMIT, NEVER, Kind, Toasts


@pytest.fixture
def toasts() -> Toasts:
    """An empty list."""
    # pyrefly: ignore[unexpected-keyword]  # an argument of Reflex, not a variable of the state
    return Toasts(_reflex_internal_init=True)


def test_a_notification_has_both_languages_and_a_timeout(toasts: Toasts) -> None:
    toasts._add("error", "Something went wrong", "Please try again")
    assert [{**item, "id": 0} for item in toasts.items] == [
        {
            "id": 0,
            "group": "corner",
            "kind": "error",
            "title": {"nl": "Er ging iets mis", "en": "Something went wrong"},
            "text": {"nl": "Probeer het opnieuw", "en": "Please try again"},
            "timeout": DEFAULT_MILLISECONDS,
            "quiet": True,
        }
    ]


@pytest.mark.parametrize(
    ("kind", "alone", "quiet"),
    [("error", False, True), ("error", True, False), ("success", False, False), ("info", False, False)],
)
def test_only_an_error_that_the_page_tells_is_quiet(toasts: Toasts, kind: Kind, alone: bool, quiet: bool) -> None:
    toasts._add(kind, "Something went wrong", alone=alone)
    assert toasts.items[0]["quiet"] is quiet


def test_ids_increase_and_are_never_reused_even_after_a_reset(toasts: Toasts) -> None:
    ids = []
    for _number in range(3):
        toasts._add("info", "Copied")
        ids.append(toasts.items[-1]["id"])
        Toasts.dismiss.fn(toasts, ids[-1])
    time.sleep(0.005)
    toasts.reset()
    toasts._add("info", "Copied")
    ids.append(toasts.items[-1]["id"])
    assert ids == sorted(set(ids))


def test_the_eleventh_notification_is_dropped(toasts: Toasts) -> None:
    assert [toasts._add("info", "Copied", timeout=NEVER) for _number in range(LIMIT + 1)] == [True] * LIMIT + [False]
    assert len(toasts.items) == LIMIT


def test_a_dismissed_notification_makes_room(toasts: Toasts) -> None:
    for _number in range(LIMIT):
        toasts._add("info", "Copied")
    third = toasts.items[2]["id"]
    Toasts.dismiss.fn(toasts, third)
    assert toasts._add("info", "Copied")
    assert len(toasts.items) == LIMIT
    assert third not in [item["id"] for item in toasts.items]


def test_dismissing_an_unknown_notification_changes_nothing(toasts: Toasts) -> None:
    toasts._add("info", "Copied")
    Toasts.dismiss.fn(toasts, 99)
    assert len(toasts.items) == 1
