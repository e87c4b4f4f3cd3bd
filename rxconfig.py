"""What the frontend compiler and the socket server are told about this app."""

import reflex as rx
from reflex.constants import StateManagerMode
from reflex.plugins import SitemapPlugin

from portal.reflex_adapter.patches import PatchesPlugin, ThemePlugin
from portal.settings import settings
from portal.ui.browser import BrowserModulesPlugin
from portal.web.headers import allowed_origins

config = rx.Config(
    app_name="portal",
    plugins=[ThemePlugin(), BrowserModulesPlugin(), PatchesPlugin()],
    disable_plugins=[SitemapPlugin],
    frontend_compression_formats=["brotli", "gzip"],
    default_color_mode="light",
    show_built_with_reflex=False,
    telemetry_enabled=False,
    cors_allowed_origins=allowed_origins(settings()),
    trusted_proxy_hops=settings().trusted_proxy_hops,
    redis_url=settings().redis_url or None,
    state_manager_mode=StateManagerMode.REDIS if settings().redis_url else StateManagerMode.MEMORY,
)
