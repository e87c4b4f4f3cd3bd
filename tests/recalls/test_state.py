"""The banner of a recall on every page, and its page."""

from collections.abc import Iterator

import pytest

from portal.contract import registry
from portal.contract.account import LocalizedText
from portal.contract.common_api import SessionApi
from portal.contract.errors import Conflict, NotFound
from portal.contract.session import SessionCheck
from portal.frontend.layout import recall_banner
from portal.frontend.load import READY
from portal.frontend.session import SessionState
from portal.kernel.codes import Code
from portal.kernel.days import now
from portal.orders.pages.state import Orders
from portal.recalls.api import Recall, RecalledItem, RemedyChoice
from portal.recalls.pages import RecallPage
from portal.vocabulary.services import RecalledKind, Remedy
from portal.web.session import checks
from tests.frontend.test_pages import tab_of
from tests.support.connections import Shop
from tests.support.doubles import Altered, Method, replaced
from tests.support.people import SANNE
from tests.support.pipeline import Pipeline, Tab

pytestmark = pytest.mark.asyncio(loop_scope="module")

RECALL_ID = "B234567890"
PATH = f"/recalls/{RECALL_ID}"


class RecalledShop:
    """A provider that knows one recall of the customer."""

    def __init__(self, shop: Shop) -> None:
        self.shop = shop
        self.acknowledged = False
        self.remedy: Remedy | None = None

    @property
    def provider(self) -> Altered:
        operations: dict[str, Method] = {
            "check_session": self.check_session,
            "recall": self.recall,
            "acknowledge_recall": self.acknowledge_recall,
            "choose_remedy": self.choose_remedy,
        }
        return replaced(self.shop.provider, **operations)

    async def check_session(self, token: str) -> SessionCheck:
        found = await self.shop.ask(SessionApi).check_session(token)
        return found.model_copy(update={"recall": "" if self.acknowledged else RECALL_ID})

    async def recall(self, token: str, recall_id: str) -> Recall:
        if recall_id != RECALL_ID:
            raise NotFound
        text = LocalizedText(nl="Accu", en="Battery")
        return Recall(
            recall_id=RECALL_ID,
            product=text,
            description=text,
            hazard=text,
            action=text,
            items=[RecalledItem(kind=RecalledKind.BATTERY, number="PT-1", bike="Horizon")],
            remedies=[Remedy.REPAIR, Remedy.REFUND],
            remedy=self.remedy,
            acknowledged=self.acknowledged,
            published_at=now(),
            phone="+31302001234",
            email="klantenservice@bovenbuis.example",
        )

    async def acknowledge_recall(self, token: str, recall_id: str) -> Recall:
        self.acknowledged = True
        return await self.recall(token, recall_id)

    async def choose_remedy(self, token: str, recall_id: str, choice: RemedyChoice) -> Recall:
        if self.remedy:
            raise Conflict(Code.REMEDY_CHOSEN)
        self.remedy = Remedy(choice.remedy)
        return await self.acknowledge_recall(token, recall_id)


@pytest.fixture
def recalled(shop: Shop) -> Iterator[RecalledShop]:
    """The portal is connected to this provider, and asks it again about sessions."""
    recalled = RecalledShop(shop)
    registry.connect(recalled.provider)
    checks._answers.clear()
    yield recalled
    registry.connect(shop.provider)
    checks._answers.clear()


async def opened(tabs: Pipeline, recalled: RecalledShop, name: str) -> Tab:
    tab = await tab_of(tabs, recalled.shop, SANNE, name)
    await tab.send(Orders.load, path="/orders")
    return tab


async def test_every_page_tells_of_a_recall_until_it_is_acknowledged(tabs: Pipeline, recalled: RecalledShop) -> None:
    tab = await opened(tabs, recalled, "banner")
    assert tab.shown(SessionState, "recall") == RECALL_ID
    await tab.send(RecallPage.load, path=PATH)
    assert tab.shown(RecallPage, "view_state") == READY
    assert tab.stored(SessionState).recall == RECALL_ID, "to open it is not enough"
    await tab.send(RecallPage.acknowledge, path=PATH)
    assert tab.shown(SessionState, "recall") == ""
    await tab.send(Orders.load, path="/orders")
    assert tab.stored(SessionState).recall == ""


async def test_a_remedy_is_chosen_and_a_second_choice_is_refused(tabs: Pipeline, recalled: RecalledShop) -> None:
    tab = await opened(tabs, recalled, "choice")
    await tab.send(RecallPage.load, path=PATH)
    await tab.send(RecallPage.choose, path=PATH, form={"remedy": "refund"})
    chosen = tab.shown(RecallPage, "recall")
    assert chosen.remedy is Remedy.REFUND
    await tab.send(RecallPage.choose, path=PATH, form={"remedy": "repair"})
    assert (tab.shown(RecallPage, "refusal"), tab.shown(RecallPage, "attempt")) == ("remedy_chosen", 1)
    assert tab.stored(RecallPage).recall == chosen


async def test_the_banner_has_the_headline_of_the_law_and_leads_to_the_recall() -> None:
    banner = str(recall_banner())
    assert "Veiligheidsterugroepactie" in banner
    assert "Product safety recall" in banner
    assert '"/recalls/"' in banner
