"""In which order files of tests are handed out: the long ones first, so that no process is left alone with one."""

from __future__ import annotations

from pathlib import Path

import pytest

LONG = (
    "tests/provider/killed/test_killed.py",
    "tests/provider/returns/test_sequences.py",
    "tests/provider/killed/test_many_submits.py",
    "tests/provider/aftercare/test_killed_dates.py",
    "tests/provider/login/test_faults.py",
    "tests/provider/login/test_jobs.py",
    "tests/client/test_faults.py",
    "tests/client/test_tries.py",
    "tests/portal/test_guard.py",
    "tests/provider/account/test_demo_loading.py",
    "tests/provider/account/test_uploads.py",
    "tests/provider/returns/test_owed.py",
    "tests/provider/returns/test_confirming.py",
    "tests/contract/test_claims.py",
    "tests/contract/test_same_answers.py",
    "tests/provider/account/test_orders.py",
    # These ask how long something takes: not while types are checked beside the first ones.
    "tests/provider/login/test_timing.py",
    "tests/provider/requests/test_changes.py",
    "tests/contract/test_requests.py",
    "tests/browser/test_flow_tour.py",
    "tests/browser/test_returning_tour.py",
    "tests/browser/test_flow_ends.py",
    "tests/browser/test_flow_rules.py",
    "tests/browser/test_session.py",
    "tests/browser/test_account_faces.py",
    "tests/browser/test_request.py",
    "tests/browser/test_faults.py",
    "tests/browser/test_account.py",
    "tests/browser/test_login_code.py",
    "tests/browser/test_aftercare_tour.py",
    "tests/browser/test_account_data.py",
    "tests/browser/test_service_location.py",
    "tests/browser/test_budgets.py",
    "tests/browser/test_toasts.py",
    "tests/browser/test_login.py",
    "tests/browser/test_flow_unsent.py",
    "tests/browser/test_delivery_date.py",
)
_ROOT = Path(__file__).resolve().parents[2]
_PLACES = {_ROOT / name: place for place, name in enumerate(LONG)}
if gone := [str(path) for path in _PLACES if not path.is_file()]:
    raise FileNotFoundError(f"no longer there, so not first: {', '.join(gone)}")


def place(item: pytest.Item) -> int:
    """Where the file of a test comes; what is not long comes in the order of the names."""
    return _PLACES.get(item.path, len(LONG))
