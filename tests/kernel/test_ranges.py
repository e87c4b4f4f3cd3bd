"""Which bytes a browser asks for, and which it gets (RFC 9110, section 14)."""

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from portal.kernel.ranges import Part, asked_range, content_range, part_of, read_content_range

NUMBERS = st.one_of(st.none(), st.integers(0, 400))


@pytest.mark.parametrize(
    ("header", "asked"),
    [
        ("bytes=0-0", (0, 0)),
        ("bytes=500-", (500, None)),
        ("bytes=-500", (None, 500)),
        ("Bytes= 2-7 ", (2, 7)),
        ("", (None, None)),
        ("bytes=-", (None, None)),
        ("bytes=7-2", (None, None)),
        ("bytes=0-1,5-6", (None, None)),
        ("pages=1-2", (None, None)),
        ("bytes=one-two", (None, None)),
        (f"bytes={'9' * 16}-", (None, None)),
    ],
)
def test_a_header_asks_for_one_range_or_for_the_whole_file(header: str, asked: tuple[int | None, int | None]) -> None:
    assert asked_range(header) == asked


@pytest.mark.parametrize(
    ("first", "last", "part"),
    [
        (None, None, None),
        (0, 99, Part(0, 100)),
        (90, 200, Part(90, 10)),
        (99, None, Part(99, 1)),
        (100, None, Part(100, 0)),
        (None, 10, Part(90, 10)),
        (None, 1000, Part(0, 100)),
        (None, 0, Part(100, 0)),
    ],
)
def test_a_part_ends_with_the_file(first: int | None, last: int | None, part: Part | None) -> None:
    assert part_of(100, first, last) == part


@given(st.integers(0, 300), NUMBERS, NUMBERS)
def test_a_part_is_what_slicing_gives(size: int, first: int | None, last: int | None) -> None:
    content = bytes(number % 251 for number in range(size))
    part = part_of(size, first, last)
    if first is None:
        expected = content if last is None else content[max(0, size - last) :]
    else:
        expected = content[first:] if last is None else content[first : last + 1]
    found = content if part is None else content[part.first : part.first + part.length]
    assert found == expected


@given(st.integers(0, 300), NUMBERS, NUMBERS)
def test_the_header_of_a_part_is_read_back(size: int, first: int | None, last: int | None) -> None:
    part = part_of(size, first, last)
    if part is None:
        reject()
    read = read_content_range(content_range(part, size))
    assert read is not None
    assert (read[0].length, read[1]) == (part.length, size)
    assert not part.length or read[0] == part


@pytest.mark.parametrize("header", ["", "bytes 5-4/9", "bytes 0-9/9", "bytes 0-1/*", "items 0-1/9"])
def test_a_header_that_makes_no_sense_is_no_part(header: str) -> None:
    assert read_content_range(header) is None
