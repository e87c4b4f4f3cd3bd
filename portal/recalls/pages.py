"""The page of a recall, with the content of the recall notice of the EU (Implementing Regulation (EU) 2024/1435)."""

from collections.abc import Awaitable, Callable
from typing import Any

import reflex as rx

from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.registry import ask
from portal.frontend.live import Loadable
from portal.frontend.load import Form, Question, last_part, text_in
from portal.frontend.load_views import detail_title, loaded, unless_missing
from portal.frontend.models import entry
from portal.frontend.policies import customer
from portal.frontend.registry import PageRoute
from portal.frontend.session import SessionState, session_ended, session_token
from portal.frontend.texts import field_message, refusal
from portal.i18n import Text, _, choice, day
from portal.i18n.messages import localized
from portal.kernel.address import readable_phone
from portal.kernel.codes import Code
from portal.recalls.api import Recall, RecalledItem, RecallsApi, RemedyChoice
from portal.ui import (
    action_button,
    anchor,
    card,
    error_summary,
    event_form,
    notice,
    notice_on_failure,
    page_frame,
    skeleton_cards,
    submit_button,
)
from portal.vocabulary.services import RECALL_HEADLINE, RECALLED_NAMES, REMEDY_MEANINGS, REMEDY_NAMES
from portal.web.session import checks


class RecallPage(Loadable, rx.State):
    """A recall that concerns the customer.

    Attributes:
        refusal: error code of the latest refusal; empty if there is none.
    """

    recall: rx.Field[Recall | None] = rx.field(None)
    phone: rx.Field[str] = rx.field("")
    refusal: rx.Field[str] = rx.field("")
    answered: rx.Field[int] = rx.field(0)
    attempt: rx.Field[int] = rx.field(0)

    @rx.event(background=True)
    @customer
    async def acknowledge(self) -> None:
        """Confirm that the recall was read, which hides the banner."""
        async with self:
            token, recall_id = session_token(self), self.subject
        await self._answer(token, lambda: ask(RecallsApi).acknowledge_recall(token, recall_id))

    @rx.event(background=True)
    @customer
    async def choose(self, form: Form) -> None:
        async with self:
            token, recall_id = session_token(self), self.subject
        choice = RemedyChoice(remedy=text_in(form, "remedy")[:100])
        await self._answer(token, lambda: ask(RecallsApi).choose_remedy(token, recall_id, choice))

    async def _answer(self, token: str, send: Callable[[], Awaitable[Recall]]) -> None:
        try:
            recall = await send()
        except ProviderError as error:
            async with self:
                self.answered += 1
                self.attempt += 1
                self.refusal = error.fields.get("remedy", error.code).value
                if isinstance(error, NotAuthenticated):
                    await session_ended(self)
            return
        # There may be a further recall: the next event asks for it.
        checks.outdated(token)
        async with self:
            self.answered += 1
            self.refusal = ""
            self._show(recall)
            (await self.get_state(SessionState)).recall = ""

    def _about(self) -> str:
        return last_part(self)

    def _question(self) -> Question[Recall]:
        recall_id = last_part(self)
        return lambda token: ask(RecallsApi).recall(token, recall_id)

    def _show(self, recall: Recall) -> None:
        self.recall, self.phone = recall, readable_phone(recall.phone)


_RECALL = RecallPage.recall
_NAMES = {kind.value: name for kind, name in RECALLED_NAMES.items()}
_REMEDIES = {remedy.value: name for remedy, name in REMEDY_NAMES.items()}
_MEANINGS = {remedy.value: text for remedy, text in REMEDY_MEANINGS.items() if text}


def recall() -> rx.Component:
    return unless_missing(
        RecallPage,
        page_frame(
            loaded(
                RecallPage,
                rx.el.div(_answered(), _content(), _choice(), _contact(), class_name="mt-6 space-y-5"),
                failure=_("The recall couldn’t be loaded."),
                loading=skeleton_cards(2, "h-56", "gap-5 mt-6"),
            ),
            above=rx.fragment(
                error_summary({"remedy": _error()}, RecallPage.attempt),
                # One long word in Dutch, which has to fit on the smallest screens.
                rx.el.h1(_(RECALL_HEADLINE), tab_index=-1, class_name="wrap-anywhere max-sm:text-[1.625rem]"),
            ),
            narrow=True,
        ),
    )


def _error() -> rx.Var[str]:
    return field_message(
        RecallPage.refusal, _("Your choice"), Code.INVALID_INPUT, required=_("Choose one of the options.")
    )


def _content() -> rx.Component:
    return rx.el.section(
        rx.el.p(localized(_RECALL.product), class_name="text-h2"),
        rx.el.ul(rx.foreach(entry(_RECALL, "items").to(list[RecalledItem]), _item), class_name="mt-2"),
        rx.el.p(_("Recalled on {day}", day=day(_RECALL.published_at)), class_name="mt-1 text-ink-600"),
        rx.cond(
            _RECALL.has_picture,
            rx.el.img(
                src=f"/files/recalls/{_RECALL.recall_id}.jpg",
                alt=_("Picture: {product}", product=localized(_RECALL.product)),
                class_name="mt-5 max-h-96 w-auto rounded-card border border-line bg-white",
            ),
        ),
        _part(_("Which product"), _RECALL.description),
        _part(_("What the danger is"), _RECALL.hazard),
        rx.el.div(
            notice(
                rx.el.p(localized(_RECALL.action), class_name="mt-1 whitespace-pre-line"),
                title=_("What you must do now"),
                tone="err",
            ),
            class_name="mt-6",
        ),
    )


def _item(item: rx.vars.ObjectVar[RecalledItem]) -> rx.Component:
    return rx.el.li(
        item.bike, " · ", choice(item.kind, _NAMES), " ", rx.el.strong(item.number, class_name="tabular-nums")
    )


def _part(name: Text, text: rx.Var[Any]) -> rx.Component:
    return rx.el.div(
        rx.el.h2(name, class_name="text-h3"),
        rx.el.p(localized(text), class_name="mt-1 whitespace-pre-line"),
        class_name="mt-6",
    )


def _answered() -> rx.Component:
    return rx.cond(
        _RECALL.remedy,
        notice(
            _("We’ll contact you about the next step."),
            title=_("You chose: {remedy}", remedy=choice(_RECALL.remedy, _REMEDIES)),
            tone="ok",
            announced=True,
        ),
        rx.cond(
            _RECALL.acknowledged,
            notice(
                _("Choose below what we can do for you."),
                title=_("You’ve confirmed that you have read this"),
                tone="ok",
            ),
        ),
    )


def _choice() -> rx.Component:
    refused = (RecallPage.refusal != "") & (RecallPage.refusal != Code.REQUIRED.value)
    return rx.cond(
        (_RECALL.remedy | (entry(_RECALL, "items").to(list[RecalledItem]).length() == 0)),
        rx.fragment(),
        card(
            event_form(
                notice_on_failure(refused, refusal(code=RecallPage.refusal), RecallPage.attempt),
                rx.el.fieldset(
                    rx.el.legend(rx.el.h2(_("What would you like?"), class_name="text-h3")),
                    rx.el.p(_("It’s free of charge."), class_name="mt-1"),
                    rx.el.p(_error(), class_name="mt-2 font-semibold text-err empty:hidden"),
                    rx.el.div(rx.foreach(_RECALL.remedies.to(list[str]), _remedy), class_name="mt-4 grid gap-3"),
                ),
                rx.el.div(
                    submit_button(_("Confirm my choice")),
                    rx.cond(
                        _RECALL.acknowledged,
                        rx.fragment(),
                        action_button(_("I’ve read this and will choose later"), RecallPage.acknowledge),
                    ),
                    class_name="flex flex-wrap gap-3 max-md:flex-col",
                ),
                on_send=RecallPage.choose,
                answered=RecallPage.answered,
                class_name="space-y-5",
            ),
            class_name="md:p-8",
        ),
    )


def _remedy(remedy: rx.Var[str]) -> rx.Component:
    return rx.el.label(
        rx.el.input(type="radio", name="remedy", value=remedy, class_name="mt-0.5 size-6 shrink-0 accent-ink"),
        rx.el.span(
            rx.el.strong(choice(remedy, _REMEDIES), class_name="block"),
            rx.el.span(choice(remedy, _MEANINGS), class_name="block text-ink-600"),
        ),
        class_name="choice items-start",
        key=remedy,
    )


def _contact() -> rx.Component:
    link = "text-link underline inline-flex min-h-11 items-center mr-6"
    return rx.el.section(
        rx.el.h2(_("Questions about this recall?"), class_name="text-h3"),
        rx.el.p(
            anchor(RecallPage.phone, href=f"tel:{_RECALL.phone}", class_name=link),
            anchor(_RECALL.email, href=f"mailto:{_RECALL.email}", class_name=f"{link} wrap-anywhere"),
        ),
        rx.el.p(_("Does someone else use the product? Please pass this on."), class_name="text-ink-600"),
    )


PAGES = [
    PageRoute("recalls/[recall_id]", recall, detail_title(RecallPage, _(RECALL_HEADLINE)), on_load=[RecallPage.load])
]
