"""The page that follows a delivery without a login: status, day, hours, carrier and parcel number, and nothing else."""

import reflex as rx

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
from portal.ui import anchor, button_class, card, error_block, link_button, notice, page_frame, section, skeleton
from portal.ui.lists import tracker
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
    return page_frame(
        rx.match(
            TrackingPage.view_state,
            (READY, _content()),
            (FAILED, error_block(_(MESSAGES[Code.ORDER_STATUS_FAILED]), on_retry=TrackingPage.load)),
            (MISSING, _missing()),
            rx.el.div(
                rx.el.p(_("Loading…"), role="status", class_name="sr-only"),
                skeleton("h-56 w-full rounded-panel"),
                class_name="mt-8 appear",
                custom_attrs={"aria-busy": "true"},
            ),
        ),
        title=_TITLE,
        narrow=True,
    )


def _missing() -> rx.Component:
    return rx.el.div(
        notice(
            _("Log in to see where your delivery is, or ask customer service."),
            rx.el.div(
                link_button(_("Log in"), "/", "secondary"),
                link_button(_("Customer service"), "/contact", "secondary"),
                class_name="mt-4 flex flex-wrap gap-3",
            ),
            title=_("This link no longer works"),
            tone="warn",
        ),
        class_name="mt-8",
    )


def _content() -> rx.Component:
    parts = _SHOWN.parts.to(list[TrackedPart])
    several = parts.length() > 1
    phases, when = _SHOWN.phases.to(list[LocalizedText]), _SHOWN.when.to(LocalizedText)
    return rx.fragment(
        rx.el.div(
            rx.el.p(localized(_SHOWN.status), class_name="font-semibold"),
            rx.el.p(localized(_SHOWN.meaning), class_name="mt-2 text-h3 md:text-h2"),
            rx.cond(localized(when) != "", planned_line(when, "mt-4 text-lg")),
            class_name="mt-8 rounded-panel bg-panel p-6 text-on-panel md:p-10",
        ),
        rx.cond(
            TrackingPage.phase >= 0,
            rx.el.div(
                tracker(
                    [localized(phases[place]) for place in range(FINISHED)],
                    TrackingPage.phase,
                    _("Progress of your order"),
                ),
                class_name="mt-6",
            ),
        ),
        rx.cond(
            parts.length() > 0,
            section(
                parts_heading(parts.length()),
                rx.el.ul(rx.foreach(parts, lambda part: _part(part, several)), class_name="space-y-4"),
            ),
        ),
        rx.el.p(
            _("Anyone with this link can see where the delivery is, but nothing about you."),
            class_name="mt-8 text-ink-600",
        ),
    )


def _part(part: rx.vars.ObjectVar[TrackedPart], several: rx.Var[bool]) -> rx.Component:
    when = part.when.to(LocalizedText)
    return rx.el.li(
        card(
            rx.cond(part.carrier != "", rx.el.h3(part.carrier)),
            rx.cond(several, rx.el.p(localized(part.status.to(LocalizedText)))),
            rx.cond(several & (localized(when) != ""), planned_line(when, "mt-1")),
            rx.cond(part.tracking_code != "", code_line(part.tracking_code)),
            rx.cond(
                part.tracking_url != "",
                rx.el.p(
                    anchor(
                        track_with(part.carrier),
                        href=part.tracking_url,
                        rel="noreferrer",
                        class_name=button_class("secondary"),
                    ),
                    class_name="mt-4",
                ),
            ),
        )
    )


PAGES = [
    PageRoute(
        f"{TRACKING_PATH.strip('/')}/[code]",
        tracking,
        title(_TITLE),
        on_load=[TrackingPage.load],
        protected=False,
    )
]
