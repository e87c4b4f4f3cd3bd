"""The role matrix: every role calls every operation for staff through the API; one table decides."""

from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI
from structlog.testing import capture_logs

from portal.backend.security import SecurityEvent
from portal.client.remote import HttpProvider
from portal.contract.errors import NotAuthenticated, NotFound, ProviderError
from portal.contract.operations import Operation, ParameterPlace, operations_of
from portal.provider.api import CUSTOMER_APIS, STAFF_APIS, create_api
from portal.settings import Settings
from portal.vocabulary.staff import RIGHTS, Right, Role
from tests.contract.operations import ALL
from tests.support.connections import KEY
from tests.support.furnished import Furnished
from tests.support.staff import OF_ROLE, staff_token

FOR_STAFF: dict[str, Operation] = {name: each for api in STAFF_APIS for name, each in operations_of(api).items()}
WITH_RIGHT = {name: each for name, each in FOR_STAFF.items() if each.right is not None}
CALLS = {name: ALL[name] for name in WITH_RIGHT}
OF_THE_LOGIN = {
    "staff_login_ways", "staff_code_delivery", "request_staff_code", "open_staff_session", "start_sign_on",
    "finish_sign_on",
}  # fmt: skip
ENDS_THE_SESSION = {"end_staff_session"}
ROLES = [role for role in Role if role is not Role.UNKNOWN]


@pytest.fixture(scope="module")
def served() -> tuple[FastAPI, list[Furnished]]:
    """The API, and the shops that its tests opened: the last one answers."""
    shops: list[Furnished] = []
    return create_api(lambda: shops[-1].provider, Settings()), shops


@pytest.fixture
async def client(served: tuple[FastAPI, list[Furnished]], furnished: Furnished) -> AsyncIterator[HttpProvider]:
    """The client of the API over the demonstration shop."""
    app, shops = served
    shops.append(furnished)
    made = HttpProvider("http://provider.test", api_key=KEY, transport=httpx.ASGITransport(app))
    yield made
    await made.close()


def test_an_operation_for_staff_declares_a_right_unless_it_is_part_of_the_login() -> None:
    without = {name for name, each in FOR_STAFF.items() if each.right is None}
    assert without == OF_THE_LOGIN, "give the operation its `right=` in portal/<subject>/api.py"


def test_an_operation_for_staff_has_its_own_paths_and_token() -> None:
    for name, declared in FOR_STAFF.items():
        assert declared.path.startswith("/staff/"), name
        assert bool(declared.at(ParameterPlace.TOKEN)) == (declared.right is not None), name


def test_no_operation_of_customers_has_a_right_or_a_path_of_staff() -> None:
    for api in CUSTOMER_APIS:
        for name, declared in operations_of(api).items():
            assert declared.right is None, name
            assert not declared.path.startswith("/staff"), name


@pytest.mark.parametrize("role", ROLES)
async def test_a_role_may_call_what_the_table_says_and_nothing_else(
    furnished: Furnished, client: HttpProvider, role: Role
) -> None:
    wrong: list[str] = []
    token = await staff_token(furnished, OF_ROLE[role])
    for name, call in CALLS.items():
        right = WITH_RIGHT[name].right
        with capture_logs() as lines:
            outcome: type[ProviderError] | None = None
            try:
                await call(client, token)
            except ProviderError as error:
                outcome = type(error)
        refused = [line for line in lines if line["event"] == SecurityEvent.STAFF_REFUSED]
        by_right = [line for line in refused if line.get("why") == f"{name}: {right}"]
        allowed = right in RIGHTS[role]
        if name in ENDS_THE_SESSION:
            token = await staff_token(furnished, OF_ROLE[role])
        if allowed == bool(by_right) or outcome is NotAuthenticated or (not allowed and outcome is not NotFound):
            wrong.append(f"{name} ({right}): {outcome}")
    assert not wrong


async def test_an_operation_for_staff_is_closed_to_customers_and_visitors(furnished: Furnished) -> None:
    customer = await furnished.log_in(("900000001", "sanne@example.com"))
    opened: list[str] = []
    for name, call in CALLS.items():
        for token in ("", "ended", customer):
            try:
                await call(furnished.provider, token)
            except NotAuthenticated:
                continue
            opened.append(name)
    assert not opened


async def test_operations_for_staff_and_for_customers_are_served_apart(furnished: Furnished) -> None:
    found: dict[str, set[str]] = {}
    for name, apis in {"customers": CUSTOMER_APIS, "staff": STAFF_APIS}.items():
        app = create_api(lambda: furnished.application.services, furnished.context.settings, apis=apis)
        found[name] = set(app.openapi()["paths"])
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://api.test") as http:
            answers = [(await http.get(f"/mijn-fw/v2{path}")).status_code for path in ("/staff/session", "/session")]
        assert answers == ([404, 401] if name == "customers" else [401, 404])
    assert not any("/staff/" in path for path in found["customers"])
    assert all("/mijn-fw/v2/staff/" in path for path in found["staff"])


def test_the_administrator_has_every_right_but_that_of_the_other_person_and_an_unknown_role_none() -> None:
    # Whoever may close returns may not say where the money goes.
    assert RIGHTS[Role.ADMINISTRATOR] == frozenset(Right) - {Right.ENTER_REFUND_ACCOUNT}
    assert [role for role in Role if Right.ENTER_REFUND_ACCOUNT in RIGHTS[role]] == [Role.FINANCE]
    assert Right.WORK_ON_CASES not in RIGHTS[Role.FINANCE]
    assert RIGHTS[Role.UNKNOWN] == frozenset()
