"""The challenge of a login code, in a cookie that scripts cannot read."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import Response

from portal.backend.api.routes import Finish
from portal.contract.models import CHALLENGE_COOKIE, PREFIX
from portal.contract.session import CodeSent, Session
from portal.kernel.days import now
from portal.settings import Settings


def _give(sent: CodeSent, response: Response, options: Settings) -> None:
    response.set_cookie(
        CHALLENGE_COOKIE,
        sent.challenge,
        max_age=max(1, round((sent.expires_at - now()).total_seconds())),
        path=PREFIX,
        secure=options.secure,
        httponly=True,
        samesite="strict",
    )


def _take_back(_session: Session, response: Response, options: Settings) -> None:
    response.delete_cookie(CHALLENGE_COOKIE, path=PREFIX, secure=options.secure, httponly=True, samesite="strict")


FINISH: Mapping[str, Finish] = {"request_code": _give, "authenticate": _take_back}
"""Functions that set or delete the cookie on a successful response, by the name of the operation."""
