"""Models and operations of product safety recalls (part-1 §13)."""

from datetime import datetime
from typing import Annotated, Protocol

from pydantic import Field

from portal.contract.account import LocalizedText
from portal.contract.errors import Conflict, InvalidInput
from portal.contract.models import Document, Model, only_known, otherwise
from portal.contract.operations import JPEG, DeclaredRefusal, InVisit, Token, operation
from portal.kernel.codes import Code
from portal.vocabulary.services import RecalledKind, Remedy


class RecalledItem(Model):
    kind: Annotated[RecalledKind, otherwise(RecalledKind, RecalledKind.UNKNOWN)]
    number: str
    bike: str


class Recall(Model):
    """A recall that concerns the customer. `phone`: E.164."""

    recall_id: str
    product: LocalizedText
    description: LocalizedText
    hazard: LocalizedText
    action: LocalizedText
    items: list[RecalledItem]
    remedies: Annotated[list[Remedy], only_known(Remedy)]
    remedy: Annotated[Remedy | None, otherwise(Remedy, Remedy.UNKNOWN)] = None
    acknowledged: bool
    published_at: datetime
    has_picture: bool = False
    phone: str
    email: str


class RemedyChoice(Model):
    """The remedy as typed: a value of `Remedy`."""

    remedy: str = Field(default="", max_length=100)


class RecallsApi(Protocol):
    @operation("GET", "/recalls/{recall_id}")
    async def recall(self, token: Token, recall_id: str) -> Recall:
        """One recall."""

    @operation("GET", "/recalls/{recall_id}/picture", media=JPEG)
    async def recall_picture(self, token: Token, recall_id: str) -> Document:
        """The picture of the recalled product. `not_found`: there is none."""

    @operation("POST", "/recalls/{recall_id}/acknowledge", in_visit=InVisit.NEVER)
    async def acknowledge_recall(self, token: Token, recall_id: str) -> Recall:
        """Confirm that the recall was read. A second time changes nothing."""

    @operation(
        "POST",
        "/recalls/{recall_id}/remedy",
        refuses=(
            DeclaredRefusal(InvalidInput, Code.REQUIRED, Code.INVALID_INPUT),
            DeclaredRefusal(Conflict, Code.REMEDY_CHOSEN),
        ),
    )
    async def choose_remedy(self, token: Token, recall_id: str, choice: RemedyChoice) -> Recall:
        """Choose a remedy, which also confirms that the recall was read. Another choice later is refused."""
