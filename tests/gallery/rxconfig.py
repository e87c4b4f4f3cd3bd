"""The gallery: an app of its own that shows every component, for the browser tests. It is not shipped."""

import reflex as rx
from reflex.plugins import SitemapPlugin

from portal.ui.browser import BrowserModulesPlugin
from portal.web.frontend import SameOriginPlugin, ThemePlugin

config = rx.Config(
    app_name="gallery",
    plugins=[ThemePlugin(), SameOriginPlugin(), BrowserModulesPlugin()],
    disable_plugins=[SitemapPlugin],
    frontend_compression_formats=["brotli", "gzip"],
    default_color_mode="light",
    show_built_with_reflex=False,
    telemetry_enabled=False,
)
