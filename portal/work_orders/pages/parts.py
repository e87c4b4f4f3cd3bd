"""The question which parts of a bike are broken: a drawing to press, and a list that says the same.

The spots of the drawing are labels of the boxes of the list, and the style sheet lights up what is ticked. So both
are one question without any script; the drawing is hidden from screen readers, which have the list.
"""

from __future__ import annotations

from typing import Any

import reflex as rx

from portal.bikes.pages.state import BikeChoice
from portal.bikes.rules import MOTOR_PARTS
from portal.flow import Field
from portal.flow.pages.fields import group, option_of
from portal.flow.pages.state import FlowRun
from portal.frontend.accounts import account_facts, amounts_box, handover_card, phases
from portal.i18n import _, choice
from portal.pictures.pages import SIZE, SpotView
from portal.ui import section
from portal.work_orders.flow.repair import PARTS

_DRAWN = BikeChoice.parts


def parts_question(entry: Field, cards: rx.Component, columns: str = "") -> rx.Component:
    """The drawing of the chosen bike above the list."""
    return rx.fragment(
        rx.cond(
            _DRAWN.name != "",
            rx.el.div(
                rx.el.p(_("Tap the broken part on the bike or in the list."), class_name="text-ink-600"),
                rx.el.div(
                    rx.el.img(src=_DRAWN.src, alt="", class_name="picture w-full", custom_attrs={**SIZE}),
                    rx.foreach(_DRAWN.parts.to(list[str]), _lit),
                    rx.foreach(_DRAWN.spots.to(list[SpotView]), _spot),
                    class_name="pressed-bike",
                    aria_hidden="true",
                ),
            ),
        ),
        group(entry, cards, legend=None, columns=columns),
    )


def listed(part: str) -> rx.Var[bool] | None:
    """Whether a part is asked about, if that depends on the bike: those of a motor for a bike that can have one."""
    return BikeChoice.motor.to(bool) if part in MOTOR_PARTS else None


def if_listed(part: str, content: rx.Component) -> rx.Component:
    shown = listed(part)
    return content if shown is None else rx.cond(shown, content)


def part_option(entry: Field, part: str) -> rx.Component:
    return option_of(entry, part, _(PARTS[part]), id=f"part-{part}")


def _lit(part: rx.Var[str]) -> rx.Component:
    # It is loaded when it is shown for the first time.
    return rx.el.img(
        src=rx.Var.create(f"/drawings/{_DRAWN.name}/{part}.svg"),
        alt="",
        loading="lazy",
        class_name="lit",
        custom_attrs={**SIZE},
        data_part=part,
    )


def _spot(spot: rx.vars.ObjectVar[SpotView]) -> rx.Component:
    return rx.el.div(
        rx.el.label(html_for="part-" + spot.part.to(str), class_name="spot"),
        # Not inside the label: it would be read as a second name of the box.
        rx.el.span(choice(spot.part, PARTS), class_name="spot-name"),
        class_name="spot-place",
        custom_attrs={"style": {"left": spot.left, "top": spot.top}},
        data_part=spot.part,
    )


_ACCOUNT: Any = FlowRun.receipt.account


def sent_phases() -> rx.Component:
    """The phases of the request as it is now, also when the confirmation is opened again."""
    return phases(_ACCOUNT, _("Progress of your request"))


def sent_handover() -> rx.Component:
    """How, where and when the bike goes."""
    return rx.cond(_ACCOUNT.handover, handover_card(_ACCOUNT.handover, _("How your bike gets there")))


def sent_account() -> rx.Component:
    """The costs and the answers."""
    return rx.fragment(
        amounts_box(_ACCOUNT),
        section(_("Your answers"), account_facts(_ACCOUNT)),
    )
