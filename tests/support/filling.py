"""Fills in a repair or a service over any connection to the provider."""

from collections.abc import Mapping
from typing import Any

from portal.contract.registry import Provider
from portal.flow.api import Answer, Draft, DraftStart, FlowApi, Upload, UploadStart
from portal.flow.journey import Journey
from portal.kernel.days import today
from portal.locations.api import LocationsApi, LocationSearch
from portal.vocabulary.locations import LocationOrder, LocationType
from portal.work_orders.flow.repair import REPAIR
from tests.contract.operations import flowing
from tests.support.connections import Shop
from tests.support.entries import step_entry
from tests.support.files import jpg
from tests.support.flows import months_ago

FLOW = "repair-request"
TEXT = "Bij het wegfietsen hoor ik een tikkend geluid."
PARTS: Mapping[str, Answer] = {"parts": ["gears", "chain"], "details_chain": f"  {TEXT}\r\n", "details_gears": TEXT}

MAINTENANCE: Mapping[str, Answer] = {"maintenance": "known", **months_ago(1)}

ABOUT_THE_REPAIR: Mapping[str, Mapping[str, Answer]] = {"damage": PARTS, "maintenance": MAINTENANCE}
"""Answers to the steps between the bike and the photos."""

OTHER_ADDRESS: Mapping[str, Answer] = {
    "country_code": "NL",
    "post_code": "3511 LX",
    "house_number": "12",
    "street": "Oudegracht",
    "city": "Utrecht",
}


ADDRESS: Mapping[str, Answer] = {"address": "known", "phone": "06 12345678"}
SERVICE_FLOW = "service-request"


async def clear(shop: Shop, token: str, flow: str = FLOW) -> None:
    for entry in (await shop.ask(FlowApi).flow_start(token, flow)).drafts:
        await shop.ask(FlowApi).discard_draft(token, entry.draft_id)


async def bikes_of(shop: Shop, token: str) -> list[dict[str, Any]]:
    return (await shop.ask(FlowApi).flow_start(token, FLOW)).facts["bikes"]


async def own_shop(shop: Shop, token: str, text: str = "3512 PH", km: int = 100) -> str:
    """A location that lets the customer choose how the bike gets there."""
    search = LocationSearch(text=text, distance_km=km, types=[LocationType.OWN_STORE], order=LocationOrder.DISTANCE)
    return (await shop.ask(LocationsApi).service_locations(token, search)).items[0].location_id


async def save(shop: Shop, token: str, draft: Draft, step: str, answers: Mapping[str, Answer]) -> Draft:
    entry = step_entry(draft, step, answers)
    return await shop.ask(FlowApi).save_step(token, draft.draft_id, entry)


async def filled(shop: Shop, token: str, bike: str) -> Draft:
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=FLOW))
    draft = await save(shop, token, draft, "bike", {"bike": bike})
    for step, answers in ABOUT_THE_REPAIR.items():
        if asks(draft, step):
            draft = await save(shop, token, draft, step, answers)
    draft = await photographed(shop.provider, token, draft)
    return await placed(shop.provider, token, draft)


def asks(draft: Draft, step: str) -> bool:
    """Whether the draft of a repair is asked a step: a new bike is not asked for its last service."""
    journey = Journey(REPAIR, dict(draft.answers), tuple(draft.completed), draft.facts, today())
    return any(entry.name == step for entry in journey.path)


async def photographed(provider: Provider, token: str, draft: Draft) -> Draft:
    """Answer the photo step of a repair."""
    photo = await shown(provider, token, draft)
    entry = step_entry(draft, "photos", {"photos": [photo.upload_id]})
    return await provider.ask(FlowApi).save_step(token, draft.draft_id, entry)


async def shown(provider: Provider, token: str, draft: Draft) -> Upload:
    """Upload a photo."""
    content = jpg()
    start = UploadStart(field="photos", name="schade.jpg", size=len(content))
    place = await provider.ask(FlowApi).begin_upload(token, draft.draft_id, start)
    return await provider.ask(FlowApi).receive_upload(token, place.upload_id, flowing(content))


async def sent(shop: Shop, token: str, draft_id: str, name: str, content: bytes, field: str = "photos") -> Upload:
    """Upload a file."""
    start = UploadStart(field=field, name=name, size=len(content))
    place = await shop.ask(FlowApi).begin_upload(token, draft_id, start)
    return await shop.ask(FlowApi).receive_upload(token, place.upload_id, flowing(content))


async def placed(provider: Provider, token: str, draft: Draft) -> Draft:
    """Answer the steps for the customer's place, the service location and the transport of the bike."""
    home = {"address": "known", "phone": "030 231 1234"}
    if not draft.facts["address"]:
        home = {**OTHER_ADDRESS, **home, "address": "other"}
    draft = await provider.ask(FlowApi).save_step(token, draft.draft_id, step_entry(draft, "address", home))
    near = await provider.ask(LocationsApi).service_locations(
        token, LocationSearch(text="3511 LX", types=[LocationType.OWN_STORE])
    )
    location = near.items[0].location_id
    entry = step_entry(draft, "location", {"location": location})
    draft = await provider.ask(FlowApi).save_step(token, draft.draft_id, entry)
    entry = step_entry(draft, "handover", {"handover": "bring"})
    return await provider.ask(FlowApi).save_step(token, draft.draft_id, entry)


async def service_filled(shop: Shop, token: str, bike: str, **other: Mapping[str, Answer]) -> Draft:
    """A service draft, filled in up to the check page. `other` replaces answers by step name."""
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=SERVICE_FLOW))
    for step, answers in (
        ("bike", {"bike": bike}),
        ("job", {"job": "2"}),
        ("address", ADDRESS),
        ("location", {"location": await own_shop(shop, token), "handover": "pick_up"}),
    ):
        draft = await save(shop, token, draft, step, other.get(step, answers))
    return draft
