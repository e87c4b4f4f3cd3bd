"""Helpers that answer the steps of a flow with a location."""

from collections.abc import Mapping

from portal.flow.api import Answer, Draft, FlowApi
from portal.locations.api import LocationsApi, LocationSearch
from portal.vocabulary.locations import LocationOrder, LocationType
from tests.support.entries import step_entry
from tests.support.furnished import Furnished

ADDRESS: Mapping[str, Answer] = {"address": "known", "phone": "06 12345678"}


async def own_shop(shop: Furnished, token: str, text: str = "Utrecht") -> str:
    """The own shop that is nearest."""
    search = LocationSearch(text=text, distance_km=100, order=LocationOrder.DISTANCE, types=[LocationType.OWN_STORE])
    return (await shop.ask(LocationsApi).service_locations(token, search)).items[0].location_id


async def saved(shop: Furnished, token: str, draft: Draft, steps: Mapping[str, Mapping[str, Answer]]) -> Draft:
    """The draft after these steps."""
    for step, answers in steps.items():
        entry = step_entry(draft, step, answers)
        draft = await shop.ask(FlowApi).save_step(token, draft.draft_id, entry)
    return draft


async def end_of_repair(shop: Furnished, token: str, draft: Draft) -> Draft:
    """A repair with an address, a location and the way there."""
    steps = {
        "address": ADDRESS,
        "location": {"location": await own_shop(shop, token)},
        "handover": {"handover": "bring"},
    }
    return await saved(shop, token, draft, steps)
