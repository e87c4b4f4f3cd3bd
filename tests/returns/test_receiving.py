"""Staff receive returns: what arrived decides what is refunded (part-2 §5; edge-cases 26, 32, 34)."""

from __future__ import annotations

from decimal import Decimal

import pytest
from sqlmodel import select

from portal.cases.api import CasesApi
from portal.cases.models import CaseDetail
from portal.contract.errors import Conflict, InvalidInput, NotFound, Refused
from portal.exports.provider import cases as for_systems
from portal.flow.api import FlowApi, StaffFilesApi, UploadStart
from portal.kernel.codes import Code
from portal.returns.api import InspectedItem, ReceivingApi, ReturnInspection
from portal.tables.drafts import UploadRow, UploadState
from portal.tables.returns import ReturnRow, ReturnUnitRow
from portal.tables.staff import AuditRow
from portal.vocabulary.cases import CaseKind
from portal.vocabulary.returns import ReturnStatus, UnitCondition, UnitDecision
from portal.vocabulary.staff import Role
from tests.contract.operations import flowing
from tests.returns.back_office import settled
from tests.support import files
from tests.support.customers import ROOS
from tests.support.furnished import Furnished
from tests.support.returning import ACCESSORIES, PARTLY, accessories, facts, item, send

ITEM = f"{PARTLY}-1"


async def _sent(shop: Furnished, count: int = 2, **answers: str) -> str:
    """The reference of a return of accessories, to be brought to the nearest store."""
    token = await shop.log_in(ROOS)
    steps = await accessories(shop.provider, token, f"{ITEM}*{count}", **answers)
    return (await send(shop.provider, token, ACCESSORIES, steps)).reference


def _inspection(*items: InspectedItem, message: str = "") -> ReturnInspection:
    return ReturnInspection(items=list(items), message=message, seen=ReturnStatus.REQUEST_RECEIVED)


def _units(count: int, **found: object) -> InspectedItem:
    return InspectedItem.model_validate({"item_id": ITEM, "count": count, **found})


async def _refund(shop: Furnished, reference: str) -> Decimal:
    return (await settled(shop, reference)).refund


async def _case(shop: Furnished, reference: str) -> CaseDetail:
    return await shop.ask(CasesApi).case(await shop.log_in_staff(Role.SERVICE_DESK), CaseKind.RETURN, reference)


async def _found(shop: Furnished, reference: str) -> list[list[str]]:
    """What the case says of each item."""
    case = await _case(shop, reference)
    return [[line.en for line in fact.lines] for fact in case.found]


async def test_a_return_is_found_by_the_code_of_its_label_and_received(furnished: Furnished) -> None:
    reference = await _sent(furnished)
    token = await furnished.log_in_staff(Role.WAREHOUSE)
    expected = await furnished.ask(ReceivingApi).expected_return(
        token, f"https://balie.shop.example/receive/{reference}"
    )
    (entry,) = expected.items
    assert (expected.reference, expected.receivable, expected.customer_name) == (reference, True, "Roos de Wit")
    assert (entry.item_id, entry.count) == (ITEM, 2)
    by_hand = await furnished.ask(ReceivingApi).expected_return(token, f" {reference[:4].lower()} {reference[4:]}")
    assert by_hand.reference == reference
    # Receiving everything as stated refunds what was agreed, once, and is in the audit.
    agreed = await _refund(furnished, reference)
    outcome = await furnished.ask(ReceivingApi).receive_return(token, reference, _inspection(_units(2)))
    assert (outcome.status, outcome.missing, outcome.less) == (ReturnStatus.RECEIVED, 0, False)
    assert await _refund(furnished, reference) == agreed
    with pytest.raises(Conflict) as caught:
        await furnished.ask(ReceivingApi).receive_return(token, reference, _inspection(_units(2)))
    assert caught.value.code is Code.STATUS_CHANGED
    async with furnished.context.database.session() as session:
        (audited,) = (await session.exec(select(AuditRow).where(AuditRow.action == "receive_return"))).all()
    assert (audited.actor, audited.kind, audited.reference) == ("Test warehouse", "return", reference)


async def test_a_missing_unit_is_not_refunded_and_can_be_returned_again(furnished: Furnished) -> None:
    reference = await _sent(furnished)
    agreed = await _refund(furnished, reference)
    token = await furnished.log_in_staff(Role.WAREHOUSE)
    with pytest.raises(InvalidInput) as caught:
        await furnished.ask(ReceivingApi).receive_return(token, reference, _inspection(_units(1)))
    assert caught.value.fields == {"message": Code.REQUIRED}, "less money needs a word to the customer"
    inspection = _inspection(_units(1), message="Eén slot zat niet in het pakket.")
    assert (await furnished.ask(ReceivingApi).receive_return(token, reference, inspection)).missing == 1
    assert await _refund(furnished, reference) == agreed / 2
    assert (await item(furnished.provider, await furnished.log_in(ROOS), ITEM))["max"] == 2
    assert await _found(furnished, reference) == [["As the customer stated"], ["Did not arrive"]]
    assert (await _case(furnished, reference)).events[-1].message == inspection.message


async def test_signs_of_use_that_staff_find_deduct_a_quarter_of_that_unit(furnished: Furnished) -> None:
    reference = await _sent(furnished)
    agreed = await _refund(furnished, reference)
    token = await furnished.log_in_staff(Role.SERVICE_DESK)
    found = (_units(1), _units(1, condition=UnitCondition.SIGNS_OF_USE))
    preview = await furnished.ask(ReceivingApi).preview_inspection(token, reference, _inspection(*found))
    assert preview.refund == agreed - (agreed / 2 * Decimal("0.25")).quantize(Decimal("0.01"))
    assert await _refund(furnished, reference) == agreed
    await furnished.ask(ReceivingApi).receive_return(token, reference, _inspection(*found, message="Eén is gebruikt."))
    assert await _refund(furnished, reference) == preview.refund


async def test_signs_of_use_of_a_defective_item_deduct_nothing(furnished: Furnished) -> None:
    reference = await _sent(furnished, fault="product_is_defect")
    agreed = await _refund(furnished, reference)
    token = await furnished.log_in_staff(Role.WAREHOUSE)
    inspection = _inspection(_units(2, condition=UnitCondition.SIGNS_OF_USE))
    assert not (await furnished.ask(ReceivingApi).receive_return(token, reference, inspection)).less
    assert await _refund(furnished, reference) == agreed


async def test_a_unit_that_is_sent_back_is_not_refunded(furnished: Furnished) -> None:
    reference = await _sent(furnished)
    agreed = await _refund(furnished, reference)
    token = await furnished.log_in_staff(Role.WAREHOUSE)
    damaged = _units(1, condition=UnitCondition.DAMAGED, decision=UnitDecision.SEND_BACK, note="Sleutel afgebroken")
    inspection = _inspection(_units(1), damaged, message="Eén slot is beschadigd; dat sturen we terug.")
    await furnished.ask(ReceivingApi).receive_return(token, reference, inspection)
    assert await _refund(furnished, reference) == agreed / 2
    assert await _found(furnished, reference) == [
        ["As the customer stated"],
        ["Damaged", "Send back to the customer", "Sleutel afgebroken"],
    ]


async def test_a_return_of_which_nothing_is_accepted_is_rejected(furnished: Furnished) -> None:
    reference = await _sent(furnished)
    token = await furnished.log_in_staff(Role.WAREHOUSE)
    wrong = _units(2, condition=UnitCondition.WRONG_ITEM, decision=UnitDecision.SEND_BACK)
    inspection = _inspection(wrong, message="Dit zijn andere sloten.")
    assert (
        await furnished.ask(ReceivingApi).receive_return(token, reference, inspection)
    ).status is ReturnStatus.REJECTED
    assert (await item(furnished.provider, await furnished.log_in(ROOS), ITEM))["max"] == 3


@pytest.mark.parametrize("items", [[("900000001-1", 1)], [(ITEM, 1), (ITEM, 2)]])
async def test_receiving_more_than_the_return_has_is_refused(
    furnished: Furnished, items: list[tuple[str, int]]
) -> None:
    reference = await _sent(furnished)
    token = await furnished.log_in_staff(Role.WAREHOUSE)
    inspection = _inspection(*(InspectedItem(item_id=name, count=count) for name, count in items))
    with pytest.raises(InvalidInput) as caught:
        await furnished.ask(ReceivingApi).receive_return(token, reference, inspection)
    assert caught.value.fields == {"items": Code.INVALID_NUMBER}


async def test_people_of_a_store_receive_only_what_is_brought_there(furnished: Furnished) -> None:
    reference = await _sent(furnished)
    stores = (await facts(furnished.provider, await furnished.log_in(ROOS), ACCESSORIES))["stores"]
    here = await furnished.log_in_staff(Role.STORE_MANAGER, stores[0]["id"])
    elsewhere = await furnished.log_in_staff(Role.STORE_MANAGER, stores[1]["id"])
    assert (await furnished.ask(ReceivingApi).expected_return(here, reference)).reference == reference
    with pytest.raises(NotFound):
        await furnished.ask(ReceivingApi).expected_return(elsewhere, reference)
    with pytest.raises(NotFound):
        await _photo(furnished, elsewhere, reference, 1)


async def _photo(shop: Furnished, token: str, reference: str, number: int, content: bytes = b"") -> str:
    content = content or files.jpg()
    start = UploadStart(field=f"unit-{number}", name="IMG_1.jpg", size=len(content))
    place = await shop.ask(ReceivingApi).begin_unit_photo(token, reference, start)
    return (await shop.ask(StaffFilesApi).receive_staff_file(token, place.upload_id, flowing(content))).upload_id


async def test_receiving_keeps_a_photo_of_each_unit_for_staff_only(furnished: Furnished) -> None:
    reference = await _sent(furnished)
    token = await furnished.log_in_staff(Role.WAREHOUSE)
    photos = [await _photo(furnished, token, reference, number) for number in (1, 2)]
    left = await _photo(furnished, token, reference, 3)
    await furnished.ask(ReceivingApi).receive_return(token, reference, _inspection(_units(2, photos=photos)))
    async with furnished.context.database.session() as session:
        units = list(
            await session.exec(select(ReturnUnitRow.id).join(ReturnRow).where(ReturnRow.reference == reference))
        )
        rows = {row.public_id: row for row in await session.exec(select(UploadRow))}
    assert {rows[photo].field for photo in photos} == {f"unit-{unit}" for unit in units}
    assert rows[left].state is UploadState.REMOVED, "a photo that belongs to no unit goes"
    case = await furnished.ask(CasesApi).case(token, "return", reference)
    assert [(file.file_id, file.by_staff) for file in case.files] == [(photo, True) for photo in photos]
    content = await furnished.ask(CasesApi).case_file(token, "return", reference, photos[0])
    assert b"".join([piece async for piece in content.chunks])[:2] == b"\xff\xd8"
    whole = await for_systems.whole(furnished.context, CaseKind.RETURN, reference, "wms")
    assert [(file.file_id, file.by_staff) for file in whole.files] == [(photo, True) for photo in photos]
    content = await for_systems.file(furnished.context, CaseKind.RETURN, reference, photos[1], "wms")
    read = b"".join([piece async for piece in content.chunks])
    assert (len(read), content.media_type) == (whole.files[1].size, "image/jpeg")
    with pytest.raises(NotFound):
        await furnished.ask(FlowApi).upload_content(await furnished.log_in(ROOS), photos[0])


async def test_a_unit_has_one_photo_and_nothing_else(furnished: Furnished) -> None:
    reference = await _sent(furnished)
    token = await furnished.log_in_staff(Role.WAREHOUSE)
    await _photo(furnished, token, reference, 1)
    with pytest.raises(Refused):
        await _photo(furnished, token, reference, 1)
    with pytest.raises(InvalidInput):
        await _photo(furnished, token, reference, 2, files.pdf())
    with pytest.raises(InvalidInput):
        await furnished.ask(ReceivingApi).receive_return(
            token, reference, _inspection(_units(2, photos=["ABCDEFGH23"]))
        )
    refused = await furnished.ask(ReceivingApi).expected_return(token, reference)
    assert refused.status is ReturnStatus.REQUEST_RECEIVED
