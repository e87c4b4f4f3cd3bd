"""The first data of the pages of a flow (portal/drawing)."""

from __future__ import annotations

from portal.contract.session import SessionCheck
from portal.flow.pages.display import look_up
from portal.flow.pages.form import current_page
from portal.flow.pages.showing import forget_shown
from portal.flow.pages.state import FlowRun
from portal.flow.pages.views import loads_more
from portal.frontend.first_data import DocumentData, DocumentRequest
from portal.frontend.session import SessionState, describe
from portal.reflex_adapter.state import BaseState, changes_below, new_tree
from portal.web.cookies import fingerprint
from portal.web.session import CheckedSession


async def first_step(request: DocumentRequest, token: str, checked: CheckedSession[SessionCheck]) -> DocumentData:
    """What a page of a flow shows in a tab that knows no draft; see `first_data`.

    There is no data if the tab may know better: where the customer is to be taken elsewhere, with several drafts of
    this flow, or if the step loads more when it appears.
    """
    root = new_tree(request.route, request.address, request.host, request.cookies)
    describe(await root.get_state(SessionState), request.host, fingerprint(token), checked)
    run = await root.get_state(FlowRun)
    page = current_page(run)
    if page is None:
        return DocumentData()
    found = await look_up(token, page, "")
    if elsewhere := await run._begin(page, found):
        # No tab of the customer can know a draft of the flow, or a request that it would show as sent.
        is_known = found.start is None or found.start.drafts or found.start.receipt is not None
        at_once = found.draft is None and (page.step is page.flow.intro_step or not is_known)
        return DocumentData(elsewhere=elsewhere if at_once else "")
    if found.drafts > 1 or (page.step and loads_more(page.step)):
        return DocumentData()
    return DocumentData(changes_below(root))


async def forget_other_page(root: BaseState) -> None:
    """Clear what a tab that loads a new document knows of another flow, and its errors and warnings."""
    run = await root.get_state(FlowRun)
    page = current_page(run)
    if page is not None and run.flow not in {"", page.flow.name}:
        run.reset()
        await forget_shown(root)  # Otherwise the first event would bring what they showed into the drawn page.
    run._forget_findings()
