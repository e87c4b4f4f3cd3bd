"""Images of products."""

from datetime import datetime

from sqlalchemy import UniqueConstraint
from sqlmodel import Field

from portal.tables.columns import Keyed, UtcDateTime


class PictureRow(Keyed, table=True):
    """An image. Its files are in the store, under its key with a size and a format.

    Attributes:
        key: the beginning of the SHA-256 of the image as it came, in hexadecimal; the same image is stored once.
        preview: the image in a few pixels, as a `data:` address; empty until its sizes are made.
        ready: whether its sizes are made.
    """

    __tablename__ = "pictures"

    key: str = Field(max_length=32, unique=True)
    preview: str = Field(default="", max_length=1200)
    ready: bool = False
    created_at: datetime = Field(sa_type=UtcDateTime)


class ProductPictureRow(Keyed, table=True):
    """The image of a product, as the shop sent it. It may come before the product.

    Attributes:
        source, external_id: the product as the shop names it.
        product_id: None until the product comes.
        url: where it was fetched; empty if it was sent.
    """

    __tablename__ = "product_pictures"
    __table_args__ = (UniqueConstraint("source", "external_id"),)

    source: str = Field(max_length=40)
    external_id: str = Field(max_length=100)
    product_id: int | None = Field(default=None, foreign_key="products.id", unique=True)
    picture_id: int = Field(foreign_key="pictures.id", index=True)
    url: str = Field(default="", max_length=500)
    received_at: datetime = Field(sa_type=UtcDateTime)
