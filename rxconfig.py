"""What the frontend compiler and the socket server are told about the app of a site."""

from pathlib import Path

import reflex as rx
from reflex.constants import StateManagerMode
from reflex.plugins import SitemapPlugin

from portal.reflex_adapter.build import DESK, site_of_process
from portal.reflex_adapter.patches import DrawingPlugin, PatchesPlugin, ThemePlugin
from portal.settings import settings
from portal.ui.browser import BrowserModulesPlugin

_site = site_of_process()
_staff = _site is DESK

config = rx.Config(
    app_name="portal",
    app_module_import=_site.module if _staff else None,
    plugins=[
        ThemePlugin(Path("portal/desk/desk.css") if _staff else None),
        BrowserModulesPlugin(for_staff=_staff),
        PatchesPlugin(),
        *([] if _staff else [DrawingPlugin()]),
    ],
    disable_plugins=[SitemapPlugin],
    frontend_compression_formats=["brotli", "gzip"],
    default_color_mode="light",
    frontend_lazy_bundled_libraries=True,
    show_built_with_reflex=False,
    telemetry_enabled=False,
    cors_allowed_origins=settings().origins(staff=_staff),
    trusted_proxy_hops=settings().trusted_proxy_hops,
    redis_url=settings().redis_url or None,
    state_manager_mode=StateManagerMode.REDIS if settings().redis_url else StateManagerMode.MEMORY,
)
