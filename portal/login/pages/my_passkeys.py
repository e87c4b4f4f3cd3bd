"""The page with the customer's passkeys: view them, add one, remove one."""

from dataclasses import dataclass

import reflex as rx

from portal.contract.errors import NotAuthenticated, NotFound, ProviderError
from portal.contract.registry import ask
from portal.frontend.form_helps import focus_box
from portal.frontend.layout import title
from portal.frontend.live import Loadable
from portal.frontend.load import Question
from portal.frontend.load_views import loaded
from portal.frontend.policies import customer
from portal.frontend.registry import PageRoute
from portal.frontend.session import session_ended, session_token
from portal.frontend.toasts import Toasts
from portal.i18n import _, day
from portal.kernel.codes import Code
from portal.kernel.texts import N_
from portal.login.api import Passkeys, PasskeysApi
from portal.login.pages.passkey_forms import NEW_ANSWER, make_passkey
from portal.ui import back_link, card, confirm_button, notice, page_frame, skeleton_cards

ADDED, REMOVED = "added", "removed"
"""What has just been done."""


@dataclass(frozen=True, slots=True)
class PasskeyView:
    """A passkey; times are ISO 8601 (UTC), empty for never."""

    passkey_id: str = ""
    device: str = ""
    created_at: str = ""
    last_used_at: str = ""


class MyPasskeys(Loadable, rx.State):
    """The customer's passkeys.

    Attributes:
        passkeys: newest first.
        done: what has just been done, `ADDED` or `REMOVED`; may be empty.
    """

    passkeys: rx.Field[list[PasskeyView]] = rx.field(default_factory=list)
    done: rx.Field[str] = rx.field("")
    times: rx.Field[int] = rx.field(0)

    @rx.event(background=True)
    @customer
    async def added(self) -> None:
        if await self._ask():
            async with self:
                self.done, self.times = ADDED, self.times + 1

    @rx.event(background=True)
    @customer
    async def remove(self, passkey_id: str) -> None:
        async with self:
            token = session_token(self)
        try:
            answer = await ask(PasskeysApi).remove_passkey(token, passkey_id)
        except NotFound:
            await self._ask()  # It is already gone.
            return
        except ProviderError as error:
            async with self:
                if isinstance(error, NotAuthenticated):
                    await session_ended(self)
                toasts = await self.get_state(Toasts)
                toasts._add("error", N_("Something went wrong"), N_("Please try again"), alone=True)
            return
        async with self:
            self._show_newest(answer)
            self.done, self.times = REMOVED, self.times + 1

    def _before_load(self) -> bool:
        self.done = ""
        return True

    def _question(self) -> Question[Passkeys]:
        return lambda token: ask(PasskeysApi).passkeys(token)

    def _show(self, answer: Passkeys) -> None:
        self.passkeys = [
            PasskeyView(
                passkey_id=passkey.passkey_id,
                device=passkey.device,
                created_at=passkey.created_at.isoformat(),
                last_used_at=passkey.last_used_at.isoformat() if passkey.last_used_at else "",
            )
            for passkey in answer.passkeys
        ]


def my_passkeys() -> rx.Component:
    """The page."""
    return page_frame(
        loaded(
            MyPasskeys,
            rx.el.div(
                _done(),
                rx.cond(
                    MyPasskeys.passkeys.length() > 0,
                    rx.el.ul(rx.foreach(MyPasskeys.passkeys, _passkey), class_name="space-y-5"),
                    rx.el.p(_("You don’t have a passkey yet.")),
                ),
                make_passkey(
                    _("Add a passkey"),
                    on_done=MyPasskeys.added,
                    missing=_("This browser doesn’t support passkeys."),
                ),
                class_name="mt-8 max-w-[46rem] space-y-6",
            ),
            failure=_("Your passkeys couldn’t be loaded."),
            loading=skeleton_cards(1, "h-32", "max-w-[46rem] gap-5 mt-8"),
        ),
        title=_("Your passkeys"),
        lead=_("With a passkey you log in the way you unlock your phone or computer."),
        back=back_link(_("My data"), "/my-data"),
    )


def _done() -> rx.Component:
    return rx.cond(
        MyPasskeys.done != "",
        focus_box(
            notice(
                rx.cond(
                    MyPasskeys.done == ADDED,
                    _("From now on you can log in with it."),
                    _("You can’t log in with it any more. You can delete it from your device too."),
                ).to(str),
                title=rx.cond(
                    MyPasskeys.done == ADDED, _("Your passkey has been added"), _("Your passkey has been removed")
                ).to(str),
                tone="ok",
                announced=True,
            ),
            attempt=MyPasskeys.times,
        ),
    )


def _passkey(passkey: rx.vars.ObjectVar[PasskeyView]) -> rx.Component:
    name = rx.cond(passkey.device == "", _("Passkey"), passkey.device).to(str)
    return rx.el.li(
        card(
            rx.el.div(
                rx.el.h2(name, class_name="text-h3 break-words"),
                rx.el.p(_("Added on {day}", day=day(passkey.created_at)), class_name="mt-1 text-ink-600"),
                rx.cond(
                    passkey.last_used_at == "",
                    rx.el.p(_("Not used yet"), class_name="text-ink-600"),
                    rx.el.p(_("Last used on {day}", day=day(passkey.last_used_at)), class_name="text-ink-600"),
                ),
                class_name="min-w-0",
            ),
            confirm_button(
                _("Remove"),
                _("Remove this passkey?"),
                _("You can’t log in with it any more. A code by email keeps working."),
                act=_("Remove"),
                safe=_("Keep the passkey"),
                on_confirm=MyPasskeys.remove(passkey.passkey_id),
                style="text",
            ),
            class_name="flex flex-wrap items-start justify-between gap-4",
        ),
    )


_failed = (NEW_ANSWER.error != "") & (NEW_ANSWER.error != Code.PASSKEY_CANCELLED.value)

PAGES = [
    PageRoute("my-data/passkeys", my_passkeys, title(_("Your passkeys"), failed=_failed), on_load=[MyPasskeys.load])
]
