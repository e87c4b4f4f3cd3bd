"""The picture of a recall: drawn anew, so that it has one format, a bounded size and no metadata."""

from __future__ import annotations

from portal.backend.context import Context
from portal.backend.files.checks import Version
from portal.backend.files.incoming import IncomingFiles
from portal.backend.files.inspection import redrawn
from portal.backend.files.kinds import BadFile
from portal.contract.errors import InvalidInput
from portal.kernel.codes import Code

LONGEST_SIDE = 1200
"""Pixels."""


async def prepared(context: Context, content: bytes) -> bytes:
    """A picture as a JPEG, upright, on white; empty for an empty one.

    Raises:
        InvalidInput: `file_damaged` for the field `picture`: it cannot be used.
    """
    if not content:
        return b""
    place = await IncomingFiles(context.settings.data_dir).write(content)
    try:
        (picture,) = (await redrawn(place, [Version("JPEG", LONGEST_SIDE, {"quality": 85})])).versions
    except BadFile as error:
        raise InvalidInput(Code.INVALID_INPUT, fields={"picture": Code.FILE_DAMAGED}) from error
    return picture
