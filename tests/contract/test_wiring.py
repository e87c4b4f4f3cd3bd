"""How portal and provider are connected at start-up."""

from __future__ import annotations

from functools import cache
from inspect import signature
from pathlib import Path
from shutil import copytree

import httpx
import pytest
from pydantic import HttpUrl
from starlette.responses import PlainTextResponse
from structlog.testing import capture_logs

from portal.bikes.api import BikesApi
from portal.client.remote import HttpProvider
from portal.contract import registry
from portal.contract.errors import NotAuthenticated, Unavailable
from portal.contract.operations import operations_of
from portal.contract.registry import ask
from portal.kernel.codes import Code
from portal.provider.api import APIS
from portal.provider.application import Application
from portal.settings import Settings
from portal.wiring import api_app, beside_api, connect_provider
from tests.contract.operations import ALL
from tests.support.declared import API_OF, DECLARED

REST = PlainTextResponse("the portal")


async def test_embedded_the_same_services_answer_the_portal_and_the_api(demonstration: Path, tmp_path: Path) -> None:
    copytree(demonstration, tmp_path, dirs_exist_ok=True)
    options = Settings(data_dir=tmp_path)
    app = beside_api(REST, options)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://shop.test") as http:
        async with connect_provider(options):
            with pytest.raises(NotAuthenticated):
                await ask(BikesApi).bikes("ended")
            assert (await http.get("/mijn-fw/v2/bikes", headers={"Authorization": "Bearer ended"})).status_code == 401
        closed = await http.get("/mijn-fw/v2/bikes", headers={"Authorization": "Bearer ended"})
        assert (closed.status_code, closed.json()["error"]) == (500, "general_error")
        for path in ("/", "/orders", "/mijn-fw", "/mijn-fw/v2x", "/mijn-fw/v1/orders"):
            assert (await http.get(path)).text == "the portal"
        for path in ("/mijn-fw/v2", "/mijn-fw/v2/", "/mijn-fw/v2/nothing"):
            assert (await http.get(path)).json()["error"] == "not_found"
    with pytest.raises(RuntimeError, match="no provider"):
        registry.connected()


async def test_with_a_provider_elsewhere_there_is_a_client_and_no_api() -> None:
    options = Settings(api_root=HttpUrl("http://127.0.0.1:1"), api_timeout_seconds=1)
    assert api_app(options) is None
    assert beside_api(REST, options) is REST
    with capture_logs() as lines:
        async with connect_provider(options):
            assert isinstance(registry.connected(), HttpProvider)
            with pytest.raises(Unavailable):
                await ask(BikesApi).bikes("token")
    assert lines[0]["event"] == "no_api_key"
    with pytest.raises(RuntimeError, match="no provider"):
        registry.connected()


async def test_nobody_sees_an_error_that_nobody_foresaw(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise KeyError("SENTINEL")

    for service in {method_of(name)[0] for name in ALL}:
        for name in DECLARED.keys() & vars(service).keys():
            monkeypatch.setattr(service, name, fail)
    provider = Application(Settings()).services
    for name, operation in ALL.items():
        with capture_logs() as lines, pytest.raises(Unavailable) as caught:
            await operation(provider, "token")
        assert caught.value.code is Code.GENERAL_ERROR
        assert [(line["operation"], line["kind"]) for line in lines] == [(name, "KeyError")]
        assert "SENTINEL" not in str(lines)


@pytest.mark.parametrize("name", ALL)
def test_each_operation_has_one_declaration_and_one_method_of_a_service(name: str) -> None:
    assert [api for api in APIS if name in operations_of(api)] == [API_OF[name]]
    service, others = method_of(name)
    assert not others
    declared, kept = signature(getattr(API_OF[name], name)), signature(getattr(service, name))
    assert [(each.name, each.default) for each in declared.parameters.values()] == [
        (each.name, each.default) for each in kept.parameters.values()
    ]


def test_every_declaration_is_called_here() -> None:
    assert set(ALL) == set(DECLARED)


def method_of(name: str) -> tuple[type, list[type]]:
    """The class that has the method of an operation, and others that have it as well."""
    of_api = _service_of(API_OF[name])
    found = [each for each in of_api.__mro__ if name in vars(each) and each is not API_OF[name]]
    return found[0], found[1:]


@cache
def _service_of(api: type) -> type:
    services = Application(Settings()).services
    services.ask(api)  # Those of staff are made when they are asked for.
    return type(services._services[api])
