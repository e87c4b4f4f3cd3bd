"""Beside the field for files on a wide screen: a code with which the customer's telephone adds photos to the draft."""

import time
from itertools import count
from typing import Any

import reflex as rx
import segno

from portal import ui
from portal.contract.common_api import MAX_WAIT_SECONDS, NEVER_ASKED, ChangesApi, Watch
from portal.contract.errors import NotAuthenticated, NotFound, ProviderError
from portal.contract.registry import ask
from portal.flow.api import FlowApi, PhoneLinkState, PhonePlace
from portal.flow.pages.form import current_page
from portal.flow.pages.state import FlowRun
from portal.frontend.load import LOADING, wait_until
from portal.frontend.policies import customer
from portal.frontend.session import session_ended, session_token
from portal.frontend.texts import refusal
from portal.frontend.watch import rest
from portal.i18n import _
from portal.settings import settings
from portal.vocabulary.actions import Topic
from portal.vocabulary.links import PHONE_LIFETIME, PHONE_PATH

_MAX_NAME_LENGTH = 40
_visits = count(1)


class PhoneCode(rx.State):
    """The code that a page shows. `draft`, `field`: of the code that is shown; empty if none is."""

    draft: rx.Field[str] = rx.field("")
    field: rx.Field[str] = rx.field("")
    picture: rx.Field[str] = rx.field("")
    address: rx.Field[str] = rx.field("")
    opened: rx.Field[bool] = rx.field(False)
    ended: rx.Field[str] = rx.field("")
    problem: rx.Field[str] = rx.field("")
    _until: float = 0.0
    _visit: int = 0

    @rx.event(background=True)
    @customer
    async def show(self, field: str) -> Any:
        await wait_until(self._knows_draft)
        async with self:
            token, draft = session_token(self), (await self.get_state(FlowRun)).draft
            self.ended, self.problem = "", ""
        if not draft:
            return None
        try:
            link = await ask(FlowApi).open_phone_link(token, draft, PhonePlace(field=field[:_MAX_NAME_LENGTH]))
        except ProviderError as error:
            async with self:
                await self._refuse(error)
            return None
        async with self:
            self.draft, self.field, self.opened = draft, field, False
            self.address = f"{settings().address}{PHONE_PATH}/{link.hash}"
            self.picture = segno.make_qr(self.address, error="m").svg_data_uri(border=3, light="#fff")
            self._until = time.time() + PHONE_LIFETIME.total_seconds()
        return PhoneCode.watch

    @rx.event(background=True)
    @customer
    async def end(self) -> None:
        async with self:
            token, draft = session_token(self), self.draft
            self._forget()
        if not draft:
            return
        try:
            await ask(FlowApi).end_phone_link(token, draft)
        except NotFound:
            pass  # The draft was sent or removed, and the link with it.
        except ProviderError as error:
            async with self:
                await self._refuse(error)

    @rx.event(background=True)
    @customer
    async def watch(self) -> Any:
        async with self:
            if not self.draft:
                return
            token, draft = session_token(self), self.draft
            self._visit = visit = next(_visits)
        mark, pause = NEVER_ASKED, 1.0
        while True:
            left = self._until - time.time()
            wait = 0 if mark == NEVER_ASKED else max(1, min(MAX_WAIT_SECONDS, int(left)))
            try:
                found = await ask(ChangesApi).changes(
                    token, Watch(topics=[Topic.PHONE_FILES], since=mark, wait_seconds=wait)
                )
                state = await _state_of(token, draft) if left <= 0 or found.mark != mark else None
            except NotAuthenticated as error:
                async with self:
                    await self._refuse(error)
                return
            except ProviderError:
                pause = await rest(pause)
                continue
            async with self:
                if self._visit != visit or self.draft != draft:
                    return
                if (await self.get_state(FlowRun)).draft != draft or left <= 0 or (state and not state.active):
                    ended = self.field
                    self._forget()
                    self.ended = ended
                    return
                if state and state.opened != self.opened:
                    self.opened = state.opened
            if found.mark != mark:
                yield FlowRun.files_changed
            mark, pause = found.mark, 1.0

    async def _knows_draft(self) -> bool:
        """Whether the page has loaded: a drawn document can be pressed before its tab has the data."""
        async with self:
            page, run = current_page(self), await self.get_state(FlowRun)
            return page is None or (run.flow == page.flow.name and run.view_state != LOADING)

    def _forget(self) -> None:
        self.draft, self.field, self.picture, self.address, self.opened = "", "", "", "", False

    async def _refuse(self, error: ProviderError) -> None:
        self._forget()
        if isinstance(error, NotAuthenticated):
            await session_ended(self)
        else:
            self.problem = error.code.value


async def _state_of(token: str, draft: str) -> PhoneLinkState:
    try:
        return await ask(FlowApi).phone_link(token, draft)
    except NotFound:
        return PhoneLinkState(active=False, opened=False)


def phone_code(field: str) -> rx.Component:
    shown = (PhoneCode.draft != "") & (PhoneCode.draft == FlowRun.draft) & (PhoneCode.field == field)
    return rx.el.div(
        rx.cond(
            shown,
            _code(),
            rx.fragment(
                ui.action_button(_("Add photos with your phone"), PhoneCode.show(field)),
                ui.muted(
                    rx.cond(PhoneCode.ended == field, _("The code has ended. You can show a new one."), ""),
                    role="status",
                    look="min-h-6",
                    top=2,
                ),
                ui.notice(refusal(code=PhoneCode.problem), tone="warn", announced=True, shown=PhoneCode.problem != ""),
            ),
        ),
        class_name="mt-4 max-md:hidden",
        custom_attrs={"data-phone": field},
    )


def _code() -> rx.Component:
    return rx.el.section(
        rx.el.img(
            src=PhoneCode.picture,
            alt=_("QR code that opens this upload on your phone"),
            class_name="size-50 shrink-0 rounded-control bg-plate",
            custom_attrs={"width": "200", "height": "200"},
        ),
        ui.block(
            ui.subheading(_("Scan the code with your phone")),
            ui.text(
                _(
                    "Photos that you take there appear here at once. The code works for {phone_link_minutes} minutes, "
                    "and for this request only."
                ),
                top=2,
            ),
            ui.strong(
                rx.cond(PhoneCode.opened, _("Your phone is connected."), _("Waiting for your phone…")),
                role="status",
                top=2,
            ),
            rx.el.div(
                ui.action_button(_("Stop adding by phone"), PhoneCode.end),
                ui.copy_button(PhoneCode.address, _("Copy the link")),
                class_name="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2",
            ),
        ),
        aria_label=_("Add photos with your phone"),
        class_name="card flex flex-wrap items-start gap-6 sm:flex-nowrap",
    )
