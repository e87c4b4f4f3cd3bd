"""State of the page of a recall."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import reflex as rx

from portal.contract.errors import NotAuthenticated, ProviderError
from portal.contract.registry import ask
from portal.frontend.load import Question, last_part, text_in
from portal.frontend.policies import customer
from portal.frontend.session import SessionState, session_ended, session_token
from portal.frontend.state import Loadable
from portal.kernel.address import readable_phone
from portal.recalls.api import Recall, RecallsApi, RemedyChoice
from portal.web.session import checks


@dataclass(frozen=True, slots=True)
class ItemView:
    """A recalled number of the customer's."""

    kind: str = ""
    number: str = ""
    bike: str = ""


@dataclass(frozen=True, slots=True)
class RecallView:
    """A recall. Texts are by language; `remedy` is empty until the customer chose; the time is ISO 8601.

    `picture` is the path of the picture; empty without one.
    """

    product: dict[str, str] = field(default_factory=dict)
    description: dict[str, str] = field(default_factory=dict)
    hazard: dict[str, str] = field(default_factory=dict)
    action: dict[str, str] = field(default_factory=dict)
    recalled: list[ItemView] = field(default_factory=list)
    remedies: list[str] = field(default_factory=list)
    remedy: str = ""
    acknowledged: bool = False
    published_at: str = ""
    picture: str = ""
    phone: str = ""
    phone_number: str = ""
    email: str = ""


def recall_view(recall: Recall) -> RecallView:
    """Map a recall to its view."""
    return RecallView(
        product=recall.product.model_dump(),
        description=recall.description.model_dump(),
        hazard=recall.hazard.model_dump(),
        action=recall.action.model_dump(),
        recalled=[ItemView(item.kind.value, item.number, item.bike) for item in recall.items],
        remedies=[remedy.value for remedy in recall.remedies],
        remedy=recall.remedy.value if recall.remedy else "",
        acknowledged=recall.acknowledged,
        published_at=recall.published_at.isoformat(),
        picture=f"/files/recalls/{recall.recall_id}.jpg" if recall.has_picture else "",
        phone=readable_phone(recall.phone),
        phone_number=recall.phone,
        email=recall.email,
    )


class RecallPage(Loadable, rx.State):
    """A recall that concerns the customer.

    Attributes:
        recall: the recall.
        refusal: error code of the latest refusal; empty if there is none.
        answered: number of answers, so that the form notices its own answer.
        attempt: number of refusals, so that the error summary takes the focus.
    """

    recall: rx.Field[RecallView] = rx.field(default_factory=RecallView)
    refusal: rx.Field[str] = rx.field("")
    answered: rx.Field[int] = rx.field(0)
    attempt: rx.Field[int] = rx.field(0)

    @rx.event(background=True)
    @customer
    async def acknowledge(self) -> None:
        """Confirm that the recall was read; the banner goes."""
        async with self:
            token, recall_id = session_token(self), self.subject
        await self._answer(token, lambda: ask(RecallsApi).acknowledge_recall(token, recall_id))

    @rx.event(background=True)
    @customer
    async def choose(self, form: dict[str, Any]) -> None:
        """Choose a remedy."""
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
        self.recall = recall_view(recall)
