"""The process that inspects files: reads and writes one line of JSON per file. Started by `inspection`.

It parses untrusted files with libraries that may have vulnerabilities, so it runs outside the server: without secrets
in its environment, with limited memory and time, and with low priority.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from dataclasses import asdict
from pathlib import Path

from portal.backend.files.checks import inspect
from portal.backend.files.kinds import BadFile
from portal.kernel.codes import Code

MEMORY = 1536 * 1024 * 1024
"""Bytes of address space; a photo of the most pixels needs about half of it."""

LARGEST_RESULT = 512 * 1024 * 1024
"""Bytes of a file that it may write: a photo written anew can grow."""


def limit() -> None:
    """Give up what is not needed."""
    os.nice(10)
    os.umask(0o077)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_RESULT, LARGEST_RESULT))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def answer(line: str) -> dict[str, object]:
    """Look into the file that a line names."""
    asked = json.loads(line)
    try:
        return asdict(inspect(Path(asked["path"]), asked["kinds"], Path(asked["preview"])))
    except BadFile as error:
        return {"code": error.code.value}
    except MemoryError:
        return {"code": Code.FILE_TOO_DETAILED.value}
    except Exception as error:
        # By its kind only: messages of parsers quote what they read.
        return {"code": Code.FILE_DAMAGED.value, "fault": type(error).__name__}


def main() -> None:
    """Answer line by line until nobody asks any more."""
    limit()
    for line in sys.stdin:
        sys.stdout.write(json.dumps(answer(line)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
