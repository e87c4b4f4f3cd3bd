"""The program that inspects files, with a parser that was taken over: it does what an attacker would try.

What it shall try stands in its file, behind the first bytes of a JPEG: `{"try": NAME, …}`. It answers what came of it.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Collection
from errno import EACCES, EPERM, EXDEV
from pathlib import Path
from typing import Any

from portal.backend.files import worker
from portal.backend.files.checks import FileFindings

MAGIC = b"\xff\xd8\xff"
JPEG = FileFindings("JPG", "image/jpeg", 1, "0" * 64, preview=False)
_LIBC = ctypes.CDLL(None, use_errno=True)


def _read(wanted: dict[str, Any]) -> str:
    return Path(wanted["path"]).read_bytes()[:20].hex()


def _write(wanted: dict[str, Any]) -> str:
    with Path(wanted["path"]).open("ab") as file:
        file.write(b"planted")
    return "written"


def _list(wanted: dict[str, Any]) -> str:
    return str(os.listdir(wanted["path"]))


def _truncate(wanted: dict[str, Any]) -> str:
    os.truncate(wanted["path"], 0)
    return "truncated"


def _mode(wanted: dict[str, Any]) -> str:
    os.chmod(wanted["path"], 0o640)
    return "changed"


def _link(wanted: dict[str, Any]) -> str:
    os.symlink(wanted["path"], Path(wanted["folder"], "link"))
    return "linked"


def _hard_link(wanted: dict[str, Any]) -> str:
    os.link(wanted["path"], Path(wanted["folder"], "link"))
    return "linked"


def _connect(wanted: dict[str, Any]) -> str:
    with socket.create_connection(("127.0.0.1", wanted["port"]), 2):
        return "connected"


def _send(wanted: dict[str, Any]) -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        return str(sender.sendto(b"planted", ("127.0.0.1", wanted["port"])))


def _run(_: dict[str, Any]) -> str:
    return str(subprocess.run(["/bin/true"], check=True))


def _become(_: dict[str, Any]) -> str:
    os.execv("/bin/true", ["true"])  # noqa: S606 - that is what is tried


def _fork(_: dict[str, Any]) -> str:
    return str(os.fork())


def _kill(wanted: dict[str, Any]) -> str:
    os.kill(wanted["pid"], signal.SIGCONT)
    return "reached"


def _attach(wanted: dict[str, Any]) -> str:
    attach = 16
    if _LIBC.ptrace(attach, wanted["pid"], 0, 0) < 0:
        raise OSError(ctypes.get_errno(), "not attached")
    return "attached"


def _raise_limit(_: dict[str, Any]) -> str:
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return "raised"


def _allocate(_: dict[str, Any]) -> str:
    return str(len(bytearray(worker.MEMORY)))


def _loop(_: dict[str, Any]) -> str:
    signal.setitimer(signal.ITIMER_PROF, 0)
    while True:
        pass


def _sleep(_: dict[str, Any]) -> str:
    signal.pause()
    return "woken"


def _inherited(_: dict[str, Any]) -> str:
    found = []
    for number in range(3, 4096):
        try:
            os.fstat(number)
        except OSError:
            continue
        found.append(number)
    return str(found)


def _environment(_: dict[str, Any]) -> str:
    return " ".join(sorted(os.environ))


TRIES = {
    name.strip("_").replace("_", " "): act
    for name, act in list(globals().items())
    if name.startswith("_") and callable(act) and name not in {"_LIBC"} and not name.startswith("__")
}


def taken_over(file: Path, _kinds: Collection[str], preview: Path, *, judge: bool) -> FileFindings:
    """Stands in for the parser."""
    wanted: dict[str, Any] = json.loads(file.read_bytes().removeprefix(MAGIC))
    if wanted["try"] == "swap":
        # The parser leaves the file of somebody else in the place of its own.
        file.unlink()
        shutil.move(wanted["path"], file)
        return JPEG
    if wanted["try"] == "lie":
        return FileFindings("JPG", "text/html", 1, "0" * 64, preview=True)
    try:
        came_of_it = TRIES[wanted["try"]]({**wanted, "folder": str(preview.parent)})
    except OSError as error:
        came_of_it = "refused" if error.errno in {EPERM, EACCES, EXDEV} else str(error)
    except (ValueError, MemoryError) as error:
        came_of_it = f"refused: {type(error).__name__}"
    # An answer that lands in the log of the portal, where the test reads it.
    print(json.dumps({"code": "file_damaged", "fault": came_of_it}), flush=True)
    os._exit(0)


if __name__ == "__main__":
    vars(worker).update(inspect=taken_over, PROCESSOR_SECONDS=1)
    worker.main(*sys.argv[1:])
