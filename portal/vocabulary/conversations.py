"""Conversations about a case: what staff ask for, and by which way a message went out."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from portal.kernel.texts import N_
from portal.vocabulary.cases import CaseEventType, CaseKind


class Asks(StrEnum):
    """What a message of staff asks the customer for."""

    NOTHING = "nothing"
    ANSWER = "answer"
    PHOTO = "photo"
    UNKNOWN = "unknown"
    """A value from a newer provider that this portal does not know; never stored."""


ASKS_LABELS: Mapping[Asks, str] = {
    Asks.NOTHING: N_("No answer needed"),
    Asks.ANSWER: N_("Answer"),
    Asks.PHOTO: N_("Photo"),
    Asks.UNKNOWN: N_("Answer"),
}


class Way(StrEnum):
    """How a message reaches the customer, besides the page of the request."""

    MAIL = "mail"
    TEXT_MESSAGE = "text_message"
    UNKNOWN = "unknown"
    """A value from a newer provider that this portal does not know; never stored."""


class Outcome(StrEnum):
    """What became of a mail or text message."""

    WAITING = "waiting"
    SENT = "sent"
    FAILED = "failed"
    """The mail server or the gateway refused it, or it was given up."""
    OVER = "over"
    """Its record was deleted when the retention period ended."""
    UNKNOWN = "unknown"
    """A value from a newer provider that this portal does not know; never stored."""


REQUEST_PAGE = "/requests"
"""Where the pages of requests are that have none in their own subject."""

CONVERSATION_PAGES: Mapping[CaseKind, str] = {
    CaseKind.REPAIR: "/maintenance",
    CaseKind.SERVICE: "/maintenance",
    CaseKind.CLAIM: "/maintenance",
    CaseKind.RETURN: "/returns",
    CaseKind.WITHDRAWAL: "/returns",
    CaseKind.INSURANCE: REQUEST_PAGE,
    CaseKind.DATE_CHANGE: REQUEST_PAGE,
    CaseKind.CONTRACT_END: REQUEST_PAGE,
}
"""Where the customer's page with the conversation is, by kind of case. A battery alarm is about a return, which has
one."""

DONE_LABELS: Mapping[CaseEventType, str] = {
    CaseEventType.OPENED: N_("Request sent"),
    CaseEventType.CLOSED: N_("Request cancelled"),
    CaseEventType.CORRECTED: N_("Question answered"),
    CaseEventType.MESSAGE_FROM_CUSTOMER: N_("Message written"),
}
"""What staff did in the customer's name, in words for the customer; `CHANGED` is everything else."""

CHANGED = N_("Request changed")

ASKED_STATUS = N_("Waiting for your answer")
ASKED_MEANING = N_("We’ve asked you something. We carry on once you’ve answered.")
"""Status and meaning of a request in a list while staff wait for an answer of the customer."""

MOST_CHARACTERS = 2000
"""Longest text of a message, in characters."""

MOST_FILES = 5
"""Most files of a message."""
