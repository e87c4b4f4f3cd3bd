"""Flows: what they are made of (`model`, `fields`), what answers must be (`rules`, `figures`), the way (`journey`)."""

from portal.domain.flow.answers import Answer, AnswerContext, Answered, Answers, Condition, Facts, always, answered
from portal.domain.flow.fields import OPTIONAL_FIELDS, Control, Field
from portal.domain.flow.figures import Iban, Month, Number, Phone, Postcode, Year, lies_ahead, not_in_the_future
from portal.domain.flow.files import FILES, Files
from portal.domain.flow.journey import Journey, Outcome, Place, places_of
from portal.domain.flow.model import (
    CHECK,
    CONFIRMATION,
    INTRO,
    Findings,
    Flow,
    FlowError,
    Settlement,
    Step,
    nothing,
)
from portal.domain.flow.refusals import Refusals
from portal.domain.flow.rules import LINE, Checked, Offered, OneOf, OneValue, Rule, SeveralValues, SomeOf, Words
from portal.vocabulary.files import PHOTOS, VIDEOS, FileKind

__all__ = [
    "CHECK",
    "CONFIRMATION",
    "FILES",
    "INTRO",
    "LINE",
    "OPTIONAL_FIELDS",
    "PHOTOS",
    "VIDEOS",
    "Answer",
    "AnswerContext",
    "Answered",
    "Answers",
    "Checked",
    "Condition",
    "Control",
    "Facts",
    "Field",
    "FileKind",
    "Files",
    "Findings",
    "Flow",
    "FlowError",
    "Iban",
    "Journey",
    "Month",
    "Number",
    "Offered",
    "OneOf",
    "OneValue",
    "Outcome",
    "Phone",
    "Place",
    "Postcode",
    "Refusals",
    "Rule",
    "Settlement",
    "SeveralValues",
    "SomeOf",
    "Step",
    "Words",
    "Year",
    "always",
    "answered",
    "lies_ahead",
    "not_in_the_future",
    "nothing",
    "places_of",
]
