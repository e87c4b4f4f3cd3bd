"""The first data of the pages of a flow (portal/drawing)."""

from __future__ import annotations

from urllib.parse import urlencode

from portal.contract.session import SessionCheck
from portal.flow.pages.display import PageLookup, look_up
from portal.flow.pages.form import CHANGE, PageAddress, current_page
from portal.flow.pages.showing import forget_shown
from portal.flow.pages.state import FlowRun
from portal.flow.pages.views import loads_more
from portal.frontend.first_data import DocumentData, DocumentRequest
from portal.frontend.session import SessionState, describe
from portal.reflex_adapter.state import BaseState, changes_below, new_tree, run_at_once
from portal.web.cookies import fingerprint
from portal.web.session import CheckedSession

NAMED = "draft"
"""Query parameter with the id of a draft. A step with it is for a browser without scripts, which has no tab to know it;
the intro takes everybody to the step where that draft is."""


async def first_step(request: DocumentRequest, token: str, checked: CheckedSession[SessionCheck]) -> DocumentData:
    """What a page of a flow shows in a tab that knows no draft; see `first_data`.

    There is no data if the customer is to be taken elsewhere, if the step loads more when it appears, or with several
    drafts of this flow: the tab may know another one than the last. A browser without scripts then gets a document of
    its own, whose address names the draft.
    """
    root, run = await new_run(request, checked, token)
    page = current_page(run)
    if page is None:
        return DocumentData()
    named = page.query.get(NAMED, "") if page.step is not page.flow.intro_step else ""
    found = await look_up(token, page, named)
    elsewhere = await run._begin(page, found)
    draft = found.draft.draft_id if found.draft else ""
    if named:
        return (
            DocumentData(elsewhere=with_draft(elsewhere, draft), scripts=False)
            if elsewhere
            else await plain(root, page)
        )
    if elsewhere:
        at_once = found.draft is None and (page.step is page.flow.intro_step or _knows_nothing(found))
        return DocumentData(elsewhere=with_draft(elsewhere, draft), at_once=at_once)
    if found.drafts > 1 or (page.step and loads_more(page.step)):
        return DocumentData(elsewhere=with_draft(page.path + (f"?{CHANGE}=1" if page.changing else ""), draft))
    return DocumentData(changes_below(root))


def _knows_nothing(found: PageLookup) -> bool:
    """Whether no tab of the customer can know a draft of the flow, or a request that it would show as sent."""
    return found.start is not None and not found.start.drafts and found.start.receipt is None


async def new_run(
    request: DocumentRequest, checked: CheckedSession[SessionCheck], token: str
) -> tuple[BaseState, FlowRun]:
    """A state tree that belongs to no tab, for a customer who is logged in, and the flow state in it."""
    root = new_tree(request.route, request.address, request.host, request.cookies)
    describe(await root.get_state(SessionState), request.host, fingerprint(token), checked)
    return root, await root.get_state(FlowRun)


async def plain(root: BaseState, page: PageAddress, status: int = 200) -> DocumentData:
    """What the tree shows, for a browser without scripts: also what the step would load when it appears."""
    for event in loads_more(page.step) if page.step else ():
        await run_at_once(root, event)
    return DocumentData(changes_below(root), scripts=False, status=status)


def with_draft(address: str, draft: str) -> str:
    """The address of a step for a browser without scripts; unchanged if no draft is known."""
    return f"{address}{'&' if '?' in address else '?'}{urlencode({NAMED: draft})}" if draft else address


async def forget_other_page(root: BaseState) -> None:
    """Clear what a tab that loads a new document knows of another flow, and its errors and warnings."""
    run = await root.get_state(FlowRun)
    page = current_page(run)
    if page is not None and run.flow not in {"", page.flow.name}:
        run.reset()
        await forget_shown(root)  # Otherwise the first event would bring what they showed into the drawn page.
    run._forget_findings()
