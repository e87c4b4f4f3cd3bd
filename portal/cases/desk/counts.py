"""The numbers behind the links of the navigation, as the frame of the staff site asks for them."""

from portal.cases.api import CasesApi, CountsFilter
from portal.cases.desk.queue_state import QUEUE, query_of
from portal.contract.registry import ask
from portal.desk.sources import Counts, SavedLink


async def case_counts(token: str) -> Counts:
    """How many cases stand behind each link. A saved link has the address of its view."""
    found = await ask(CasesApi).counts(token, CountsFilter())
    views = {entry.view.value: entry.count for entry in found.views}
    kinds = {entry.kind.value: entry.count for entry in found.kinds}
    saved = [SavedLink(view.name, f"{QUEUE}?{query_of(view.filter)}", view.count, view.view_id) for view in found.saved]
    return Counts({**views, **kinds}, saved)
