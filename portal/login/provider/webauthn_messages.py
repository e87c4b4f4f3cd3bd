"""The messages of WebAuthn: what a device is asked, and whether its answer is right.

The device has to verify the person (PIN, fingerprint or face) and to keep the passkey itself, so that nobody has to
type who they are. Which model of device it is does not matter, so no proof of that is asked for (attestation).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from portal.login.api import NewPasskey, PasskeyAnswer
from portal.tables.customers import CustomerRow, PasskeyRow

_LONGEST_ID = 1023
"""Most bytes of a credential id (WebAuthn, section 5.8.3)."""
_LONGEST_KEY = 1500
"""Most bytes of a public key; one of RSA with 8192 bits has 1040."""


@dataclass(frozen=True, slots=True)
class Verified:
    """A new passkey whose device answered right. Texts are in base64url; `aaguid` is the model of the device."""

    credential_id: str
    public_key: str
    sign_count: int
    aaguid: str
    transports: list[str]


def to_make(
    host: str, brand: str, customer: CustomerRow, challenge: str, known: Sequence[PasskeyRow], seconds: float
) -> dict[str, Any]:
    import webauthn
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        AuthenticatorTransport,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    options = webauthn.generate_registration_options(
        rp_id=host,
        rp_name=brand,
        user_id=customer.public_id.encode(),
        user_name=customer.email,
        user_display_name=customer.full_name,
        challenge=webauthn.base64url_to_bytes(challenge),
        timeout=round(seconds * 1000),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
        ),
        exclude_credentials=[
            PublicKeyCredentialDescriptor(
                id=webauthn.base64url_to_bytes(row.credential_id),
                transports=[AuthenticatorTransport(transport) for transport in row.transports],
            )
            for row in known
            if row.rp_id == host
        ],
    )
    return json.loads(webauthn.options_to_json(options))


def to_log_in(host: str, challenge: str, seconds: float) -> dict[str, Any]:
    """The options to log in, with any passkey that the device has for the host."""
    import webauthn
    from webauthn.helpers.structs import UserVerificationRequirement

    options = webauthn.generate_authentication_options(
        rp_id=host,
        challenge=webauthn.base64url_to_bytes(challenge),
        timeout=round(seconds * 1000),
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return json.loads(webauthn.options_to_json(options))


def made(passkey: NewPasskey, host: str) -> Verified | None:
    """The passkey that a device made; None if the answer is wrong."""
    import webauthn
    from webauthn.helpers import bytes_to_base64url, parse_registration_credential_json
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        credential = parse_registration_credential_json(passkey.credential)
        found = webauthn.verify_registration_response(
            credential=credential,
            expected_challenge=webauthn.base64url_to_bytes(passkey.challenge),
            expected_rp_id=host,
            expected_origin=passkey.origin,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, TypeError, LookupError):
        return None
    if len(found.credential_id) > _LONGEST_ID or len(found.credential_public_key) > _LONGEST_KEY:
        return None
    return Verified(
        credential_id=bytes_to_base64url(found.credential_id),
        public_key=bytes_to_base64url(found.credential_public_key),
        sign_count=found.sign_count,
        aaguid=found.aaguid,
        transports=[transport.value for transport in credential.response.transports or ()],
    )


def signed(answer: PasskeyAnswer, passkey: PasskeyRow, public_id: str) -> int | None:
    """The counter of a device that signed the challenge with this passkey; None if the answer is wrong.

    The counter is 0 for devices that do not count. One that does not go up is wrong: the passkey was copied.
    """
    import webauthn
    from webauthn.helpers import parse_authentication_credential_json
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        credential = parse_authentication_credential_json(answer.credential)
        found = webauthn.verify_authentication_response(
            credential=credential,
            expected_challenge=webauthn.base64url_to_bytes(answer.challenge),
            expected_rp_id=passkey.rp_id,
            expected_origin=answer.origin,
            credential_public_key=webauthn.base64url_to_bytes(passkey.public_key),
            credential_current_sign_count=passkey.sign_count,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, TypeError, LookupError):
        return None
    return found.new_sign_count if credential.response.user_handle == public_id.encode() else None


_MANAGERS: Mapping[str, str] = {
    "08987058-cadc-4b81-b6e1-30de50dcbe96": "Windows Hello",
    "0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6": "Keeper",
    "50726f74-6f6e-5061-7373-50726f746f6e": "Proton Pass",
    "531126d6-e717-415c-9320-3d9aa6981239": "Dashlane",
    "53414d53-554e-4700-0000-000000000000": "Samsung Pass",
    "6028b017-b1d4-4c02-b4b3-afcdafc96bb2": "Windows Hello",
    "771b48fd-d3d4-4f74-9232-fc157ab0507a": "Edge (Mac)",
    "9ddd1817-af5a-4672-a2b9-3e3dd95000a9": "Windows Hello",
    "adce0002-35bc-c60a-648b-0b25f1f05503": "Chrome (Mac)",
    "b78a0a55-6ef8-d246-a042-ba0f6d55050c": "LastPass",
    "b84e4048-15dc-4dd0-8640-f4f60813c8af": "NordPass",
    "bada5566-a7aa-401f-bd96-45619a55120d": "1Password",
    "d3452668-01fd-4c12-926c-83a4204853aa": "Microsoft Password Manager",
    "d548826e-79b4-db40-a3d8-11116f7e8349": "Bitwarden",
    "dd4ec289-e01d-41c9-bb89-70fa845d4bf2": "iCloud",
    "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4": "Google Password Manager",
    "f3809540-7f14-49c1-a8b3-8f813b225541": "Enpass",
    "fbfc3007-154e-4ecc-8c0b-6e020557d7bd": "Apple Passwords",
    "fdb141b2-5d84-443e-8a35-4698c205a502": "KeePassXC",
}
"""By AAGUID, the model of an authenticator (passkeydeveloper/passkey-authenticator-aaguids). For names only."""

_SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "CrOS", "Mac", "Linux")
"""System names in user agents, most specific first (Android also names Linux)."""

_CALLED = {"CrOS": "Chromebook"}


def device_name(aaguid: str, user_agent: str) -> str:
    """The name of a device or password manager, the same in both languages; empty if nothing is known."""
    if aaguid in _MANAGERS:
        return _MANAGERS[aaguid]
    system = next((system for system in _SYSTEMS if system in user_agent), "")
    return _CALLED.get(system, system)
