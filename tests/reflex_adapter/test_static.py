"""What is served beside the compiled pages."""

from __future__ import annotations

from reflex_base.constants import Endpoint, ReactRouter

from portal.reflex_adapter.static import FALLBACK, PATHS_OF_REFLEX


def test_paths_of_the_server_of_reflex() -> None:
    assert {Endpoint.EVENT.value, Endpoint.UPLOAD.value, Endpoint.HEALTH.value, Endpoint.PING.value} == PATHS_OF_REFLEX


def test_the_page_for_all_other_routes() -> None:
    assert f"/{ReactRouter.SPA_FALLBACK}" == FALLBACK
