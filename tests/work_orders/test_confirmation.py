"""The confirmation of a request: its answers, PDF, mail and calendar file."""

from datetime import UTC, date, timedelta
from email import message_from_bytes
from email.policy import default
from html.parser import HTMLParser
from typing import Any

import pypdfium2
import pytest
from icalendar import Calendar

from portal.backend.mail import compose
from portal.backend.pdf import DocumentError
from portal.contract.models import Locale
from portal.flow import Field, Iban, Kilometres, OneOf, Phone, SomeOf, ValidatedText
from portal.flow.provider.handler import StoredRequest, wording_of
from portal.kernel.days import today
from portal.kernel.texts import catalogue
from portal.setting_groups import Brand
from portal.settings import Settings
from portal.vocabulary.work_orders import RequestKind, WorkOrderStatus
from portal.work_orders.flow.repair import PARTS
from portal.work_orders.provider.confirmation import (
    calendar_document,
    calendar_of,
    confirmation_document,
    confirmation_pdf,
    mail_of,
    render_pdf,
)
from tests.support.confirmations import COSTS, SENT, STORY, confirmation, longest_answers, planned, workshop
from tests.support.invoices import codes_on, reader, tags_of, text_of

SETTINGS = Settings(public_url="https://mijn.bovenbuis.example")
BRAND = Brand()


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


def test_the_dutch_document_says_everything_in_dutch() -> None:
    text = text_of(confirmation_pdf(confirmation("nl", **planned()), BRAND))
    for part in (
        "Je referentienummer K7M3 P9RT",
        "Reparatie: Stadsfiets Singel 7",
        "Je reparatie is aangemeld",
        "Łukasz van den Ångström",
        "Framenummer BB123",
        "Verstuurd op 3 juni 2026 om 14:05",
        "Wanneer vrijdag 12 juni 2065",
        "Wat er nu gebeurt",
        "1. Het werk is gepland op vrijdag 12 juni 2065.",
        "Ketting Bij het wegfietsen hoor ik een tikkend geluid. Ook bij regen.",
        "Laatste servicebeurt maart 2024",
        "Foto’s en andere bestanden",
        "ketting.HEIC (2,4 MB)",
        "film.mov (350 kB)",
        "Totaal € 72,50",
        "Alle bedragen zijn inclusief btw.",
        "+31 30 200 1234",
        "pagina 1 van",
    ):
        assert part in text, part
    assert "4817" not in text


def test_what_there_is_none_of_has_no_heading() -> None:
    text = text_of(confirmation_pdf(confirmation("nl", files=[], costs=(), status="cancelled"), BRAND))
    for part in ("Foto's", "Kosten", "Wanneer", "Wat er nu gebeurt"):
        assert part not in text
    assert "pagina 1 van 1" in text


def test_a_phone_reads_the_reference_from_the_page() -> None:
    assert codes_on(confirmation_pdf(confirmation(), BRAND)) == ["K7M3P9RT"]


@pytest.mark.parametrize("locale", ["nl", "en"])
def test_a_screen_reader_finds_title_language_structure_and_alternative_text(locale: Locale) -> None:
    pdf = reader(confirmation_pdf(confirmation(locale), BRAND))
    root: Any = pdf.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == {"nl": "nl-NL", "en": "en-GB"}[locale]
    assert pdf.metadata is not None
    assert pdf.metadata.title == f"{ {'nl': 'Reparatie', 'en': 'Repair'}[locale] } K7M3 P9RT, Bovenbuis"
    assert pdf.xmp_metadata is not None
    assert b"pdfuaid:part" in pdf.xmp_metadata.stream.get_data()
    tags = tags_of(pdf)
    assert {"/H1", "/H2", "/Table", "/TH", "/L", "/LI", "/Figure"} <= {tag for tag, _ in tags}
    assert any("K7M3 P9RT" in alternative for tag, alternative in tags if tag == "/Figure")


def test_twelve_stories_of_a_thousand_characters_flow_over_pages_and_lose_nothing() -> None:
    answers = longest_answers()
    content = confirmation_pdf(confirmation("nl", answers), BRAND)
    pages = pypdfium2.PdfDocument(content)
    assert 3 <= len(pages) <= 8
    text = text_of(content)
    for label in PARTS.values():
        assert catalogue("nl").gettext(label) in text
    stories = " ".join(answers[name] for name in answers if name.startswith("details_"))
    # A text extractor changes the order of right-to-left words, and our fonts contain no emoji.
    for word in ("Żółty", "Ωμέγα,", "Київ,", "nguyễn", "ђ"):
        assert text.count(word) == stories.count(word), word
    for page in pages:
        left, bottom, right, top = page.get_bbox()
        assert left >= 0
        assert bottom >= 0
        assert right <= page.get_width()
        assert top <= page.get_height()


def test_what_a_customer_wrote_is_never_markup() -> None:
    evil = '#import "x"; $x$ *bold* _it_ <label> @ref [a] \\ #panic() // /* {braces}'
    text = text_of(confirmation_pdf(confirmation("nl", {"parts": ["chain"], "details_chain": evil}), BRAND))
    assert evil in text


async def test_what_cannot_be_laid_out_is_a_document_error() -> None:
    with pytest.raises(DocumentError):
        await render_pdf(confirmation("nl", reference="x" * 5000), BRAND)


async def test_both_files_arrive_as_they_were_made() -> None:
    told = confirmation("nl", **planned())
    papers = [await confirmation_document(told, SETTINGS), calendar_document(told, SETTINGS)]
    content = mail_of(told, SETTINGS)
    mail = compose(SETTINGS.mail_from, "lukasz@example.com", content, "nl", "<a@b.example>", SENT, papers)
    paper, appointment = message_from_bytes(mail, policy=default).iter_attachments()
    assert (paper.get_filename(), paper.get_content()) == ("reparatie-K7M3P9RT.pdf", papers[0].content)
    assert appointment.get_filename() == "reparatie-K7M3P9RT-afspraak.ics"
    assert appointment["Content-Type"].params["method"] == "PUBLISH"
    (event,) = Calendar.from_ical(appointment.get_content()).walk("VEVENT")
    assert str(event["location"]).startswith("Fietsplaats; Jansen")


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def _words(html: str) -> str:
    reader = _Text()
    reader.feed(html)
    return "".join(reader.words)


def test_what_a_customer_wrote_is_never_markup_in_a_mail() -> None:
    evil = '<img src=x onerror="alert(1)"> {{ 7*7 }} {reference}'
    content = mail_of(confirmation("nl", {"parts": ["chain"], "details_chain": evil}), SETTINGS)
    assert "<img src=x" not in content.html
    assert "&lt;img src=x" in content.html
    assert evil in content.text


def test_a_mail_has_no_heading_without_content() -> None:
    content = mail_of(confirmation("nl", files=[], costs=()), SETTINGS)
    for word in ("Foto", "Kosten", "Wanneer:"):
        assert word.upper() not in content.text.upper()
        assert word not in _words(content.html)


def event(**changes: Any) -> Any:
    content = calendar_of(confirmation("nl", **planned(**changes)), SETTINGS)
    calendar = Calendar.from_ical(content.decode())
    (found,) = calendar.walk("VEVENT")
    return found


def test_a_calendar_gets_a_whole_day_with_what_and_where() -> None:
    found = event()
    assert (found.decoded("dtstart"), found.decoded("dtend")) == (date(2065, 6, 12), date(2065, 6, 13))
    assert str(found["summary"]) == "Reparatie: Stadsfiets Singel 7"
    assert str(found["location"]) == "Fietsplaats; Jansen, Zn., Vredenburg 40, 3511 BD Utrecht"
    assert "Referentienummer: K7M3 P9RT" in str(found["description"])
    assert str(found["status"]) == "CONFIRMED"
    assert found.decoded("dtstamp") == SENT.astimezone(UTC)


@pytest.mark.parametrize(("locale", "end"), [("nl", "/maintenance"), ("en", "/maintenance?lang=en")])
def test_its_link_opens_the_portal_in_the_language_of_the_file(locale: Locale, end: str) -> None:
    calendar = Calendar.from_ical(calendar_of(confirmation(locale, **planned()), SETTINGS).decode())
    (found,) = calendar.walk("VEVENT")
    assert str(found["url"]) == f"https://mijn.bovenbuis.example{end}"
    assert str(found["url"]) in str(found["description"])


def test_a_change_is_the_same_event_with_a_higher_number() -> None:
    first = event()
    moved = event(planned_date=date(2065, 6, 15), updated_at=SENT + timedelta(days=2))
    assert str(first["uid"]) == str(moved["uid"]) == "K7M3P9RT@mijn.bovenbuis.example"
    assert first["sequence"] < moved["sequence"]


def test_a_name_with_a_line_break_adds_no_line() -> None:
    content = calendar_of(confirmation("nl", **planned(partner=_evil())), SETTINGS)
    assert b"\r\nATTENDEE" not in content
    assert len(Calendar.from_ical(content.decode()).walk("VEVENT")) == 1


def _evil() -> Any:
    partner = planned()["partner"]
    partner.name = "x\r\nATTENDEE:mailto:a@example.com\r\nEND:VEVENT"
    return partner


@pytest.mark.parametrize(
    "changes",
    [
        {"planned_date": None},
        {"planned_date": today() - timedelta(days=1)},
        {"status": WorkOrderStatus.IN_REPAIR},
        {"status": WorkOrderStatus.CANCELLED},
    ],
)
def test_without_a_day_ahead_there_is_no_appointment(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="nothing is planned"):
        event(**changes)
    assert confirmation("nl", **planned(planned_date=today())).appointment
