"""Entry point of `python -m portal`."""

from __future__ import annotations

import sys

from portal.launch import main

if __name__ == "__main__":
    sys.exit(main())
