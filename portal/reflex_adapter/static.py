"""Serves the compiled frontend from memory: pages, scripts, styles and images.

Reaches: the paths of Reflex' own server, the name of the fallback page that it compiles for routes without a file, and
    that of the route for all other addresses.
Why: Reflex serves files from disk without compression, caching or a security policy, and redirects `/orders` to
    plain http.
Gain: a page is served compressed in one round trip, and scripts are cached for a year.
Test: test_paths_of_the_server_of_reflex, test_the_page_for_all_other_routes (tests/reflex_adapter/test_static.py).
"""

from __future__ import annotations

import hashlib
import mimetypes
import os
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from starlette.types import ASGIApp, Receive, Scope, Send

from portal.web.headers import page_policy

_ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
_SIDECARS = tuple(suffix for _, suffix in _ENCODINGS)

# First path segments that Reflex' own server handles. Every other path is a page or a file.
PATHS_OF_REFLEX = frozenset({"_event", "_upload", "_health", "ping"})

_IMMUTABLE = "public, max-age=31536000, immutable"

FALLBACK = "/__spa-fallback"

NOT_FOUND = "404"
"""Route of the page for all addresses without a page of their own."""

_TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2"}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file with its compressed variants.

    Attributes:
        bodies: Content and entity tag by encoding. The key of the uncompressed content is the empty string.
    """

    headers: tuple[tuple[bytes, bytes], ...]
    bodies: dict[str, tuple[bytes, bytes]]


class StaticSite:
    """ASGI app that serves the compiled pages and forwards `PATHS_OF_REFLEX` to Reflex' server.

    Pages are served with and without a trailing slash. An unknown path gets the 'not found' page with status 404.
    """

    def __init__(self, directory: Path, route_of: Callable[[str], str | None], backend: ASGIApp) -> None:
        """Read all files into memory."""
        self._route_of = route_of
        self._backend = backend
        self._files = _read_tree(directory)
        self._fallback = self._files.pop(FALLBACK)
        self._files.pop(f"/{NOT_FOUND}", None)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        first_part = scope.get("path", "/").split("/", 2)[1:2]
        if scope["type"] != "http" or (first_part and first_part[0] in PATHS_OF_REFLEX):
            await self._backend(scope, receive, send)
        elif scope["method"] not in {"GET", "HEAD"}:
            await _send(send, 405, [(b"allow", b"GET, HEAD"), (b"content-length", b"0")], b"")
        else:
            await self._serve(scope, send)

    async def _serve(self, scope: Scope, send: Send) -> None:
        found, status = self.find(scope["path"])
        if found is None:
            await _send(send, 404, [(b"content-type", b"text/plain"), (b"content-length", b"9")], b"Not found")
            return
        request = {name: value.decode("latin-1") for name, value in scope["headers"]}
        encoding = best_encoding(request.get(b"accept-encoding", ""), tuple(found.bodies))
        body, tag = found.bodies[encoding]
        headers = [*found.headers, (b"etag", tag)]
        if encoding:
            headers.append((b"content-encoding", encoding.encode()))
        if status == 200 and tag.decode() in request.get(b"if-none-match", ""):
            await _send(send, 304, headers, b"")
            return
        headers.append((b"content-length", str(len(body)).encode()))
        await _send(send, status, headers, b"" if scope["method"] == "HEAD" else body)

    def find(self, path: str) -> tuple[StaticFile | None, int]:
        clean = "/" + path.strip("/")
        if found := self._files.get(clean):
            return found, 200
        if self._route_of(clean) is not None:
            return self._fallback, 200
        missing_file = clean.startswith("/assets/") or Path(clean).suffix in mimetypes.types_map
        return (None if missing_file else self._fallback), 404


@lru_cache(maxsize=256)
def best_encoding(accepted: str, available: tuple[str, ...]) -> str:
    """Choose the smallest encoding that a browser accepts."""
    qualities: dict[str, float] = {}
    for item in accepted.lower().split(","):
        name, _, parameters = item.strip().partition(";")
        value = parameters.strip().removeprefix("q=") if parameters.strip().startswith("q=") else "1"
        qualities[name.strip()] = float(value) if value.replace(".", "", 1).isdigit() else 0.0
    for name, _ in _ENCODINGS:
        if name in available and qualities.get(name, qualities.get("*", 0.0)) > 0:
            return name
    return ""


def _read_tree(directory: Path) -> dict[str, StaticFile]:
    found: dict[str, StaticFile] = {}
    # Texts instead of paths: reading the site is a part of every start.
    for folder, _, files in os.walk(directory):
        present = frozenset(files)
        for file in files:
            stem, suffix = os.path.splitext(file)
            if suffix not in _SIDECARS:
                parts = [*Path(folder).relative_to(directory).parts, file]
                if suffix == ".html":  # a page is named by its route: `/orders` for `orders/index.html`
                    parts = [*parts[:-1], *([] if stem == "index" else [stem])]
                name = "/" + "/".join(parts)
                if name not in found:  # `orders.html`, which is read first, goes before `orders/index.html`
                    found[name] = _read(name, os.path.join(folder, file), present)
    return found


def _read(name: str, path: str, present: Collection[str]) -> StaticFile:
    file = os.path.basename(path)
    plain = _content(path)
    kind = _TYPES.get(os.path.splitext(file)[1]) or mimetypes.guess_type(file)[0] or "application/octet-stream"
    is_page = kind == "text/html"
    is_text = kind.startswith("text/") or kind.endswith(("json", "xml"))
    cache = "no-cache" if is_page else _IMMUTABLE if name.startswith("/assets/") else "public, max-age=86400"
    headers = [
        ("content-type", f"{kind}; charset=utf-8" if is_text else kind),
        ("cache-control", cache),
        ("vary", "Accept-Encoding"),
    ]
    if is_page:
        headers.append(("content-security-policy", page_policy(plain.decode())))
    bodies = {"": plain}
    for encoding, suffix in _ENCODINGS:
        if file + suffix in present:
            bodies[encoding] = _content(path + suffix)
    return StaticFile(
        headers=tuple((key.encode(), value.encode()) for key, value in headers),
        bodies={encoding: (body, _tag(body)) for encoding, body in bodies.items()},
    )


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _tag(body: bytes) -> bytes:
    return b'"' + hashlib.sha256(body).hexdigest()[:24].encode() + b'"'


async def _send(send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
