"""The description of the API is true: thousands of made-up calls, good and bad, are answered as it says."""

import asyncio
from collections.abc import Callable, Iterator
from http.cookiejar import DefaultCookiePolicy
from itertools import count
from pathlib import Path
from shutil import copytree
from typing import Any

import httpx
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.config import SchemathesisConfig
from schemathesis.core.result import Ok
from schemathesis.generation.meta import CoveragePhaseData, CoverageScenario
from schemathesis.pytest.lazy import get_all_tests

from portal.client.remote import HttpProvider
from portal.contract.registry import Provider
from portal.provider.api import create_api
from portal.settings import Settings
from tests.support.connections import KEY, UNHURRIED, Shop, serving
from tests.support.declared import DECLARED
from tests.support.people import MAX

_BOUNDED = settings(
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.function_scoped_fixture],
)
# The explicit examples cover every bound and type of the description in turn. They are sent once: with a session, which
# gets further. What is made up beside them is the same in every run, so a little of it is enough.
_COVERED = settings(_BOUNDED, max_examples=1, phases=[Phase.explicit, Phase.generate])
_SAMPLED = settings(_BOUNDED, max_examples=1, phases=[Phase.generate])

_UNFIT = {
    # Rules of the shop refuse much that is well formed, such as an order number that nobody has.
    "positive_data_acceptance",
    # Not about this API: no resource is made or deleted.
    "use_after_free",
    "ensure_resource_availability",
}

load_all_checks()


def checked(*left_out: str) -> list[Any]:
    """All checks but those that do not fit."""
    return [check for check in CHECKS.get_all() if check.__name__ not in {*_UNFIT, *left_out}]


def _nobody() -> Provider:
    raise AssertionError("this app only describes itself")


# Also 413: what is longer than a field may be can be longer than any body.
_REFUSED = ["400", "401", "403", "404", "409", "413", "415", "422", "429", "5xx"]


@pytest.fixture(scope="module")
def document() -> Any:
    """The description. Its calls are made up where they are sent, not by every process that collects the tests."""
    return schemathesis.openapi.from_dict(
        create_api(_nobody, Settings()).openapi(),
        config=SchemathesisConfig.from_dict(
            {
                "checks": {"negative_data_rejection": {"expected-statuses": _REFUSED}},
                # What another method of a path answers is the framework's.
                "phases": {"coverage": {"unexpected-methods": []}},
            }
        ),
    )


def is_left_out(case: schemathesis.Case, turn: Iterator[int]) -> bool:
    """Whether not to send a call: nine of ten that have a value of a wrong type, which one rule refuses."""
    data = case.meta.phase.data if case.meta else None
    wrong_type = isinstance(data, CoveragePhaseData) and data.scenario is CoverageScenario.INCORRECT_TYPE
    return wrong_type and next(turn) % 10 > 0


def send_all(document: Any, send: Callable[..., None], bounds: settings) -> None:
    """Send what is made up for each operation, one after another."""
    made = list(get_all_tests(schema=document, test_func=send, settings=bounds, given_kwargs={}))
    assert len(made) > 200
    for each in made:
        assert isinstance(each, Ok), each.err()
        _operation, send_calls = each.ok()
        send_calls()


@pytest.fixture(scope="module")
def address(demonstration: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A provider of its own process."""
    data_dir = tmp_path_factory.mktemp("openapi")
    copytree(demonstration, data_dir, dirs_exist_ok=True)
    with serving(data_dir, {"api_key": KEY, **UNHURRIED}) as address:
        yield address, data_dir


@pytest.fixture(scope="module")
def token(address: tuple[str, Path]) -> str:
    """The session of a customer with much to show."""

    async def log_in() -> str:
        client = HttpProvider(address[0], api_key=KEY)
        try:
            return await Shop("socket", client, address[1]).log_in(*MAX)
        finally:
            await client.close()

    return asyncio.run(log_in())


@pytest.fixture(scope="module")
def connection() -> Iterator[requests.Session]:
    """Stays open, and looks for no proxy at each of thousands of calls; it keeps no cookies."""
    with requests.Session() as opened:
        opened.trust_env = False
        opened.headers.clear()
        opened.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        yield opened


@pytest.mark.timeout(600)
def test_without_a_session_every_call_is_answered_as_described(
    document: Any, address: tuple[str, Path], connection: requests.Session
) -> None:
    def send(case: schemathesis.Case) -> None:
        # Ending a session that has ended is no mistake.
        left_out = {"ignored_auth"} if case.operation.path.endswith("/logout") else set()
        case.call_and_validate(base_url=address[0], session=connection, checks=checked(*left_out))

    send_all(document, send, _SAMPLED)


@pytest.mark.timeout(600)
def test_with_a_session_every_call_is_answered_as_described(
    document: Any, address: tuple[str, Path], token: str, connection: requests.Session
) -> None:
    turn = count()

    def send(case: schemathesis.Case) -> None:
        if is_left_out(case, turn):
            return
        # Where there is no body, the bad call may be one without a session, which gets it back here.
        left_out = set() if case.operation.body else {"negative_data_rejection"}
        headers = {"Authorization": f"Bearer {token}"}
        case.call_and_validate(base_url=address[0], session=connection, checks=checked(*left_out), headers=headers)

    send_all(document.exclude(operation_id="logout"), send, _COVERED)


def test_what_a_customer_has_is_answered_as_described(document: Any, address: tuple[str, Path], token: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}

    def fetch(operation: str, **path_parameters: str) -> Any:
        case = document.find_operation_by_id(operation).Case(path_parameters=path_parameters)
        answer = case.call_and_validate(base_url=address[0], checks=checked("negative_data_rejection"), headers=headers)
        assert answer.status_code == 200
        return answer.json()["data"] if "json" in answer.headers["content-type"][0] else answer.content

    for order in fetch("orders")["items"]:
        assert fetch("order", order_number=order["order_number"])["total"] == order["total"]
    for bike in fetch("bikes")["items"]:
        assert fetch("bike", bike_id=bike["bike_id"])["name"] == bike["name"]
    for request in fetch("service_requests")["items"]:
        assert fetch("service_request", reference=request["reference"])["status"] == request["status"]
    invoice = fetch("invoices")["items"][0]
    assert fetch("invoice_pdf", invoice_id=invoice["invoice_id"]).startswith(b"%PDF-")


def test_the_description_names_every_operation_and_its_protection(address: tuple[str, Path]) -> None:
    document = httpx.get(f"{address[0]}/mijn-fw/v2/openapi.json", timeout=60).json()
    operations = {
        operation["operationId"]: operation
        for path, found in document["paths"].items()
        if "/backoffice/" not in path
        for operation in found.values()
    }
    assert len(operations) == len(DECLARED) - 1, "request_lease shares its path with request_code"
    public = {name for name, operation in operations.items() if "security" not in operation}
    links = {"link", "confirm_link", "resend_link"}
    guests = {"guest_withdrawable", "guest_withdraw", "guest_contract", "guest_end"}
    passwords = {"request_password_reset", "password_link", "set_password", "log_in"}
    passkeys = {"begin_passkey_login", "log_in_with_passkey"}
    codes = {"request_staff_code", "staff_code_delivery", "open_staff_session"}
    staff = {"staff_login_ways", *codes, "start_sign_on", "finish_sign_on"}
    visits = {"open_visit"}
    everybody = {"periods", "picture_file", "drawing_file", "guest_service_locations", "tracking"}
    by_login = {"request_authenticate", "code_delivery", "authenticate", *passwords, *passkeys}
    assert public == {*by_login, *links, *guests, *staff, *visits, *everybody}
    for operation in operations.values():
        assert {"200", "500", "503"} <= set(operation["responses"])
        for status, response in operation["responses"].items():
            if status != "200":
                assert response["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/Refusal"}
