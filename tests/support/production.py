"""The settings that an installation of a shop has to make itself."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from portal.setting_groups import Legal, ServiceHours

PRODUCTION: dict[str, Any] = {
    "env": "production",
    "secret_key": "a-secret-of-the-tests-that-is-long-enough",
    "data_key": "a-data-key-of-the-tests-that-is-long-enough",
    "public_url": "https://mijn.shop.example",
    "smtp": {"host": "mail.shop.example"},
    "mail_from": "Wielhuis <post@shop.example>",
    "trusted_proxy_hops": 1,
    "lease_portal_url": "https://lease.shop.example",
    "country_domains": {},
    "brand": {
        "name": "Wielhuis",
        "shop_url": "https://www.shop.example",
        "phone": "+31201234567",
        "email": "hallo@shop.example",
        "street": "Kade 1",
        "post_code": "1011 AB",
        "city": "Amsterdam",
        "chamber_of_commerce": "30123457",
        "vat_number": "NL001234568B01",
        "iban": "NL20INGB0001234567",
    },
    "carriers": {"own": "Wielhuis bezorgt"},
    "hours": ServiceHours().model_dump(),
    "legal": Legal().model_dump(),
}

VARIABLES = {
    name.upper(): value if isinstance(value, str) else json.dumps(value, default=str)
    for name, value in PRODUCTION.items()
}
"""The same as variables of the environment, without `PORTAL_`."""


def certificate(folder: Path) -> None:
    """A certificate that is its own authority, and its key."""
    subject, files = ["-subj", "/CN=shop.example"], ["-keyout", "key.pem", "-out", "certificate.pem"]
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    subprocess.run([*command, *subject, *files], cwd=folder, check=True, capture_output=True)
