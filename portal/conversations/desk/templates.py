"""The pages on which the administrator writes the templates of messages, each in both languages."""

from __future__ import annotations

import reflex as rx

from portal.conversations.desk.template_state import (
    FORM,
    LONGEST,
    NEW,
    TEMPLATES,
    TEXTS,
    TemplateLine,
    TemplatePage,
    TemplatesPage,
)
from portal.conversations.rules import FIELD_LABELS
from portal.desk.forms import box_group, check_box, refused
from portal.desk.registry import SHOP, DeskRoute, NavigationItem
from portal.desk.session import may
from portal.desk.tables import cell, data_table, open_link, table_row
from portal.desk.views import back_line, desk_loaded, desk_page, panel, title
from portal.frontend.messages import field_message
from portal.i18n import Text, _, choice, localized
from portal.kernel.codes import Code
from portal.ui import (
    badge,
    error_summary,
    event_form,
    link_button,
    select_field,
    submit_button,
    text_field,
    text_link,
)
from portal.ui.fields import described, labelled
from portal.vocabulary.cases import CASE_LABELS, CaseKind
from portal.vocabulary.conversations import ASKS_LABELS, Asks
from portal.vocabulary.staff import Right

_LANGUAGES = {"nl": _("Dutch"), "en": _("English")}
_LABELS: dict[str, Text] = {
    "title_nl": _("Name in Dutch"),
    "text_nl": _("Text in Dutch"),
    "title_en": _("Name in English"),
    "text_en": _("Text in English"),
}
_KINDS = [kind for kind in CaseKind if kind is not CaseKind.UNKNOWN]
_ASKS = [(asks.value, _(label)) for asks, label in ASKS_LABELS.items() if asks is not Asks.UNKNOWN]


def templates() -> rx.Component:
    """The list."""
    heads = (_("Name"), _("For"), _("Asks for"), _("Origin"))
    return desk_page(
        desk_loaded(
            TemplatesPage,
            data_table(heads, TemplatesPage.lines, _row, label=_("Message templates")),
            failure=_("The templates couldn’t be loaded."),
        ),
        heading=_("Message templates"),
        beside=link_button(_("Add a template"), f"{TEMPLATES}/{NEW}"),
    )


def _row(line: rx.vars.ObjectVar[TemplateLine]) -> rx.Component:
    kinds = rx.foreach(line.kinds, lambda kind: badge(choice(kind, CASE_LABELS)))
    return table_row(
        cell(
            open_link(localized(line.title), f"{TEMPLATES}/" + line.name.to(str)),
            rx.cond(line.hidden, rx.el.span(" ", badge(_("Not in use"), "warn"))),
        ),
        cell(rx.cond(line.kinds.length() > 0, rx.el.span(kinds, class_name="flex flex-wrap gap-1"), _("All kinds"))),
        cell(choice(line.asks, ASKS_LABELS), label=_("Asks for")),
        cell(rx.cond(line.own, _("Your own text"), _("Came with the portal"))),
        key=line.name,
    )


def template() -> rx.Component:
    """The form, with an example beside it."""
    found, errors = TemplatePage.template, {f"{FORM}-{name}": _error(name) for name in TEXTS}
    return desk_page(
        desk_loaded(TemplatePage, _form(errors), failure=_("The templates couldn’t be loaded.")),
        heading=rx.cond(found.name != "", localized(found.title), _("Add a template")).to(str),
        back=back_line(_("Message templates"), TEMPLATES),
        above=error_summary(errors, TemplatePage.attempt),
        beside=rx.cond(
            may(Right.READ_AUDIT) & (found.name != ""),
            text_link(_("Earlier versions"), rx.Var.create("/audit?reference=").to(str) + found.name.to(str)),
        ),
    )


def _error(name: str) -> rx.Var[str]:
    code = TemplatePage.errors.get(f"{FORM}-{name}", "").to(str)
    return field_message(code, _LABELS[name], Code.TOO_LONG, Code.UNKNOWN_PLACEHOLDER)


def _form(errors: dict[str, rx.Var[str]]) -> rx.Component:
    found = TemplatePage.template
    return event_form(
        *[_language(locale, errors) for locale in _LANGUAGES],
        panel(
            _("Use"),
            rx.el.div(
                select_field(f"{FORM}-asks", _("Asks the customer for"), _ASKS, value=found.asks, width="max-w-60"),
                box_group(
                    f"{FORM}-kinds",
                    _("Use it for"),
                    *[
                        check_box(
                            f"{FORM}-kind-{kind.value}",
                            _(CASE_LABELS[kind]),
                            checked=found.kinds.contains(kind.value),
                        )
                        for kind in _KINDS
                    ],
                    hint=_("Choose none to use it for all kinds"),
                    columns="sm:grid-cols-3",
                ),
                check_box(f"{FORM}-hidden", _("Stop using this template"), checked=found.hidden),
                class_name="space-y-4",
            ),
        ),
        refused(TemplatePage, FORM),
        submit_button(_("Save the template"), wide=False),
        on_send=TemplatePage.save,
        answered=TemplatePage.answered,
        key=found.name,
        class_name="space-y-4",
    )


def _language(locale: str, errors: dict[str, rx.Var[str]]) -> rx.Component:
    """Title and text in one language, and how the customer gets it."""
    name, text = f"title_{locale}", f"text_{locale}"
    field = f"{FORM}-{text}"
    area = rx.el.textarea(
        name=field,
        default_value=TemplatePage.typed[text],
        rows="9",
        max_length=LONGEST,
        on_blur=TemplatePage.write(text),
        key=TemplatePage.filled_in.to(str),
        lang=locale,
        class_name="field w-full",
        custom_attrs=described(field, None, errors[field], required=True),
    )
    buttons = [
        rx.el.button(
            _(label),
            type="button",
            on_click=TemplatePage.insert(text, part),
            class_name="chip",
            custom_attrs={"title": f"{{{part}}}"},
        )
        for part, label in FIELD_LABELS.items()
    ]
    example = rx.el.div(
        rx.el.h3(_("Example"), class_name="font-semibold"),
        rx.el.p(
            TemplatePage.example[locale],
            class_name="mt-2 whitespace-pre-line rounded-control bg-paper-2 p-3 wrap-anywhere",
            lang=locale,
        ),
    )
    return panel(
        _LANGUAGES[locale],
        rx.el.div(
            rx.el.div(
                text_field(
                    f"{FORM}-{name}",
                    _LABELS[name],
                    error=errors[f"{FORM}-{name}"],
                    value=TemplatePage.typed[name],
                    max_length=100,
                    lang=locale,
                ),
                labelled(field, _LABELS[text], area, error=errors[field]),
                rx.el.div(
                    rx.el.p(_("Add this at the end of the text:"), class_name="text-sm text-ink-600"),
                    rx.el.div(*buttons, class_name="mt-1 flex flex-wrap gap-1.5 text-sm"),
                    role="group",
                    aria_label=_("Fields"),
                ),
                class_name="space-y-3",
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
