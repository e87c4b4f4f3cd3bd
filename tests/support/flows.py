"""Every flow with answers to fill in, and a customer who walks through it in a browser."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from playwright.sync_api import FilePayload, Page, expect

from portal.domain.flow import Control, Flow, Step
from portal.flows import FLOWS
from portal.texts import catalogue
from tests.support.browser import Visitor
from tests.support.files import film, jpg
from tests.support.server import PortalServer

FIRST = "*"
"""Stands for the first card that can be chosen."""
FILES = "<files>"
"""Stands for a photo and a film that are uploaded."""
UPLOADED: tuple[FilePayload, ...] = (
    {"name": "schade voor.jpg", "mimeType": "image/jpeg", "buffer": jpg()},
    {"name": "geluid.mp4", "mimeType": "video/mp4", "buffer": film()},
)
PHOTOS = "<photos>"
"""Stands for a photo that is uploaded."""
_CHOSEN = {FILES: UPLOADED, PHOTOS: UPLOADED[:1]}
Values = Mapping[str, str | Sequence[str]]


@dataclass(frozen=True)
class FlowCase:
    """A flow and what a customer answers.

    Attributes:
        flow: the declaration.
        customer: order number and e-mail address of somebody who can start it.
        answers: values by field, by slug of the step.
        wrong: values that are refused, by slug.
        other: slug of a step, and answers of one value to it that are right as well.
        extra: a customer whose way has an extra question, the answers to it, and to other steps where theirs differ.
        closed: customers who cannot begin, and what they are told.
    """

    flow: Flow
    customer: tuple[str, str]
    answers: Mapping[str, Values]
    wrong: Mapping[str, Values]
    other: tuple[str, Mapping[str, str]]
    extra: tuple[tuple[str, str], Mapping[str, Values]] | None = None
    closed: Mapping[tuple[str, str], str] = field(default_factory=lambda: NO_BIKE)

    @property
    def steps(self) -> list[Step]:
        """The questions of the way without extra ones."""
        return [step for step in self.flow.questions if step.slug in self.answers]

    def steps_before(self, slug: str) -> list[Step]:
        """The questions of the way that come before this one."""
        slugs = [step.slug for step in self.flow.questions]
        return [step for step in self.steps if slugs.index(step.slug) < slugs.index(slug)]

    def steps_after(self, slug: str) -> list[Step]:
        """The questions of the way that come after this one."""
        slugs = [step.slug for step in self.flow.questions]
        return [step for step in self.steps if slugs.index(step.slug) > slugs.index(slug)]

    def typed(self, step: Step) -> list[str]:
        """The fields of a step into which the customer types."""
        texts = {Control.LINE, Control.AREA, Control.DIGITS}
        return [entry.name for entry in step.fields if entry.control in texts and entry.name in self.answers[step.slug]]

    def __str__(self) -> str:
        return self.flow.name


NOOR = ("900000005", "noor@example.com")
PIN = (("900000003", "amber@example.com"), {"pincode-step": {"pin_known": "known", "pin_code": "48 17"}})
"""Somebody whose bike has a pin code."""
NO_BIKE = {
    ("900000002", "joris@example.com"): "Er loopt al een aanvraag voor deze fiets.",
    ("900000008", "eva@example.com"): "We vinden deze fiets niet in je account.",
}
PHOTO = "photo.jpg"
SEND = "main form:not([role=search]) button[type=submit]"
"""The button of a step, beside which a step may have a search of its own."""
TEXT = "Bij het wegfietsen hoor ik een tikkend geluid."
CASES = (
    FlowCase(
        FLOWS["repair-request"],
        NOOR,
        {
            "step-1": {"bike": FIRST},
            "step-2": {"parts": ["chain", "brakes"], "details_chain": TEXT, "details_brakes": f"{TEXT} Ook bij regen."},
            "step-3": {"maintenance": "known", "maintenance_month": "mrt", "maintenance_year": "2024"},
            "step-4": {"photos": FILES},
            "step-5": {"address": "known", "phone": "06 12345678"},
            "step-6": {"location": FIRST},
            "step-7": {"handover": "bring"},
        },
        wrong={
            "step-1": {},
            "step-2": {"parts": ["saddle"], "details_saddle": "te kort"},
            "step-3": {"maintenance": "known", "maintenance_month": "13", "maintenance_year": "2024"},
            "step-4": {},
            "step-5": {"address": "known", "phone": "12"},
            "step-6": {},
            "step-7": {},
        },
        other=("step-3", {"maintenance_year": "2025"}),
        extra=PIN,
    ),
    FlowCase(
        FLOWS["claim-request"],
        NOOR,
        {
            "step-1": {"bike": FIRST},
            "step-2": {"parts": ["wheels", "frame"]},
            "step-3": {"insurer": "Fietspolis Direct", "policy_number": "fp 2044.881"},
            "step-4": {"cause": "Een auto reed achteruit tegen mijn fiets, op het Stationsplein."},
            "step-5": {"handling": "now"},
            "step-6": {"photos": PHOTOS},
            "step-7": {"method": "account", "account_holder": "N. Haddad", "iban": "nl91 abna 0417 1643 00"},
        },
        wrong={
            "step-1": {},
            "step-2": {},
            "step-3": {"insurer": "Fietspolis Direct", "policy_number": "geen"},
            "step-4": {"cause": "te kort"},
            "step-5": {},
            "step-6": {},
            "step-7": {"method": "account", "account_holder": "N. Haddad", "iban": "NL91 ABNA 0417 1643 01"},
        },
        other=("step-3", {"insurer": "Andere verzekeraar"}),
        extra=(PIN[0], {**PIN[1], "step-3": {"policy_number": "P123456789"}}),
    ),
    FlowCase(
        FLOWS["service-request"],
        ("900000001", "sanne@example.com"),
        {
            "step-1": {"bike": FIRST},
            "step-2": {"job": "2"},
            "step-3": {
                "address": "other",
                "country_code": "NL",
                "post_code": "3523 ab",
                "house_number": "12",
                "street": "Balijelaan",
                "city": "Utrecht",
                "phone": "030 231 1234",
            },
            "step-4": {"location": FIRST, "handover": "bring"},
        },
        wrong={
            "step-1": {},
            "step-2": {},
            "step-3": {"address": "other", "country_code": "NL", "post_code": "12", "house_number": "twaalf"},
            "step-4": {},
        },
        other=("step-3", {"phone": "030 231 1235"}),
        extra=(PIN[0], {"pincode-step": {"pin_known": "unknown"}}),
    ),
)


class Walk:
    """A customer in one tab of one flow."""

    def __init__(self, visitor: Visitor, case: FlowCase, page: Page | None = None) -> None:
        self.visitor = visitor
        self.case = case
        self.flow = case.flow
        self.page = page or visitor.page()

    def say(self, text: str) -> str:
        """A text in the language of the visitor."""
        return catalogue("portal", "en" if self.visitor.language == "en" else "nl").gettext(text)

    @property
    def button(self):
        """The button that goes on or sends."""
        return self.page.locator(SEND)

    def open(self, step: Step | str, query: str = "") -> None:
        """Open a page of the flow by its address."""
        self.page.goto(self.flow.url(step) + query)

    def start(self) -> None:
        """From the first page to the first question."""
        self.open("")
        self.page.get_by_role("button", name=self.say("Start"), exact=True).click()
        self.at(self.case.steps[0])

    def at(self, step: Step | str) -> None:
        """Wait until a step is shown."""
        found = step if isinstance(step, Step) else self.flow.step(step)
        assert found
        expect(self.page).to_have_url(re.compile(re.escape(self.flow.url(found)) + r"(\?.*)?$"))
        expect(self.page.locator("h1")).to_have_text(self.say(found.title))
        if found.fields:
            controls = ", ".join(f'[name="{field.name}"]' for field in found.fields)
            expect(self.page.locator(controls).first).to_be_attached()

    def fill(self, values: Values) -> None:
        """Choose and type, as the fields want it."""
        for name, value in values.items():
            controls = self.page.locator(f'[name="{name}"]')
            if controls.first.evaluate("e => e.tagName") == "SELECT":
                controls.select_option(str(value))
                continue
            kind = controls.first.get_attribute("type")
            if kind == "file":
                files = _CHOSEN[str(value)]
                rows = self.page.locator("main li[data-state=done]")
                if not rows.count():
                    controls.first.set_input_files(list(files))
                expect(rows).to_have_count(len(files))
            elif kind in {"radio", "checkbox"}:
                for chosen in [value] if isinstance(value, str) else value:
                    one = controls.first if chosen == FIRST else controls.and_(self.page.locator(f'[value="{chosen}"]'))
                    one.check()
            else:
                controls.fill(str(value))

    def values(self, *names: str) -> dict[str, object]:
        """What stands in the fields."""
        return self.page.evaluate(
            """names => Object.fromEntries(names.map(name => {
                const all = [...document.querySelectorAll(`[name="${name}"]`)];
                if (all[0]?.type === 'file')
                    return [name, [...document.querySelectorAll('main li[data-state=done]')].map(row => row.innerText)];
                const choice = all[0] && ['radio', 'checkbox'].includes(all[0].type);
                return [name, choice ? all.filter(one => one.checked).map(one => one.value) : all[0]?.value];
            }))""",
            list(names),
        )

    def next(self) -> None:
        """Press the button."""
        self.button.click()

    def answer(self, slug: str, values: Values | None = None) -> None:
        """Fill in a step, as the case says or with other values, and go on."""
        step = self.flow.step(slug)
        assert step
        self.at(step)
        self.fill(self.case.answers[slug] if values is None else values)
        self.next()

    def until(self, slug: str) -> None:
        """From the first page to this step."""
        self.start()
        for step in self.case.steps:
            if step.slug == slug:
                break
            self.answer(step.slug)
        self.at(slug)

    def to_check(self) -> None:
        """From the first page to the check page."""
        self.until(self.flow.check.slug)


Walking = Callable[..., Walk]
"""Begins a walk: `walk(language="en", width=375, customer=…)`."""


def database(server: PortalServer) -> sqlite3.Connection:
    """The database of a running portal."""
    connection = sqlite3.connect(server.data_dir / "portal.db", timeout=10, isolation_level=None)
    connection.execute("PRAGMA foreign_keys=ON")
    return connection


def forget_requests(server: PortalServer) -> None:
    """As if nobody had ever begun or sent anything through a flow."""
    connection = database(server)
    connection.execute("DELETE FROM uploads")
    connection.execute("DELETE FROM drafts")
    connection.execute("DELETE FROM requests WHERE draft_key IS NOT NULL")
    connection.execute("DELETE FROM work_order_events WHERE request_id NOT IN (SELECT id FROM requests)")
    connection.close()


def count(server: PortalServer, table: str, condition: str = "1") -> int:
    """How many rows there are."""
    connection = database(server)
    found = connection.execute(f"SELECT count(*) FROM {table} WHERE {condition}").fetchone()[0]  # noqa: S608
    connection.close()
    return found
