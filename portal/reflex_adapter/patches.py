"""Patches to the files that Reflex generates for the browser, applied by two build plugins.

Reflex has no settings for these changes, so each patch searches for an expected text and stops the build if it is
missing. `tests/reflex_adapter/test_patched_files.py` tests the results; `tests/reflex_adapter/test_patches.py` applies
every patch to the files of the installed Reflex. Tests named below without a file are in one of these two.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reflex.plugins import Plugin, TailwindV4Plugin

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

_PAGE_PORT = "endpoint.port = window.location.port;"
# The only texts that Reflex shows outside of components: after a deployment, if reloading the page did not help.
_TEXTS = {
    "A new version of this app is available.": "Er is een nieuwe versie van deze pagina.",
    "Reload": "Vernieuw",
}
_ALIASES = "    alias: [\n"
_ALIAS = """      {{
        find: {package},
        replacement: fileURLToPath(new URL("./utils/portal/{module}.js", import.meta.url)),
      }},
"""
# Packages and files of packages that Reflex always imports, as the bundler finds them, and our replacements.
STAND_INS = {
    '"@emotion/react"': "elements",
    '"universal-cookie"': "cookies",
    '"mergician"': "merging",
    r"/^\.\/transports\/(index|polling-fetch|polling-xhr(\.node)?|webtransport)\.js$/": "transports",
}
_GROUPS = "          groups: [\n"
# A browser opens six connections, so many small files cost extra round trips. The code that all pages load is bundled
# into two files: the libraries and our own modules. Flows and answers to messages upload files; a file of its own for
# that costs more than it saves.
_OURS = ("common", "dialog", "first", "formats", "forms", "language", "navigation", "page", "session", "toasts")
_FILES = f"""            {{
              test: /[\\\\/]node_modules[\\\\/](react|react-dom|scheduler|react-router)[\\\\/]/,
              name: "react",
              priority: 2,
            }},
            {{
              test: /[\\\\/]utils[\\\\/](context|context-registry|state|portal[\\\\/]({"|".join(_OURS)}))\\.jsx?$/,
              name: "shell",
              priority: 1,
            }},
            {{
              test: /[\\\\/]utils[\\\\/]portal[\\\\/](flow|uploads)\\.js$/,
              name: "flow",
              priority: 1,
            }},
"""
# The first line inside `output` that the file has only once.
_OUTPUT = "        codeSplitting: {\n"
_HASHES = '        hashCharacters: "hex",\n'
_SAME_PORT = "    hmr: true,\n"
_OWN_PORT = "    hmr: { clientPort: Number(process.env.PORT) },\n"
_THEME_SCRIPT = re.compile(r'jsx\("script",\{\},"(?:(?!jsx\().)*?systemPreference(?:(?!jsx\().)*?"\),')
_THEME_PROVIDER = (
    """jsx(ThemeProvider, {defaultTheme: defaultColorMode, attribute: "class"},
    jsx(AppWrap, {}, children)
  )""",
    "jsx(AppWrap, {}, children)",
)
_ROUTER = ("createElement(HydratedRouter)", "createElement(HydratedRouter, { useTransitions: false })")
_EVALUATED = "(0, eval)("
_DIRECT = re.compile(r"(?<![\w.`])eval\((?=\w)")
_IMPORTED = ("await eval(`import(dataUri)`)", "await import(/* @vite-ignore */ dataUri)")
_NAMESPACES = re.compile(r'import \* as \w+ from "[^"]+";\n')
_SHARED = re.compile(
    r"  useEffect\(\(\) => \{\n    // Make contexts and state objects available.*?\n  \}, \[\]\);\n", re.DOTALL
)


class ThemePlugin(TailwindV4Plugin):
    """Tailwind with `assets/theme.css` as its root style sheet, instead of the default palette.

    Reaches: the path of Tailwind's root style sheet in Reflex' directory.
    Why: the public plugin accepts a configuration of colours, but no style sheet with tokens, fonts and classes.
    Gain: one style sheet with the brand's tokens and only the classes that pages use.
    Test: test_the_root_of_tailwind_is_ours.
    """

    def __init__(self, more: Path | None = None) -> None:
        """Use the theme, followed by the style sheet of a site that has one of its own."""
        super().__init__()
        self._more = more

    def pre_compile(self, **context: Any) -> None:
        """Replace Tailwind's root style sheet with ours."""
        super().pre_compile(**context)
        theme = _replaced(_THEME.read_text(encoding="utf-8"), '@import "tailwindcss";', _STYLES)
        if self._more is not None:
            theme += self._more.read_text(encoding="utf-8")
        context["add_modify_task"](_TAILWIND, lambda _default: theme)

    def post_build(self, **context: Any) -> None:
        """Delete the uncompiled style sheet that was copied with the assets."""
        (Path(context["static_dir"]) / _THEME.name).unlink(missing_ok=True)


class PatchesPlugin(Plugin):
    """Applies the patches to Reflex' files before they are compiled."""

    def pre_compile(self, **context: Any) -> None:
        for path, changes in CHANGES.items():
            for change in changes:
                context["add_modify_task"](path, change)


def following_the_page(source: str) -> str:
    """Make `state.js` connect to the host and port that served the page.

    Reaches: in `getBackendURL` of `utils/state.js`, the line that sets the host name and the line that drops the port.
    Why: Reflex compiles the address of the socket into the pages.
    Gain: one build works at every address, behind any proxy.
    Test: test_every_change_fits_the_installed_reflex, test_the_socket_opens_on_both_host_names
        (tests/journeys/test_serving.py).
    """
    if _PAGE_PORT in source:  # patched already: the compiler's directory keeps the files of the previous build
        return source
    host = "endpoint.hostname = frontend_hostname;"
    source = _replaced(source, host, f"{host}\n    {_PAGE_PORT}")
    return _replaced(source, 'endpoint.port = ""; // Assume websocket is on https port via load balancer.', "")


def in_both_languages(source: str) -> str:
    """Make `state.js` use the language of the page.

    Reaches: the two English texts of the banner in `utils/state.js`.
    Why: if reloading after a deployment does not help, Reflex shows an English banner.
    Gain: Dutch customers read the banner in Dutch.
    Test: test_every_change_fits_the_installed_reflex,
        test_the_banner_of_the_framework_speaks_both_languages_however_often_it_is_built.
    """
    for english, dutch in _TEXTS.items():
        literal, pair = f'"{english}"', f'(document.documentElement.lang === "en" ? "{english}" : "{dutch}")'
        if pair in source:  # patched already: the compiler's directory keeps the files of the previous build
            continue
        _expect(source.count(literal) == 1, literal)
        source = source.replace(literal, pair)
    return source


def without_transitions(source: str) -> str:
    """Make `entry.client.js` draw a page that the customer goes to in one piece.

    Reaches: the expression in `app/entry.client.js` that creates `HydratedRouter`.
    Why: React Router draws it as a transition, in slices between which the browser may do other work.
    Gain: part of 10 ms of a step at the median, 23 ms at the 95th percentile.
    Test: test_every_change_fits_the_installed_reflex,
        test_a_page_is_drawn_in_one_piece_however_often_it_is_built.
    """
    return source if _ROUTER[1] in source else _replaced(source, *_ROUTER)


def without_local_evaluation(source: str) -> str:
    """Make `state.js` call `eval` indirectly, without access to local names. The security policy forbids `eval` anyway.

    Reaches: every call of `eval` in `utils/state.js`, among them the one that imports a data URI.
    Why: a direct `eval` can read every name in scope, so the compiler cannot shorten names in the shared file.
    Gain: 2.5 kB less on every first visit (decision 0014).
    Test: test_every_change_fits_the_installed_reflex, test_nothing_is_evaluated_beside_the_names_of_the_framework.
    """
    if _EVALUATED not in source:
        _expect(_DIRECT.search(source) is not None, "eval")
        source = source.replace(*_IMPORTED)
    return _DIRECT.sub(_EVALUATED, source)


def without_unused_packages(config: str) -> str:
    """Make `vite.config.js` replace packages that our pages hardly use.

    Reaches: the list `alias` in `vite.config.js`, and what Reflex and engine.io-client import from the packages and
        files in `STAND_INS`.
    Why: Reflex imports emotion, universal-cookie, mergician and every transport of engine.io in every page.
    Gain: 14 kB less on every first visit (decision 0016).
    Test: test_every_change_fits_the_installed_reflex, test_packages_that_no_page_uses_are_replaced_once.
    """
    for package, name in STAND_INS.items():
        alias = _ALIAS.format(package=package, module=name)
        if alias not in config:
            _expect(config.count(_ALIASES) == 1, "alias")
            config = config.replace(_ALIASES, _ALIASES + alias)
    return config


def in_few_files(config: str) -> str:
    """Make `vite.config.js` bundle the code that every page loads.

    Reaches: the list `groups` of `codeSplitting` in `vite.config.js`, and the names of Reflex' modules `context`,
        `context-registry` and `state`.
    Why: a browser opens six connections, so many small files cost extra round trips.
    Gain: two files instead of ten on every first visit.
    Test: test_every_change_fits_the_installed_reflex, test_what_every_page_loads_is_put_into_few_files_once.
    """
    if _FILES in config:
        return config
    _expect(config.count(_GROUPS) == 1, "groups")
    return config.replace(_GROUPS, _GROUPS + _FILES)


def with_hexadecimal_hashes(config: str) -> str:
    """Make `vite.config.js` name files by hexadecimal hashes instead of base64 ones.

    Reaches: the first line of `output` in `vite.config.js`.
    Why: every first visit carries the names of all files, and their hashes are what cannot be compressed. Eight
        characters then hold 32 instead of 48 bits, which is plenty for the versions of one file.
    Gain: 0.2 kB less on every first visit.
    Test: test_every_change_fits_the_installed_reflex, test_names_of_files_have_hexadecimal_hashes_once.
    """
    return config if _HASHES in config else _replaced(config, _OUTPUT, _HASHES + _OUTPUT)


def updates_from_vite(config: str) -> str:
    """Make `vite.config.js` tell browsers the port of Vite, for the socket of hot updates.

    Reaches: the line `hmr: true` of the server in `vite.config.js`.
    Why: in development the portal stands in front of Vite, so browsers asked the portal for that socket and got 403.
    Gain: changes come at once; the socket stays while the portal starts again.
    Test: test_every_change_fits_the_installed_reflex, test_a_page_is_compiled_when_it_is_opened_and_when_it_changed
        (tests/reflex_adapter/test_development.py).
    """
    return config if _OWN_PORT in config else _replaced(config, _SAME_PORT, _OWN_PORT)


def without_shared_libraries(root: str) -> str:
    """Remove the libraries that `root.jsx` stores in `window` for components created at run time; there are none.

    Reaches: the effect in `app/root.jsx` that fills `window.__reflex`, and the imports of whole libraries for it.
    Why: the compiler cannot drop unused functions of a library that is stored in `window`.
    Gain: functions that no page uses are not sent to the browser.
    Test: test_every_change_fits_the_installed_reflex, test_no_library_is_kept_at_hand_for_components_made_at_run_time.
    """
    _expect(len(_SHARED.findall(root)) == 1, "window.__reflex")
    return _NAMESPACES.sub("", _SHARED.sub("", root))


def without_color_modes(root: str) -> str:
    """Remove the provider of color modes from `root.jsx`; the portal has one.

    Reaches: `ThemeProvider` in `app/root.jsx`: the element, its import and that of `defaultColorMode`.
    Why: it stores and watches the color mode of the visitor's system on every page.
    Gain: 0.7 kB less on every first visit.
    Test: test_every_change_fits_the_installed_reflex, test_another_framework_stops_the_build.
    """
    root = _replaced(root, "import { ThemeProvider } from '$/utils/react-theme';\n", "")
    root = _replaced(root, 'import { defaultColorMode } from "$/utils/context";\n', "")
    return _replaced(root, *_THEME_PROVIDER)


def without_theme_script(document: str) -> str:
    """Remove the script that chooses a color mode from `_document.js`. `theme.css` follows the visitor's system.

    Reaches: the script in `app/_document.js` that names `systemPreference`.
    Why: the script stands first in every document and sets `color-scheme` on the root, against the style sheet.
    Gain: fields and scrollbars are dark in the dark theme; 1.2 kB less in every document, before compression.
    Test: test_every_change_fits_the_installed_reflex, test_pages_for_strangers_are_dark
        (tests/journeys/test_dark_theme.py).
    """
    _expect(len(_THEME_SCRIPT.findall(document)) == 1, "systemPreference")
    return _THEME_SCRIPT.sub("", document)


CHANGES: dict[str, tuple[Callable[[str], str], ...]] = {
    "utils/state.js": (following_the_page, in_both_languages, without_local_evaluation),
    "app/entry.client.js": (without_transitions,),
    "vite.config.js": (without_unused_packages, in_few_files, with_hexadecimal_hashes, updates_from_vite),
    "app/root.jsx": (without_shared_libraries, without_color_modes),
    "app/_document.js": (without_theme_script,),
}
"""The patches by file, in the order in which they are applied."""


def _replaced(text: str, old: str, new: str) -> str:
    _expect(text.count(old) == 1, old)
    return text.replace(old, new)


def _expect(found: bool, what: str) -> None:
    if not found:
        raise LookupError(f"the framework no longer has {what!r} where this build expects it")
