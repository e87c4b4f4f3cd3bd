"""Pictures in mails."""

from __future__ import annotations

from portal.contract.models import Picture
from portal.pictures.rules import KEY, MAIL_WIDTH, drawing_address


def mail_picture(picture: Picture, name: str, mark: str = "") -> dict[str, str]:
    if KEY.fullmatch(picture.key):
        path = f"/pictures/{picture.key}/{MAIL_WIDTH}.jpg"
    else:
        path = drawing_address(picture.drawing, picture.color).removesuffix(".svg") + ".png"
    return {"path": path, "name": name, "mark": mark}
