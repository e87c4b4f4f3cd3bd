"""The program that inspects files, with a parser that was taken over: it does what an attacker would try.

What it shall try stands in its file, behind the first bytes of a kind: `{"try": NAME, …}`. It answers what came of it.
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
from collections.abc import Collection, Sequence
from errno import EACCES, ENOMEM, EPERM, EXDEV
from mmap import mmap
from pathlib import Path
from typing import Any

from portal.backend.files import images, worker
from portal.backend.files.checks import FileFindings, Version

JPEG = FileFindings("JPG", "image/jpeg", 1, "0" * 64, preview=False)
_LIBC = ctypes.CDLL(None, use_errno=True)


def _read(wanted: dict[str, Any]) -> str:
    return Path(wanted["path"]).read_bytes()[:20].hex()


def _open(wanted: dict[str, Any]) -> str:
    os.open(wanted["path"], os.O_RDONLY)
    return "opened"


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
    os.kill(wanted["victim"], signal.SIGCONT)
    return "reached"


def _attach(wanted: dict[str, Any]) -> str:
    seize = 0x4206  # which does not stop it
    if _LIBC.ptrace(seize, wanted["victim"], 0, 0) < 0:
        raise OSError(ctypes.get_errno(), "not attached")
    return "attached"


def _raise_limit(_: dict[str, Any]) -> str:
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return "raised"


def _allocate(_: dict[str, Any]) -> str:
    return str(len(mmap(-1, worker.MEMORY)))


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
    act.__name__.strip("_").replace("_", " "): act
    for act in (
        *(_read, _open, _write, _list, _truncate, _mode, _link, _hard_link, _connect, _send, _run, _become, _fork),
        *(_kill, _attach, _raise_limit, _allocate, _loop, _sleep, _inherited, _environment),
    )
}


def taken_over(file: Path, _kinds: Collection[str], preview: Path, *, judge: bool) -> FileFindings:
    """Stands in for the parser."""
    wanted = _wanted(file)
    if wanted["try"] == "swap":
        # The parser leaves the file of somebody else in the place of its own.
        file.unlink()
        shutil.move(wanted["path"], file)
        return JPEG
    if wanted["try"] == "lie":
        return FileFindings("JPG", "text/html", 1, "0" * 64, preview=True)
    _act({**wanted, "folder": str(preview.parent)})
    raise AssertionError("the process has ended")


def redrawn(file: Path, _versions: Sequence[Version]) -> bool:
    """Stands in for the parser of images that are drawn anew."""
    wanted = _wanted(file)
    if wanted["try"] != "lie":
        _act({**wanted, "folder": str(file.parent)})
    return False


def _wanted(file: Path) -> dict[str, Any]:
    content = file.read_bytes()
    return json.loads(content[content.index(b"{") :])


def _act(wanted: dict[str, Any]) -> None:
    try:
        came_of_it = TRIES[wanted["try"]](wanted)
    except OSError as error:
        came_of_it = "refused" if error.errno in {EPERM, EACCES, EXDEV, ENOMEM} else str(error)
    except ValueError:
        came_of_it = "refused"  # what Python says of a limit that cannot be raised
    # An answer that lands in the log of the portal, where the test reads it.
    print(json.dumps({"code": "file_damaged", "fault": came_of_it}), flush=True)
    os._exit(0)


def main() -> None:
    """Be the program."""
    vars(os).update(nice=int)  # on a busy machine, an attempt would take minutes
    vars(worker).update(inspect=taken_over, PROCESSOR_SECONDS=1)
    vars(images).update(redraw=redrawn)
    worker.main(*sys.argv[1:])


if __name__ == "__main__":
    main()
