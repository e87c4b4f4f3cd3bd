"""The page of a recall, with the content of the recall notice of the EU (Implementing Regulation (EU) 2024/1435)."""

from collections.abc import Awaitable, Callable
from typing import Any

import reflex as rx

from portal import ui
from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.registry import ask
from portal.frontend.live import Loadable
from portal.frontend.load import Question, last_part, text_in
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
from portal.vocabulary.services import RECALL_HEADLINE, RECALLED_NAMES, REMEDY_MEANINGS, REMEDY_NAMES
from portal.web.session import checks


class RecallPage(Loadable, rx.State):
    """A recall that concerns the customer. `refusal`: error code of the latest refusal; empty if there is none."""

    recall: rx.Field[Recall | None] = rx.field(None)
    phone: rx.Field[str] = rx.field("")
    refusal: rx.Field[str] = rx.field("")
    answered: rx.Field[int] = rx.field(0)
    attempt: rx.Field[int] = rx.field(0)

    @rx.event(background=True)
    @customer
    async def acknowledge(self) -> None:
        async with self:
            token, recall_id = session_token(self), self.subject
        await self._answer(token, lambda: ask(RecallsApi).acknowledge_recall(token, recall_id))

    @rx.event(background=True)
    @customer
    async def choose(self, form: dict[str, Any]) -> None:
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
        ui.page_frame(
            loaded(
                RecallPage,
                ui.stack(_answered(), _content(), _choice(), _contact(), gap=5, top=6),
                failure=_("The recall couldn’t be loaded."),
                loading=ui.skeleton_cards(2, "h-56", "gap-5 mt-6"),
            ),
            above=rx.fragment(
                ui.error_summary({"remedy": _error()}, RecallPage.attempt),
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
        ui.text(localized(_RECALL.product), look="text-h2"),
        ui.item_list(entry(_RECALL, "items").to(list[RecalledItem]), _item, top=2),
        ui.muted(_("Recalled on {day}", day=day(_RECALL.published_at)), top=1),
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
        ui.notice(
            ui.text(localized(_RECALL.action), look="whitespace-pre-line", top=1),
            title=_("What you must do now"),
            tone="err",
            top=6,
        ),
    )


def _item(item: rx.vars.ObjectVar[RecalledItem]) -> rx.Component:
    return rx.el.li(
        item.bike, " · ", choice(item.kind, _NAMES), " ", rx.el.strong(item.number, class_name="tabular-nums")
    )


def _part(name: Text, text: rx.Var[Any]) -> rx.Component:
    return ui.stack(ui.subheading(name), ui.text(localized(text), look="whitespace-pre-line", top=1), top=6)


def _answered() -> rx.Component:
    return rx.cond(
        _RECALL.remedy,
        ui.notice(
            _("We’ll contact you about the next step."),
            title=_("You chose: {remedy}", remedy=choice(_RECALL.remedy, _REMEDIES)),
            tone="ok",
            announced=True,
        ),
        ui.notice(
            _("Choose below what we can do for you."),
            title=_("You’ve confirmed that you have read this"),
            tone="ok",
            shown=_RECALL.acknowledged,
        ),
    )


def _choice() -> rx.Component:
    refused = (RecallPage.refusal != "") & (RecallPage.refusal != Code.REQUIRED.value)
    return rx.cond(
        (_RECALL.remedy | (entry(_RECALL, "items").to(list[RecalledItem]).length() == 0)),
        rx.fragment(),
        ui.card(
            ui.event_form(
                ui.notice_on_failure(refused, refusal(code=RecallPage.refusal), RecallPage.attempt),
                rx.el.fieldset(
                    rx.el.legend(ui.subheading(_("What would you like?"))),
                    ui.text(_("It’s free of charge."), top=1),
                    ui.strong(_error(), look="text-err empty:hidden", top=2),
                    rx.el.div(rx.foreach(_RECALL.remedies.to(list[str]), _remedy), class_name="mt-4 grid gap-3"),
                ),
                ui.row(
                    ui.submit_button(_("Confirm my choice")),
                    rx.cond(
                        _RECALL.acknowledged,
                        rx.fragment(),
                        ui.action_button(_("I’ve read this and will choose later"), RecallPage.acknowledge),
                    ),
                    look="max-md:flex-col",
                ),
                on_send=RecallPage.choose,
                answered=RecallPage.answered,
                class_name="space-y-5",
            ),
            class_name="md:p-8",
        ),
    )


def _remedy(remedy: rx.Var[str]) -> rx.Component:
    return ui.radio_card(
        "remedy",
        remedy,
        rx.el.span(
            rx.el.strong(choice(remedy, _REMEDIES), class_name="block"),
            ui.line(choice(remedy, _MEANINGS), look="text-ink-600"),
        ),
        tall=True,
        look="items-start",
        key=remedy,
    )


def _contact() -> rx.Component:
    link = "text-link underline inline-flex min-h-11 items-center mr-6"
    return rx.el.section(
        ui.subheading(_("Questions about this recall?")),
        ui.text(
            ui.anchor(RecallPage.phone, href=f"tel:{_RECALL.phone}", class_name=link),
            ui.anchor(_RECALL.email, href=f"mailto:{_RECALL.email}", class_name=f"{link} wrap-anywhere"),
        ),
        ui.muted(_("Does someone else use the product? Please pass this on.")),
    )


PAGES = [
    PageRoute("recalls/[recall_id]", recall, detail_title(RecallPage, _(RECALL_HEADLINE)), on_load=[RecallPage.load])
]
