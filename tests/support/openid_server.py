"""An OpenID provider, made with the server side of authlib: `python -m tests.support.openid_server PORT`.

Whoever is named in the last instruction consents at once. Instructed with a fault, it issues an ID token that must be
refused.
"""

from __future__ import annotations

import secrets
import sys
import time
from dataclasses import dataclass
from typing import Any

from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import grants
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oidc.core import UserInfo
from authlib.oidc.core.grants import OpenIDCode
from flask import Flask, jsonify, request
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey
from werkzeug.serving import make_server

from tests.support.openid import CLIENT, SECRET

ISSUER = f"http://127.0.0.1:{sys.argv[1]}"
KID = secrets.token_hex(4)
KEY, FOREIGN = (RSAKey.generate_key(2048, {"kid": KID, "use": "sig"}) for _ in range(2))
instruction: dict[str, Any] = {"fault": "", "claims": {}}


@dataclass
class _Code:
    code: str
    redirect_uri: str
    scope: str
    nonce: str
    code_challenge: str
    code_challenge_method: str

    def get_redirect_uri(self) -> str:
        return self.redirect_uri

    def get_scope(self) -> str:
        return self.scope

    def get_nonce(self) -> str:
        return self.nonce

    def get_auth_time(self) -> int:
        return int(time.time())

    def get_acr(self) -> None:
        return None

    def get_amr(self) -> None:
        return None


class _Client:
    id_token_signed_response_alg = "RS256"

    def get_client_id(self) -> str:
        return CLIENT

    def get_default_redirect_uri(self) -> str:
        return ""

    def get_allowed_scope(self, scope: str) -> str:
        return scope

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return redirect_uri.endswith("/login/answer")

    def check_client_secret(self, client_secret: str) -> bool:
        return secrets.compare_digest(client_secret.encode(), SECRET.encode())

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return method == "client_secret_basic"

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type == "authorization_code"


codes: dict[str, _Code] = {}


class Grant(grants.AuthorizationCodeGrant):
    def save_authorization_code(self, code: str, request: Any) -> None:
        data = request.payload.data
        codes[code] = _Code(
            code, request.payload.redirect_uri, request.payload.scope, data.get("nonce", ""),
            data.get("code_challenge", ""), data.get("code_challenge_method", ""),
        )  # fmt: skip

    def query_authorization_code(self, code: str, client: Any) -> Any:
        return codes.get(code)

    def delete_authorization_code(self, authorization_code: Any) -> None:
        del codes[authorization_code.code]

    def authenticate_user(self, authorization_code: Any) -> Any:
        return instruction["claims"]


class Code(OpenIDCode):
    def exists_nonce(self, nonce: str, request: Any) -> bool:
        return any(code.nonce == nonce for code in codes.values())

    def resolve_client_private_key(self, client: Any) -> Any:
        return FOREIGN if instruction["fault"] == "signature" else KEY

    def get_encode_header(self, client: Any) -> dict[str, str]:
        library: Any = super()
        return {**library.get_encode_header(client), "kid": KID}

    def get_client_claims(self, client: Any) -> dict[str, Any]:
        return {"iss": ISSUER, "aud": [CLIENT]}

    def generate_user_info(self, user: Any, scope: str) -> UserInfo:
        now, fault = int(time.time()), instruction["fault"]
        wrong: dict[str, dict[str, Any]] = {
            "nonce": {"nonce": "of somebody else"},
            "expired": {"iat": now - 7200, "exp": now - 3600},
            "audience": {"aud": ["another client"]},
            "issuer": {"iss": "https://another.example"},
            "access token": {"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"},
        }
        return UserInfo({**user, **wrong.get(fault, {})})

    def encode_id_token(self, token: Any, request: Any) -> str:
        library: Any = super()
        encoded = library.encode_id_token(token, request)
        claims = jwt.decode(encoded, FOREIGN if instruction["fault"] == "signature" else KEY).claims
        if instruction["fault"] == "no signature":
            return jwt.encode({"alg": "none"}, claims, OctKey.import_key(SECRET), ["none"])
        if instruction["fault"] == "shared key":
            return jwt.encode({"alg": "HS256"}, claims, OctKey.import_key(SECRET), ["HS256"])
        if instruction["fault"] == "no sub":
            return jwt.encode({"alg": "RS256", "kid": KID}, {**claims, "sub": ""}, KEY)
        return encoded


def _keep_nothing(_token: Any, _request: Any) -> None:
    """Access tokens are never used."""


app = Flask("openid")
server = AuthorizationServer(app, lambda name: _Client() if name == CLIENT else None, _keep_nothing)
server.register_grant(Grant, [Code(require_nonce=True), CodeChallenge(required=True)])


@app.get("/.well-known/openid-configuration")
def describe() -> Any:
    return jsonify(
        issuer=ISSUER,
        authorization_endpoint=f"{ISSUER}/authorize",
        token_endpoint=f"{ISSUER}/token",
        jwks_uri=f"{ISSUER}/keys",
        response_types_supported=["code"],
        subject_types_supported=["public"],
        id_token_signing_alg_values_supported=["RS256", "HS256", "none"],
        token_endpoint_auth_methods_supported=["client_secret_basic"],
    )


@app.get("/keys")
def keys() -> Any:
    return jsonify(keys=[KEY.as_dict(private=False)])


@app.post("/instruct")
def instruct() -> Any:
    instruction.update(request.get_json())
    return jsonify(done=True)


@app.get("/authorize")
def authorize() -> Any:
    person = instruction["claims"] or None
    return server.create_authorization_response(
        grant_user=person, grant=server.get_consent_grant(end_user=person or {"sub": "nobody"})
    )


@app.post("/token")
def token() -> Any:
    return server.create_token_response()


if __name__ == "__main__":
    make_server("127.0.0.1", int(sys.argv[1]), app, threaded=True).serve_forever()
