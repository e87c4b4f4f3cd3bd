"""In which order files of tests are handed out: the long ones first, so that no process is left alone with one."""

from __future__ import annotations

from pathlib import Path

import pytest

LONG = (
    "provider/killed/test_killed.py",
    "provider/returns/test_sequences.py",
    "provider/killed/test_many_submits.py",
    "provider/aftercare/test_killed_dates.py",
    "provider/login/test_faults.py",
    "provider/login/test_jobs.py",
    "client/test_faults.py",
    "client/test_tries.py",
    "portal/test_guard.py",
    "provider/account/test_demo_loading.py",
    "provider/account/test_uploads.py",
    "provider/returns/test_owed.py",
    "provider/returns/test_confirming.py",
    "contract/test_claims.py",
    "contract/test_same_answers.py",
    "provider/account/test_orders.py",
    # These ask how long something takes: not while types are checked beside the first ones.
    "provider/login/test_timing.py",
    "provider/requests/test_changes.py",
    "contract/test_requests.py",
    "browser/test_flow_tour.py",
    "browser/test_returning_tour.py",
    "browser/test_flow_ends.py",
    "browser/test_flow_rules.py",
    "browser/test_session.py",
    "browser/test_account_faces.py",
    "browser/test_request.py",
    "browser/test_faults.py",
    "browser/test_account.py",
    "browser/test_login_code.py",
    "browser/test_aftercare_tour.py",
    "browser/test_account_data.py",
    "browser/test_service_location.py",
    "browser/test_budgets.py",
    "browser/test_toasts.py",
    "browser/test_login.py",
    "browser/test_flow_unsent.py",
    "browser/test_delivery_date.py",
)
_TESTS = Path(__file__).resolve().parents[1]
_PLACES = {_TESTS / name: place for place, name in enumerate(LONG)}
if gone := [str(path) for path in _PLACES if not path.is_file()]:
    raise FileNotFoundError(f"no longer there, so not first: {', '.join(gone)}")


def place(item: pytest.Item) -> int:
    """Where the file of a test comes; what is not long comes in the order of the names."""
    return _PLACES.get(item.path, len(LONG))
