"""No optional answer changes an amount: whatever a customer skips costs no money."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from portal.flow import Answer, AnswerContext, Field, Flow, Journey, OneOf, Step
from portal.flow.api import DraftStart, FlowApi
from portal.flow.model import OPTIONAL_FIELDS
from portal.flow.pages.views import journey_of
from portal.kernel.days import today
from tests.flow.submissions import WAYS, Way, answer
from tests.support.connections import Shop

pytestmark = pytest.mark.asyncio(loop_scope="module")

TEXT = "Een antwoord van meer dan dertig tekens, zoals iemand het intypt."


def may_be_skipped(field: Field) -> bool:
    """Whether some customers, or some shops by their settings, can do without an answer."""
    return bool(field.optional or field.required_by)


def answers_to(field: Field) -> list[Answer]:
    """Every choice, or one text."""
    values = list(getattr(field.rule, "options", None) or [TEXT])
    return [[value] for value in values] if field.rule.several else [*values]


def situations(journey: Journey) -> Iterator[Journey]:
    """The request with every combination of required choices."""
    choices = [field for field in journey.flow.fields if isinstance(field.rule, OneOf) and not field.optional]
    for values in product(*(field.rule.options for field in choices if isinstance(field.rule, OneOf))):
        chosen = {field.name: value for field, value in zip(choices, values, strict=True)}
        yield replace(journey, answers={**journey.answers, **chosen})


def amounts(flow: Flow, context: AnswerContext) -> tuple[object, ...]:
    settled = flow.settlement(context).amounts if flow.settlement else ()
    return (*(flow.costs(context) if flow.costs else ()), *settled, flow.binds_to_pay(context))


def skippable(flow: Flow) -> list[tuple[Step, Field]]:
    return [(step, field) for step in flow.steps for field in step.fields if may_be_skipped(field)]


@pytest.mark.parametrize("way", WAYS, ids=str)
async def test_an_optional_answer_changes_no_amount(shop: Shop, way: Way) -> None:
    token = await shop.token(*way.customer)
    draft = await shop.ask(FlowApi).open_draft(token, DraftStart(flow=way.flow.name, anew=True))
    for step, values in way.answers.items():
        draft = await answer(shop.provider, token, draft, step, values)
    await shop.ask(FlowApi).discard_draft(token, draft.draft_id)
    skipped: set[str] = set()
    left_to_shops = {OPTIONAL_FIELDS: [field.name for field in way.flow.fields if field.required_by]}
    filled = journey_of(draft, today())
    for journey in situations(replace(filled, facts={**filled.facts, **left_to_shops})):
        for step, field in skippable(way.flow):
            left_out = {name: value for name, value in journey.answers.items() if name != field.name}
            if step in journey.path and field.name in replace(journey, answers=left_out).problems(step):
                continue
            skipped.add(field.name)
            without = amounts(way.flow, AnswerContext(left_out, journey.facts, journey.day))
            for value in answers_to(field):
                given = AnswerContext({**left_out, field.name: value}, journey.facts, journey.day)
                assert amounts(way.flow, given) == without, (field.name, value)
    assert skipped >= {field.name for _, field in skippable(way.flow) if not callable(field.optional)}
