"""The first data of the pages of a flow (portal/drawing)."""

from __future__ import annotations

from portal.contract.session import SessionCheck
from portal.flow.pages.display import look_up
from portal.flow.pages.form import current_page
from portal.flow.pages.state import FlowRun
from portal.flow.pages.views import loads_more
from portal.frontend.customers import describe
from portal.frontend.first_data import DocumentRequest
from portal.frontend.session import SessionState
from portal.reflex_adapter.state import BaseState, changes_below, new_tree
from portal.web.cookies import fingerprint
from portal.web.session import CheckedSession


async def first_step(request: DocumentRequest, token: str, checked: CheckedSession[SessionCheck]) -> str:
    """What a page of a flow shows in a tab that knows no draft, as JSON; see `first_data`.

    It is empty if the customer is to be taken elsewhere, if the step loads more when it appears, or with several drafts
    of this flow: the tab may know another one than the last.

    Args:
        request: the document that the browser requested.
        token: the session token.
        checked: the result of the session check; the session is alive.

    Raises:
        ProviderError: the provider did not answer, or has no data for the page.
    """
    root = new_tree(request.route, request.address, request.host)
    run = await root.get_state(FlowRun)
    page = current_page(run)
    if page is None or (page.step is not None and loads_more(page.step)):
        return ""
    found = await look_up(token, page, "")
    if found.drafts > 1:
        return ""
    describe(await root.get_state(SessionState), request.host, fingerprint(token), checked)
    return changes_below(root) if await run._begin(page, found) else ""


async def forget_other_page(root: BaseState) -> None:
    """Clear what a tab that loads a new document knows of another flow, and its errors and warnings.

    Args:
        root: the state tree of the tab.
    """
    run = await root.get_state(FlowRun)
    page = current_page(run)
    if page is not None and run.flow not in {"", page.flow.name}:
        run.reset()
    run._forget_findings()
