"""What a flow brings of its own. Everything it leaves out is made from the declaration."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

import reflex as rx

from portal.domain.flow import Flow
from portal.i18n import Text
from portal.ui import Fact

Body = Callable[[], rx.Component]


@dataclass(frozen=True, slots=True)
class After:
    """The page after sending.

    Attributes:
        title: what happened, where `Flow.sent` does not do.
        next_steps: what happens next and when, in order, where `Flow.next_steps` do not do.
        more: further content, such as downloads.
        status: where the request can be followed, without its name at the end.
        name: what it is called there; its reference by default.
        follow: where it can be followed, when that is not below `status`.
        followed: whether its status can be viewed; always by default.
        papers: links to its documents, where they are not those of every request.
        waits: takes the place of what has happened while that waits for something the customer has to do.
        page: the page itself, where the usual one does not do.
    """

    title: Text | None = None
    next_steps: Sequence[Text] = ()
    more: Body | None = None
    status: str = "/maintenance"
    name: rx.Var[str] | None = None
    follow: Text | None = None
    followed: rx.Var[bool] | bool = True
    papers: Body | None = None
    waits: Body | None = None
    page: Body | None = None


@dataclass(frozen=True, slots=True)
class Screens:
    """The screens of one flow.

    Attributes:
        flow: the declaration.
        module: `__name__` of the module that lists the pages; the script files of the pages are named after it.
        intro: content of the first page below its heading: what to expect, what to have at hand.
        after: the page after sending.
        below: further content of the first page, below the button that starts.
        road: the phases of the whole way, which the first page tells too; shown again after sending (design: D4).
        bodies: fields of a step, by slug, where they are more than labels and inputs.
        before: what stands between heading and form of a step, by slug, such as a search with a form of its own.
        rows: rows of the check page for a step, by slug, where an answer needs other words. The addresses of their
            "Wijzig" are added.
        aside: what stands beside the steps, such as the chosen bike. It holds no controls.
        before_sending: further content of the check page: costs, consent.
        wide: slugs of the steps that take the whole width, such as a comparison; they have nothing beside them.
        send: what the last button says, where `Flow.send` does not do.
        failure: what could not be done, where `Flow.failure` does not do; it says what to do as well.
    """

    flow: Flow
    module: str
    intro: Body
    after: After
    below: Body | None = None
    road: Body | None = None
    bodies: Mapping[str, Body] = field(default_factory=dict)
    before: Mapping[str, Body] = field(default_factory=dict)
    rows: Mapping[str, Callable[[], Sequence[Fact]]] = field(default_factory=dict)
    aside: Body | None = None
    before_sending: Body | None = None
    wide: Collection[str] = ()
    send: rx.Var[str] | None = None
    failure: rx.Var[str] | None = None
