"""How a flow calls what keeps a whole request from being changed or sent (part-1 §8)."""

from __future__ import annotations

from dataclasses import dataclass

from portal.domain.codes import Code


@dataclass(frozen=True, slots=True)
class Refusals:
    """Codes for a request as a whole; what is wrong with single answers is told by their steps.

    Attributes:
        expired: it was left alone too long.
        no_key: it was sent without the key that was given out with it.
        wrong_key: it was sent with another key.
        sent: an answer or a file was changed after it was sent.
        no_files: none of the files that were answered is there any more.
    """

    expired: Code = Code.EXPIRED_REPAIR_REQUEST
    no_key: Code = Code.INVALID_INPUT
    wrong_key: Code = Code.INVALID_INPUT
    sent: Code = Code.DRAFT_SENT
    no_files: Code = Code.UNRESOLVED_FILES


USUAL = Refusals()
"""Of a flow that has no codes of its own for this."""
