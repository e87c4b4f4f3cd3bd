"""What staff type into a search, and the text in which a customer is found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.kernel.search import MAX_SEARCH_TEXT, folded, read_search, search_text


@pytest.mark.parametrize(
    ("text", "part", "value"),
    [
        ("k7m2 px4a", "reference", "K7M2PX4A"),
        (" Sanne@Example.COM ", "email", "sanne@example.com"),
        ("900 000 001", "order_number", "900000001"),
        ("nvh-17208085", "frame_number", "NVH17208085"),
        ("3511ab 38", "place", (("3511 AB",), "38")),
        ("3511 AB 38 A", "place", (("3511 AB",), "38")),
        ("Sanne van Dijkstra", "words", ("sanne", "van", "dijkstra")),
        ("Dijkstra, Sanne", "words", ("dijkstra", "sanne")),
        ("d'Arc", "words", ("darc",)),
        ("d’Arc-Ødegård", "words", ("darc", "odegard")),
        ("x", "words", ()),
        ("06-123 456 01", "phone", "612345601"),
        ("(06) 12 34 56 01", "phone", "612345601"),
        ("+31 (0)6 12345601", "phone", "31612345601"),
        ("0031612345601", "phone", "31612345601"),
        ("+32 475 12 34 56", "phone", "32475123456"),
        ("\u202a+31 6 12345601\u202c", "phone", "31612345601"),
    ],
)
def test_a_search_is_read_as(text: str, part: str, value: object) -> None:
    assert getattr(read_search(text), part) == value


@given(st.text(max_size=60))
def test_any_text_can_be_searched_for(text: str) -> None:
    found = read_search(text)
    assert all(word == folded(word) and " " not in word for word in found.words)
    assert not (found.email and found.reference)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Özdemir", "ozdemir"),
        ("O\u0308zdemir", "ozdemir"),
        ("ÉLODIE", "elodie"),
        ("Straße", "strasse"),
        ("Øyvind", "oyvind"),
        ("Łukasz", "lukasz"),
        ("Đức", "duc"),
        ("İpek Yıldız", "ipek yildiz"),
        ("Ærø", "aero"),
        ("王伟", "王伟"),
    ],
)
def test_a_folded_text_has_small_letters_without_accents(text: str, key: str) -> None:
    assert folded(text) == key
    assert folded(key) == key


def test_a_customer_is_found_by_the_whole_and_the_parts_of_a_name() -> None:
    text = search_text("O’Brien-Smit", "Anne-Marie", "van der", "+31612345601", ["Kuststreek 5", "Kuststreek 5", ""])
    assert text == " obriensmit obrien smit o brien annemarie anne marie van der 31612345601 kuststreek 5 "
    assert len(search_text("x", "y", "z", "", [f"bike{number}" for number in range(300)])) == MAX_SEARCH_TEXT
