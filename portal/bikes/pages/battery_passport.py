"""The passport of a battery: a link, and a QR code for another device (Regulation (EU) 2023/1542, article 77)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

import reflex as rx
import segno

from portal.i18n import _
from portal.ui import anchor

_MARGIN = 4
"""Modules of white space around the code, which scanners need (ISO/IEC 18004)."""


@dataclass(frozen=True, slots=True)
class BatteryPassportView:
    """The passport of a battery.

    Attributes:
        url: https URL; empty if the battery has no passport.
        code: the QR code of the URL as the data of an SVG path, one unit per module.
    """

    url: str = ""
    code: str = ""
    box: str = ""


def battery_passport_view(url: str) -> BatteryPassportView:
    """Make the view of a URL. The page links to nothing but https, whatever the provider sends."""
    if not url.startswith("https://"):
        return BatteryPassportView()
    code = segno.make_qr(url, error="m")
    size = code.symbol_size(border=_MARGIN)[0]
    return BatteryPassportView(url, "".join(_dark_runs([list(row) for row in code.matrix])), f"0 0 {size} {size}")


def _dark_runs(rows: list[list[int]]) -> list[str]:
    runs: list[str] = []
    for y, row in enumerate(rows, start=_MARGIN):
        x = _MARGIN
        for dark, modules in groupby(row):
            width = len(list(modules))
            if dark:
                runs.append(f"M{x} {y}h{width}v1h-{width}z")
            x += width
    return runs


def battery_passport(passport: rx.vars.ObjectVar[BatteryPassportView]) -> rx.Component:
    """Link and QR code; nothing if the battery has no passport."""
    return rx.cond(
        passport.url != "",
        rx.el.div(
            rx.el.div(
                rx.el.h4(_("Battery passport"), class_name="font-semibold"),
                rx.el.p(
                    _("Where your battery comes from, what’s in it, how much it holds and how it’s recycled."),
                    class_name="text-sm text-ink-600",
                ),
                anchor(
                    _("Open the battery passport"),
                    rx.el.span(" ", _("(opens in a new tab)"), class_name="sr-only"),
                    href=passport.url,
                    target="_blank",
                    rel="noreferrer",
                    class_name="inline-flex min-h-11 items-center text-link underline",
                ),
                class_name="min-w-0 grow basis-48",
            ),
            rx.el.svg(
                rx.el.path(custom_attrs={"d": passport.code, "fill": "currentColor"}),
                role="img",
                custom_attrs={"viewBox": passport.box, "aria-label": _("QR code of the battery passport")},
                class_name="size-28 shrink-0 rounded-card bg-plate text-panel",
            ),
            class_name="mt-4 flex flex-wrap items-start justify-between gap-4 border-t border-line pt-4",
        ),
    )
