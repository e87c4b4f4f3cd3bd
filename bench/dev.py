"""How long a changed page takes until an open browser shows it, while `script/dev` serves (measurements M41).

The sources are copied, and a heading of the copy is changed. Processor time counts all processes of the development
server, so it says something on a machine that does other work as well.

    python -m bench.dev [--rounds 5]
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Error, Page, expect, sync_playwright

from bench.harness import ROOT, Row, free_port, median, report
from bench.pages import CHROMIUM, FLAGS

_SOURCES = ("portal", "locale", "assets", "reflex.lock", "alembic", "alembic.ini", "rxconfig.py", "requirements.txt")
_FIRST_SECONDS = 300
"""How long the packages of the browser may take to be installed, and the first page to be compiled."""
_CHANGE_MS = 60_000
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Site:
    """A site, and a heading of one of its pages.

    Attributes:
        name: value of `PORTAL_SITE`.
        host: where a browser finds it.
        path: of the page.
        source: file of the page.
        heading: text of its heading in the source. A new text has no Dutch yet, so both languages show it.
    """

    name: str
    host: str
    path: str
    source: str
    heading: str


SITES = (
    Site("customers", "localhost", "/", "portal/login/pages/login.py", "Log in to your account"),
    Site("desk", "balie.localhost", "/login", "portal/staff/desk/login.py", "Log in to the staff site"),
)


def _used(pid: int) -> float:
    """Seconds of processor time of a process and all below it, also of those that ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except FileNotFoundError:
        return 0
    return sum(map(int, fields[11:15])) / _TICKS + sum(_used(int(child)) for child in children)


@contextmanager
def _developing(site: Site, folder: Path) -> Iterator[tuple[int, str]]:
    """Serve the copied sources; gives the process and the address."""
    port = free_port()
    environment = {**os.environ, "PORT": str(port), "PORTAL_DESK_PORT": str(port)}
    environment |= {"PORTAL_SITE": site.name, "PORTAL_DATA_DIR": str(folder / "var")}
    process = subprocess.Popen(
        [sys.executable, "-m", "portal.dev"], cwd=folder, env=environment, stdout=subprocess.DEVNULL
    )
    try:
        yield process.pid, f"http://{site.host}:{port}{site.path}"
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def _opened(page: Page, address: str) -> None:
    """Open the page as soon as it is served and compiled; until then it is loaded again and again."""
    until = time.monotonic() + _FIRST_SECONDS
    while time.monotonic() < until:
        with suppress(Error):
            page.goto(address)
            page.locator("h1").wait_for(timeout=20_000)
            return
        time.sleep(0.5)
    raise RuntimeError("the page was not shown in time")


def measure(site: Site, rounds: int, *, shown: bool) -> list[Row]:
    """Change the heading so many times.

    Args:
        site: the site.
        rounds: how many changes.
        shown: whether to print what the browser reports.
    """
    waits, costs = [], []
    with tempfile.TemporaryDirectory(prefix="portal-bench-") as name, sync_playwright() as driver:
        folder = Path(name)
        for source in _SOURCES:
            copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
            copy(ROOT / source, folder / source)
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(locale="en-GB")
        if shown:
            page.on("console", lambda message: print("browser:", message.type, message.text))
        with _developing(site, folder) as (pid, address):
            _opened(page, address)
            page.wait_for_load_state("networkidle")
            source, heading = folder / site.source, site.heading
            for turn in range(rounds + 1):
                wanted = f"{site.heading} {turn}"
                used, started = _used(pid), time.monotonic()
                source.write_text(source.read_text(encoding="utf-8").replace(f'"{heading}"', f'"{wanted}"'), "utf-8")
                expect(page.locator("h1")).to_have_text(wanted, timeout=_CHANGE_MS)
                if turn:  # The first change also warms caches.
                    waits.append(time.monotonic() - started)
                    costs.append(_used(pid) - used)
                heading = wanted
        browser.close()
    return [
        Row(f"{site.name}: change on the screen, median", median(waits), "s", 5),
        Row(f"{site.name}: processor time of a change, median", median(costs), "s"),
    ]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="changes of each page")
    parser.add_argument("--site", choices=[site.name for site in SITES], help="one site only")
    parser.add_argument("--show-browser", action="store_true", help="print what the browser reports")
    given = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    rows = [
        row
        for site in SITES
        if given.site in {None, site.name}
        for row in measure(site, given.rounds, shown=given.show_browser)
    ]
    return report("The development server", rows)


if __name__ == "__main__":
    sys.exit(main())
