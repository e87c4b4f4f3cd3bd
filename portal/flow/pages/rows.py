"""The answers of a step as rows, for the check page and for the column beside the steps."""

from __future__ import annotations

from dataclasses import replace

import reflex as rx

from portal.flow.model import Field, Step
from portal.flow.pages.fields import answer, answers, files_shown
from portal.flow.pages.form import CHANGE
from portal.flow.pages.spec import FlowPages, StepFields
from portal.flow.pages.state import FlowRun
from portal.flow.rules import Files, Kilometres, OneOf, SomeOf
from portal.i18n import _, choice, distance
from portal.ui import Fact


def rows_of(pages: FlowPages, step: Step) -> list[Fact]:
    page, fields = pages.of(step), StepFields(step)
    rows = page.rows(fields) if page.rows else [row_of(entry) for entry in fields]
    pages.check_all_taken(fields, "row")
    on_path = FlowRun.path.contains(step.name)
    change = f"{pages.flow.url(step)}?{CHANGE}=1"
    return [replace(row, change=change, shown=on_path if row.shown is None else on_path & row.shown) for row in rows]


def row_of(entry: Field) -> Fact:
    return Fact(_(entry.label), _value(entry), shown=FlowRun.asked.contains(entry.name))


def _value(entry: Field) -> rx.Component:
    given = answer(entry.name)
    if isinstance(entry.rule, Files):
        return rx.cond(answers(entry.name).length() == 0, _("Not filled in"), files_shown(entry.name))
    if isinstance(entry.rule, SomeOf):
        texts = dict(entry.rule.options)
        return rx.el.ul(rx.foreach(answers(entry.name), lambda value: rx.el.li(choice(value, texts))))
    if isinstance(entry.rule, OneOf):
        shown: rx.Var[str] = choice(given, dict(entry.rule.options))
    elif isinstance(entry.rule, Kilometres):
        shown = distance(given)
    else:
        shown = given
    return rx.el.span(
        rx.cond(given == "", _("Not filled in"), shown) if entry.optional else shown,
        class_name="whitespace-pre-line",
    )
