"""Everything that the back office can move: a line each."""

from __future__ import annotations

from portal.provider.backoffice import work_orders
from portal.provider.backoffice.moves import Movable

MOVABLES: tuple[Movable, ...] = (work_orders.WORK_ORDER,)
