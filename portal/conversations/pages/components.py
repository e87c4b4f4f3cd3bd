"""The conversation on the page of a request: the messages, what is asked, and the form for an answer."""

from __future__ import annotations

import reflex as rx

from portal.conversations.api import DoneForCustomer
from portal.conversations.flow import ANSWER, FILES_FIELD
from portal.conversations.pages.state import DRAFT, TEXT, AnswerForm, Conversing, ShownConversation, ShownMessage
from portal.flow.rules import Files
from portal.frontend.file_views import file_list, upload_field
from portal.frontend.texts import field_message
from portal.i18n import _, choice, localized, moment
from portal.kernel.codes import MESSAGES, Code
from portal.ui import (
    LINK,
    action_button,
    anchor,
    badge,
    error_summary,
    event_form,
    hidden_field,
    notice,
    notice_on_failure,
    section,
    submit_button,
    text_area,
)
from portal.ui.forms import focus_box
from portal.vocabulary.cases import MAX_CHARACTERS, REQUEST_PAGE, Asks

PLACE = "messages"
"""Id of the section, to which the notice links."""

_PROBLEMS = (Code.CASE_CLOSED, Code.ANSWER_EXPIRED, Code.TOO_MANY_REQUESTS, Code.NETWORK_ERROR, Code.GENERAL_ERROR)
"""Why an answer as a whole can be refused."""

TYPING_MILLISECONDS = 1000
"""Pause in typing after which the text is kept."""


def _answer(page: type[Conversing]) -> rx.vars.ObjectVar[AnswerForm]:
    return page.answer.to(AnswerForm)


def answer_asked(page: type[Conversing]) -> rx.Component:
    """A notice at the top of the page while the retailer waits for an answer; nothing otherwise."""
    talk = page.talk.to(ShownConversation)
    return rx.cond(
        talk.bool() & (talk.asks != Asks.NOTHING.value),
        rx.el.div(
            notice(
                rx.el.p(
                    anchor(
                        rx.cond(talk.asks == Asks.PHOTO.value, _("Send a photo"), _("Answer the question")),
                        href=f"#{PLACE}",
                        class_name=f"{LINK} inline-flex min-h-11 items-center",
                    )
                ),
                title=_("We need your answer to carry on"),
                tone="warn",
            ),
            class_name="mt-6",
        ),
    )


def request_page_link(reference: rx.Var[str]) -> rx.Component:
    """A link to the page of a request, for the pages of a subject that do not show the conversation themselves."""
    return rx.el.a(
        _("Messages about this request"),
        rx.el.span(" ", reference, class_name="sr-only"),
        to=f"{REQUEST_PAGE}/{reference}",
        class_name=f"{LINK} inline-flex min-h-11 items-center",
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
        section(
            _("Done for you"),
            rx.el.ul(
                rx.foreach(
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
                ),
                class_name="space-y-2",
            ),
        ),
    )


def _messages(page: type[Conversing], talk: rx.vars.ObjectVar[ShownConversation]) -> rx.Component:
    messages = talk.messages.to(list[ShownMessage])
    return rx.cond(
        messages.bool() | talk.open.bool(),
        rx.el.div(
            section(
                _("Messages"),
                rx.cond(
                    messages,
                    rx.el.ol(rx.foreach(messages, _message), class_name="space-y-6"),
                    rx.el.p(_("Do you have a question about this request? Write to us."), class_name="text-ink-600"),
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
        rx.el.p(
            rx.el.span(rx.cond(entry.by_customer, _("You"), entry.sender), class_name="font-semibold"),
            rx.el.span(moment(entry.sent_at), class_name="text-sm text-ink-600"),
            rx.cond(entry.fresh, badge(_("New"), "info")),
            class_name="flex flex-wrap items-baseline gap-x-3 gap-y-1",
        ),
        rx.cond(entry.text != "", rx.el.p(entry.text, class_name="mt-1 whitespace-pre-line wrap-anywhere")),
        rx.cond(entry.files, rx.el.div(file_list(entry.files), class_name="mt-3")),
        class_name=rx.cond(
            entry.by_customer, "border-l-4 border-line-strong pl-4", "border-l-4 border-signal-600 pl-4"
        ),
    )


def _sent(page: type[Conversing]) -> rx.Component:
    sent = _answer(page).sent.to(int)
    return rx.cond(
        sent > 0,
        focus_box(
            notice(_("Your message has been sent. We’ll read it and answer here."), tone="ok", announced=True),
            attempt=sent,
            class_name="mt-6",
        ),
    )


def _begin(page: type[Conversing]) -> rx.Component:
    return rx.el.div(
        _problem(page),
        rx.el.p(action_button(_("Write a message"), page.begin_answer), class_name="mt-6"),
    )


def _problem(page: type[Conversing]) -> rx.Component:
    form = _answer(page)
    # Only the texts of what can happen here: the whole catalogue would be a third of the page.
    text = choice(form.problem, {code: MESSAGES[code] for code in _PROBLEMS}, _("Something went wrong"))
    return notice_on_failure(form.problem != "", text, form.failures)


def _closed() -> rx.Component:
    return rx.el.p(
        _("This request is finished."),
        " ",
        rx.el.a(_("Contact us if you have a question."), to="/contact", class_name=LINK),
        class_name="mt-6 text-ink-600",
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
        error_summary({TEXT: text_error, FILES_FIELD: files_error}, form.failures),
        _problem(page),
        event_form(
            hidden_field(DRAFT, form.draft),
            text_area(
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
            submit_button(_("Send message")),
            on_send=page.send_answer,
            answered=form.answers,
            class_name="mt-8 space-y-6",
        ),
    )
