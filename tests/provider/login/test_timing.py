"""How long an answer takes tells nothing about who is a customer."""

from __future__ import annotations

import statistics
import time

from portal.provider.work import Work
from tests.provider.login.house import TestHouse, outcome

ROUNDS = 60
MILLISECONDS = 3.0
"""More than this between two medians would be worth measuring for an attacker who asks twenty times an hour."""


async def _seconds(house: TestHouse, pair: tuple[str | None, str]) -> float:
    start = time.perf_counter()
    await outcome(house.ask(pair))
    return time.perf_counter() - start


def _apart(first: list[float], second: list[float]) -> float:
    """How far the medians lie apart, in milliseconds."""
    return abs(statistics.median(first) - statistics.median(second)) * 1000


async def test_a_known_and_an_unknown_address_alone_are_answered_in_the_same_time(house: TestHouse) -> None:
    for place in range(ROUNDS):
        await house.add_customer(f"9100000{place:02}", f"known{place}@example.com")
    work = Work(house.context)
    await work.start()
    await _seconds(house, (None, "warm@example.com"))
    known, unknown = [], []
    for place in range(ROUNDS):
        pairs = [(known, f"known{place}@example.com"), (unknown, f"other{place}@example.com")]
        for times, email in pairs if place % 2 else reversed(pairs):
            times.append(await _seconds(house, (None, email)))
    await work.stop()
    assert _apart(known, unknown) < MILLISECONDS


async def test_which_half_of_a_pair_was_wrong_does_not_show_in_the_time(house: TestHouse) -> None:
    kinds = {
        "the address": ("900000001", "nobody{}@example.com"),
        "the number": ("9200000{:02}", "sanne@example.com"),
        "both": ("9200000{:02}", "nobody{}@example.com"),
        "a lease order": ("900000006", "nobody{}@example.com"),
    }
    times: dict[str, list[float]] = {kind: [] for kind in kinds}
    for place in range(ROUNDS):
        for kind, (number, email) in kinds.items():
            times[kind].append(await _seconds(house, (number.format(place), email.format(place))))
    for kind in kinds:
        assert _apart(times["both"], times[kind]) < MILLISECONDS, kind


async def test_a_wrong_pair_is_answered_in_the_time_of_a_right_one(house: TestHouse) -> None:
    for place in range(ROUNDS):
        await house.add_customer(f"9100000{place:02}", f"known{place}@example.com")
    right, wrong = [], []
    for place in range(ROUNDS):
        right.append(await _seconds(house, (f"9100000{place:02}", f"known{place}@example.com")))
        wrong.append(await _seconds(house, (f"9200000{place:02}", f"known{place}@example.com")))
    assert _apart(right, wrong) < MILLISECONDS
