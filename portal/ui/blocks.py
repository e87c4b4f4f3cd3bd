"""Building blocks of pages: cards, rows of facts, buttons and links."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import reflex as rx

from portal.i18n import Text, _
from portal.ui.browser import component
from portal.ui.layout import Shown, classes, when

Style = Literal["primary", "secondary", "light", "text"]

_CLASSES: dict[Style, str] = {
    "primary": "btn btn-primary",
    "secondary": "btn btn-secondary",
    "light": "btn btn-light",
    "text": "btn-text",
}

LINK = "text-link underline"
"""Classes of a link inside a text. It is underlined because colour alone is not enough."""


def button_class(style: Style = "primary", wide: bool = False) -> str:
    """The CSS classes of a button."""
    return f"{_CLASSES[style]} w-full md:w-auto" if wide else _CLASSES[style]


def action_button(
    text: Text | rx.Component, on_click: Any, style: Style = "secondary", shown: Shown = None, **props: Any
) -> rx.Component:
    """A button that triggers an event on the page."""
    button = rx.el.button(text, type="button", on_click=on_click, class_name=button_class(style), **props)
    return when(shown, button)


def chip(*content: Any, on_click: Any, pressed: rx.Var[bool] | None = None, **props: Any) -> rx.Component:
    """A small button beside others; `pressed` marks the one that is chosen."""
    state = {} if pressed is None else {"aria-pressed": rx.cond(pressed, "true", "false")}
    attributes: dict[str, Any] = {"custom_attrs": state, **props}
    return rx.el.button(*content, type="button", on_click=on_click, class_name="chip", **attributes)


def link_button(
    text: Text, to: rx.Var[str] | str, style: Style = "primary", wide: bool = False, shown: Shown = None
) -> rx.Component:
    """A link to another page that looks like a button."""
    return when(shown, rx.el.a(text, to=to, class_name=button_class(style, wide)))


def text_link(text: Text, to: rx.Var[str] | str, class_name: str = LINK, shown: Shown = None) -> rx.Component:
    """A link inside a text, to a page of the portal or to another site."""
    return when(shown, rx.el.a(text, to=to, class_name=class_name))


def tall_link(*content: Any, to: rx.Var[str] | str, shown: Shown = None, **props: Any) -> rx.Component:
    """A link on a line of its own, tall enough for a finger."""
    return when(shown, rx.el.a(*content, to=to, class_name=f"{LINK} inline-flex min-h-11 items-center", **props))


def anchor(*children: Any, href: rx.Var[str] | str, shown: Shown = None, **props: Any) -> rx.Component:
    """A link that the browser follows without the router: `#main`, `tel:`, `mailto:` or another site."""
    return when(shown, rx.el.A.create(*children, href=href, **props))


_Submit = component("forms", "SubmitButton", pending_text=str, still=bool)


def submit_button(
    text: Text | rx.Component, pending_text: Text | None = None, wide: bool = True, style: Style = "primary"
) -> rx.Component:
    """The button that sends a form. It is never disabled; sending an incomplete form shows what is missing."""
    return _Submit.create(
        text,
        pending_text=_("Sending…") if pending_text is None else pending_text,
        class_name=button_class(style, wide),
    )


def search_button(wide: bool = True, style: Style = "secondary") -> rx.Component:
    """The button that sends a search. It keeps its width while it waits, because fields stand beside it."""
    return _Submit.create(_("Search"), pending_text=_("Searching…"), still=True, class_name=button_class(style, wide))


_Reload = component("page", "ReloadButton")


def reload_button(text: Text | None = None, style: Style = "secondary") -> rx.Component:
    """A button that reloads the page."""
    return _Reload.create(_("Please try again") if text is None else text, class_name=button_class(style))


_Copy = component("page", "CopyButton", value=str, copied_text=str)


def contact_buttons(phone: rx.Var[str], phone_number: rx.Var[str], route: rx.Var[str]) -> rx.Component:
    """Buttons that call a place and plan the way to it; none for what is empty."""
    return rx.el.div(
        rx.cond(
            phone_number != "",
            anchor(
                _("Call {phone}", phone=phone),
                href=f"tel:{phone_number}",
                class_name=f"{button_class('secondary')} tabular-nums",
            ),
        ),
        rx.cond(
            route != "",
            anchor(
                _("Plan your route"),
                rx.el.span(" ", _("(opens a map in a new tab)"), class_name="sr-only"),
                href=route,
                target="_blank",
                rel="noreferrer",
                class_name=button_class("secondary"),
            ),
        ),
        class_name="mt-4 flex flex-wrap gap-3 empty:hidden",
    )


def copy_button(value: rx.Var[str], text: Text | rx.Component) -> rx.Component:
    """A button that copies a value to the clipboard and confirms it."""
    return _Copy.create(text, value=value, copied_text=_("Copied"), class_name="btn-text")


def card(*children: Any, class_name: str = "", shown: Shown = None, **props: Any) -> rx.Component:
    """A white card."""
    return when(shown, rx.el.div(*children, class_name=f"card {class_name}".strip(), **props))


@dataclass(frozen=True, slots=True)
class Fact:
    """One row of a summary.

    `value`: Text or component; an empty text is shown as "Onbekend".
    `action`: Component beside the value, such as a copy button.
    """

    name: Text
    value: Any
    change: rx.Var[str] | str | None = None
    action: rx.Component | None = None
    shown: rx.Var[bool] | None = None


def facts(*rows: Fact | rx.Component, label: Text | None = None, top: int = 0) -> rx.Component:
    """Rows of facts (`dl`). A row that can be changed has its own "Wijzig" link."""
    attributes = {"aria-label": label} if label is not None else {}
    shown = [fact_row(row) if isinstance(row, Fact) else row for row in rows]
    return rx.el.dl(*shown, **classes("facts", top=top), custom_attrs=attributes)


def fact_row(fact: Fact) -> rx.Component:
    """One row of `facts`, for rows of a list (`rx.foreach`)."""
    change = []
    if fact.change is not None:
        hidden = rx.el.span(" ", fact.name, class_name="sr-only")
        change = [rx.el.a(_("Change"), hidden, to=fact.change, class_name=f"{LINK} inline-flex items-center min-h-11")]
    # Where value and button do not fit on one line, the button wraps below; the value is not squeezed.
    space = "grow" if fact.action is not None else "flex-1"
    row = rx.el.div(
        rx.el.dt(fact.name, class_name="text-ink-600"),
        rx.el.dd(
            rx.el.span(_or_unknown(fact.value), class_name=f"min-w-0 {space} break-words tabular-nums"),
            *([fact.action] if fact.action is not None else []),
            *change,
            class_name="flex flex-wrap items-baseline justify-between gap-x-4",
        ),
    )
    return row if fact.shown is None else rx.cond(fact.shown, row)


def _or_unknown(value: Any) -> Any:
    if isinstance(value, rx.vars.StringVar):
        return rx.cond(value != "", value, _("Unknown"))
    return value


def section(title: Text, *children: Any, action: rx.Component | None = None, shown: Shown = None) -> rx.Component:
    """A section of a page with its heading."""
    heading: rx.Component = rx.el.h2(title)
    if action is not None:
        heading = rx.el.div(heading, action, class_name="flex flex-wrap items-baseline justify-between gap-4")
    return when(shown, rx.el.section(heading, rx.el.div(*children, class_name="mt-4"), class_name="mt-10"))


def pagination(page: rx.Var[int], pages: rx.Var[int], to: Callable[[rx.Var[int]], rx.Var[str]]) -> rx.Component:
    """Links to the previous and next page; nothing when there is only one page."""
    style = "btn btn-secondary"
    page, pages = page.to(int), pages.to(int)
    return rx.cond(
        pages > 1,
        rx.el.nav(
            rx.cond(page > 1, rx.el.a(_("Previous page"), to=to((page - 1).to(int)), class_name=style), rx.el.span()),
            rx.el.p(_("Page {x} of {y}", x=page, y=pages), class_name="tabular-nums"),
            rx.cond(page < pages, rx.el.a(_("Next page"), to=to((page + 1).to(int)), class_name=style), rx.el.span()),
            class_name="mt-8 flex flex-wrap items-center justify-between gap-4",
            aria_label=_("Pages"),
        ),
    )
