"""Statements that are put together once, when the module is loaded, and asked with who asks as a parameter.

To put a statement together takes about as long as to ask it, and every visit of a page asks several.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Integer, bindparam

CUSTOMER: Any = bindparam("customer_id", type_=Integer)
"""Who asks."""
