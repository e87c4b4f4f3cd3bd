"""The page that a code opens on a telephone: it adds files to one field of a draft, without a login (part-1 §12)."""

import asyncio
import time
from itertools import count

import reflex as rx

from portal import ui
from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.registry import ask
from portal.flow.api import FlowApi
from portal.flow.journey import FLOWS
from portal.flow.model import Field, Flow
from portal.flow.pages.fields import declared_upload
from portal.flow.rules import Files
from portal.frontend.file_views import FileLists, FileView, file_view
from portal.frontend.layout import problem_page, title
from portal.frontend.load import FAILED, LOADING, MISSING, READY
from portal.frontend.policies import public
from portal.frontend.registry import PageRoute
from portal.i18n import _, choice
from portal.reflex_adapter.state import assign_changed
from portal.vocabulary.links import PHONE_FILES, PHONE_PATH
from portal.web.cookies import fingerprint, phone_link

_EVERY_SECONDS = 4.0
_MARK_LENGTH = 12
_visits = count(1)


class PhonePage(FileLists, rx.State):
    """The page on the telephone. `name`: name of the bike; empty if the request is about none."""

    view_state: rx.Field[str] = rx.field(LOADING)
    flow: rx.Field[str] = rx.field("")
    field: rx.Field[str] = rx.field("")
    name: rx.Field[str] = rx.field("")
    mark: rx.Field[str] = rx.field("")
    files: rx.Field[list[FileView]] = rx.field(default_factory=list)
    _visit: int = 0

    @rx.event(background=True)
    @public
    async def load(self) -> None:
        async with self:
            link = phone_link(self.router.headers.cookie)
            mark = fingerprint(link)[:_MARK_LENGTH]
            if self.mark != mark:
                self.reset()
                self.mark = mark
        await self._look(link, mark)

    @rx.event(background=True)
    @public
    async def watch(self) -> None:
        async with self:
            link, self._visit = phone_link(self.router.headers.cookie), next(_visits)
            visit, mark = self._visit, self.mark
        while True:
            await asyncio.sleep(_EVERY_SECONDS)
            async with self:
                if self._visit != visit or self.view_state == MISSING:
                    return
            await self._look(link, mark, quietly=True)

    async def _look(self, link: str, mark: str, *, quietly: bool = False) -> None:
        asked_at = time.time()
        try:
            found = await ask(FlowApi).phone_uploads(link)
        except NotAuthenticated:
            async with self:
                self.reset()
                self.mark, self.view_state = mark, MISSING
            return
        except ProviderError:
            if not quietly:
                async with self:
                    self.view_state = FAILED
            return
        async with self:
            if self.mark not in {"", mark} or not self._is_newest_list(asked_at):
                return
            files = [file_view({**file.model_dump(), "id": file.upload_id}) for file in found.files]
            assign_changed(
                self,
                {"flow": found.flow, "field": found.field, "name": found.name, "files": files, "view_state": READY},
            )


def phone_page() -> rx.Component:
    shown = rx.match(
        PhonePage.view_state,
        (READY, _ready()),
        (MISSING, _ended()),
        (
            FAILED,
            ui.page_frame(ui.error_block(_("This page couldn’t be loaded."), on_retry=PhonePage.load), title=_NAME),
        ),
        ui.page_frame(
            ui.skeleton("h-6 w-64 max-w-full appear"), ui.skeleton_cards(1, "h-40"), title=_NAME, narrow=True
        ),
    )
    return rx.fragment(shown)


_NAME = _("Add photos")


def _ready() -> rx.Component:
    kinds = {flow.name: _(flow.title) for flow in _flows()}
    about = choice(PhonePage.flow, kinds)
    cases = [
        (f"{flow.name}/{entry.name}", _field(entry, entry.rule))
        for flow in _flows()
        for entry in flow.fields
        if isinstance(entry.rule, Files)
    ]
    return ui.page_frame(
        ui.strong(about, ui.when(PhonePage.name != "", " – ", PhonePage.name), look="text-lg", top=2),
        ui.muted(_("What you add here appears on your computer at once. Carry on with your request there."), top=2),
        rx.el.form(rx.match(PhonePage.flow + "/" + PhonePage.field, *cases, rx.fragment()), class_name="mt-6"),
        title=_NAME,
        narrow=True,
    )


def _flows() -> list[Flow]:
    return [flow for flow in FLOWS.values() if any(isinstance(entry.rule, Files) for entry in flow.fields)]


def _field(entry: Field, rule: Files) -> rx.Component:
    return declared_upload(
        entry,
        rule,
        draft=PhonePage.mark,
        known=PhonePage.files,
        on_changed=PhonePage.load,
        optional=entry.optional,
        last_text=_("{name} is removed from your request, also on your computer."),
        at=PHONE_FILES,
    )


def _ended() -> rx.Component:
    return problem_page(
        _("This link no longer works"),
        _("It works for {phone_link_minutes} minutes, and until the request is sent. What you added has been kept."),
        _("Do you want to add more? Show a new code on your computer, and scan it."),
        picture=ui.illustrations.broken_chain(),
    )


PAGES = [
    PageRoute(
        PHONE_PATH.removeprefix("/"),
        phone_page,
        title(rx.cond(PhonePage.view_state == MISSING, _("This link no longer works"), _NAME).to(str)),
        on_load=[PhonePage.load, PhonePage.watch],
        protected=False,
    )
]
