"""The program that inspects one file in its own process, started by `inspection`.

The libraries that parse untrusted files may have vulnerabilities. Before they see a file, the process is confined to
the folder of this file (`portal.kernel.processes`), and its memory and processor time are limited.
"""

import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from portal.backend.files.checks import BadFile, Version, inspect, kind_of, parser_of
from portal.kernel import processes
from portal.kernel.codes import Code
from portal.vocabulary.files import FileKind

FILE, PREVIEW = "file", "preview"
"""Names in the folder: the file, which is cleaned in place, and its preview."""

CLEAN, JUDGE, REDRAW = "clean", "judge", "redraw"
"""Write a file anew, leave it as it is, or draw an image in versions."""

MEMORY = 1536 * 1024 * 1024
"""Limit of address space in bytes. A photo with the maximum number of pixels needs about half of it."""

MAX_RESULT_BYTES = 512 * 1024 * 1024
"""Limit in bytes of a written file. A re-encoded photo can be larger than the original."""

MAX_OPEN_FILES = 32
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
    processes.limit(resource.RLIMIT_CPU, 2 * seconds)


def answer(folder: Path, way: str, words: Sequence[str]) -> dict[str, Any]:
    """Work on the file in a folder, and return the findings or an error code; see `main`."""
    try:
        seconds, work = _prepared(folder, way, words)
        limit_processor(seconds)
        processes.confine(own=folder)
        return work()
    except BadFile as error:
        return {"code": error.code.value}
    except MemoryError:
        return {"code": Code.FILE_TOO_DETAILED.value}
    except Exception as error:
        # Only the type is reported: messages of parsers may quote the file.
        return {"code": Code.FILE_DAMAGED.value, "fault": type(error).__name__}


def _prepared(folder: Path, way: str, words: Sequence[str]) -> tuple[int, Callable[[], dict[str, Any]]]:
    """Load a parser, which could not be read afterwards. Returns its seconds of processor time and the work."""
    file = folder / FILE
    if way == REDRAW:
        from portal.backend.files import images

        versions = [Version(*version) for version in json.loads(words[0])]
        return PROCESSOR_SECONDS, lambda: {"clear": images.redraw(file, versions)}
    kind = kind_of(file, words)
    parser_of(kind)
    seconds = PDF_PROCESSOR_SECONDS if kind is FileKind.PDF else PROCESSOR_SECONDS
    return seconds, lambda: asdict(inspect(file, words, folder / PREVIEW, judge=way == JUDGE))


def main(folder: str, way: str, *words: str) -> None:
    """Work on the file in a folder and write one line of JSON.

    `way`: `CLEAN`, `JUDGE` or `REDRAW`.
    `words`: the allowed kinds; to `REDRAW`, the versions in JSON.
    """
    processes.begin()
    os.nice(10)
    os.umask(0o077)
    processes.limit(resource.RLIMIT_AS, MEMORY)
    processes.limit(resource.RLIMIT_FSIZE, MAX_RESULT_BYTES)
    processes.limit(resource.RLIMIT_NOFILE, MAX_OPEN_FILES)
    print(json.dumps(answer(Path(folder), way, words)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
