"""Small changes to files that Reflex writes for the browser, made by two plugins of the build.

Each change looks for what it expects and stops the build when Reflex no longer looks like that. Each is reached by its
text alone, as Reflex has no setting for it; the tests are in `tests/reflex_adapter/test_patched_files.py`, and
`tests/reflex_adapter/test_patches.py` makes every change in the files of the installed Reflex.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reflex.plugins import Plugin, TailwindV4Plugin

_THEME = Path("assets/theme.css")
_TAILWIND = "styles/tailwind.css"
# Tailwind honours .gitignore when it looks for class names by itself, and `.web` is ignored: name the sources.
_STYLES = """@layer theme, base, components, utilities;
@import "tailwindcss/theme.css" layer(theme);
@import "tailwindcss/preflight.css" layer(base);
@layer utilities { @tailwind utilities source(none); }
@source "../app";
@source "../app_components";
@source "../utils";
"""

_PAGE_PORT = "endpoint.port = window.location.port;"
# The only texts that the framework shows outside of every component: after a deployment, when reloading did not help.
_TEXTS = {
    "A new version of this app is available.": "Er is een nieuwe versie van deze pagina.",
    "Reload": "Vernieuw",
}
_ALIASES = "    alias: [\n"
_ALIAS = """      {{
        find: "{package}",
        replacement: fileURLToPath(new URL("./utils/portal/{module}.js", import.meta.url)),
      }},
"""
# Packages that the framework always imports, and what stands in for them here (12 kB of every first visit).
_REPLACED = {"@emotion/react": "elements", "universal-cookie": "cookies", "mergician": "merging"}
_GROUPS = "          groups: [\n"
# Every small file of its own costs a round trip where a browser opens six connections: what all pages load comes in two
# files, the libraries and what we wrote. The library that draws stays with the file that starts it.
_OURS = ("common", "dialog", "first", "formats", "forms", "language", "navigation", "page", "session", "toasts")
_FILES = f"""            {{
              test: /[\\\\/]node_modules[\\\\/](react|react-router)[\\\\/]/,
              name: "react",
              priority: 2,
            }},
            {{
              test: /[\\\\/]utils[\\\\/](context|context-registry|state|portal[\\\\/]({"|".join(_OURS)}))\\.jsx?$/,
              name: "shell",
              priority: 1,
            }},
"""
_EVALUATED = "(0, eval)("
_DIRECT = re.compile(r"(?<![\w.`])eval\((?=\w)")
_IMPORTED = ("await eval(`import(dataUri)`)", "await import(/* @vite-ignore */ dataUri)")
_NAMESPACES = re.compile(r'import \* as \w+ from "[^"]+";\n')
_SHARED = re.compile(
    r"  useEffect\(\(\) => \{\n    // Make contexts and state objects available.*?\n  \}, \[\]\);\n", re.DOTALL
)


class ThemePlugin(TailwindV4Plugin):
    """Tailwind with the tokens of `assets/theme.css` as its root, instead of the default palette.

    Reaches: the name of Tailwind's root below Reflex' directory.
    Why: the public plugin takes a configuration of colours, but no style sheet with tokens, fonts and our own classes.
    Gain: one style sheet with the tokens of the brand, and only the classes that pages use.
    Test: test_the_root_of_tailwind_is_ours.
    """

    def pre_compile(self, **context: Any) -> None:
        """Put our stylesheet where Tailwind's own root would be."""
        super().pre_compile(**context)
        theme = _replaced(_THEME.read_text(encoding="utf-8"), '@import "tailwindcss";', _STYLES)
        context["add_modify_task"](_TAILWIND, lambda _default: theme)

    def post_build(self, **context: Any) -> None:
        """Drop the uncompiled stylesheet that was copied along with the assets."""
        (Path(context["static_dir"]) / _THEME.name).unlink(missing_ok=True)


class PatchesPlugin(Plugin):
    """Changes files that Reflex wrote, after it wrote them and before they are compiled."""

    def pre_compile(self, **context: Any) -> None:
        """Hand every change to the compiler."""
        for path, changes in CHANGES.items():
            for change in changes:
                context["add_modify_task"](path, change)


def following_the_page(source: str) -> str:
    """Let `state.js` talk to the host and port that served the page.

    Why: the address of the socket is compiled into the pages.
    Gain: one build serves every address, behind any proxy.
    """
    if _PAGE_PORT in source:  # the compiler's directory keeps the file of the build before
        return source
    host = "endpoint.hostname = frontend_hostname;"
    source = _replaced(source, host, f"{host}\n    {_PAGE_PORT}")
    return _replaced(source, 'endpoint.port = ""; // Assume websocket is on https port via load balancer.', "")


def in_both_languages(source: str) -> str:
    """Let `state.js` speak the language of the page.

    Why: after a deployment that reloading does not help, it puts an English banner beside the page.
    Gain: Dutch customers are told in Dutch what to do.
    """
    for english, dutch in _TEXTS.items():
        literal, pair = f'"{english}"', f'(document.documentElement.lang === "en" ? "{english}" : "{dutch}")'
        if pair in source:  # the compiler's directory keeps the file of the build before
            continue
        _expect(source.count(literal) == 1, literal)
        source = source.replace(literal, pair)
    return source


def without_local_evaluation(source: str) -> str:
    """Let `state.js` evaluate code nowhere near its own names; the security policy of every page forbids it anyhow.

    Why: a call of `eval` may read any name around it, so the compiler shortens none in the file that all pages load.
    Gain: 2.5 kB less with every first visit.
    """
    if _EVALUATED not in source:
        _expect(_DIRECT.search(source) is not None, "eval")
        source = source.replace(*_IMPORTED)
    return _DIRECT.sub(_EVALUATED, source)


def without_unused_packages(config: str) -> str:
    """Let `vite.config.js` replace packages of which no page of ours uses more than a line.

    Why: Reflex imports emotion, universal-cookie and mergician in every page.
    Gain: 12 kB less with every first visit.
    """
    for package, name in _REPLACED.items():
        alias = _ALIAS.format(package=package, module=name)
        if alias not in config:
            _expect(config.count(_ALIASES) == 1, "alias")
            config = config.replace(_ALIASES, _ALIASES + alias)
    return config


def in_few_files(config: str) -> str:
    """Let `vite.config.js` put what every page loads into few files.

    Why: every small file costs a round trip where a browser opens six connections.
    Gain: two files instead of ten on every first visit.
    """
    if _FILES in config:
        return config
    _expect(config.count(_GROUPS) == 1, "groups")
    return config.replace(_GROUPS, _GROUPS + _FILES)


def without_shared_libraries(root: str) -> str:
    """Let `root.jsx` not keep whole libraries at hand for components made at run time; there are none.

    Why: what is kept in `window` cannot be left out of a file by the compiler.
    Gain: functions of React that no page uses do not travel.
    """
    _expect(len(_SHARED.findall(root)) == 1, "window.__reflex")
    return _NAMESPACES.sub("", _SHARED.sub("", root))


CHANGES: dict[str, tuple[Callable[[str], str], ...]] = {
    "utils/state.js": (following_the_page, in_both_languages, without_local_evaluation),
    "vite.config.js": (without_unused_packages, in_few_files),
    "app/root.jsx": (without_shared_libraries,),
}
"""What is changed in which file, in this order."""


def _replaced(text: str, old: str, new: str) -> str:
    _expect(text.count(old) == 1, old)
    return text.replace(old, new)


def _expect(found: bool, what: str) -> None:
    if not found:
        raise LookupError(f"the framework no longer has {what!r} where this build expects it")
