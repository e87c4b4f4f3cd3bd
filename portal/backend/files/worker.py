"""The program that inspects one file in its own process, started by `inspection`.

The libraries that parse untrusted files may have vulnerabilities. Before they see a file, the process is confined to
the folder of this file (`portal.kernel.confinement`), and its memory and processor time are limited.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from collections.abc import Collection
from dataclasses import asdict
from pathlib import Path
from typing import Any

from portal.backend.files.checks import inspect, kind_of, parser_of
from portal.backend.files.kinds import BadFile
from portal.kernel import confinement
from portal.kernel.codes import Code
from portal.vocabulary.files import FileKind

FILE, PREVIEW = "file", "preview"
"""Names in the folder: the file, which is cleaned in place, and its preview."""

CLEAN, JUDGE = "clean", "judge"
"""Write a file anew, or leave it as it is."""

MEMORY = 1536 * 1024 * 1024
"""Limit of address space in bytes. A photo with the maximum number of pixels needs about half of it."""

LARGEST_RESULT = 512 * 1024 * 1024
"""Limit in bytes of a written file. A re-encoded photo can be larger than the original."""

MOST_OPEN = 32
"""Limit of open files."""

PROCESSOR_SECONDS = 20
"""Processor time for one file, in seconds. The largest valid photos and videos take about a fifth of it."""

PDF_PROCESSOR_SECONDS = 3
"""The same for a PDF. A scan of 100 MB takes a second."""


def limit_processor(seconds: int) -> None:
    """End this process (SIGPROF) after this much more processor time. Waiting for a busy machine does not count.

    The limit of the whole process (`RLIMIT_CPU`) counts whole seconds. It stands behind this one, because a parser that
    was taken over could stop the timer.
    """
    signal.setitimer(signal.ITIMER_PROF, seconds)
    confinement.limit(resource.RLIMIT_CPU, 2 * seconds)


def answer(folder: Path, kinds: Collection[str], *, judge: bool) -> dict[str, Any]:
    """Inspect the file in a folder and return the findings or an error code."""
    file = folder / FILE
    try:
        kind = kind_of(file, kinds)
    except BadFile as error:
        return {"code": error.code.value}
    parser_of(kind)  # afterwards it could not be read any more
    limit_processor(PDF_PROCESSOR_SECONDS if kind is FileKind.PDF else PROCESSOR_SECONDS)
    confinement.confine(own=folder)
    try:
        return asdict(inspect(file, kinds, folder / PREVIEW, judge=judge))
    except BadFile as error:
        return {"code": error.code.value}
    except MemoryError:
        return {"code": Code.FILE_TOO_DETAILED.value}
    except Exception as error:
        # Only the type is reported: messages of parsers may quote the file.
        return {"code": Code.FILE_DAMAGED.value, "fault": type(error).__name__}


def main(folder: str, way: str, *kinds: str) -> None:
    """Inspect the file in a folder and write one line of JSON.

    Args:
        folder: its path.
        way: `CLEAN` or `JUDGE`.
        kinds: the allowed kinds.
    """
    confinement.begin()
    os.nice(10)
    os.umask(0o077)
    confinement.limit(resource.RLIMIT_AS, MEMORY)
    confinement.limit(resource.RLIMIT_FSIZE, LARGEST_RESULT)
    confinement.limit(resource.RLIMIT_NOFILE, MOST_OPEN)
    print(json.dumps(answer(Path(folder), kinds, judge=way == JUDGE)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
