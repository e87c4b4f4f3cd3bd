"""A device that keeps passkeys, in software: its answers are those of a browser, with true signatures."""

import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, encode_cbor

SITE = "http://localhost:8000"
PRESENT, VERIFIED, SYNCED, NEW = 0x01, 0x04, 0x18, 0x40
GOOGLE = "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4"
"""Model of a password manager."""


@dataclass
class Key:
    """One half of a passkey, with the account that it is for."""

    host: str
    user: str
    credential_id: bytes
    private: EllipticCurvePrivateKey


@dataclass
class Authenticator:
    """A device with its browser.

    Attributes:
        aaguid: its model.
        verifies: whether it makes sure of the person.
        count: how often it signed; 0 for a device that does not count.
        keys: its passkeys, the newest last.
    """

    aaguid: str = GOOGLE
    verifies: bool = True
    count: int = 0
    keys: list[Key] = field(default_factory=list)

    def make(
        self, options: Mapping[str, Any], origin: str = SITE, credential_id: bytes | None = None
    ) -> dict[str, Any]:
        """Make a passkey, as `navigator.credentials.create` does; with a random id unless one is given."""
        name = credential_id or secrets.token_bytes(20)
        key = Key(options["rp"]["id"], options["user"]["id"], name, generate_private_key(SECP256R1()))
        self.keys.append(key)
        numbers = key.private.public_key().public_numbers()
        public = encode_cbor({1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")})
        length = len(key.credential_id).to_bytes(2, "big")
        model = bytes.fromhex(self.aaguid.replace("-", ""))
        data = self._data(key.host, NEW) + model + length + key.credential_id + public
        attested = encode_cbor({"fmt": "none", "attStmt": {}, "authData": data})
        return self._answer(
            key,
            clientDataJSON=_client_data("webauthn.create", options["challenge"], origin),
            attestationObject=attested,
            transports=["internal", "hybrid"],
        )

    def sign(self, options: Mapping[str, Any], origin: str = SITE, key: Key | None = None) -> dict[str, Any]:
        """Log in with a passkey, as `navigator.credentials.get` does; with the newest one unless another is chosen."""
        key = key or self.keys[-1]
        self.count += bool(self.count)
        data = self._data(options["rpId"])
        client_data = _client_data("webauthn.get", options["challenge"], origin)
        signature = key.private.sign(data + hashlib.sha256(client_data).digest(), ECDSA(SHA256()))
        return self._answer(
            key,
            clientDataJSON=client_data,
            authenticatorData=data,
            signature=signature,
            userHandle=base64url_to_bytes(key.user),
        )

    def _data(self, host: str, further: int = 0) -> bytes:
        flags = PRESENT | (VERIFIED if self.verifies else 0) | SYNCED | further
        return hashlib.sha256(host.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def _answer(self, key: Key, **response: Any) -> dict[str, Any]:
        name = bytes_to_base64url(key.credential_id)
        coded = {
            part: bytes_to_base64url(value) if isinstance(value, bytes) else value for part, value in response.items()
        }
        return {
            "id": name,
            "rawId": name,
            "type": "public-key",
            "authenticatorAttachment": "platform",
            "clientExtensionResults": {},
            "response": coded,
        }


def _client_data(kind: str, challenge: str, origin: str) -> bytes:
    return json.dumps({"type": kind, "challenge": challenge, "origin": origin, "crossOrigin": False}).encode()
