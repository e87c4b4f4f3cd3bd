"""Parts of a step of a flow: heading with counter, form, back link and the bar with the submit button."""

from collections.abc import Mapping, Sequence
from typing import Any

import reflex as rx

from portal.i18n import Text, _
from portal.ui.blocks import LINK, button_class
from portal.ui.browser import component
from portal.ui.forms import focus_box

QUESTION = "question"
"""Id of the heading. It labels a group of choices that has no legend of its own."""


_StepForm = component(
    "flow",
    "StepForm",
    place=str,
    flow=str,
    answered=int,
    attempt=int,
    saved=bool,
    lost=bool,
    secrets=list[str],
    title=str,
    text=str,
    sending=str,
    stay=str,
    leave=str,
    on_send=dict[str, str | list[str]],
)


def step_form(
    *children: Any,
    place: rx.Var[str],
    flow: str,
    on_send: Any,
    answered: rx.Var[int],
    attempt: rx.Var[int],
    saved: rx.Var[bool],
    lost: rx.Var[bool],
    secrets: Sequence[str],
    joined: bool = False,
) -> rx.Component:
    """The form of a step. Input is kept while other steps are shown; leaving the flow with unsaved input asks first.

    `place`: identifies draft and step; a new value resets the form.
    `on_send`: event handler that gets the values by field name.
    `answered`: number of responses of the server to this form.
    `attempt`: number of responses with an error or warning.
    `saved`: whether the last of those was only a warning, with all values saved.
    `lost`: whether the session has ended, so that nothing can be saved.
    `secrets`: names of fields that the browser does not store.
    `joined`: whether other content comes between heading and form; the button then stays visible there too.
    """
    return _StepForm.create(
        *children,
        place=place,
        flow=flow,
        on_send=on_send,
        answered=answered,
        attempt=attempt,
        saved=saved,
        lost=lost,
        secrets=[*secrets],
        title=_("Leave without saving?"),
        text=_("You have changes that haven’t been saved."),
        sending=_("Files are still being uploaded. If you leave now, they won’t be sent."),
        stay=_("Stay here"),
        leave=_("Leave anyway"),
        class_name="max-md:contents md:mt-8 space-y-8" if joined else "mt-8 space-y-8",
    )


_StepButton = component("flow", "StepButton", back_text=str, pending_text=str)


def step_bar(*text: Text | rx.Component, back_text: Text | None = None, overview: str = "/dashboard") -> rx.Component:
    """The submit button, fixed to the bottom of a small screen, and the link to the overview.

    The link stands at the other end of the row: beside the button, which grows while it sends, it would move.
    """
    content = rx.fragment(*text)
    button = _StepButton.create(
        content,
        back_text=back_text if back_text is not None else text[0],
        pending_text=_("Sending…"),
        class_name=button_class("primary", wide=True),
    )
    return rx.el.div(
        rx.el.div(
            button,
            class_name="max-md:sticky max-md:bottom-0 max-md:z-10 max-md:-mx-4 max-md:border-t max-md:border-line "
            "max-md:bg-paper max-md:px-4 max-md:py-2.5",
        ),
        rx.el.a(_("To overview"), to=overview, class_name=f"{LINK} inline-flex min-h-11 items-center"),
        class_name="contents md:flex md:flex-wrap md:items-center md:justify-between md:gap-6 md:pt-2",
    )


_StepBack = component("flow", "StepBack", to=str, check=str, check_text=str)


def step_back(to: rx.Var[str] | str, check: str, width: str) -> rx.Component:
    """The back link above the content."""
    return rx.el.nav(
        _StepBack.create(
            _("Previous step"),
            to=to,
            check=check,
            check_text=_("Back to the check"),
            class_name="inline-flex items-center gap-1 min-h-11 text-ink underline",
        ),
        class_name=f"{width} pt-4",
        aria_label=_("Back"),
    )


_Ahead = component("flow", "Ahead", page=str)


def ahead(page: rx.Var[str] | str) -> rx.Component:
    """Preload the scripts of the page that comes next."""
    return _Ahead.create(page=page)


_Print = component("flow", "PrintButton")


def print_button(text: Text) -> rx.Component:
    """A button that prints the page."""
    return _Print.create(text, class_name="btn-text")


class _HeadingGroup(rx.el.Div):
    tag = "hgroup"


def step_heading(title: Text, counter: Text, number: rx.Var[int], total: rx.Var[int]) -> rx.Component:
    """The question, with the step counter below it."""
    return rx.el.div(
        _HeadingGroup.create(
            rx.el.h1(title, tab_index=-1, custom_attrs={"id": QUESTION}),
            rx.el.p(counter, class_name="mt-2 text-ink-600 tabular-nums"),
        ),
        rx.el.progress(
            value=number,
            max=total,
            aria_hidden="true",
            class_name="mt-3 block h-1.5 w-full appearance-none overflow-hidden rounded-pill bg-line "
            "[&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-signal-600 "
            "[&::-moz-progress-bar]:bg-signal-600",
        ),
    )


def look_again(title: Text, *children: Any, attempt: rx.Var[int]) -> rx.Component:
    """A warning above the heading that asks the customer to check something. It takes the focus."""
    return focus_box(
        rx.el.div(rx.el.h2(title, class_name="text-h3"), *children, role="alert"),
        attempt=attempt,
        class_name="mt-4 mb-6 max-w-form rounded-control border-4 border-warn-line bg-warn-bg p-5 text-ink",
    )


def when_shown(event: Any) -> rx.Component:
    """Send an event whenever the step is shown, however the customer got there."""
    return rx.el.span(hidden=True, on_mount=event)


_FileField = component(
    "files",
    "FileField",
    at=str,
    draft=str,
    field=str,
    known=list[Any],
    maximum=int,
    largest=int,
    endings=list[str],
    accept=str,
    described_by=str,
    invalid=str,
    texts=dict[str, str],
    messages=dict[str, str],
    capture=str,
    roomy=bool,
    on_changed=None,
)


def file_field(
    name: str | rx.Var[str],
    *,
    draft: rx.Var[str],
    known: rx.Var[Any],
    maximum: int,
    largest: int,
    endings: Sequence[str],
    accept: str,
    described_by: rx.Var[str] | str,
    invalid: rx.Var[bool],
    messages: Mapping[str, Text],
    on_changed: Any,
    camera: bool = False,
    last_text: Text | None = None,
    at: str = "",
    roomy: bool = False,
) -> rx.Component:
    """A file picker with a drop area and a row per file."""
    lost = _("If you remove {name}, no file goes with your request.")
    texts: dict[str, Text] = {
        "choose": _("Take a photo") if camera else _("Choose files"),
        "more": _("Add more files"),
        "drop": _("or drop them here"),
        "list": _("Your files"),
        "waiting": _("waiting"),
        "checking": _("being checked"),
        "done": _("uploaded"),
        "failed": _("not uploaded"),
        "cancel": _("Cancel upload"),
        "remove": _("Remove"),
        "again": _("Try again"),
        "keep": _("Keep"),
        "lastTitle": _("Remove the last file?"),
        "lastText": lost if last_text is None else last_text,
        "progress": _("{percent}%, {done} of {all}"),
        "count": _("{done} of {all} uploaded"),
        "stillRunning": _("Files are still being uploaded. Wait a moment, or cancel them."),
        "notUploaded": _("Not every file was uploaded. Try again, or remove the marked files."),
    }
    return _FileField.create(
        draft=draft,
        field=name,
        known=known,
        maximum=maximum,
        largest=largest,
        endings=list(endings),
        accept=accept,
        described_by=described_by,
        invalid=rx.cond(invalid, "true", "false"),
        texts=rx.Var.create(texts).to(dict[str, str]),
        messages=rx.Var.create(dict(messages)).to(dict[str, str]),
        on_changed=on_changed,
        **({"capture": "environment"} if camera else {}),
        **({"at": at} if at else {}),
        **({"roomy": True} if roomy else {}),
    )
