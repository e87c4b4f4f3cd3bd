"""The addresses the portal answers to, as browsers name them in the Origin header."""

from __future__ import annotations

from portal.settings import Settings

_AT_HOME = ("localhost", "127.0.0.1", "mijn.localhost", "retouren.localhost")


def allowed_origins(settings: Settings) -> list[str]:
    """List the origins that may open the event socket or post to the portal.

    That is the public address and the further host names; in the demonstration also the loopback names of both
    variants (part-1 §1 Variants).
    """
    scheme = "https" if settings.secure else "http"
    origins = [settings.address, *(f"{scheme}://{host}" for host in settings.allowed_hosts)]
    if settings.demonstration:
        origins += [f"http://{host}:{settings.port}" for host in _AT_HOME]
    return list(dict.fromkeys(origins))
