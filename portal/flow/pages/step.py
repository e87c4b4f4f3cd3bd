"""The page of a step, and the frame and form that it shares with the check page."""

from typing import Any

import reflex as rx

from portal import ui
from portal.flow.facts import AnswerContext
from portal.flow.model import NOT_SUBMITTED, Flow, Step
from portal.flow.pages.display import SENT
from portal.flow.pages.ends import already_sent, status_of
from portal.flow.pages.fields import generated, rows_of, summary
from portal.flow.pages.form import DRAFT, PLACE, VERSION
from portal.flow.pages.spec import WARNINGS, FlowPages, StepFields, counter, error_of, is_shown, next_title, number_of
from portal.flow.pages.state import FlowRun
from portal.flow.pages.views import shows_where
from portal.frontend.accounts import amount_row
from portal.frontend.load import FAILED
from portal.frontend.load_views import slow_note
from portal.frontend.session import SessionState
from portal.frontend.texts import refusal
from portal.i18n import Text, _, choice, localized, money
from portal.kernel.codes import MESSAGES, Code
from portal.kernel.texts import COST_NAMES, N_, Cost, CostKind, total
from portal.vocabulary.staff import HiddenNumber

_FIRST_COMPACT = 2
"""Place of the first step beside which the answers so far need the room of the large picture."""


def shown_when_loaded(pages: FlowPages, step: Step, content: rx.Component) -> rx.Component:
    is_current = FlowRun.flow == pages.flow.name
    return rx.cond(
        SessionState.authenticated & is_shown(pages.flow, step),
        content,
        rx.cond(
            is_current & (FlowRun.view_state == SENT),
            already_sent(status=status_of(pages), flow=pages.flow.path),
            rx.cond(is_current & (FlowRun.view_state == FAILED), failed(), loading()),
        ),
    )


def framed(
    flow: Flow,
    step: Step,
    *content: Any,
    above: rx.Component,
    aside: rx.Component,
    wide: bool = False,
    half: bool = False,
) -> rx.Component:
    if half:
        return _page(flow, step, rx.el.div(above, *content, class_name=ui.HALF))
    if wide:
        return _page(flow, step, rx.el.div(above, *content))
    column = ui.column(above, *content)
    compact: dict[str, object] = {"data-compact": ""} if flow.all_steps.index(step) >= _FIRST_COMPACT else {}
    beside = rx.el.aside(
        rx.el.div(aside, class_name=f"{ui.BESIDE} {ui.COMPACT}:[&_.card]:p-4"),
        class_name=f"group/beside max-lg:hidden {ui.FOLLOWS}",
        aria_label=_("Your request"),
        custom_attrs=compact,
    )
    return _page(flow, step, rx.el.div(column, beside, class_name=ui.COLUMNS))


def _page(flow: Flow, step: Step, content: rx.Component) -> rx.Component:
    return ui.page_frame(
        content,
        ui.ahead(FlowRun.ahead[step.name].to(str)),
        back=ui.step_back(FlowRun.back[step.name].to(str), flow.url(flow.check_step), ui.WIDE),
    )


@rx.memo
def loading() -> rx.Component:
    return ui.page_frame(
        ui.skeleton("h-11 w-96 max-w-full appear"), ui.skeleton_cards(3, "h-20"), slow_note(), narrow=True
    )


@rx.memo
def failed() -> rx.Component:
    return ui.page_frame(
        ui.error_block(
            rx.cond(
                FlowRun.problem == Code.INSURANCE_OPTIONS_FAILED.value,
                _(MESSAGES[Code.INSURANCE_OPTIONS_FAILED]),
                _("Your request couldn’t be loaded. Everything you saved is still there."),
            ).to(str),
            on_retry=FlowRun.load,
        ),
        title=_("Something went wrong"),
        narrow=True,
    )


def step_page(pages: FlowPages, step: Step) -> rx.Component:
    flow = pages.flow
    page, fields = pages.of(step), StepFields(step)
    body = page.body(fields) if page.body else generated(fields)
    pages.check_all_taken(fields, "body")
    before = [rx.el.div(page.before(), class_name="max-md:mb-8")] if page.before else []
    return shown_when_loaded(
        pages,
        step,
        framed(
            flow,
            step,
            ui.step_heading(pages.title_of(step), counter(flow, step), number_of(step), FlowRun.total),
            _about(pages, step),
            *before,
            form_of(
                pages,
                step,
                body,
                ui.step_bar(_("Next"), ui.hidden_text(": ", next_title(pages, step)), back_text=_("Save and go back")),
                on_send=FlowRun.next,
                joined=page.before is not None,
            ),
            above=rx.fragment(
                ui.error_summary({entry.name: error_of(entry) for entry in step.fields}, FlowRun.attempt),
                _refused(),
                _changed(),
                dropped_answers(),
                _look_again(step),
            ),
            aside=summary(pages, step),
            wide=page.wide,
            half=page.half,
        ),
    )


def _about(pages: FlowPages, step: Step) -> rx.Component:
    flow = pages.flow
    if pages.subject.chosen is None or step is flow.first_step:
        return rx.fragment()
    name = pages.subject.chosen()
    return ui.text(
        rx.el.span(name, class_name="font-semibold"),
        " ",
        ui.tall_link(_("Change"), to=flow.url(flow.first_step)),
        look="flex flex-wrap items-center gap-x-4 lg:hidden",
        top=4,
        shown=name != "",
    )


def form_of(
    pages: FlowPages, step: Step, *children: rx.Component, on_send: object, joined: bool = False
) -> rx.Component:
    """The form of a step. It is rebuilt when the answers were changed elsewhere."""
    return ui.step_form(
        ui.hidden_field(PLACE, pages.flow.url(step)),
        ui.hidden_field(DRAFT, FlowRun.draft),
        ui.hidden_field(VERSION, FlowRun.version.to_string()),
        *children,
        place=FlowRun.draft + f"/{step.name}/" + FlowRun.marks[step.name].to(str),
        flow=pages.flow.path,
        on_send=on_send,
        answered=FlowRun.answered,
        attempt=FlowRun.attempt,
        saved=FlowRun.alerted.length() > 0,
        lost=rx.Var.create(SessionState.signed_out),
        secrets=[name.value for name in HiddenNumber],
        joined=joined,
    )


def _refused() -> rx.Component:
    return ui.notice_on_failure(
        FlowRun.refusal != "",
        refusal(code=FlowRun.refusal),
        FlowRun.attempt,
        ui.text(_("Everything you filled in is still here."), top=2),
    )


def _changed() -> rx.Component:
    return ui.notice(
        _("This shows what you typed or saved last. Press Next to use it."),
        title=_("This request was changed in another tab"),
        tone="warn",
        announced=True,
        shown=FlowRun.changed,
    )


@rx.memo
def dropped_answers() -> rx.Component:
    labels = rx.foreach(FlowRun.dropped, lambda label: rx.el.li(localized(label)))
    return ui.stack(
        ui.notice(
            rx.el.ul(labels, class_name="list-disc pl-5"),
            title=_("Because of your change, these answers are gone"),
            announced=True,
        ),
        bottom=6,
        shown=FlowRun.dropped.length() > 0,
    )


def _look_again(step: Step) -> rx.Component:
    rows = [
        rx.cond(FlowRun.alerted.contains(entry.name), rx.el.li(choice(FlowRun.warnings[entry.name].to(str), WARNINGS)))
        for entry in step.fields
    ]
    return rx.cond(
        FlowRun.alerted.length() > 0,
        ui.look_again(
            _("Please check this again"),
            rx.el.ul(*rows, class_name="mt-2 list-disc pl-5"),
            ui.text(_("All correct? Then press Next again."), top=2),
            attempt=FlowRun.attempt,
        ),
    )


class FlowCosts(rx.State):
    """The costs of the request, as far as they are known. `total`: their sum in euro; empty if there are none."""

    lines: rx.Field[list[Cost]] = rx.field(default_factory=list)
    total: rx.Field[str] = rx.field("")
    by_mail: rx.Field[bool] = rx.field(False)


@shows_where(FlowCosts, lambda flow: flow.costs is not None)
def _costs(flow: Flow, answers: AnswerContext) -> dict[str, object]:
    costs = flow.costs(answers) if flow.costs else ()
    return {
        "lines": list(costs),
        "total": f"{total(costs):.2f}" if costs else "",
        "by_mail": any(cost.kind is CostKind.CALL_OUT for cost in costs),
    }


_NAMES_BY_KIND = {kind.value: name for kind, name in COST_NAMES.items()}
_PAID_BY_MAIL = _("You pay the call-out fee through a payment request we’ll email you.")


def costs_aside() -> rx.Component:
    return ui.card(
        ui.strong(_("Costs")),
        ui.strong(money(FlowCosts.total), look="text-h3 tabular-nums", top=1),
        shown=FlowCosts.total != "",
    )


def costs_to_check(note: Text | None = None) -> rx.Component:
    rows = rx.foreach(FlowCosts.lines, lambda line: amount_row(choice(line.kind, _NAMES_BY_KIND), line.amount))
    return rx.cond(FlowCosts.total != "", _box(rows, FlowCosts.total, FlowCosts.by_mail, note))


def _box(rows: rx.Component, total: rx.Var[str], by_mail: rx.Var[bool], note: Text | None) -> rx.Component:
    return rx.el.section(
        ui.subheading(_("Costs")),
        rx.el.dl(
            rows,
            rx.el.div(
                rx.el.dt(_("Total"), class_name="font-semibold"),
                rx.el.dd(money(total), class_name="font-semibold tabular-nums"),
                class_name="flex justify-between gap-6 border-t-2 border-ink pt-3",
            ),
            class_name="mt-4 space-y-3",
        ),
        ui.muted(_PAID_BY_MAIL, top=4, shown=by_mail),
        *([ui.muted(note, top=4)] if note is not None else []),
        class_name="card mt-8 max-w-form",
    )


def check_page(pages: FlowPages) -> rx.Component:
    flow = pages.flow
    before_sending = [pages.before_sending()] if pages.before_sending else []
    return shown_when_loaded(
        pages,
        flow.check_step,
        framed(
            flow,
            flow.check_step,
            ui.step_heading(
                _(flow.check_step.title), counter(flow, flow.check_step), number_of(flow.check_step), FlowRun.total
            ),
            ui.text(_("We only receive your request when you press the button."), top=6),
            _warnings(),
            ui.facts(*[row for step in flow.steps for row in rows_of(pages, step)], label=_("Your answers"), top=6),
            *before_sending,
            form_of(
                pages,
                flow.check_step,
                ui.step_bar(binding(_(flow.send) if pages.send is None else pages.send, FlowRun.binds)),
                on_send=FlowRun.send,
            ),
            above=rx.fragment(_not_sent(pages), dropped_answers()),
            aside=summary(pages, flow.check_step),
        ),
    )


def binding(action: Text, binds: rx.Var[bool] | bool = True) -> rx.Var[str]:
    """The text of a button: where a price is due, it says so (Directive 2011/83, article 8)."""
    return rx.cond(binds, _("{action} with obligation to pay", action=action), action).to(str)


def _warnings() -> rx.Component:
    rows = rx.foreach(FlowRun.warnings, lambda entry: rx.el.li(choice(entry[1], WARNINGS)))
    return ui.stack(
        ui.notice(rx.el.ul(rows), title=_("Please check this again"), tone="warn"),
        top=6,
        shown=FlowRun.warnings.length() > 0,
    )


def _not_sent(pages: FlowPages) -> rx.Component:
    failure = pages.failure
    own = _(pages.flow.failure) if failure is None and pages.flow.failure != NOT_SUBMITTED else failure
    return ui.notice_on_failure(
        FlowRun.refusal != "",
        _(NOT_SUBMITTED),
        FlowRun.attempt,
        *([ui.strong(own, top=2)] if own is not None else []),
        ui.text(refusal(code=FlowRun.refusal), top=2),
        *([ui.text(_(pages.flow.advice or N_("Please try again")), top=2)] if failure is None else []),
        ui.text(_("Your answers are safe."), top=2),
    )
