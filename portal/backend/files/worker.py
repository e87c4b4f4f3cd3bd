"""The program that inspects files in its own process, started by `inspection`. It reads and writes JSON lines.

The libraries that parse untrusted files may have vulnerabilities. The process therefore has no secrets in its
environment, limited memory and processor time, and low priority.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from portal.backend.files.checks import inspect, kind_of
from portal.backend.files.kinds import BadFile
from portal.kernel.codes import Code
from portal.vocabulary.files import FileKind

MEMORY = 1536 * 1024 * 1024
"""Limit of address space in bytes. A photo with the maximum number of pixels needs about half of it."""

LARGEST_RESULT = 512 * 1024 * 1024
"""Limit in bytes of a written file. A re-encoded photo can be larger than the original."""

PROCESSOR_SECONDS = 20
"""Processor time for one file, in seconds. The largest valid photos and videos take about a fifth of it."""

PDF_PROCESSOR_SECONDS = 3
"""The same for a PDF. A scan of 100 MB takes a second."""


def limit() -> None:
    """Lower the priority and limit memory, file size and core dumps of this process."""
    os.nice(10)
    os.umask(0o077)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_RESULT, LARGEST_RESULT))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def limit_processor(seconds: int) -> None:
    """End this process (SIGPROF) after this much more processor time. Waiting for a busy machine does not count.

    A limit of the whole process (`RLIMIT_CPU`) counts by other clocks than the ones that can be asked; on a busy
    machine they drift apart, and a file late in the life of a process would get too little.
    """
    signal.setitimer(signal.ITIMER_PROF, seconds)


def answer(line: str) -> dict[str, Any]:
    """Inspect the file that a JSON line names and return the findings or an error code."""
    asked = json.loads(line)
    try:
        path = Path(asked["path"])
        kind = kind_of(path, asked["kinds"])
        limit_processor(PDF_PROCESSOR_SECONDS if kind is FileKind.PDF else PROCESSOR_SECONDS)
        return asdict(inspect(path, asked["kinds"], Path(asked["preview"])))
    except BadFile as error:
        return {"code": error.code.value}
    except MemoryError:
        return {"code": Code.FILE_TOO_DETAILED.value}
    except Exception as error:
        # Only the type is reported: messages of parsers may quote the file.
        return {"code": Code.FILE_DAMAGED.value, "fault": type(error).__name__}


def main() -> None:
    """Process lines from standard input until it is closed."""
    limit()
    for line in sys.stdin:
        sys.stdout.write(json.dumps(answer(line)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
