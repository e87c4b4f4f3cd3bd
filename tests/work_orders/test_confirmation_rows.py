"""The answers as they appear in a confirmation."""

from __future__ import annotations

from typing import Any

import pytest

from portal.contract.models import Locale
from portal.flow import Field, Iban, Kilometres, OneOf, Phone, SomeOf, ValidatedText
from portal.flow.provider.handler import StoredRequest, wording_of
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus
from tests.support.confirmations import COSTS, STORY, confirmation, workshop


def rows(locale: Locale, answers: dict[str, Any] | None = None, **changes: Any) -> list[tuple[str, list[str]]]:
    """Label and lines of every answer, in one language."""
    facts = confirmation(locale, answers, **changes).account.facts
    return [(fact.label.text(locale), [line.text(locale) for line in fact.lines]) for fact in facts]


def steps(**changes: Any) -> list[str]:
    """What happens next, in Dutch."""
    return [step.nl for step in confirmation("nl", **changes).account.next_steps]


FILES = ("Foto’s en andere bestanden", ["ketting.HEIC (2,4\u00a0MB)", "film.mov (350\u00a0kB)"])


def test_a_repair_is_described_in_the_words_of_the_check_page() -> None:
    told = confirmation("nl")
    assert rows("nl") == [
        ("Fiets", ["Stadsfiets Singel 7", "framenummer eindigt op B123"]),
        ("Pincode", ["Doorgegeven aan de monteur"]),
        ("Ketting", [STORY, "Ook bij regen."]),
        ("Remmen", [STORY]),
        ("Laatste servicebeurt", ["maart 2024"]),
        FILES,
    ]
    assert told.subject == "Je reparatie is aangemeld: Stadsfiets Singel 7"
    assert told.account.title.nl == "Reparatie: Stadsfiets Singel 7"
    assert steps()[0] == "Een monteur bekijkt je aanvraag en neemt binnen 3 werkdagen contact met je op."
    assert told.account.reference == "K7M3 P9RT"
    assert [line.amount for line in told.account.money.lines] == [cost.amount for cost in COSTS]


def test_the_pin_code_itself_is_never_revealed() -> None:
    assert "4817" not in str(confirmation("nl"))


def test_a_request_made_at_the_counter_is_described_as_it_was_written_down() -> None:
    assert rows("nl", details=None) == [("Omschrijving", ["Ketting, Remmen", "Zoals aan de balie verteld."])]
    assert confirmation("nl", details=None).account.money.lines == []


def test_a_claim_made_at_the_counter_tells_what_happens_either_way() -> None:
    assert steps(details=None, kind=RequestKind.CLAIM) == [
        "Een monteur bekijkt de schade en maakt een offerte.",
        "Duurt het langer dan 3 weken? Bel ons, dan zoeken we het voor je uit.",
    ]


def test_a_location_that_is_not_known_yet_does_nothing_next() -> None:
    first = steps(details=None, kind=RequestKind.SERVICE)[0]
    assert first == "Je fiets krijgt de servicebeurt op de dag die jullie afspreken."
    with_partner = steps(details=None, kind=RequestKind.SERVICE, partner=workshop())[0]
    assert with_partner == "Fietsplaats; Jansen, Zn. neemt contact met je op voor een afspraak."


@pytest.mark.parametrize("status", [WorkOrderStatus.CANCELLED, WorkOrderStatus.DONE])
def test_nothing_happens_next_once_it_is_over(status: WorkOrderStatus) -> None:
    assert steps(status=status) == []


OPTIONS = {"chain": "Chain", "brakes": "Brakes"}


@pytest.mark.parametrize(
    ("entry", "answer", "words"),
    [
        (Field("x", "Chain", OneOf(OPTIONS)), "brakes", ("Remmen",)),
        (Field("x", "Chain", SomeOf(OPTIONS)), ["brakes", "chain"], ("Ketting", "Remmen")),
        (Field("x", "Chain", Iban()), "NL91ABNA0417164300", ("NL…4300",)),
        (Field("x", "Chain", Phone("country")), "+31612345678", ("+31 6 12345678",)),
        (Field("x", "Chain", Kilometres()), "1234.5", ("1.234,5\u00a0km",)),
        (Field("x", "Chain", ValidatedText(str, ()), optional=True), "", ("Niet ingevuld",)),
        (Field("x", "Chain", ValidatedText(str, ())), "a\n\nb\n", ("a", "", "b")),
        (Field("x", "Chain", ValidatedText(str, ())), "{braces} %s <b>", ("{braces} %s <b>",)),
    ],
)
def test_an_answer_of_any_kind_has_its_words(entry: Field, answer: Any, words: tuple[str, ...]) -> None:
    assert wording_of(entry, StoredRequest({"x": answer})) == words


def test_words_of_the_handler_come_before_all_others() -> None:
    entry = Field("x", "Chain", OneOf(OPTIONS))
    assert wording_of(entry, StoredRequest({"x": "chain"}, words={"x": "Fietsplaats Utrecht"})) == (
        "Fietsplaats Utrecht",
    )
