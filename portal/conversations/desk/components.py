"""The conversation on the case page: one list of messages and notes, and the forms below it.

A message to the customer and an internal note have a field, a colour and a button each. They cannot be mixed up.
"""

import reflex as rx

from portal import ui
from portal.conversations.api import Sending, StaffConversation
from portal.conversations.desk.state import (
    BY_TEXT_MESSAGE,
    DAY,
    FILES,
    NOTE,
    NOTE_TEXT,
    TEMPLATE,
    TEXT,
    TO_CUSTOMER,
    CaseConversing,
    TalkEntry,
)
from portal.desk.forms import check_box
from portal.desk.views import file_tile, keep_typed, panel
from portal.frontend.file_views import FileView, upload_field
from portal.frontend.texts import field_message
from portal.i18n import _, choice, localized, moment, number
from portal.kernel.codes import MESSAGES, Code
from portal.vocabulary.cases import ASKS_LABELS, MAX_CHARACTERS, Asks, CaseState, Outcome, Way
from portal.vocabulary.files import StaffFileUse

_PROBLEMS = (Code.CASE_CLOSED, Code.CUSTOMER_UNREACHABLE, Code.NOT_FOUND, Code.NETWORK_ERROR, Code.GENERAL_ERROR)
"""Why a message as a whole can be refused."""

_BORDER = {
    "customer": "border-l-4 border-signal-600 pl-3",
    "staff": "border-l-4 border-line-strong pl-3",
    "note": "rounded-control border-l-4 border-warn bg-warn-bg px-3 py-2",
}


def talk(page: type[CaseConversing], *, longest_note: int, elsewhere: rx.Component) -> rx.Component:
    found = page.talk.to(StaffConversation)
    return panel(
        _("Conversation"),
        rx.cond(
            page.said.length() > 0,
            rx.el.ol(
                rx.foreach(page.said, lambda entry: _entry(page, entry)),
                class_name="space-y-3",
                aria_label=_("Messages and notes"),
            ),
            ui.muted(_("Nothing has been written yet.")),
        ),
        _waiting(page, found),
        _modes(page, found, elsewhere),
        ui.notice_on_failure(page.talk_problem != "", _problem(page), page.talk_failures),
        rx.cond(page.mode == TO_CUSTOMER, rx.cond(found.may_write & found.reachable, _message_form(page, found))),
        rx.cond(page.mode == TEMPLATE, rx.cond(found.reachable, _template_form(page, found))),
        rx.cond(page.mode == NOTE, _note_form(page, longest_note)),
    )


def _problem(page: type[CaseConversing]) -> rx.Var[str]:
    return choice(page.talk_problem, {code: MESSAGES[code] for code in _PROBLEMS}, _("Something went wrong"))


def _entry(page: type[CaseConversing], entry: rx.vars.ObjectVar[TalkEntry]) -> rx.Component:
    name = choice(entry.kind, {"note": _("Note by {name}", name=entry.who)}, entry.who)
    return rx.el.li(
        ui.text(
            rx.el.span(name, class_name="font-semibold"),
            rx.el.span(moment(entry.sent_at), class_name="text-sm text-ink-600"),
            rx.cond(entry.note, rx.el.span(_("internal only"), class_name="text-sm text-ink-600")),
            rx.cond(entry.template, rx.el.span(_("template"), class_name="text-sm text-ink-600")),
            ui.badge(
                rx.cond(entry.asks == Asks.PHOTO.value, _("asks for a photo"), _("asks for an answer")),
                "warn",
                shown=(entry.asks != Asks.NOTHING.value) & ~entry.answered.bool(),
            ),
            look="flex flex-wrap items-baseline gap-x-2",
        ),
        ui.if_text(entry.text, look="whitespace-pre-line wrap-anywhere"),
        ui.item_list(
            entry.files.to(list[FileView]),
            lambda file: _file(page, file),
            top=2,
            look="flex flex-wrap gap-2",
            aria_label=_("Files"),
            shown=entry.files.length() > 0,
        ),
        ui.small(
            rx.foreach(entry.sendings.to(list[Sending]), _sending),
            rx.cond(entry.read, rx.el.span(_("Read by the customer"))),
            look="flex flex-wrap gap-x-3",
            shown=entry.kind == "staff",
        ),
        class_name=rx.match(entry.kind, *_BORDER.items(), ""),
    )


def _file(page: type[CaseConversing], file: rx.vars.ObjectVar[FileView]) -> rx.Component:
    place = rx.Var.create(f"/files/messages/{page.case_path}/{file.id}").to(str)
    size = ui.line(number(file.amount, 1), "\u00a0", file.unit, look="text-sm text-ink-600")
    return rx.el.li(file_tile(place, rx.cond(file.photo, place + "/preview", "").to(str), file.name, file.kind, size))


def _sending(sending: rx.vars.ObjectVar[Sending]) -> rx.Component:
    mail = choice(
        sending.outcome,
        {
            Outcome.WAITING.value: _("Email on its way"),
            Outcome.SENT.value: _("Emailed"),
            Outcome.FAILED.value: _("Email didn’t arrive"),
        },
        _("Emailed"),
    )
    text = choice(
        sending.outcome,
        {
            Outcome.WAITING.value: _("Text message on its way"),
            Outcome.SENT.value: _("Text message sent"),
            Outcome.FAILED.value: _("Text message didn’t arrive"),
        },
        _("Text message sent"),
    )
    return rx.el.span(
        rx.cond(sending.way == Way.MAIL.value, mail, text),
        class_name=rx.cond(sending.outcome == Outcome.FAILED.value, "font-semibold text-err", ""),
    )


def _waiting(page: type[CaseConversing], found: rx.vars.ObjectVar[StaffConversation]) -> rx.Component:
    return ui.text(
        rx.cond(
            found.asks == Asks.PHOTO.value,
            _("Waiting for a photo from {name}.", name=found.customer),
            _("Waiting for an answer from {name}.", name=found.customer),
        ),
        ui.action_button(_("No longer needed"), page.close_question, "text"),
        look="flex flex-wrap items-center gap-x-3",
        top=3,
        shown=found.asks != Asks.NOTHING.value,
    )


def _modes(
    page: type[CaseConversing], found: rx.vars.ObjectVar[StaffConversation], elsewhere: rx.Component
) -> rx.Component:
    return rx.fragment(
        ui.stack(ui.notice(elsewhere, tone="warn"), top=3, shown=~found.reachable),
        ui.row(
            rx.cond(found.may_write & found.reachable, _mode(page, TO_CUSTOMER, _("To the customer"))),
            rx.cond(found.reachable, _mode(page, TEMPLATE, _("Template"))),
            _mode(page, NOTE, _("Internal note")),
            gap=2,
            top=4,
            role="group",
            aria_label=_("What do you want to write?"),
        ),
    )


def _mode(page: type[CaseConversing], mode: str, text: rx.Var[str]) -> rx.Component:
    return ui.chip(text, on_click=page.choose_mode(mode), pressed=page.mode == mode)


def _message_form(page: type[CaseConversing], found: rx.vars.ObjectVar[StaffConversation]) -> rx.Component:
    error = field_message(page.text_error, _("Message"), Code.TOO_LONG)
    waits = page.asks != Asks.NOTHING.value
    files_error = field_message(
        page.files_error, _("Photos or files"), Code.UNRESOLVED_FILES, Code.MAX_UPLOAD_FILE_COUNT_REACHED
    )
    return rx.fragment(
        ui.error_summary({TEXT: error, FILES: files_error}, page.talk_failures),
        keep_typed(
            ui.event_form(
                rx.el.div(
                    ui.text_area(
                        TEXT,
                        _("Message to {name}", name=found.customer),
                        minimum=0,
                        maximum=MAX_CHARACTERS,
                        error=error,
                        value=page.prefill,
                        rows=4,
                    ),
                    # A new message, or a text taken over from a template, begins with a new field.
                    key=f"{page.messages_sent}/{page.prefill}",
                ),
                upload_field(
                    FILES,
                    _("Photos or files"),
                    kinds=StaffFileUse.MESSAGE.kinds,
                    maximum=StaffFileUse.MESSAGE.most,
                    draft=page.message_draft,
                    known=page.message_files,
                    error=files_error,
                    on_changed=page.message_files_changed,
                    last_text=_("If you remove {name}, no file goes with the message."),
                    optional=True,
                ),
                ui.row(
                    _asks(page, Asks.ANSWER, _("Ask for an answer")),
                    _asks(page, Asks.PHOTO, _("Ask for a photo")),
                    gap=2,
                    role="group",
                    aria_label=_("What do you want to ask for?"),
                    shown=found.state != CaseState.DONE.value,
                ),
                _by_text_message(found),
                _send(rx.cond(waits, _("Send and wait for the customer"), _("Send to the customer")).to(str), found),
                on_send=page.send_message,
                answered=page.talk_responses,
                class_name="mt-3 space-y-3",
            ),
            name="message",
            sent=page.messages_sent,
        ),
    )


def _asks(page: type[CaseConversing], asks: Asks, text: rx.Var[str]) -> rx.Component:
    return ui.chip(text, on_click=page.choose_asks(asks.value), pressed=page.asks == asks.value)


def _by_text_message(found: rx.vars.ObjectVar[StaffConversation]) -> rx.Component:
    return rx.cond(
        found.ways.to(list[str]).contains(Way.TEXT_MESSAGE.value),
        check_box(BY_TEXT_MESSAGE, _("Also send a text message")),
    )


def _send(text: rx.Var[str], found: rx.vars.ObjectVar[StaffConversation]) -> rx.Component:
    name = found.customer
    return rx.el.div(
        ui.submit_button(text, wide=False),
        ui.small(
            rx.cond(
                found.ways.to(list[str]).contains(Way.MAIL.value),
                _("{name} gets an email and sees it in the portal straight away.", name=name),
                _("There’s no email address for {name}: they’ll only see it in the portal.", name=name),
            )
        ),
        class_name="flex flex-wrap items-center gap-x-3 gap-y-2",
    )


def _template_form(page: type[CaseConversing], found: rx.vars.ObjectVar[StaffConversation]) -> rx.Component:
    error = field_message(page.day_error, _("Day"), **{Code.INVALID_CHOICE.value: _("Choose today or a later day.")})
    return rx.fragment(
        ui.error_summary({DAY: error}, page.talk_failures),
        ui.row(
            rx.foreach(
                page.templates,
                lambda entry: ui.chip(
                    localized(entry.title), on_click=page.choose_template(entry.name), pressed=page.chosen == entry.name
                ),
            ),
            gap=2,
            top=3,
            role="group",
            aria_label=_("Templates"),
        ),
        rx.foreach(
            page.templates,
            lambda entry: rx.cond(
                (page.chosen == entry.name) & entry.needs_day,
                ui.stack(
                    ui.labelled(
                        DAY,
                        _("Day"),
                        rx.el.input(
                            type="date",
                            name=DAY,
                            value=page.template_day,
                            on_change=page.choose_day,
                            class_name="field max-w-48",
                            custom_attrs=ui.described(DAY, None, error, required=True),
                        ),
                        error=error,
                    ),
                    top=3,
                ),
            ),
        ),
        ui.when(
            page.preview != "",
            rx.el.blockquote(
                page.preview,
                class_name="mt-3 whitespace-pre-line border-l-4 border-line-strong pl-3 wrap-anywhere",
                aria_label=_("What the customer reads"),
            ),
            ui.small(
                _("Asks for: {what}. The case then waits for the customer.", what=_asked(page)),
                top=2,
                shown=page.preview_asks != Asks.NOTHING.value,
            ),
            ui.event_form(
                _by_text_message(found),
                _send(
                    rx.cond(
                        page.preview_asks != Asks.NOTHING.value,
                        _("Send and wait for the customer"),
                        _("Send to the customer"),
                    ).to(str),
                    found,
                ),
                on_send=page.send_template,
                answered=page.talk_responses,
                class_name="mt-3 space-y-3",
            ),
            rx.cond(
                found.may_write,
                rx.el.button(
                    _("Edit this text first"), type="button", on_click=page.edit_template, class_name=f"{ui.LINK} mt-2"
                ),
            ),
        ),
    )


def _asked(page: type[CaseConversing]) -> rx.Var[str]:
    return choice(page.preview_asks, {asks.value: ASKS_LABELS[asks] for asks in (Asks.ANSWER, Asks.PHOTO)})


def _note_form(page: type[CaseConversing], longest: int) -> rx.Component:
    error = field_message(page.note_error, _("Note"), Code.TOO_LONG)
    return rx.fragment(
        ui.error_summary({NOTE_TEXT: error}, page.talk_failures),
        keep_typed(
            ui.event_form(
                rx.el.div(
                    ui.text_area(
                        NOTE_TEXT,
                        _("Internal note"),
                        minimum=0,
                        maximum=longest,
                        hint=_("Only colleagues can read this. It’s never sent"),
                        error=error,
                        rows=3,
                    ),
                    key=f"{page.notes_sent}",
                    class_name="rounded-control bg-warn-bg p-3",
                ),
                ui.submit_button(_("Save note"), wide=False, style="secondary"),
                on_send=page.add_note,
                answered=page.talk_responses,
                class_name="mt-3 space-y-3",
            ),
            name="note",
            sent=page.notes_sent,
        ),
    )
