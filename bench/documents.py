"""How long the documents of a customer take, warm and cold, and what a whole confirmation mail costs.

python -m bench.documents
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from portal.orders.provider.invoice_pdf import invoice_pdf
from portal.settings import Settings
from portal.work_orders.provider.confirmation import Confirmation, calendar_of, confirmation_pdf, mail_of
from tests.support.confirmations import ANSWERS, STORY, confirmation, longest_answers, planned
from tests.support.invoices import invoice

LIMIT_MS = 50.0
TIMES = 60


def main() -> int:
    """Print a line for each measurement; 1 when a confirmation takes longer than it may."""
    options = Settings()
    cold = _timed(lambda: confirmation_pdf(_request(0), options.brand))
    print(f"{'first document of a process':42} {cold:8.1f} ms")
    slowest = 0.0
    for name, make in (
        ("confirmation as PDF", lambda number: confirmation_pdf(_request(number), options.brand)),
        (
            "confirmation, 12 stories of 1000 characters",
            lambda number: confirmation_pdf(_request(number, longest_answers(str(number))), options.brand),
        ),
        ("confirmation as mail, both bodies", lambda number: mail_of(_request(number), options)),
        ("appointment", lambda number: calendar_of(_request(number), options)),
        ("invoice as PDF", lambda number: invoice_pdf(invoice(number=f"2026-{number}"), "nl", options.brand)),
    ):
        make(0)
        times = sorted(_timed(lambda number=number, make=make: make(number)) for number in range(1, TIMES))
        p95 = times[int(0.95 * len(times))]
        print(f"{name:42} {statistics.median(times):8.1f} ms   p95 {p95:6.1f} ms")
        if name == "confirmation as PDF":
            slowest = p95
    return int(slowest > LIMIT_MS)


def _request(number: int, answers: dict[str, Any] | None = None) -> Confirmation:
    told = answers or ANSWERS | {"details_chain": f"{STORY} {number}"}
    return confirmation("nl", told, reference=f"K7M3{number:04}", **planned())


def _timed(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return (time.perf_counter() - started) * 1000


if __name__ == "__main__":
    sys.exit(main())
