"""Patches to the files that Reflex generates for the browser, applied by build plugins.

There are six: the theme, the four below, and the server entry of `DrawingPlugin`. Reflex has no settings for them, so
each patch searches for an expected text and stops the build if it is missing. Tests named below without a file are in
`tests/reflex_adapter/test_patched_files.py`.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from reflex.plugins import Plugin, TailwindV4Plugin

from portal.reflex_adapter.border import TRANSPORTS

_THEME = Path("assets/theme.css")
_TAILWIND = "styles/tailwind.css"
# By default Tailwind skips files in .gitignore, which lists `.web`. The sources are therefore named here.
_STYLES = """@layer theme, base, components, utilities;
@import "tailwindcss/theme.css" layer(theme);
@import "tailwindcss/preflight.css" layer(base);
@layer utilities { @tailwind utilities source(none); }
@source "../app";
@source "../app_components";
@source "../utils";
"""

_TRANSPORT = "[env.TRANSPORT]"
_FAILED_ONCE_MORE = "failed_attempts = Math.min(failed_attempts + 1, 10);"
SILENCE_MILLISECONDS = 8_000
"""How long a socket may take to speak, before the next attempt begins by polling."""

_PAGE_PORT = "endpoint.port = window.location.port;"
# The only texts that Reflex shows outside of components: after a deployment, if reloading the page did not help.
_TEXTS = {
    "A new version of this app is available.": "Er is een nieuwe versie van deze pagina.",
    "Reload": "Vernieuw",
}
_ALIASES = "    alias: [\n"
_ALIAS = """      {
        find: "@emotion/react",
        replacement: fileURLToPath(new URL("./utils/portal/elements.js", import.meta.url)),
      },
"""
_EVALUATED = "(0, eval)("
_DIRECT = re.compile(r"(?<![\w.`])eval\((?=\w)")
_IMPORTED = ("await eval(`import(dataUri)`)", "await import(/* @vite-ignore */ dataUri)")


class ThemePlugin(TailwindV4Plugin):
    """Tailwind with `assets/theme.css` as its root style sheet, instead of the default palette.

    Reaches: the path of Tailwind's root style sheet in Reflex' directory.
    Why: the public plugin accepts a configuration of colours, but no style sheet with tokens, fonts and classes.
    Gain: one style sheet with the brand's tokens and only the classes that pages use.
    Test: every journey, whose pages have these styles.
    """

    def __init__(self, more: Path | None = None) -> None:
        super().__init__()
        self._more = more

    def pre_compile(self, **context: Any) -> None:
        super().pre_compile(**context)
        theme = _replaced(_THEME.read_text(encoding="utf-8"), '@import "tailwindcss";', _STYLES)
        if self._more is not None:
            theme += self._more.read_text(encoding="utf-8")
        context["add_modify_task"](_TAILWIND, lambda _default: theme)

    def post_build(self, **context: Any) -> None:
        (Path(context["static_dir"]) / _THEME.name).unlink(missing_ok=True)


class PatchesPlugin(Plugin):
    def pre_compile(self, **context: Any) -> None:
        for path, changes in CHANGES.items():
            for change in changes:
                context["add_modify_task"](path, change)


def reaching_the_server(source: str) -> str:
    """Make `state.js` connect to the host and port that served the page, over a websocket or else by polling.

    Reaches: in `getBackendURL` of `utils/state.js`, the line that sets the host name and the line that drops the port;
        `env.TRANSPORT` where sockets are made, the options in `createSocket`, and the count in `retryConnect`.
    Why: Reflex compiles the address and one transport of the socket into the pages. A websocket that is closed or stays
        silent before it speaks is no error to its client, which tries the next transport after errors only.
    Gain: one build works at every address, behind any proxy, also one that blocks websockets.
    Test: test_the_socket_opens_on_both_host_names,
        test_a_request_is_made_where_websockets_are_blocked (tests/journeys/test_serving.py).
    """
    if _PAGE_PORT in source:  # patched already: the compiler's directory keeps the files of the previous build
        return source
    host = "endpoint.hostname = frontend_hostname;"
    source = _replaced(source, host, f"{host}\n    {_PAGE_PORT}")
    source = _replaced(source, 'endpoint.port = ""; // Assume websocket is on https port via load balancer.', "")
    _expect(source.count(_TRANSPORT) == 2, _TRANSPORT)
    source = source.replace(_TRANSPORT, json.dumps(TRANSPORTS))
    options = f"    autoConnect: false,\n    tryAllTransports: true,\n    timeout: {SILENCE_MILLISECONDS},"
    source = _replaced(source, "    autoConnect: false,", options)
    polling = f"socket.current.io.opts.transports = {json.dumps(TRANSPORTS[::-1])};"
    return _replaced(source, _FAILED_ONCE_MORE, f"{_FAILED_ONCE_MORE}\n    {polling}")


def in_both_languages(source: str) -> str:
    """Make `state.js` use the language of the page.

    Reaches: the two English texts of the banner in `utils/state.js`.
    Why: if reloading after a deployment does not help, Reflex shows an English banner.
    Gain: Dutch customers read the banner in Dutch.
    Test: test_the_banner_of_the_framework_speaks_both_languages_however_often_it_is_built.
    """
    for english, dutch in _TEXTS.items():
        literal, pair = f'"{english}"', f'(document.documentElement.lang === "en" ? "{english}" : "{dutch}")'
        if pair in source:  # patched already: the compiler's directory keeps the files of the previous build
            continue
        _expect(source.count(literal) == 1, literal)
        source = source.replace(literal, pair)
    return source


def without_local_evaluation(source: str) -> str:
    """Make `state.js` call `eval` indirectly, without access to local names. The security policy forbids `eval` anyway.

    Reaches: every call of `eval` in `utils/state.js`, among them the one that imports a data URI.
    Why: a direct `eval` can read every name in scope, so the compiler cannot shorten names in the shared file.
    Gain: 2.5 kB less on every first visit (decision 0014).
    Test: test_nothing_is_evaluated_beside_the_names_of_the_framework.
    """
    if _EVALUATED not in source:
        _expect(_DIRECT.search(source) is not None, "eval")
        source = source.replace(*_IMPORTED)
    return _DIRECT.sub(_EVALUATED, source)


def with_own_elements(config: str) -> str:
    """Make `vite.config.js` replace emotion, which makes every element in Reflex, by `elements.js`.

    Reaches: the list `alias` in `vite.config.js`, and what Reflex imports from `@emotion/react`.
    Why: no page uses styles of emotion. The element maker of our own keeps 'e-mail' on one line, in every text.
    Gain: without it 'e-mail' breaks at its hyphen, and a first visit has 11 kB more.
    Test: test_elements_are_made_by_our_own_module_once.
    """
    if _ALIAS in config:
        return config
    return _replaced(config, _ALIASES, _ALIASES + _ALIAS)


CHANGES: dict[str, tuple[Callable[[str], str], ...]] = {
    "utils/state.js": (reaching_the_server, in_both_languages, without_local_evaluation),
    "vite.config.js": (with_own_elements,),
}


def _replaced(text: str, old: str, new: str) -> str:
    _expect(text.count(old) == 1, old)
    return text.replace(old, new)


def _expect(found: bool, what: str) -> None:
    if not found:
        raise LookupError(f"the framework no longer has {what!r} where this build expects it")


_ENTRY = "app/entry.server.jsx"
_ENTRY_CODE = """export { default, handleError, order, tell } from "$/utils/portal/server";\n"""
_SOURCE = "$/utils/portal/draw"
_BUNDLE = "build/draw.js"

ENVIRONMENT: Mapping[str, str] = {"NODE_ENV": "production", "TZ": "Europe/Amsterdam"}
"""All that the process knows of its environment. Without the first, React draws as it does for developers: slowly."""


class DrawingPlugin(Plugin):
    """Gives React Router our server entry, and bundles what draws into one file that needs no package beside it.

    Reaches: the server build that React Router leaves beside the pages (`build/server/index.js`), its server entry,
        which Reflex does not write (`app/entry.server.jsx`), and in `portal/ui/browser/draw.js` the member `prerender`
        of that build, which otherwise refuses addresses that were not drawn when the pages were built.
    Why: Reflex exports pages without data, and its data come over the socket, after all scripts.
    Gain: the customer's own rows are in the first paint, after 0.4 times the wait (measurements M33).
    Test: tests/reflex_adapter/test_drawing.py.
    """

    def pre_compile(self, **context: Any) -> None:
        context["add_save_task"](lambda: (_ENTRY, _ENTRY_CODE))

    def post_build(self, **context: Any) -> None:
        directory = Path(context["static_dir"]).parents[1]
        options = ["--target=bun", '--define=process.env.NODE_ENV="production"', f"--outfile={_BUNDLE}"]
        source = _SOURCE.replace("$", ".") + ".js"
        subprocess.run([_bun() or "bun", "build", source, *options], cwd=directory, check=True)  # noqa: S603 - our own bun


def drawing_command(web_dir: Path) -> list[str]:
    """The command that starts the process that draws the pages built here; empty if this cannot be done."""
    bun, bundle = _bun(), web_dir / _BUNDLE
    return [bun, str(bundle)] if bun and bundle.is_file() else []


def _bun() -> str | None:
    return shutil.which("bun", path=str(Path(sys.executable).parent)) or shutil.which("bun")
