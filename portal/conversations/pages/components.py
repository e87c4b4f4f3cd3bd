"""The conversation on the page of a request: the messages, what is asked, and the form for an answer."""

import reflex as rx

from portal import ui
from portal.conversations.api import DoneForCustomer
from portal.conversations.flow import ANSWER, FILES_FIELD
from portal.conversations.pages.state import DRAFT, TEXT, AnswerForm, Conversing, ShownConversation, ShownMessage
from portal.flow.rules import Files
from portal.frontend.file_views import file_list, upload_field
from portal.frontend.texts import field_message
from portal.i18n import _, choice, localized, moment
from portal.kernel.codes import MESSAGES, Code
from portal.vocabulary.cases import MAX_CHARACTERS, REQUEST_PAGE, Asks

PLACE = "messages"
_PROBLEMS = (Code.CASE_CLOSED, Code.ANSWER_EXPIRED, Code.TOO_MANY_REQUESTS, Code.NETWORK_ERROR, Code.GENERAL_ERROR)
"""Why an answer as a whole can be refused."""

TYPING_MILLISECONDS = 1000
"""Pause in typing after which the text is kept."""


def _answer(page: type[Conversing]) -> rx.vars.ObjectVar[AnswerForm]:
    return page.answer.to(AnswerForm)


def answer_asked(page: type[Conversing]) -> rx.Component:
    talk = page.talk.to(ShownConversation)
    return ui.notice(
        ui.text(
            ui.anchor(
                rx.cond(talk.asks == Asks.PHOTO.value, _("Send a photo"), _("Answer the question")),
                href=f"#{PLACE}",
                class_name=f"{ui.LINK} inline-flex min-h-11 items-center",
            )
        ),
        title=_("We need your answer to carry on"),
        tone="warn",
        top=6,
        shown=talk.bool() & (talk.asks != Asks.NOTHING.value),
    )


def request_page_link(reference: rx.Var[str]) -> rx.Component:
    return ui.tall_link(
        _("Messages about this request"), ui.hidden_text(" ", reference), to=f"{REQUEST_PAGE}/{reference}"
    )


def conversation(page: type[Conversing]) -> rx.Component:
    """The messages about the request, and the form for an answer; nothing if the request has no conversation."""
    talk = page.talk.to(ShownConversation)
    return rx.fragment(_done_for_customer(talk), _messages(page, talk))


def _done_for_customer(talk: rx.vars.ObjectVar[ShownConversation]) -> rx.Component:
    """What staff did in the customer's name; nothing if they did nothing."""
    done = talk.done.to(list[DoneForCustomer])
    return rx.cond(
        done,
        ui.section(
            _("Done for you"),
            ui.item_list(
                done,
                lambda entry: rx.el.li(
                    localized(entry.what),
                    " ",
                    rx.el.span(
                        _("by {name}, for you", name=entry.name),
                        " · ",
                        moment(entry.done_at),
                        class_name="text-sm text-ink-600",
                    ),
                ),
                gap=2,
            ),
        ),
    )


def _messages(page: type[Conversing], talk: rx.vars.ObjectVar[ShownConversation]) -> rx.Component:
    messages = talk.messages.to(list[ShownMessage])
    return rx.cond(
        messages.bool() | talk.open.bool(),
        rx.el.div(
            ui.section(
                _("Messages"),
                rx.cond(
                    messages,
                    rx.el.ol(rx.foreach(messages, _message), class_name="space-y-6"),
                    ui.muted(_("Do you have a question about this request? Write to us.")),
                ),
                _sent(page),
                rx.cond(talk.open, rx.cond(_answer(page).draft, _form(page), _begin(page)), _closed()),
            ),
            custom_attrs={"id": PLACE},
            class_name="max-w-form",
        ),
    )


def _message(entry: rx.vars.ObjectVar[ShownMessage]) -> rx.Component:
    return rx.el.li(
        ui.text(
            rx.el.span(rx.cond(entry.by_customer, _("You"), entry.sender), class_name="font-semibold"),
            rx.el.span(moment(entry.sent_at), class_name="text-sm text-ink-600"),
            ui.badge(_("New"), "info", shown=entry.fresh),
            look="flex flex-wrap items-baseline gap-x-3 gap-y-1",
        ),
        ui.if_text(entry.text, look="whitespace-pre-line wrap-anywhere", top=1),
        ui.stack(file_list(entry.files), top=3, shown=entry.files),
        class_name=rx.cond(
            entry.by_customer, "border-l-4 border-line-strong pl-4", "border-l-4 border-signal-600 pl-4"
        ),
    )


def _sent(page: type[Conversing]) -> rx.Component:
    sent = _answer(page).sent.to(int)
    return rx.cond(
        sent > 0,
        ui.focus_box(
            ui.notice(_("Your message has been sent. We’ll read it and answer here."), tone="ok", announced=True),
            attempt=sent,
            class_name="mt-6",
        ),
    )


def _begin(page: type[Conversing]) -> rx.Component:
    return rx.el.div(_problem(page), ui.text(ui.action_button(_("Write a message"), page.begin_answer), top=6))


def _problem(page: type[Conversing]) -> rx.Component:
    form = _answer(page)
    # Only the texts of what can happen here: the whole catalogue would be a third of the page.
    text = choice(form.problem, {code: MESSAGES[code] for code in _PROBLEMS}, _("Something went wrong"))
    return ui.notice_on_failure(form.problem != "", text, form.failures)


def _closed() -> rx.Component:
    return ui.muted(
        _("This request is finished."),
        " ",
        rx.el.a(_("Contact us if you have a question."), to="/contact", class_name=ui.LINK),
        top=6,
    )


def _form(page: type[Conversing]) -> rx.Component:
    form = _answer(page)
    entry = ANSWER.fields[0]
    rule = entry.rule
    if not isinstance(rule, Files):
        raise TypeError("the field of an answer takes files")
    text_error = field_message(form.text_error, _("Your message"), Code.TOO_LONG)
    files_error = field_message(
        form.files_error, _(entry.label), Code.UNRESOLVED_FILES, Code.MAX_UPLOAD_FILE_COUNT_REACHED
    )
    return rx.fragment(
        ui.error_summary({TEXT: text_error, FILES_FIELD: files_error}, form.failures),
        _problem(page),
        ui.event_form(
            ui.hidden_field(DRAFT, form.draft),
            ui.text_area(
                TEXT,
                _("Your message"),
                minimum=0,
                maximum=MAX_CHARACTERS,
                error=text_error,
                value=form.typed,
                rows=4,
                on_change=page.keep_answer.debounce(TYPING_MILLISECONDS),
            ),
            upload_field(
                FILES_FIELD,
                _(entry.label),
                kinds=rule.kinds,
                minimum=rule.minimum,
                maximum=rule.maximum,
                draft=form.draft,
                known=form.files,
                error=files_error,
                on_changed=page.files_changed,
                optional=True,
            ),
            ui.submit_button(_("Send message")),
            on_send=page.send_answer,
            answered=form.answers,
            class_name="mt-8 space-y-6",
        ),
    )
