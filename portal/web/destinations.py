"""Where a browser may be sent: pages of ours, never an address that came from input."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote

_PATH = re.compile(r"/[a-z][A-Za-z0-9/_-]*(?:\?[A-Za-z0-9_=&.~+%-]*)?")
_LONGEST = 500
HOME = "/dashboard"
LOGIN = "/"
CODE = "/login/token"
PASSWORD = "/login/password"  # noqa: S105 - a path
PASSWORD_RESET = "/password/reset"  # noqa: S105


@dataclass(frozen=True, slots=True)
class Destinations:
    """The pages there are.

    Attributes:
        protected: Routes that only somebody who is logged in may open, as the router names them (`orders/[order_id]`).
        route_of: Finds the route of a path.
    """

    protected: frozenset[str]
    route_of: Callable[[str], str | None]

    def is_protected(self, path: str) -> bool:
        """Whether a path is a page for somebody who is logged in."""
        route = self.route_of(path.rstrip("/") or "/")
        return route is not None and route.strip("/") in self.protected

    def after_login(self, wanted: str) -> str:
        """The page to open after login: the wanted one when it is a protected page of ours, else the dashboard."""
        return wanted if self.may_resume(wanted) else HOME

    def may_resume(self, wanted: str) -> bool:
        """Whether a path, perhaps from a cookie or a form, is a protected page of ours and nothing else."""
        if len(wanted) > _LONGEST or not _PATH.fullmatch(wanted) or "//" in wanted:
            return False
        path, _, query = wanted.partition("?")
        harmless = not any(sign in unquote(query) for sign in ("\r", "\n", "\\", "\0"))
        return harmless and self.is_protected(path)
