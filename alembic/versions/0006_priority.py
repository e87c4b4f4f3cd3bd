"""Jobs have a priority, so that a login code does not queue behind other mails."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("jobs") as jobs:
        jobs.drop_index("ix_jobs_due_at")
        # Jobs that wait get the usual priority.
        jobs.add_column(sa.Column("priority", sa.Integer(), server_default="1", nullable=False))
        jobs.create_index("ix_jobs_priority_due_at", ["priority", "due_at"])
    with op.batch_alter_table("jobs") as jobs:
        jobs.alter_column("priority", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("jobs") as jobs:
        jobs.drop_index("ix_jobs_priority_due_at")
        jobs.drop_column("priority")
        jobs.create_index("ix_jobs_due_at", ["due_at"])
