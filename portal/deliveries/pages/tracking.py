"""The page that follows a delivery without a login: status, day, hours, carrier and parcel number, and nothing else."""

import reflex as rx

from portal import ui
from portal.contract.account import LocalizedText
from portal.contract.errors import NotFound, ProviderError
from portal.contract.registry import ask
from portal.deliveries.api import DeliveriesApi, TrackedPart, Tracking, TrackingEntry
from portal.deliveries.pages.planned import code_line, parts_heading, planned_line
from portal.frontend.layout import title
from portal.frontend.load import FAILED, LOADING, MISSING, READY, last_part
from portal.frontend.policies import public
from portal.frontend.registry import PageRoute
from portal.frontend.texts import track_with
from portal.i18n import _
from portal.i18n.messages import localized
from portal.kernel.codes import MESSAGES, Code
from portal.vocabulary.deliveries import FINISHED
from portal.vocabulary.links import TRACKING_PATH

NOTHING = Tracking(status=LocalizedText(), meaning=LocalizedText(), phases=[], when=LocalizedText(), parts=[])


class TrackingPage(rx.State):
    """The state of the page. The code stays in the address. `phase`: its current phase, from 0; -1 without one."""

    view_state: rx.Field[str] = rx.field(LOADING)
    shown: rx.Field[Tracking] = rx.field(default_factory=lambda: NOTHING)
    phase: rx.Field[int] = rx.field(-1)

    @rx.event
    @public
    async def load(self) -> None:
        try:
            found = await ask(DeliveriesApi).tracking(TrackingEntry(code=last_part(self)[:300]))
        except NotFound:
            self.reset()
            self.view_state = MISSING
        except ProviderError:
            self.reset()
            self.view_state = FAILED
        else:
            self.shown, self.view_state = found, READY
            self.phase = -1 if found.phase is None or len(found.phases) < FINISHED else found.phase


_SHOWN = TrackingPage.shown
_TITLE = _("Track your delivery")


def tracking() -> rx.Component:
    return ui.page_frame(
        rx.match(
            TrackingPage.view_state,
            (READY, _content()),
            (FAILED, ui.error_block(_(MESSAGES[Code.ORDER_STATUS_FAILED]), on_retry=TrackingPage.load)),
            (MISSING, _missing()),
            rx.el.div(
                ui.text(_("Loading…"), role="status", look="sr-only"),
                ui.skeleton("h-56 w-full rounded-panel"),
                class_name="mt-8 appear",
                custom_attrs={"aria-busy": "true"},
            ),
        ),
        title=_TITLE,
        narrow=True,
    )


def _missing() -> rx.Component:
    return ui.notice(
        _("Log in to see where your delivery is, or ask customer service."),
        ui.row(
            ui.link_button(_("Log in"), "/", "secondary"),
            ui.link_button(_("Customer service"), "/contact", "secondary"),
            top=4,
        ),
        title=_("This link no longer works"),
        tone="warn",
        top=8,
    )


def _content() -> rx.Component:
    parts = _SHOWN.parts.to(list[TrackedPart])
    several = parts.length() > 1
    phases, when = _SHOWN.phases.to(list[LocalizedText]), _SHOWN.when.to(LocalizedText)
    return rx.fragment(
        rx.el.div(
            ui.strong(localized(_SHOWN.status)),
            ui.text(localized(_SHOWN.meaning), look="text-h3 md:text-h2", top=2),
            rx.cond(localized(when) != "", planned_line(when, "mt-4 text-lg")),
            class_name="mt-8 rounded-panel bg-panel p-6 text-on-panel md:p-10",
        ),
        ui.stack(
            ui.tracker(
                [localized(phases[place]) for place in range(FINISHED)], TrackingPage.phase, _("Progress of your order")
            ),
            top=6,
            shown=TrackingPage.phase >= 0,
        ),
        ui.section(
            parts_heading(parts.length()),
            ui.item_list(parts, lambda part: _part(part, several), gap=4),
            shown=parts.length() > 0,
        ),
        ui.muted(_("Anyone with this link can see where the delivery is, but nothing about you."), top=8),
    )


def _part(part: rx.vars.ObjectVar[TrackedPart], several: rx.Var[bool]) -> rx.Component:
    when = part.when.to(LocalizedText)
    return rx.el.li(
        ui.card(
            rx.cond(part.carrier != "", rx.el.h3(part.carrier)),
            ui.text(localized(part.status.to(LocalizedText)), shown=several),
            rx.cond(several & (localized(when) != ""), planned_line(when, "mt-1")),
            rx.cond(part.tracking_code != "", code_line(part.tracking_code)),
            ui.text(
                ui.anchor(
                    track_with(part.carrier),
                    href=part.tracking_url,
                    rel="noreferrer",
                    class_name=ui.button_class("secondary"),
                ),
                top=4,
                shown=part.tracking_url != "",
            ),
        )
    )


PAGES = [
    PageRoute(
        f"{TRACKING_PATH.strip('/')}/[code]", tracking, title(_TITLE), on_load=[TrackingPage.load], protected=False
    )
]
