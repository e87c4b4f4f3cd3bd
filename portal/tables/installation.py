"""The installation."""

from sqlmodel import Field

from portal.tables.columns import Table


class InstallationRow(Table, table=True):
    """The id of the installation, which the file store holds, too.

    Attributes:
        number: always 1, so that there is one row.
        installation: the id, in hexadecimal.
    """

    __tablename__ = "installation"

    number: int = Field(primary_key=True)
    installation: str = Field(max_length=32)
