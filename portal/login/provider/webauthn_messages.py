"""The messages of WebAuthn: what a device is asked, and whether its answer is right.

The device has to verify the person (PIN, fingerprint or face) and to keep the passkey itself, so that nobody has to
type who they are. Which model of device it is does not matter, so no proof of that is asked for (attestation).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
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
