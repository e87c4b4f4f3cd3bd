"""The pages on which the administrator writes the templates of messages, each in both languages."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any, ClassVar

import reflex as rx

from portal import ui
from portal.contract.account import LocalizedText
from portal.contract.errors import NotFound
from portal.contract.registry import ask
from portal.conversations.api import MessageTemplate, StaffConversationsApi, TemplateChange
from portal.conversations.rules import EXAMPLES, FIELD_LABELS, FIELDS, filled
from portal.desk.forms import box_group, check_box, desk_form, field_errors
from portal.desk.registry import SHOP, DeskRoute, NavigationItem
from portal.desk.session import may
from portal.desk.state import DeskForms, DeskPage
from portal.desk.tables import cell, data_table, open_link, table_row
from portal.desk.views import back_line, desk_loaded, desk_page, panel, title
from portal.frontend.load import Question, last_part, text_in
from portal.frontend.policies import staff
from portal.i18n import Text, _, choice, localized
from portal.kernel.codes import Code
from portal.kernel.texts import LOCALES, N_, gettext_for
from portal.settings import settings
from portal.vocabulary.cases import ASKS_LABELS, CASE_LABELS, MAX_CHARACTERS, Asks, CaseKind
from portal.vocabulary.staff import Right

TEMPLATES, NEW = "/templates", "new"
FORM = "template"
"""Name of the form; also the prefix of its fields."""

TEXTS = tuple(f"{part}_{locale}" for locale in LOCALES for part in ("title", "text"))
MAX_TYPED = 2 * MAX_CHARACTERS
"""Most characters of a text that are kept while it is too long to be sent."""


class TemplatesPage(DeskPage, rx.State):
    lines: rx.Field[list[MessageTemplate]] = rx.field(default_factory=list)

    def _question(self) -> Question[list[MessageTemplate]]:
        return lambda token: ask(StaffConversationsApi).message_templates(token)

    def _show(self, answer: list[MessageTemplate]) -> None:
        self.lines = answer


class TemplatePage(DeskForms, DeskPage, rx.State):
    """One template, or a new one. `template`: as stored; None for a new one."""

    template: rx.Field[MessageTemplate | None] = rx.field(None)
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
        self.template = found
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
        if name in TEXTS:
            self.typed[name] = text[:MAX_TYPED]
            self._show_example()

    @rx.event
    @staff(Right.MANAGE_SHOP)
    def insert(self, name: str, part: str) -> None:
        if name in TEXTS and part in FIELDS:
            text = self.typed[name]
            space = "" if not text or text[-1].isspace() else " "
            self.typed[name] = f"{text}{space}{{{part}}}"[:MAX_TYPED]
            self.filled_in += 1
            self._show_example()

    @rx.event(background=True)
    @staff(Right.MANAGE_SHOP)
    async def save(self, form: dict[str, Any]) -> Any:
        async with self:
            stored = self.template.name if self.template else ""
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
            self.template = answer
        return None if stored else rx.redirect(TEMPLATES)

    def _show_example(self) -> None:
        self.example = {locale: filled(self.typed[f"text_{locale}"], _examples(locale)) for locale in LOCALES}


def _named(every: list[MessageTemplate], name: str) -> MessageTemplate | None:
    found = next((template for template in every if template.name == name), None)
    if found is None and name != NEW:
        raise NotFound
    return found


def _text(form: Mapping[str, Any], name: str) -> str:
    value = form.get(f"{FORM}-{name}", "")
    return value[:MAX_TYPED] if isinstance(value, str) else ""


def _examples(locale: Any) -> dict[str, str]:
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


_LANGUAGES = {"nl": _("Dutch"), "en": _("English")}
_LABELS: dict[str, Text] = {
    f"{FORM}-title_nl": _("Name in Dutch"),
    f"{FORM}-text_nl": _("Text in Dutch"),
    f"{FORM}-title_en": _("Name in English"),
    f"{FORM}-text_en": _("Text in English"),
}
_KINDS = [kind for kind in CaseKind if kind is not CaseKind.UNKNOWN]
_ASKS = [(asks.value, _(label)) for asks, label in ASKS_LABELS.items() if asks is not Asks.UNKNOWN]


def templates() -> rx.Component:
    heads = (_("Name"), _("For"), _("Asks for"), _("Origin"))
    return desk_page(
        desk_loaded(
            TemplatesPage,
            data_table(heads, TemplatesPage.lines, _row, label=_("Message templates")),
            failure=_("The templates couldn’t be loaded."),
        ),
        heading=_("Message templates"),
        beside=ui.link_button(_("Add a template"), f"{TEMPLATES}/{NEW}"),
    )


def _row(line: rx.vars.ObjectVar[MessageTemplate]) -> rx.Component:
    kinds = line.kinds.to(list[str])
    badges = rx.foreach(kinds, lambda kind: ui.badge(choice(kind, CASE_LABELS)))
    return table_row(
        cell(
            open_link(localized(line.title), f"{TEMPLATES}/" + line.name.to(str)),
            rx.cond(line.hidden, rx.el.span(" ", ui.badge(_("Not in use"), "warn"))),
        ),
        cell(rx.cond(kinds, rx.el.span(badges, class_name="flex flex-wrap gap-1"), _("All kinds"))),
        cell(choice(line.asks, ASKS_LABELS), label=_("Asks for")),
        cell(rx.cond(line.own, _("Your own text"), _("Came with the portal"))),
        key=line.name,
    )


def template() -> rx.Component:
    found, errors = TemplatePage.template, field_errors(TemplatePage, _LABELS, Code.TOO_LONG, Code.UNKNOWN_PLACEHOLDER)
    return desk_page(
        desk_loaded(TemplatePage, _form(errors), failure=_("The templates couldn’t be loaded.")),
        heading=rx.cond(found, localized(found.title), _("Add a template")).to(str),
        back=back_line(_("Message templates"), TEMPLATES),
        above=ui.error_summary(errors, TemplatePage.attempt),
        beside=ui.text_link(
            _("Earlier versions"),
            rx.Var.create("/audit?reference=").to(str) + found.name.to(str),
            shown=may(Right.READ_AUDIT) & found.bool(),
        ),
    )


def _form(errors: dict[str, rx.Var[str]]) -> rx.Component:
    found = TemplatePage.template
    return desk_form(
        TemplatePage,
        *[_language(locale, errors) for locale in _LANGUAGES],
        panel(
            _("Use"),
            ui.stack(
                ui.select_field(
                    f"{FORM}-asks",
                    _("Asks the customer for"),
                    _ASKS,
                    value=rx.cond(found, found.asks, Asks.NOTHING.value).to(str),
                    width="max-w-60",
                ),
                box_group(
                    f"{FORM}-kinds",
                    _("Use it for"),
                    *[
                        check_box(
                            f"{FORM}-kind-{kind.value}",
                            _(CASE_LABELS[kind]),
                            checked=rx.cond(found, found.kinds, []).to(list[str]).contains(kind.value),
                        )
                        for kind in _KINDS
                    ],
                    hint=_("Choose none to use it for all kinds"),
                    columns="sm:grid-cols-3",
                ),
                check_box(f"{FORM}-hidden", _("Stop using this template"), checked=rx.cond(found, found.hidden, False)),
                gap=4,
            ),
        ),
        on_send=TemplatePage.save,
        send=_("Save the template"),
        name=FORM,
        key=rx.cond(found, found.name, "").to(str),
    )


def _language(locale: str, errors: dict[str, rx.Var[str]]) -> rx.Component:
    name, text = f"title_{locale}", f"text_{locale}"
    name_field, field = f"{FORM}-{name}", f"{FORM}-{text}"
    area = rx.el.textarea(
        name=field,
        default_value=TemplatePage.typed[text],
        rows="9",
        max_length=MAX_TYPED,
        on_blur=TemplatePage.write(text),
        key=TemplatePage.filled_in.to(str),
        lang=locale,
        class_name="field w-full",
        custom_attrs=ui.described(field, None, errors[field], required=True),
    )
    buttons = [
        ui.chip(_(label), on_click=TemplatePage.insert(text, part), custom_attrs={"title": f"{{{part}}}"})
        for part, label in FIELD_LABELS.items()
    ]
    example = rx.el.div(
        rx.el.h3(_("Example"), class_name="font-semibold"),
        ui.text(
            TemplatePage.example[locale],
            look="whitespace-pre-line rounded-control bg-paper-2 p-3 wrap-anywhere",
            top=2,
            lang=locale,
        ),
    )
    return panel(
        _LANGUAGES[locale],
        rx.el.div(
            ui.stack(
                ui.text_field(
                    name_field,
                    _LABELS[name_field],
                    error=errors[name_field],
                    value=TemplatePage.typed[name],
                    max_length=100,
                    lang=locale,
                ),
                ui.labelled(field, _LABELS[field], area, error=errors[field]),
                rx.el.div(
                    ui.small(_("Add this at the end of the text:")),
                    rx.el.div(*buttons, class_name="mt-1 flex flex-wrap gap-1.5 text-sm"),
                    role="group",
                    aria_label=_("Fields"),
                ),
                gap=3,
            ),
            example,
            class_name="grid gap-4 lg:grid-cols-2",
        ),
    )


NAVIGATION = (NavigationItem(_("Message templates"), TEMPLATES, SHOP, Right.MANAGE_SHOP),)

PAGES = [
    DeskRoute(TEMPLATES[1:], templates, title(_("Message templates")), on_load=[TemplatesPage.load]),
    DeskRoute(f"{TEMPLATES[1:]}/[template]", template, title(_("Message templates")), on_load=[TemplatePage.load]),
]
