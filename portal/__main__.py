"""Entry point of `python -m portal`."""

import gc

gc.disable()  # Imports leave next to no garbage. Workers enable the collector.

from portal.launch import main  # noqa: E402 - after that
from portal.logs import configure  # noqa: E402 - after that
from portal.reflex_adapter.worker import leave  # noqa: E402 - after that

if __name__ == "__main__":
    configure()
    leave(main())
