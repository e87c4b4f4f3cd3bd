"""Open cases without a promise get one, two weeks after their last change; cases are listed by their last change."""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_PROMISE = timedelta(days=14)


def upgrade() -> None:
    cases = sa.table(
        "cases",
        sa.column("id", sa.Integer()),
        sa.column("state", sa.String()),
        sa.column("changed_at", sa.DateTime(timezone=True)),
        sa.column("promised_at", sa.DateTime(timezone=True)),
    )
    connection = op.get_bind()
    without = sa.select(cases.c.id, cases.c.changed_at).where(
        cases.c.state.in_(("new", "open")), cases.c.promised_at.is_(None)
    )
    for key, changed_at in connection.execute(without).all():
        connection.execute(cases.update().where(cases.c.id == key).values(promised_at=changed_at + _PROMISE))
    op.create_index("ix_cases_changed_at", "cases", ["changed_at", "id"], unique=False)


def downgrade() -> None:
    # An earlier version reads the promises as its own.
    op.drop_index("ix_cases_changed_at", table_name="cases")
