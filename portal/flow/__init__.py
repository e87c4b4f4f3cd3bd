"""The flow engine: a flow is declared once, as steps with fields and rules.

Both sides use the declaration. The portal side builds the pages from it; the retailer's side checks every answer
against it. The engine knows no subject: each subject declares its flows in its `flow` module, and `portal.subjects`
lists them.

A customer opens a flow and gets a draft: one row with the answers, the completed steps and the facts that the flow
depends on. Every step saves to the draft, so the customer can stop and continue later, on any device. The check page
sends the draft. The handler of the flow then creates the request, once.

* `facts`: the answers, and the facts of the retailer's side, typed.
* `rules`: the checks of single answers.
* `model`: `Flow`, `Step` and `Field`, from which a declaration is made.
* `journey`: which steps of a draft are done, open and next.
* `registry`: all flows by name.
* `api`: the operations and the models that travel.
* `http`: the endpoints that upload and download files.
* `provider`: the retailer's side: handlers, saving, sending, files.
* `pages`: the pages and their state.

This package re-exports the names that a declaration needs.
"""

from portal.flow.facts import Answer, AnswerContext, Answers, Facts, FactsPart
from portal.flow.journey import Journey, StepNumber, StepOutcome, places_of
from portal.flow.model import (
    CHECK,
    CONFIRMATION,
    INTRO,
    OPTIONAL_FIELDS,
    Control,
    Field,
    Findings,
    Flow,
    FlowError,
    Opening,
    Refusals,
    SettlementProtocol,
    Step,
    nothing,
)
from portal.flow.rules import (
    LINE,
    Answered,
    Condition,
    Files,
    Iban,
    Kilometres,
    Month,
    Offered,
    OneOf,
    OneValue,
    Phone,
    Postcode,
    Rule,
    SeveralValues,
    SomeOf,
    ValidatedText,
    Words,
    Year,
    always,
    answered,
    lies_ahead,
    not_in_the_future,
)

__all__ = [
    "CHECK",
    "CONFIRMATION",
    "INTRO",
    "LINE",
    "OPTIONAL_FIELDS",
    "Answer",
    "AnswerContext",
    "Answered",
    "Answers",
    "Condition",
    "Control",
    "Facts",
    "FactsPart",
    "Field",
    "Files",
    "Findings",
    "Flow",
    "FlowError",
    "Iban",
    "Journey",
    "Kilometres",
    "Month",
    "Offered",
    "OneOf",
    "OneValue",
    "Opening",
    "Phone",
    "Postcode",
    "Refusals",
    "Rule",
    "SettlementProtocol",
    "SeveralValues",
    "SomeOf",
    "Step",
    "StepNumber",
    "StepOutcome",
    "ValidatedText",
    "Words",
    "Year",
    "always",
    "answered",
    "lies_ahead",
    "not_in_the_future",
    "nothing",
    "places_of",
]
