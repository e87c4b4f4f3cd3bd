"""How portal and provider are connected at start-up."""

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
from portal.contract.registry import ask
from portal.settings import Settings
from portal.wiring import api_app, beside_api, connect_provider

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
