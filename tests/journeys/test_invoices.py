"""An invoice that is not paid: from the dashboard to its page, and what a banking app needs (part-1 §3)."""

from __future__ import annotations

from collections.abc import Callable

import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from tests.support.browser import Visitor
from tests.support.invoices import codes_on
from tests.support.people import NOOR, ROOS
from tests.support.words import word
