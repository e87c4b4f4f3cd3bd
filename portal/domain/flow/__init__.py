"""Flows: what they are made of (`model`), what answers must be (`rules`, `figures`), the way through (`journey`)."""

from portal.domain.flow.answers import Answer, Answers, Asked, Condition, Facts, always
from portal.domain.flow.figures import Iban, Month, Number, Phone, Postcode, Year, lies_ahead
from portal.domain.flow.files import FILES, Files
from portal.domain.flow.journey import Journey, Outcome, Place, places_of
from portal.domain.flow.model import CONFIRMATION, NOT_INSISTED, Control, Field, Findings, Flow, FlowError, Step
from portal.domain.flow.refusals import Refusals
from portal.domain.flow.rules import LINE, Checked, Offered, OneOf, Rule, SomeOf, Words
from portal.vocabulary.files import PHOTOS, VIDEOS, FileKind

__all__ = [
    "CONFIRMATION",
    "FILES",
    "LINE",
    "NOT_INSISTED",
    "PHOTOS",
    "VIDEOS",
    "Answer",
    "Answers",
    "Asked",
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
    "Outcome",
    "Phone",
    "Place",
    "Postcode",
    "Refusals",
    "Rule",
    "SomeOf",
    "Step",
    "Words",
    "Year",
    "always",
    "lies_ahead",
    "places_of",
]
