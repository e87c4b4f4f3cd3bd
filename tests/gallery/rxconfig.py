"""The gallery: an app of its own that shows every component, for the browser tests. It is not shipped."""

import reflex as rx
from reflex.plugins import SitemapPlugin

from portal.reflex_adapter.patches import PatchesPlugin, ThemePlugin
from portal.ui.browser import BrowserModulesPlugin

config = rx.Config(
    app_name="gallery",
    plugins=[ThemePlugin(), BrowserModulesPlugin(), PatchesPlugin()],
    disable_plugins=[SitemapPlugin],
    frontend_compression_formats=["brotli", "gzip"],
    default_color_mode="light",
    show_built_with_reflex=False,
    telemetry_enabled=False,
)
