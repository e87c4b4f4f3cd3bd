"""The mail of a login code."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("login_challenges") as table:
        table.add_column(sa.Column("mail_id", sa.Integer(), nullable=True))
        table.create_foreign_key(
            op.f("fk_login_challenges_mail_id_outbox_mails"), "outbox_mails", ["mail_id"], ["id"], ondelete="SET NULL"
        )
        table.create_index(op.f("ix_login_challenges_mail_id"), ["mail_id"])


def downgrade() -> None:
    with op.batch_alter_table("login_challenges") as table:
        table.drop_index(op.f("ix_login_challenges_mail_id"))
        table.drop_constraint(op.f("fk_login_challenges_mail_id_outbox_mails"), type_="foreignkey")
        table.drop_column("mail_id")
