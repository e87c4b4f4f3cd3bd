"""An internal note never leaves the house: no event, mail, file or list holds it."""

from __future__ import annotations

from portal.cases.api import CaseFilter, CaseNoteEntry, CasesApi
from portal.exports.api import ExportsApi
from portal.tables.messages import OutboxMail
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.work_orders import WorkOrderStatus
from tests.exports.telling import Telling
from tests.support.customers import JORIS
from tests.support.furnished import Furnished
from tests.support.receiver import Receiver
from tests.work_orders.history import reference_of

MARKER = "zqnote"


async def test_a_note_is_in_no_event_mail_or_list(shop_telling: Telling, receiver: Receiver) -> None:
    shop, administrator = Furnished(shop_telling.application), shop_telling.administrator
    reference = await reference_of(shop, JORIS, status=WorkOrderStatus.IN_REPAIR)
    await shop_telling.hook(receiver.url)
    entry = CaseNoteEntry(text=f"{MARKER}: belt vaak")
    detail = await shop.ask(CasesApi).add_note(administrator, CaseKind.REPAIR.value, reference, entry)
    assert MARKER in detail.model_dump_json()
    await shop_telling.work()
    left = [request.content for request in receiver.received]
    assert '"case.note_added"' in left[0]
    listed = await shop.ask(CasesApi).case_list(administrator, CaseFilter())
    left += [chunk.decode() async for chunk in listed.chunks]
    left += [(await shop.ask(ExportsApi).insurance_list(administrator)).content.decode()]
    left += [str(mail) for mail in await shop_telling.rows(OutboxMail)]
    assert reference in "".join(left)
    assert MARKER not in "".join(left)
