"""A mistake in the pages of a flow stops the build, with the name of the step or field."""

import json

import pytest
import reflex as rx

from portal.flow import Flow, FlowError, Step
from portal.flow.model import NOT_SUBMITTED
from portal.flow.pages import StepPage, flow_pages
from portal.flow.pages.fields import rows_of
from portal.flow.pages.spec import FlowPages, Intro, StepFields
from portal.frontend.registry import pages_of
from portal.kernel.texts import catalogue, gettext_for
from portal.subjects import ALL_FLOWS, MODULES
from portal.ui import Fact
from portal.work_orders.flow import claim
from portal.work_orders.flow.repair import DAMAGE, MAINTENANCE, REPAIR


def _intro() -> Intro:
    return Intro("")


def _half(fields: StepFields) -> rx.Component:
    return rx.text(fields["maintenance"].label)


def _some_rows(fields: StepFields) -> list[Fact]:
    return [Fact(fields["maintenance"].label, "")]


def _page_of(step: Step) -> rx.Component:
    pages = flow_pages(REPAIR, intro=_intro, steps=[StepPage(MAINTENANCE, body=_half)])
    return next(page for page in pages if page.route == REPAIR.url(step).strip("/")).body()


def test_a_page_of_another_flow_is_refused() -> None:
    with pytest.raises(FlowError, match="repair-request: no steps of it: handling"):
        flow_pages(REPAIR, intro=_intro, steps=[StepPage(DAMAGE), StepPage(claim.HANDLING)])


def test_two_pages_for_a_step_are_refused() -> None:
    with pytest.raises(FlowError, match="repair-request: two pages for a step: damage"):
        flow_pages(REPAIR, intro=_intro, steps=[StepPage(DAMAGE), StepPage(MAINTENANCE), StepPage(DAMAGE)])


def test_a_field_missing_from_the_body_stops_the_build() -> None:
    with pytest.raises(FlowError, match="repair-request: no body for maintenance_month, maintenance_year"):
        _page_of(MAINTENANCE)


def test_a_step_without_a_body_of_its_own_shows_all_its_fields() -> None:
    shown = str(_page_of(DAMAGE).render())
    assert all(field.name in shown for field in DAMAGE.fields)


def test_a_field_without_a_row_stops_the_build() -> None:
    pages = FlowPages(REPAIR, _intro, [StepPage(MAINTENANCE, rows=_some_rows)])
    with pytest.raises(FlowError, match="repair-request: no row for maintenance_month, maintenance_year"):
        rows_of(pages, MAINTENANCE)
    assert len(rows_of(pages, DAMAGE)) == len(DAMAGE.fields)


@pytest.mark.parametrize("flow", ALL_FLOWS, ids=lambda flow: flow.name)
def test_a_request_says_that_it_was_submitted_or_could_not_be_beside_the_titles_of_its_flow(flow: Flow) -> None:
    pages = {f"/{page.route}": page for page in pages_of(MODULES)}
    check, sent = (str(pages[path].body().render()) for path in (flow.url(flow.check_step), flow.confirmation))
    pages_say = catalogue("nl").gettext
    assert (gettext_for("nl")(NOT_SUBMITTED), pages_say("Request submitted")) == (
        "Aanvraag kon niet ingediend worden",
        "Aanvraag ingediend",
    )
    assert NOT_SUBMITTED in check
    # The compiler escapes what is not ASCII, twice inside a translated text.
    assert json.dumps(flow.failure)[1:-1] in check.replace("\\\\", "\\")
    assert "Request submitted" in sent
