"""The order of test files: long ones first, so that no process runs one alone at the end."""

from __future__ import annotations

from pathlib import Path

import pytest

LONG = (
    # They compile the two sites, for which others would wait.
    "tests/architecture/test_bundle.py",
    "tests/architecture/test_desk_bundle.py",
    "tests/backend/api/test_openapi.py",
    "tests/flow/test_killed.py",
    "tests/returns/test_service_sequences.py",
    "tests/flow/test_many_submits.py",
    "tests/work_orders/test_service_codes.py",
    "tests/flow/test_api_uploads.py",
    "tests/deliveries/test_killed_dates.py",
    "tests/backend/test_faults.py",
    "tests/backend/test_jobs.py",
    "tests/client/test_faults.py",
    "tests/client/test_tries.py",
    "tests/frontend/test_guard.py",
    "tests/demo/test_loading.py",
    "tests/flow/test_service_uploads.py",
    "tests/returns/test_money.py",
    "tests/returns/test_confirmation.py",
    "tests/contract/test_same_answers.py",
    "tests/orders/test_service.py",
    # These ask how long something takes: not while the longest ones run.
    "tests/login/test_service_timing.py",
    "tests/backend/test_live.py",
    "tests/work_orders/test_api_requests.py",
    "tests/journeys/test_flow_tour.py",
    "tests/journeys/test_returning_tour.py",
    "tests/journeys/test_flow_ends.py",
    "tests/journeys/test_flow_rules.py",
    "tests/journeys/test_session.py",
    "tests/journeys/test_without_scripts.py",
    "tests/journeys/test_desk_data.py",
    "tests/journeys/test_dark_theme.py",
    "tests/journeys/test_story.py",
    "tests/journeys/test_desk_corrections.py",
    "tests/journeys/test_account_states.py",
    "tests/journeys/test_request.py",
    "tests/journeys/test_faults.py",
    "tests/journeys/test_account.py",
    "tests/journeys/test_passwords.py",
    "tests/journeys/test_first_data.py",
    "tests/journeys/test_withdrawal.py",
    "tests/journeys/test_login_code.py",
    "tests/journeys/test_aftercare_tour.py",
    "tests/journeys/test_account_data.py",
    "tests/journeys/test_service_location.py",
    "tests/journeys/test_budgets.py",
    "tests/journeys/test_flow_files.py",
    "tests/journeys/test_layout_shifts.py",
    "tests/journeys/test_shell.py",
    "tests/journeys/test_order_status.py",
    "tests/journeys/test_repair.py",
    "tests/journeys/test_delivery_date.py",
    "tests/journeys/test_desk_login.py",
    "tests/journeys/test_desk_queue.py",
    "tests/journeys/test_insurance.py",
    "tests/journeys/test_login.py",
    "tests/journeys/test_flow_next.py",
    "tests/journeys/test_toasts.py",
    "tests/journeys/test_flow_unsent.py",
)
_ROOT = Path(__file__).resolve().parents[2]
_PLACES = {_ROOT / name: place for place, name in enumerate(LONG)}
if gone := [str(path) for path in _PLACES if not path.is_file()]:
    raise FileNotFoundError(f"no longer there, so not first: {', '.join(gone)}")


def place(item: pytest.Item) -> int:
    """Where the file of a test comes; what is not long comes in the order of the names."""
    return _PLACES.get(item.path, len(LONG))
