"""The process of the staff site (`python -m portal.desk_launch`), which `python -m portal` starts beside its own.

It waits until the customers' site answers, so that this one never makes that one start later. Then it builds the staff
pages when necessary and serves them on a loopback port. It ends with the process that started it.
"""

# Everything else is imported when the customers' site answers: until then this process must cost nothing.
import os
import sys
import time
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from portal.kernel.processes import end_with

ROOT = Path(__file__).resolve().parents[1]
_POLL_SECONDS = 0.2
_GENTLE = 10
"""How much the build stands back for customers (nice)."""


def main() -> int:
    """Wait, build and serve until stopped."""
    end_with(int(os.environ["PORTAL_LAUNCHER"]))
    os.chdir(ROOT)
    _wait_for_customers(os.environ["PORTAL_SITE_TO_WAIT_FOR"])
    from portal.launch import compiled_settings
    from portal.reflex_adapter.build import (
        DESK,
        SERVER_ENVIRONMENT,
        BuildError,
        compiler_environment,
        ensure_built,
        web_dir,
    )
    from portal.reflex_adapter.worker import serve
    from portal.settings import settings

    options = settings()
    try:
        build = ensure_built(ROOT, compiled_settings(options), DESK, gentle=_GENTLE)
    except BuildError as error:
        print(f"portal: the staff site: {error}", file=sys.stderr, flush=True)
        return 1
    if build.seconds:
        print(f"Staff pages built in {build.seconds} s.", flush=True)
    os.environ.update(compiler_environment({**os.environ, **SERVER_ENVIRONMENT}, web_dir(ROOT, DESK), DESK))
    return serve("portal.desk_app:served", "127.0.0.1", options.desk_port)


def _wait_for_customers(address: str) -> None:
    host, _, port = address.rpartition(":")
    while True:
        connection = HTTPConnection(host, int(port), timeout=5)
        try:
            connection.request("GET", "/ping")
            if connection.getresponse().status < 500:
                return
        except (OSError, HTTPException):
            pass
        finally:
            connection.close()
        time.sleep(_POLL_SECONDS)


if __name__ == "__main__":
    status = main()
    from portal.reflex_adapter.worker import leave

    leave(status)
