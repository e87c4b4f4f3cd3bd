"""Pictures in mails."""

from __future__ import annotations

from portal.contract.models import Picture
from portal.pictures.rules import KEY, MAIL_WIDTH, drawing_address


def mail_picture(picture: Picture, name: str, mark: str = "") -> dict[str, str]:
    """The picture of a mail, as the base of all mails shows it.

    Args:
        picture: of what the mail is about.
        name: of it, for those who do not see the picture.
        mark: what tells it from others of that name.

    Returns:
        The path of the picture at the portal, the name and the mark.
    """
    if KEY.fullmatch(picture.key):
        path = f"/pictures/{picture.key}/{MAIL_WIDTH}.jpg"
    else:
        path = drawing_address(picture.drawing, picture.color).removesuffix(".svg") + ".png"
    return {"path": path, "name": name, "mark": mark}
