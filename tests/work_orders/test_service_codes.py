"""Every error code for repairs, files and services in the requirements can be provoked (part-1 §8)."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from functools import partial
from itertools import takewhile
from typing import Any

import pytest

from portal.backend.backoffice import TransitionRequest
from portal.bikes.api import BikesApi
from portal.contract.errors import ProviderError
from portal.flow.api import Answer, Draft, DraftStart, FlowApi, Submission, Upload, UploadStart
from portal.kernel.codes import Code
from portal.kernel.days import now
from portal.locations.api import LocationsApi, LocationSearch
from portal.tables.bikes import BikeRow
from portal.tables.drafts import DraftRow, UploadRow, UploadState
from portal.tables.work_orders import ServiceProductRow
from portal.vocabulary.files import LARGEST_FILE
from portal.vocabulary.returns import ReturnStatus
from tests.contract.operations import flowing
from tests.flow.filling import ADDRESS, own_shop, saved
from tests.kernel.test_codes import SPECIFIED
from tests.support.customers import NOOR, ROOS, SANNE
from tests.support.files import jpg
from tests.support.filling import ABOUT_THE_REPAIR, MAINTENANCE, photographed, placed
from tests.support.furnished import Furnished
from tests.support.returning import BUNDLE, REASON, RETURN, begin, fill

REPAIR, SERVICE = "repair-request", "service-request"
Cause = Callable[[Furnished], Awaitable[object]]
CAUSES: dict[Code, Cause] = {}
OF_DELIVERIES = {Code.NO_DELIVERY_OPTIONS}
"""Codes for pick-up and delivery days; `tests/deliveries/test_service_date_refusals.py` provokes them."""


def causes(code: Code) -> Callable[[Cause], Cause]:
    """Register the decorated function as one that provokes `code`."""

    def register(cause: Cause) -> Cause:
        CAUSES[code] = cause
        return cause

    return register


def test_every_code_of_the_requirements_has_a_cause() -> None:
    specified = {code for topic in ("repair", "files", "service") for code in SPECIFIED[topic]}
    assert {code.value for code in {*CAUSES} | OF_DELIVERIES} == specified


async def _begun(shop: Furnished, flow: str = REPAIR) -> tuple[str, Draft, list[dict[str, Any]]]:
    token = await shop.log_in(NOOR if flow == REPAIR else SANNE)
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=flow))
    return token, draft, [bike for bike in draft.facts["bikes"] if not bike["refusal"] and not bike["pin"]]


async def _until(shop: Furnished, step: str) -> tuple[str, Draft]:
    """Start a repair and answer the steps before this one."""
    token, draft, bikes = await _begun(shop)
    steps: Mapping[str, Mapping[str, Answer]] = {"bike": {"bike": bikes[0]["id"]}, **ABOUT_THE_REPAIR}
    return token, await saved(shop, token, draft, dict(takewhile(lambda entry: entry[0] != step, steps.items())))


async def _filled(shop: Furnished) -> tuple[str, Draft]:
    token, draft = await _until(shop, "photos")
    draft = await photographed(shop.provider, token, draft)
    return token, await placed(shop.provider, token, draft)


async def _send(shop: Furnished, token: str, draft: Draft, key: str | None = None) -> object:
    return await shop.ask(FlowApi).submit_draft(
        token, draft.draft_id, Submission(key=draft.key if key is None else key)
    )


async def _sent_without(shop: Furnished, step: str) -> object:
    token, draft = await _until(shop, step)
    return await _send(shop, token, draft)


async def _upload(shop: Furnished, token: str, draft: Draft, **differently: Any) -> Upload:
    content = jpg()
    start = UploadStart.model_validate({"field": "photos", "name": "a.jpg", "size": len(content), **differently})
    place = await shop.ask(FlowApi).begin_upload(token, draft.draft_id, start)
    return await shop.ask(FlowApi).receive_upload(token, place.upload_id, flowing(content))


CAUSES |= {
    Code.MISSING_REPAIR_ORDER_LINE_ID: partial(_sent_without, step="bike"),
    Code.MISSING_REPAIR_DETAILS: partial(_sent_without, step="damage"),
    Code.MISSING_REPAIR_LAST_MAINTENANCE_DATE: partial(_sent_without, step="maintenance"),
    Code.MISSING_REPAIR_UPLOADED_FILES: partial(_sent_without, step="photos"),
}


@causes(Code.MISSING_REPAIR_HASH)
async def _the_key_of_the_request_was_left_out(shop: Furnished) -> object:
    return await _send(shop, *await _filled(shop), key="")


@causes(Code.REPAIR_REQUEST_INVALID_HASH)
async def _the_key_is_of_another_request(shop: Furnished) -> object:
    return await _send(shop, *await _filled(shop), key="another")


@causes(Code.MISSING_REPAIR_FILES)
async def _all_files_are_gone(shop: Furnished) -> object:
    token, draft = await _filled(shop)
    await shop.change(UploadRow, {"state": UploadState.REMOVED}, draft=draft.draft_id)
    return await _send(shop, token, draft)


@causes(Code.UNRESOLVED_FILES)
async def _one_of_two_files_is_gone(shop: Furnished) -> object:
    token, draft = await _filled(shop)
    second = await _upload(shop, token, draft)
    draft = await shop.ask(FlowApi).draft(token, draft.draft_id)
    assert len(draft.answers["photos"]) == 2
    await shop.change(UploadRow, {"state": UploadState.REMOVED}, public_id=second.upload_id)
    return await _send(shop, token, draft)


@causes(Code.REPAIR_REQUEST_INVALID_UPLOADED_FILES)
async def _a_file_is_none_of_this_request(shop: Furnished) -> object:
    token, draft = await _until(shop, "photos")
    return await saved(shop, token, draft, {"photos": {"photos": ["ABCDEFGH23"]}})


@causes(Code.REPAIR_REQUEST_INVALID_STATUS)
async def _a_file_is_added_after_sending(shop: Furnished) -> object:
    token, draft = await _filled(shop)
    await _send(shop, token, draft)
    return await _upload(shop, token, draft)


@causes(Code.INVALID_REPAIR_LAST_MAINTENANCE_DATE)
async def _there_is_no_thirteenth_month(shop: Furnished) -> object:
    token, draft = await _until(shop, "maintenance")
    return await saved(shop, token, draft, {"maintenance": {**MAINTENANCE, "maintenance_month": "13"}})


@causes(Code.EXPIRED_REPAIR_REQUEST)
async def _it_was_left_alone_for_too_long(shop: Furnished) -> object:
    token, draft = await _filled(shop)
    await shop.change(DraftRow, {"expires_at": now() - timedelta(seconds=1)}, public_id=draft.draft_id)
    return await _send(shop, token, draft)


@causes(Code.REPAIR_REQUEST_LINE_NOT_FOUND)
async def _the_bike_is_of_somebody_else(shop: Furnished) -> object:
    token, draft, _ = await _begun(shop)
    _, _, theirs = await _begun(shop, SERVICE)
    return await saved(shop, token, draft, {"bike": {"bike": theirs[0]["id"]}})


@causes(Code.REPAIR_REQUEST_LINE_NOT_REPAIRABLE)
async def _the_bike_was_returned(shop: Furnished) -> object:
    token, provider = await shop.log_in(ROOS), shop.provider
    draft = await begin(provider, token, RETURN)
    receipt = await _returned(shop, token, draft)
    for status in (ReturnStatus.RECEIVED, ReturnStatus.CLOSED):
        bike = next(
            one.bike_id for one in (await provider.ask(BikesApi).bikes(token)).items if one.order_number == BUNDLE
        )
        facts = (await provider.ask(FlowApi).flow_start(token, REPAIR)).facts
        refusal = next(entry["refusal"] for entry in facts["bikes"] if entry["id"] == bike)
        assert refusal == Code.BIKE_GOING_BACK.value
        await shop.application.back_office.move("return", receipt, TransitionRequest.model_validate({"status": status}))
    return await saved(shop, token, await begin(provider, token, REPAIR), {"bike": {"bike": bike}})


@pytest.mark.parametrize("flow", [REPAIR, SERVICE, "claim-request"])
async def test_a_bike_that_was_returned_and_refunded_gets_nothing_more(furnished: Furnished, flow: str) -> None:
    with pytest.raises(ProviderError):
        await _the_bike_was_returned(furnished)
    token = await furnished.log_in(ROOS)
    bikes = (await furnished.ask(BikesApi).bikes(token)).items
    assert BUNDLE not in [one.order_number for one in bikes]
    facts = (await furnished.ask(FlowApi).flow_start(token, flow)).facts
    refusals = [entry["refusal"] for entry in facts["bikes"] if entry["order_number"] == BUNDLE]
    assert refusals == [Code.REPAIR_REQUEST_LINE_NOT_REPAIRABLE.value]


async def _returned(shop: Furnished, token: str, draft: Draft) -> str:
    steps: Mapping[str, Mapping[str, Answer]] = {
        "item": {"item": f"{BUNDLE}-1"},
        "reason": {"fault": "none", "reason": REASON},
        "condition": {"state": "unused", "mileage": "2", "battery": "fine"},
        "method": {"method": "store", "store": draft.facts["stores"][0]["id"]},
        "pincode": {"pin_known": "known", "pin_code": "2468"},
    }
    draft = await fill(shop.provider, token, draft, steps)
    return (await shop.ask(FlowApi).submit_draft(token, draft.draft_id, Submission(key=draft.key))).reference


@causes(Code.FILE_PARAMS_MISSING)
async def _a_file_for_a_question_without_files(shop: Furnished) -> object:
    token, draft, _ = await _begun(shop)
    return await _upload(shop, token, draft, field="parts")


@causes(Code.MAX_UPLOAD_SIZE_REACHED)
async def _a_file_of_more_than_100_mb(shop: Furnished) -> object:
    token, draft, _ = await _begun(shop)
    return await _upload(shop, token, draft, size=LARGEST_FILE + 1)


@causes(Code.MAX_UPLOAD_FILE_COUNT_REACHED)
async def _a_sixth_file(shop: Furnished) -> object:
    token, draft, _ = await _begun(shop)
    for _ in range(5):
        await shop.ask(FlowApi).begin_upload(token, draft.draft_id, UploadStart(field="photos", name="a.jpg", size=1))
    return await _upload(shop, token, draft)


@causes(Code.COMBINATION_ORDER_LINE_FRAME_NR_NOT_VALID)
async def _the_frame_number_is_of_another_order_line(shop: Furnished) -> object:
    token, draft, bikes = await _begun(shop, SERVICE)
    await shop.change(BikeRow, {"order_line_id": None}, public_id=bikes[0]["id"])
    return await saved(shop, token, draft, {"bike": {"bike": bikes[0]["id"]}})


@causes(Code.SERVICE_REQUEST_NOT_VALID)
async def _the_price_has_changed_since_it_was_shown(shop: Furnished) -> object:
    token, draft, bikes = await _begun(shop, SERVICE)
    place: Mapping[str, Answer] = {"location": await own_shop(shop, token), "handover": "bring"}
    steps = {"bike": {"bike": bikes[0]["id"]}, "job": {"job": "2"}, "address": ADDRESS, "location": place}
    draft = await saved(shop, token, draft, steps)
    await shop.change(ServiceProductRow, {"price": 1})
    return await _send(shop, token, draft)


@causes(Code.OPEN_WORK_ORDER_EXISTS)
async def _the_bike_has_an_open_request(shop: Furnished) -> object:
    token, draft = await _filled(shop)
    await _send(shop, token, draft)
    again = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=REPAIR))
    return await saved(shop, token, again, {"bike": {"bike": draft.subject}})


@causes(Code.POSTAL_CODE_NOT_FOUND)
async def _there_is_no_such_place(shop: Furnished) -> object:
    token = await shop.log_in(SANNE)
    return await shop.ask(LocationsApi).service_locations(token, LocationSearch(text="Nergenshuizen"))


@pytest.mark.parametrize("code", CAUSES)
async def test_a_code_comes_from_its_cause(furnished: Furnished, code: Code) -> None:
    with pytest.raises(ProviderError) as caught:
        await CAUSES[code](furnished)
    assert code in {caught.value.code, *caught.value.fields.values()}
