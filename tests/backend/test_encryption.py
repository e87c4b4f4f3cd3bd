"""Secrets in the outbox: unreadable without the secret of the settings, and never read wrongly."""

from collections.abc import Callable

import pytest
from pydantic import SecretStr

from portal.backend.security import MAX_SECRET_BYTES, decrypt, encrypt, new_code
from portal.settings import Settings
from portal.tables.messages import OutboxMail
from portal.vocabulary.links import new_hash

SETTINGS = Settings.model_validate({"secret_key": "s" * 32})


@pytest.mark.parametrize("make", [new_code, new_hash, lambda: "é" * (MAX_SECRET_BYTES // 2)])
def test_a_secret_comes_back_and_fits_its_column(make: Callable[[], str]) -> None:
    text = make()
    token = encrypt(SETTINGS, text)
    assert text not in token
    # pyrefly: ignore[missing-attribute]  # the type of this column has a length
    assert len(token) <= OutboxMail.__table__.c.sealed.type.length
    assert decrypt(SETTINGS, token) == text


def test_a_text_that_would_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="short"):
        encrypt(SETTINGS, "x" * (MAX_SECRET_BYTES + 1))


def test_another_secret_or_a_changed_text_is_not_read() -> None:
    token = encrypt(SETTINGS, "482913")
    other = SETTINGS.model_copy(update={"secret_key": SecretStr("n" * 32)})
    changed = token[:-10] + ("A" if token[-10] != "A" else "B") + token[-9:]
    for settings, text in ((other, token), (SETTINGS, changed), (SETTINGS, "no token"), (SETTINGS, "")):
        with pytest.raises(ValueError, match="another secret"):
            decrypt(settings, text)
