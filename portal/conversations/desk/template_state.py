"""The states of the pages of message templates: the list, and one template in both languages."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import reflex as rx

from portal.contract.account import LocalizedText
from portal.contract.errors import NotFound
from portal.contract.registry import ask
from portal.conversations.api import MessageTemplate, StaffConversationsApi, TemplateChange
from portal.conversations.rules import EXAMPLES, FIELDS, filled
from portal.desk.state import DeskForms, DeskPage
from portal.frontend.accounts import texts_of
from portal.frontend.load import Question, last_part, text_in
from portal.frontend.policies import staff
from portal.kernel.texts import LOCALES, N_, gettext_for
from portal.settings import settings
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.conversations import MOST_CHARACTERS, Asks
from portal.vocabulary.staff import Right

TEMPLATES, NEW = "/templates", "new"
FORM = "template"
"""Name of the form; also the prefix of its fields."""

TEXTS = tuple(f"{part}_{locale}" for locale in LOCALES for part in ("title", "text"))
LONGEST = 2 * MOST_CHARACTERS
"""Most characters of a text that are kept while it is too long to be sent."""


@dataclass(frozen=True, slots=True)
class TemplateLine:
    """A template in the list; `kinds` are values of `CaseKind`, none for all."""

    name: str = ""
    title: dict[str, str] = field(default_factory=dict)
    kinds: list[str] = field(default_factory=list)
    asks: str = Asks.NOTHING.value
    own: bool = False
    hidden: bool = False


class TemplatesPage(DeskPage, rx.State):
    lines: rx.Field[list[TemplateLine]] = rx.field(default_factory=list)

    def _question(self) -> Question[list[MessageTemplate]]:
        return lambda token: ask(StaffConversationsApi).message_templates(token)

    def _show(self, answer: list[MessageTemplate]) -> None:
        self.lines = [_line(template) for template in answer]


class TemplatePage(DeskForms, DeskPage, rx.State):
    """One template, or a new one.

    Attributes:
        template: as stored; without a name for a new one.
    """

    template: rx.Field[TemplateLine] = rx.field(default_factory=TemplateLine)
    typed: rx.Field[dict[str, str]] = rx.field(default_factory=lambda: dict.fromkeys(TEXTS, ""))
    example: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    filled_in: rx.Field[int] = rx.field(0)
    _names: tuple[str, ...] = ()
    _fields: ClassVar[tuple[str, ...]] = tuple(f"{FORM}-{name}" for name in TEXTS)

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[tuple[MessageTemplate | None, list[MessageTemplate]]]:
        about = self._about()

        async def ask_for(token: str) -> tuple[MessageTemplate | None, list[MessageTemplate]]:
            every = await ask(StaffConversationsApi).message_templates(token)
            return _named(every, about), every

        return ask_for

    def _show(self, answer: tuple[MessageTemplate | None, list[MessageTemplate]]) -> None:
        found, every = answer
        self._names = tuple(template.name for template in every)
        self.template = _line(found) if found else TemplateLine()
        self.typed = dict.fromkeys(TEXTS, "")
        if found:
            for locale in LOCALES:
                self.typed[f"title_{locale}"] = found.title.text(locale)
                self.typed[f"text_{locale}"] = found.text.text(locale)
        self._show_example()
        self._forget_errors()

    @rx.event
    @staff(Right.MANAGE_SHOP)
    def write(self, name: str, text: str) -> None:
        """Take over what was typed, when its field is left."""
        if name in TEXTS:
            self.typed[name] = text[:LONGEST]
            self._show_example()

    @rx.event
    @staff(Right.MANAGE_SHOP)
    def insert(self, name: str, part: str) -> None:
        """Put a field at the end of a text."""
        if name in TEXTS and part in FIELDS:
            text = self.typed[name]
            space = "" if not text or text[-1].isspace() else " "
            self.typed[name] = f"{text}{space}{{{part}}}"[:LONGEST]
            self.filled_in += 1
            self._show_example()

    @rx.event(background=True)
    @staff(Right.MANAGE_SHOP)
    async def save(self, form: dict[str, Any]) -> Any:
        async with self:
            stored = self.template.name
            self.typed = {name: _text(form, name) for name in TEXTS}
            self._show_example()
            name = stored or new_name(self.typed["title_en"] or self.typed["title_nl"], self._names)
            typed = dict(self.typed)
        asks = text_in(form, f"{FORM}-asks")
        change = TemplateChange(
            title=LocalizedText(nl=typed["title_nl"], en=typed["title_en"]),
            text=LocalizedText(nl=typed["text_nl"], en=typed["text_en"]),
            asks=Asks(asks) if asks in (Asks.ANSWER, Asks.PHOTO) else Asks.NOTHING,
            kinds=[kind for kind in CaseKind if text_in(form, f"{FORM}-kind-{kind.value}") == "yes"],
            hidden=text_in(form, f"{FORM}-hidden") == "yes",
        )
        answer = await self._answer(
            FORM, lambda token: ask(StaffConversationsApi).change_template(token, name, change), N_("Template saved")
        )
        if answer is None:
            return None
        async with self:
            self.template = _line(answer)
        return None if stored else rx.redirect(TEMPLATES)

    def _show_example(self) -> None:
        self.example = {locale: filled(self.typed[f"text_{locale}"], _examples(locale)) for locale in LOCALES}


def _named(every: list[MessageTemplate], name: str) -> MessageTemplate | None:
    found = next((template for template in every if template.name == name), None)
    if found is None and name != NEW:
        raise NotFound
    return found


def _line(template: MessageTemplate) -> TemplateLine:
    return TemplateLine(
        template.name,
        texts_of(template.title),
        [kind.value for kind in template.kinds],
        template.asks.value,
        template.own,
        template.hidden,
    )


def _text(form: Mapping[str, Any], name: str) -> str:
    value = form.get(f"{FORM}-{name}", "")
    return value[:LONGEST] if isinstance(value, str) else ""


def _examples(locale: Any) -> dict[str, str]:
    """Values of all fields in one language."""
    translated = gettext_for(locale)
    brand = settings().brand.name
    values = {name: translated(value) if value else brand for name, value in EXAMPLES.items()}
    return values | {"store": f"{brand} {EXAMPLES['store']}"}


def new_name(title: str, taken: tuple[str, ...]) -> str:
    """A name for a new template: its title in small letters, with a number if another one has it."""
    plain = unicodedata.normalize("NFKD", title.casefold()).encode("ascii", "ignore").decode()
    stem = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:30] or FORM
    names = (stem, *(f"{stem}-{number}" for number in range(2, 1000)))
    return next(name for name in names if name not in taken and name != NEW)
