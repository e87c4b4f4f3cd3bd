"""What the pages of a mailed link say, one declaration for each purpose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import reflex as rx

from portal.domain.codes import Code
from portal.i18n import Text, _
from portal.ui import Fact


@dataclass(frozen=True, slots=True)
class Way:
    """What can be done instead: the text of a link and where it leads."""

    text: Text
    to: rx.Var[str] | str


@dataclass(frozen=True, slots=True)
class LinkWords:
    """All that the pages of one purpose say of their own.

    Attributes:
        ask, promise, button: heading, what the button does, and its text.
        facts: what is confirmed.
        done, received: heading and first sentence once it is confirmed.
        next_steps: what happens then.
        follow: where it can be followed.
        used: heading when it had been confirmed before.
        nothing: what has not happened as long as it is not confirmed.
        failure: that confirming did not work, whatever the reason.
        refusals: why it cannot be confirmed any more, and what to do instead.
        over: those of them after which `nothing` is not true any more, either.
        works: how long a link works.
        question: what is asked with the button, where a purpose asks something.
        answered: what follows from the answer, in place of the next steps.
        alarm: whether what was answered is bad news.
    """

    ask: Text
    promise: Text
    button: Text
    facts: Sequence[Fact]
    done: Text
    received: Text
    next_steps: Sequence[Text]
    follow: Way
    used: Text
    nothing: Text
    failure: Text
    refusals: Mapping[Code, Way]
    over: Sequence[Code] = ()
    works: Text = field(default_factory=lambda: _("A link works for {link_hours} hours."))
    question: rx.Component | None = None
    answered: rx.Component | None = None
    alarm: rx.Var[bool] | bool = False
