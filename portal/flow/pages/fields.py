"""Form fields built from their declaration. A step without a body shows all of them; a body can use them one by one."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import reflex as rx
from reflex.vars import ArrayVar

from portal import ui
from portal.flow.model import Control, Field, Step
from portal.flow.pages.form import CHANGE
from portal.flow.pages.phone_code import phone_code
from portal.flow.pages.spec import FlowPages, Intro, StepFields, error_of
from portal.flow.pages.state import FlowRun
from portal.flow.rules import Files, Kilometres, OneOf, SomeOf, Words
from portal.frontend.file_views import FileView, file_tiles, upload_field
from portal.frontend.load_views import help_card
from portal.i18n import Text, _, choice, decimal, distance, ngettext
from portal.vocabulary.staff import CONCEALED, HiddenNumber


def files_asked(entry: Field, rule: Files) -> rx.Component:
    return rx.fragment(_files_here(entry, rule), phone_code(entry.name))


def _files_here(entry: Field, rule: Files) -> rx.Component:
    return declared_upload(
        entry,
        rule,
        draft=FlowRun.draft,
        known=files_of(entry.name),
        error=error_of(entry),
        on_changed=FlowRun.files_changed,
        optional=True if entry.optional else FlowRun.optional.contains(entry.name),
        described_by=ui.QUESTION,
        roomy=True,
    )


def declared_upload(entry: Field, rule: Files, **where: Any) -> rx.Component:
    return upload_field(
        entry.name,
        _(entry.label),
        hint=_(entry.hint) if entry.hint else None,
        kinds=rule.kinds,
        minimum=rule.minimum,
        maximum=rule.maximum,
        **where,
    )


def files_of(name: str) -> rx.vars.ArrayVar[list[FileView]]:
    return FlowRun.files[name].to(list[FileView])


def files_shown(name: str) -> rx.Component:
    files = files_of(name)
    count = ngettext("{n} file", "{n} files", files.length())
    return rx.fragment(rx.el.span(count), file_tiles(files))


_INPUTS: dict[Control, dict[str, Any]] = {
    Control.LINE: {},
    Control.DIGITS: {"input_mode": "numeric", "width": "max-w-48"},
    Control.DECIMAL: {"input_mode": "decimal", "width": "max-w-48"},
    Control.PHONE: {"kind": "tel", "width": "max-w-80"},
    Control.EMAIL: {"kind": "email"},
}


_HIDDEN = frozenset(HiddenNumber)


def answer(name: str) -> rx.Var[str]:
    return FlowRun.texts[name].to(str)


def answers(name: str) -> ArrayVar[list[str]]:
    return FlowRun.lists[name].to(list[str])


def generated(fields: StepFields) -> rx.Component:
    """All fields of a step in a column. The heading of the page is the legend of a single group of choices."""
    single = len(fields) == 1
    return rx.fragment(*[asked(entry, named_by_heading=single) for entry in fields])


def asked(entry: Field, *, named_by_heading: bool = False, **props: Any) -> rx.Component:
    label = _(entry.label)
    common: dict[str, Any] = {"hint": _hint(entry), "error": error_of(entry)}
    rule = entry.rule
    if isinstance(rule, Files):
        return files_asked(entry, rule)
    if entry.control is Control.AREA and isinstance(rule, Words):
        common |= {"minimum": rule.minimum, "maximum": rule.maximum, "value": answer(entry.name)}
        common |= {"optional": None if callable(entry.optional) else entry.optional}
        begun = [ui.Suggestion(entry.name, _(text)) for text in entry.suggestions]
        offered = [ui.suggestions(begun)] if begun else []
        return rx.fragment(*offered, ui.text_area(entry.name, label, **common, **props))
    if entry.control is Control.SELECT and isinstance(rule, OneOf):
        options: list[tuple[str, Text]] = [(value, _(text)) for value, text in rule.options.items()]
        common |= {"value": answer(entry.name), "placeholder": _("Make a choice"), "optional": entry.optional}
        return ui.select_field(entry.name, label, options, **common, **props)
    if isinstance(rule, OneOf | SomeOf):
        cards = rx.fragment(*[option_of(entry, value, _(text), **props) for value, text in rule.options.items()])
        return group(entry, cards, legend=None if named_by_heading else label)
    settings: dict[str, Any] = {
        **_INPUTS[entry.control],
        **common,
        "value": decimal(answer(entry.name)) if entry.control is Control.DECIMAL else answer(entry.name),
        "optional": entry.optional,
    }
    return ui.text_field(entry.name, label, autocomplete=entry.autocomplete, **{**settings, **props})


def _hint(entry: Field) -> Text | None:
    own = _(entry.hint) if entry.hint else None
    if entry.name not in _HIDDEN:
        return own
    dots = _("Already filled in; type a new number to change it")
    return rx.cond(answer(entry.name) == CONCEALED, dots, "" if own is None else own).to(str)


def option_of(
    entry: Field, value: str, text: Text, note: Text | None = None, price: Text | None = None, **props: Any
) -> rx.Component:
    chosen = answers(entry.name).contains(value) if entry.rule.several else answer(entry.name) == value
    kind = "checkbox" if entry.rule.several else "radio"
    return ui.option_card(entry.name, ui.Option(value, text, note, price), kind=kind, checked=chosen, **props)


def group(entry: Field, cards: rx.Component, *, legend: Text | None, columns: str = "sm:grid-cols-2") -> rx.Component:
    error = error_of(entry)
    attributes: dict[str, Any] = {"aria-describedby": rx.cond(error != "", f"{entry.name}-error", "")}
    if legend is None:
        attributes["aria-labelledby"] = ui.QUESTION
    return rx.el.fieldset(
        *([rx.el.legend(legend, class_name="mb-1 font-semibold")] if legend is not None else []),
        *([ui.text(_(entry.hint), look="text-ink-500")] if entry.hint else []),
        ui.strong(
            ui.hidden_text(_("Error: ")),
            error,
            custom_attrs={"id": f"{entry.name}-error"},
            look="my-1 text-err",
            shown=error != "",
        ),
        rx.el.div(cards, class_name=f"mt-3 grid gap-3 {columns}"),
        custom_attrs=attributes,
    )


def rows_of(pages: FlowPages, step: Step) -> list[ui.Fact]:
    page, fields = pages.of(step), StepFields(step)
    rows = page.rows(fields) if page.rows else [row_of(entry) for entry in fields]
    pages.check_all_taken(fields, "row")
    on_path = FlowRun.path.contains(step.name)
    change = f"{pages.flow.url(step)}?{CHANGE}=1"
    return [replace(row, change=change, shown=on_path if row.shown is None else on_path & row.shown) for row in rows]


def row_of(entry: Field) -> ui.Fact:
    return ui.Fact(_(entry.label), _value(entry), shown=FlowRun.asked.contains(entry.name))


def _value(entry: Field) -> rx.Component:
    given = answer(entry.name)
    if isinstance(entry.rule, Files):
        return rx.cond(answers(entry.name).length() == 0, _("Not filled in"), files_shown(entry.name))
    if isinstance(entry.rule, SomeOf):
        texts = dict(entry.rule.options)
        return ui.item_list(answers(entry.name), lambda value: rx.el.li(choice(value, texts)))
    if isinstance(entry.rule, OneOf):
        shown: rx.Var[str] = choice(given, dict(entry.rule.options))
    elif isinstance(entry.rule, Kilometres):
        shown = distance(given)
    else:
        shown = given
    return rx.el.span(
        rx.cond(given == "", _("Not filled in"), shown) if entry.optional else shown, class_name="whitespace-pre-line"
    )


def summary(pages: FlowPages, step: Step) -> rx.Component:
    """What the customer chose and answered before a step."""
    flow = pages.flow
    subject = [pages.aside()] if pages.aside else []
    if step is flow.first_step:
        before = notes_card(pages.intro())
    elif step is flow.check_step:
        before = _ahead(pages.intro())
    else:
        before = [_answers_of(pages)(before=flow.steps.index(step))]
    return rx.fragment(_help(), *subject, *before)


def notes_card(intro: Intro) -> list[rx.Component]:
    if intro.heading is None:
        return []
    rows = [note if isinstance(note, rx.Component) else rx.el.li(note) for note in intro.notes]
    return [
        ui.card(
            ui.subheading(intro.heading),
            rx.el.ul(*rows, class_name="mt-3 list-disc space-y-1 pl-5"),
            *[ui.text(text, top=4) for text in intro.closing],
        )
    ]


def _ahead(intro: Intro) -> list[rx.Component]:
    if intro.phases is None:
        return []
    return [ui.card(ui.subheading(_("What happens next")), ui.stack(intro.phases(), top=4))]


@cache
def _answers_of(pages: FlowPages) -> Callable[..., rx.Component]:
    """The answers so far, with links to change them. As a memo, they are one script file for all steps of a flow."""

    def answers_so_far(before: rx.vars.NumberVar[int]) -> rx.Component:
        shown = [
            ui.when(before > place, *[_row(fact) for fact in rows_of(pages, step)])
            for place, step in enumerate(pages.flow.steps)
        ]
        return ui.card(
            ui.subheading(_("Your answers so far")), rx.el.dl(*shown, class_name="mt-2 divide-y divide-line")
        )

    name = f"{pages.flow.name}_answers".replace("-", "_")
    answers_so_far.__module__ = f"portal.pages.{name}"
    answers_so_far.__name__ = answers_so_far.__qualname__ = name
    return rx.memo(answers_so_far)


_IN_ONE_LINE = "[&_li]:inline [&_li:not(:last-child)]:after:content-[',_']"
"""CSS classes of an answer that may be a list."""


def _row(fact: ui.Fact) -> rx.Component:
    row = rx.el.div(
        rx.el.dt(fact.name, class_name="max-w-2/5 shrink-0 truncate text-sm text-ink-600"),
        rx.el.dd(
            rx.el.div(fact.value, class_name=f"line-clamp-1 min-w-0 wrap-anywhere tabular-nums {_IN_ONE_LINE}"),
            rx.el.a(
                _("Change"),
                ui.hidden_text(" ", fact.name),
                to=fact.change or "",
                class_name=f"{ui.LINK} inline-flex min-h-6 shrink-0 items-center",
            ),
            class_name="flex min-w-0 grow items-center justify-between gap-4",
        ),
        class_name="flex items-center gap-3 py-1.5",
    )
    return row if fact.shown is None else rx.cond(fact.shown, row)


@rx.memo
def _help() -> rx.Component:
    return help_card(FlowRun.draft)
