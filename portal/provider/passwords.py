"""Hashing passwords: argon2id, in a thread, because it is meant to take long."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

_threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="passwords")
"""Few: each takes 64 MB while it works, and logging in must not take every core."""
_hasher = PasswordHasher()
"""With the parameters of RFC 9106 for ordinary machines."""


@cache
def _nobody() -> str:
    """Compared with when there is no password, so that the time of an answer does not tell."""
    return _hasher.hash("nobody has this password")


async def hashed(password: str) -> str:
    """What is kept of a password."""
    return await asyncio.get_running_loop().run_in_executor(_threads, _hasher.hash, password)


async def matches(kept: str | None, password: str) -> bool:
    """Whether this is the password; takes as long when there is none."""
    right = await asyncio.get_running_loop().run_in_executor(_threads, _verify, kept or _nobody(), password)
    return right and kept is not None


def _verify(kept: str, password: str) -> bool:
    try:
        return _hasher.verify(kept, password)
    except (VerificationError, InvalidHashError):
        return False
