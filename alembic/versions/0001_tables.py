"""All tables of the first version."""

from __future__ import annotations

import sqlalchemy as sa

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "customers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("first_name", sa.String(length=60), nullable=False),
        sa.Column("prefix", sa.String(length=60), nullable=False),
        sa.Column("last_name", sa.String(length=60), nullable=False),
        sa.Column("first_name_key", sa.String(length=60), nullable=False),
        sa.Column("last_name_key", sa.String(length=60), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("email_key", sa.String(length=254), nullable=False),
        sa.Column("phone", sa.String(length=20), nullable=False),
        sa.Column("street", sa.String(length=60), nullable=False),
        sa.Column("house_number", sa.String(length=10), nullable=False),
        sa.Column("house_number_addon", sa.String(length=60), nullable=False),
        sa.Column("post_code", sa.String(length=10), nullable=False),
        sa.Column("city", sa.String(length=60), nullable=False),
        sa.Column("country_code", sa.String(length=40), nullable=False),
        sa.Column("locale", sa.String(length=2), nullable=False),
        sa.Column("source", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("passkeys_declined_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("erased_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_customers")),
        sa.UniqueConstraint("public_id", name=op.f("uq_customers_public_id")),
    )
    op.create_index(op.f("ix_customers_email_key"), "customers", ["email_key"], unique=False)
    op.create_index(
        "ix_customers_first_name_key",
        "customers",
        ["first_name_key"],
        unique=False,
        postgresql_ops={"first_name_key": "text_pattern_ops"},
    )
    op.create_index(
        "ix_customers_last_name_key",
        "customers",
        ["last_name_key"],
        unique=False,
        postgresql_ops={"last_name_key": "text_pattern_ops"},
    )
    op.create_index("ix_customers_post_code_house_number", "customers", ["post_code", "house_number"], unique=False)

    op.create_table(
        "delivery_days",
        sa.Column("country_code", sa.String(length=40), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("capacity", sa.Integer(), nullable=False),
        sa.Column("taken", sa.Integer(), nullable=False),
        sa.CheckConstraint("taken >= 0 AND taken <= capacity", name=op.f("ck_delivery_days_places")),
        sa.PrimaryKeyConstraint("country_code", "day", name=op.f("pk_delivery_days")),
    )
    op.create_table(
        "delivery_places",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("country_code", sa.String(length=40), nullable=False),
        sa.Column("weekday", sa.Integer(), nullable=False),
        sa.Column("valid_from", sa.Date(), nullable=False),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_delivery_places")),
        sa.UniqueConstraint(
            "country_code", "weekday", "valid_from", name=op.f("uq_delivery_places_country_code_weekday_valid_from")
        ),
    )
    op.create_table(
        "idempotency_keys",
        sa.Column("actor", sa.String(length=40), nullable=False),
        sa.Column("key", sa.String(length=100), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("actor", "key", name=op.f("pk_idempotency_keys")),
    )
    op.create_index(op.f("ix_idempotency_keys_created_at"), "idempotency_keys", ["created_at"], unique=False)

    op.create_table(
        "import_documents",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("external_id", sa.String(length=100), nullable=False),
        sa.Column("url", sa.String(length=500), nullable=False),
        sa.Column("record", sa.JSON(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_import_documents")),
        sa.UniqueConstraint("source", "kind", "external_id", name=op.f("uq_import_documents_source_kind_external_id")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "import_rejected",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("external_id", sa.String(length=100), nullable=False),
        sa.Column("file", sa.String(length=200), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("field", sa.String(length=100), nullable=False),
        sa.Column("reason", sa.String(length=300), nullable=False),
        sa.Column("code", sa.String(length=40), nullable=False),
        sa.Column("values", sa.JSON(), nullable=False),
        sa.Column("record", sa.JSON(), nullable=False),
        sa.Column("rejected_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_import_rejected")),
    )
    op.create_index("ix_import_rejected_record", "import_rejected", ["source", "kind", "external_id"], unique=False)

    op.create_table(
        "import_waiting",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("external_id", sa.String(length=100), nullable=False),
        sa.Column("needs_kind", sa.String(length=40), nullable=False),
        sa.Column("needs_id", sa.String(length=100), nullable=False),
        sa.Column("record", sa.JSON(), nullable=False),
        sa.Column("waiting_since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_import_waiting")),
        sa.UniqueConstraint("source", "kind", "external_id", name=op.f("uq_import_waiting_source_kind_external_id")),
    )
    op.create_index("ix_import_waiting_needs", "import_waiting", ["source", "needs_kind", "needs_id"], unique=False)

    op.create_table(
        "insurance_documents",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=20), nullable=False),
        sa.Column("insurer", sa.String(length=40), nullable=False),
        sa.Column("type", sa.String(length=40), nullable=False),
        sa.Column("version", sa.String(length=40), nullable=False),
        sa.Column("dutch", sa.LargeBinary(), nullable=False),
        sa.Column("english", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_insurance_documents")),
        sa.UniqueConstraint("insurer", "type", "version", name=op.f("uq_insurance_documents_insurer_type_version")),
        sa.UniqueConstraint("public_id", name=op.f("uq_insurance_documents_public_id")),
    )
    op.create_table(
        "insurance_products",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("shop", sa.String(length=40), nullable=False),
        sa.Column("insurer", sa.String(length=40), nullable=False),
        sa.Column("type", sa.String(length=40), nullable=False),
        sa.Column("valid_from", sa.Date(), nullable=False),
        sa.Column("offered", sa.Boolean(), nullable=False),
        sa.Column("covers", sa.JSON(), nullable=False),
        sa.Column("excess", sa.BigInteger(), nullable=False),
        sa.Column("most_chosen", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_insurance_products")),
        sa.UniqueConstraint(
            "shop", "insurer", "type", "valid_from", name=op.f("uq_insurance_products_shop_insurer_type_valid_from")
        ),
    )
    op.create_table(
        "insurance_tariffs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("shop", sa.String(length=40), nullable=False),
        sa.Column("insurer", sa.String(length=40), nullable=False),
        sa.Column("type", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("valid_from", sa.Date(), nullable=False),
        sa.Column("per_mille", sa.BigInteger(), nullable=False),
        sa.Column("minimum", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_insurance_tariffs")),
        sa.UniqueConstraint(
            "shop",
            "insurer",
            "type",
            "kind",
            "valid_from",
            name=op.f("uq_insurance_tariffs_shop_insurer_type_kind_valid_from"),
        ),
    )
    op.create_table(
        "jobs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("reference", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("give_up_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("leased_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lease", sa.String(length=32), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
        sa.UniqueConstraint("kind", "reference", name=op.f("uq_jobs_kind_reference")),
    )
    op.create_index("ix_jobs_due_at", "jobs", ["due_at"], unique=False)

    op.create_table(
        "limit_windows",
        sa.Column("key", sa.String(length=100), nullable=False),
        sa.Column("moments", sa.JSON(), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_limit_windows")),
    )
    op.create_index(op.f("ix_limit_windows_ends_at"), "limit_windows", ["ends_at"], unique=False)

    op.create_table(
        "message_templates",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("kinds", sa.String(length=200), nullable=False),
        sa.Column("asks", sa.String(length=40), nullable=False),
        sa.Column("title_nl", sa.String(length=80), nullable=False),
        sa.Column("title_en", sa.String(length=80), nullable=False),
        sa.Column("text_nl", sa.String(length=4000), nullable=False),
        sa.Column("text_en", sa.String(length=4000), nullable=False),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_message_templates")),
        sa.UniqueConstraint("name", name=op.f("uq_message_templates_name")),
    )
    op.create_table(
        "package_terms",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("shop", sa.String(length=40), nullable=False),
        sa.Column("package", sa.String(length=40), nullable=False),
        sa.Column("valid_from", sa.Date(), nullable=False),
        sa.Column("monthly", sa.BigInteger(), nullable=False),
        sa.Column("includes", sa.JSON(), nullable=False),
        sa.Column("half_price_jobs", sa.JSON(), nullable=False),
        sa.Column("most_chosen", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_package_terms")),
        sa.UniqueConstraint("shop", "package", "valid_from", name=op.f("uq_package_terms_shop_package_valid_from")),
    )
    op.create_table(
        "partners",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("location_type", sa.String(length=40), nullable=False),
        sa.Column("phone", sa.String(length=20), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("street", sa.String(length=60), nullable=False),
        sa.Column("house_number", sa.String(length=10), nullable=False),
        sa.Column("house_number_addon", sa.String(length=60), nullable=False),
        sa.Column("post_code", sa.String(length=10), nullable=False),
        sa.Column("city", sa.String(length=60), nullable=False),
        sa.Column("country_code", sa.String(length=40), nullable=False),
        sa.Column("latitude", sa.Float(), nullable=True),
        sa.Column("longitude", sa.Float(), nullable=True),
        sa.Column("opening_hours", sa.String(length=200), nullable=True),
        sa.Column("travel_cost", sa.BigInteger(), nullable=True),
        sa.Column("vacation_from", sa.Date(), nullable=True),
        sa.Column("vacation_until", sa.Date(), nullable=True),
        sa.Column("recommended", sa.Boolean(), nullable=False),
        sa.Column("waiting_weeks", sa.Integer(), nullable=False),
        sa.Column("takes_batteries", sa.Boolean(), nullable=False),
        sa.Column("closed", sa.Boolean(), nullable=False),
        sa.Column("customer_rating", sa.Numeric(precision=3, scale=1), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_partners")),
        sa.UniqueConstraint("public_id", name=op.f("uq_partners_public_id")),
    )
    op.create_index(op.f("ix_partners_latitude"), "partners", ["latitude"], unique=False)

    op.create_table(
        "pictures",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=32), nullable=False),
        sa.Column("preview", sa.String(length=1200), nullable=False),
        sa.Column("ready", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pictures")),
        sa.UniqueConstraint("key", name=op.f("uq_pictures_key")),
    )
    op.create_table(
        "products",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("sku", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("name_en", sa.String(length=120), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("item_color", sa.String(length=60), nullable=False),
        sa.Column("item_color_en", sa.String(length=60), nullable=False),
        sa.Column("color_code", sa.String(length=7), nullable=False),
        sa.Column("frame_size", sa.String(length=20), nullable=False),
        sa.Column("battery", sa.String(length=60), nullable=False),
        sa.Column("drawing", sa.String(length=40), nullable=False),
        sa.Column("price", sa.BigInteger(), nullable=False),
        sa.Column("stock", sa.Integer(), nullable=False),
        sa.Column("on_sale", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_products")),
        sa.UniqueConstraint("public_id", name=op.f("uq_products_public_id")),
    )
    op.create_index(op.f("ix_products_sku"), "products", ["sku"], unique=False)

    op.create_table(
        "recalls",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(length=40), nullable=False),
        sa.Column("texts", sa.JSON(), nullable=False),
        sa.Column("remedies", sa.JSON(), nullable=False),
        sa.Column("picture", sa.LargeBinary(), nullable=False),
        sa.Column("phone", sa.String(length=20), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_recalls")),
        sa.UniqueConstraint("code", name=op.f("uq_recalls_code")),
    )
    op.create_table(
        "service_products",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("shop", sa.String(length=40), nullable=False),
        sa.Column("valid_from", sa.Date(), nullable=False),
        sa.Column("sku", sa.String(length=40), nullable=False),
        sa.Column("job", sa.String(length=40), nullable=False),
        sa.Column("drive", sa.String(length=40), nullable=False),
        sa.Column("half_price", sa.Boolean(), nullable=False),
        sa.Column("price", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_service_products")),
        sa.UniqueConstraint(
            "shop",
            "job",
            "drive",
            "half_price",
            "valid_from",
            name=op.f("uq_service_products_shop_job_drive_half_price_valid_from"),
        ),
    )
    op.create_table(
        "shop_terms",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("shop", sa.String(length=40), nullable=False),
        sa.Column("term", sa.String(length=40), nullable=False),
        sa.Column("valid_from", sa.Date(), nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shop_terms")),
        sa.UniqueConstraint("shop", "term", "valid_from", name=op.f("uq_shop_terms_shop_term_valid_from")),
    )
    op.create_table(
        "staff",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("subject", sa.String(length=255), nullable=True),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("role", sa.String(length=40), nullable=False),
        sa.Column("locale", sa.String(length=2), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_staff")),
        sa.UniqueConstraint("email", name=op.f("uq_staff_email")),
        sa.UniqueConstraint("public_id", name=op.f("uq_staff_public_id")),
        sa.UniqueConstraint("subject", name=op.f("uq_staff_subject")),
    )
    op.create_table(
        "staff_sign_ons",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("state_hash", sa.String(length=64), nullable=False),
        sa.Column("challenge_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_staff_sign_ons")),
        sa.UniqueConstraint("state_hash", name=op.f("uq_staff_sign_ons_state_hash")),
    )
    op.create_index(op.f("ix_staff_sign_ons_expires_at"), "staff_sign_ons", ["expires_at"], unique=False)

    op.create_table(
        "webhooks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("url", sa.String(length=500), nullable=False),
        sa.Column("description", sa.String(length=120), nullable=False),
        sa.Column("event_types", sa.JSON(), nullable=False),
        sa.Column("secret", sa.String(length=200), nullable=False),
        sa.Column("previous_secret", sa.String(length=200), nullable=False),
        sa.Column("previous_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("failing_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("paused_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhooks")),
        sa.UniqueConstraint("public_id", name=op.f("uq_webhooks_public_id")),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("staff_id", sa.Integer(), nullable=True),
        sa.Column("actor", sa.String(length=120), nullable=False),
        sa.Column("action", sa.String(length=60), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("reference", sa.String(length=40), nullable=False),
        sa.Column("reason", sa.String(length=300), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("address", sa.String(length=45), nullable=False),
        sa.Column("happened_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["staff_id"], ["staff.id"], name=op.f("fk_audit_staff_id_staff")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index(op.f("ix_audit_happened_at"), "audit", ["happened_at"], unique=False)
    op.create_index("ix_audit_kind_reference", "audit", ["kind", "reference"], unique=False)
    op.create_index("ix_audit_staff_id_happened_at", "audit", ["staff_id", "happened_at"], unique=False)

    op.create_table(
        "case_views",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("staff_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("filter", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["staff_id"], ["staff.id"], name=op.f("fk_case_views_staff_id_staff"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_case_views")),
        sa.UniqueConstraint("public_id", name=op.f("uq_case_views_public_id")),
        sa.UniqueConstraint("staff_id", "name", name=op.f("uq_case_views_staff_id_name")),
    )
    op.create_table(
        "cases",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("reference", sa.String(length=20), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=True),
        sa.Column("partner_id", sa.Integer(), nullable=True),
        sa.Column("source", sa.String(length=40), nullable=False),
        sa.Column("state", sa.String(length=40), nullable=False),
        sa.Column("status", sa.String(length=40), nullable=False),
        sa.Column("urgent", sa.Boolean(), nullable=False),
        sa.Column("assigned_to", sa.Integer(), nullable=True),
        sa.Column("promised_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("waiting_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("unread_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("waiting_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("opened_by", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["assigned_to"], ["staff.id"], name=op.f("fk_cases_assigned_to_staff")),
        sa.ForeignKeyConstraint(["customer_id"], ["customers.id"], name=op.f("fk_cases_customer_id_customers")),
        sa.ForeignKeyConstraint(["opened_by"], ["staff.id"], name=op.f("fk_cases_opened_by_staff")),
        sa.ForeignKeyConstraint(["partner_id"], ["partners.id"], name=op.f("fk_cases_partner_id_partners")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cases")),
        sa.UniqueConstraint("kind", "reference", name=op.f("uq_cases_kind_reference")),
    )
    op.create_index("ix_cases_assigned_to_state", "cases", ["assigned_to", "state"], unique=False)
    op.create_index(op.f("ix_cases_customer_id"), "cases", ["customer_id"], unique=False)
    op.create_index("ix_cases_kind_state_opened_at", "cases", ["kind", "state", "opened_at", "id"], unique=False)
    op.create_index(
        "ix_cases_partner_id_state_opened_at", "cases", ["partner_id", "state", "opened_at", "id"], unique=False
    )
    op.create_index(op.f("ix_cases_reference"), "cases", ["reference"], unique=False)
    op.create_index("ix_cases_source_state_opened_at", "cases", ["source", "state", "opened_at", "id"], unique=False)
    op.create_index("ix_cases_state_closed_at", "cases", ["state", "closed_at", "id"], unique=False)
    op.create_index("ix_cases_state_promised_at", "cases", ["state", "promised_at", "id"], unique=False)
    op.create_index("ix_cases_state_opened_at", "cases", ["state", "opened_at", "id"], unique=False)
    op.create_index(
        "ix_cases_unread_since",
        "cases",
        ["unread_since", "id"],
        unique=False,
        sqlite_where=sa.text("unread_since IS NOT NULL"),
        postgresql_where=sa.text("unread_since IS NOT NULL"),
    )

    op.create_table(
        "changes",
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("topic", sa.String(length=40), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_changes_customer_id_customers"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("customer_id", "topic", name=op.f("pk_changes")),
    )
    op.create_table(
        "contract_ends",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reference", sa.String(length=20), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("contract", sa.String(length=20), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("ending", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=180), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=40), nullable=False),
        sa.Column("ends_on", sa.Date(), nullable=False),
        sa.Column("refund", sa.BigInteger(), nullable=False),
        sa.Column("last_payment", sa.BigInteger(), nullable=False),
        sa.Column("last_from", sa.Date(), nullable=True),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("processed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["customer_id"], ["customers.id"], name=op.f("fk_contract_ends_customer_id_customers")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_contract_ends")),
        sa.UniqueConstraint("reference", name=op.f("uq_contract_ends_reference")),
    )
    op.create_index("ix_contract_ends_customer_id_contract", "contract_ends", ["customer_id", "contract"], unique=False)
    op.create_index(
        "uq_contract_ends_contract",
        "contract_ends",
        ["contract"],
        unique=True,
        sqlite_where=sa.text("status IN ('confirmed', 'processed')"),
        postgresql_where=sa.text("status IN ('confirmed', 'processed')"),
    )
    op.create_index("uq_contract_ends_key", "contract_ends", ["key"], unique=True)

    op.create_table(
        "customer_visits",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("link_hash", sa.String(length=64), nullable=False),
        sa.Column("staff_id", sa.Integer(), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("mode", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_customer_visits_customer_id_customers"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["staff_id"], ["staff.id"], name=op.f("fk_customer_visits_staff_id_staff"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_customer_visits")),
        sa.UniqueConstraint("link_hash", name=op.f("uq_customer_visits_link_hash")),
    )
    op.create_index(op.f("ix_customer_visits_customer_id"), "customer_visits", ["customer_id"], unique=False)
    op.create_index(op.f("ix_customer_visits_expires_at"), "customer_visits", ["expires_at"], unique=False)
    op.create_index(op.f("ix_customer_visits_staff_id"), "customer_visits", ["staff_id"], unique=False)

    op.create_table(
        "data_exports",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("give_up_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ready_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_data_exports_customer_id_customers"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_data_exports")),
        sa.UniqueConstraint("customer_id", name=op.f("uq_data_exports_customer_id")),
        sa.UniqueConstraint("key", name=op.f("uq_data_exports_key")),
        sa.UniqueConstraint("public_id", name=op.f("uq_data_exports_public_id")),
    )
    op.create_index(op.f("ix_data_exports_expires_at"), "data_exports", ["expires_at"], unique=False)

    op.create_table(
        "drafts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("flow", sa.String(length=40), nullable=False),
        sa.Column("subject", sa.String(length=20), nullable=False),
        sa.Column("answers", sa.JSON(), nullable=False),
        sa.Column("completed", sa.JSON(), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reference", sa.String(length=20), nullable=False),
        sa.Column("receipt", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["customer_id"], ["customers.id"], name=op.f("fk_drafts_customer_id_customers")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_drafts")),
        sa.UniqueConstraint("key", name=op.f("uq_drafts_key")),
        sa.UniqueConstraint("public_id", name=op.f("uq_drafts_public_id")),
    )
    op.create_index(op.f("ix_drafts_expires_at"), "drafts", ["expires_at"], unique=False)
    op.create_index(
        "uq_drafts_open",
        "drafts",
        ["customer_id", "flow", "subject"],
        unique=True,
        sqlite_where=sa.text("sent_at IS NULL"),
        postgresql_where=sa.text("sent_at IS NULL"),
    )

    op.create_table(
        "email_changes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("jti", sa.String(length=43), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_email_changes_customer_id_customers"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_email_changes")),
    )
    op.create_index(op.f("ix_email_changes_created_at"), "email_changes", ["created_at"], unique=False)
    op.create_index(op.f("ix_email_changes_customer_id"), "email_changes", ["customer_id"], unique=False)
    op.create_index(op.f("ix_email_changes_jti"), "email_changes", ["jti"], unique=False)

    op.create_table(
        "erasure_codes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("jti", sa.String(length=43), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_erasure_codes_customer_id_customers"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_erasure_codes")),
    )
    op.create_index(op.f("ix_erasure_codes_created_at"), "erasure_codes", ["created_at"], unique=False)
    op.create_index(op.f("ix_erasure_codes_customer_id"), "erasure_codes", ["customer_id"], unique=False)
    op.create_index(op.f("ix_erasure_codes_jti"), "erasure_codes", ["jti"], unique=False)

    op.create_table(
        "import_runs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("source", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("form", sa.String(length=40), nullable=False),
        sa.Column("way", sa.String(length=40), nullable=False),
        sa.Column("file", sa.String(length=200), nullable=False),
        sa.Column("dry_run", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(length=40), nullable=False),
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("staff_id", sa.Integer(), nullable=True),
        sa.Column("counts", sa.JSON(), nullable=False),
        sa.Column("problems", sa.JSON(), nullable=False),
        sa.Column("failure", sa.String(length=40), nullable=False),
        sa.Column("failure_values", sa.JSON(), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["staff_id"], ["staff.id"], name=op.f("fk_import_runs_staff_id_staff")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_import_runs")),
        sa.UniqueConstraint("public_id", name=op.f("uq_import_runs_public_id")),
    )
    op.create_index(op.f("ix_import_runs_began_at"), "import_runs", ["began_at"], unique=False)

    op.create_table(
        "imported",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("external_id", sa.String(length=100), nullable=False),
        sa.Column("row_id", sa.Integer(), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=True),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("values", sa.JSON(), nullable=False),
        sa.Column("imported_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_imported_customer_id_customers"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_imported")),
        sa.UniqueConstraint("source", "kind", "external_id", name=op.f("uq_imported_source_kind_external_id")),
    )
    op.create_index(op.f("ix_imported_customer_id"), "imported", ["customer_id"], unique=False)
    op.create_index("ix_imported_kind_row", "imported", ["kind", "row_id"], unique=False)

    op.create_table(
        "login_challenges",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("challenge_hash", sa.String(length=64), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=True),
        sa.Column("staff_id", sa.Integer(), nullable=True),
        sa.Column("order_number", sa.String(length=20), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["customer_id"],
            ["customers.id"],
            name=op.f("fk_login_challenges_customer_id_customers"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["staff_id"], ["staff.id"], name=op.f("fk_login_challenges_staff_id_staff"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_login_challenges")),
        sa.UniqueConstraint("challenge_hash", name=op.f("uq_login_challenges_challenge_hash")),
    )
    op.create_index(op.f("ix_login_challenges_created_at"), "login_challenges", ["created_at"], unique=False)
    op.create_index(op.f("ix_login_challenges_customer_id"), "login_challenges", ["customer_id"], unique=False)
    op.create_index(op.f("ix_login_challenges_staff_id"), "login_challenges", ["staff_id"], unique=False)

    op.create_table(
        "orders",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("order_number", sa.String(length=20), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("country_code", sa.String(length=40), nullable=False),
        sa.Column("is_lease", sa.Boolean(), nullable=False),
        sa.Column("lease_reference", sa.String(length=20), nullable=True),
        sa.Column("features", sa.JSON(), nullable=False),
        sa.Column("ordered_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("invoiced_at", sa.Date(), nullable=True),
        sa.Column("delivery_status", sa.String(length=40), nullable=True),
        sa.Column("payment_status", sa.String(length=40), nullable=False),
        sa.Column("payment_method", sa.String(length=60), nullable=False),
        sa.Column("delivery_method", sa.String(length=60), nullable=False),
        sa.Column("preferred_week", sa.String(length=10), nullable=False),
        sa.Column("scheduled_day", sa.Date(), nullable=True),
        sa.Column("scheduled_from", sa.String(length=5), nullable=False),
        sa.Column("scheduled_until", sa.String(length=5), nullable=False),
        sa.Column("service_package", sa.String(length=40), nullable=True),
        sa.Column("insurance", sa.String(length=60), nullable=False),
        sa.Column("subtotal", sa.BigInteger(), nullable=False),
        sa.Column("discount", sa.BigInteger(), nullable=False),
        sa.Column("shipping_costs", sa.BigInteger(), nullable=False),
        sa.Column("service_costs", sa.BigInteger(), nullable=False),
        sa.Column("insurance_costs", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("paid", sa.BigInteger(), nullable=False),
        sa.Column("settled", sa.BigInteger(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["customer_id"], ["customers.id"], name=op.f("fk_orders_customer_id_customers")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_orders")),
        sa.UniqueConstraint("lease_reference", name=op.f("uq_orders_lease_reference")),
        sa.UniqueConstraint("order_number", name=op.f("uq_orders_order_number")),
    )
    op.create_index("ix_orders_customer_id_ordered_at", "orders", ["customer_id", "ordered_at"], unique=False)

    op.create_table(
        "outbox_mails",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(length=120), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=True),
        sa.Column("template", sa.String(length=40), nullable=False),
        sa.Column("locale", sa.String(length=2), nullable=False),
        sa.Column("recipient", sa.String(length=254), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("sealed", sa.String(length=200), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("dropped_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_outbox_mails_customer_id_customers"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox_mails")),
        sa.UniqueConstraint("message_id", name=op.f("uq_outbox_mails_message_id")),
    )
    op.create_index(op.f("ix_outbox_mails_created_at"), "outbox_mails", ["created_at"], unique=False)
    op.create_index(op.f("ix_outbox_mails_customer_id"), "outbox_mails", ["customer_id"], unique=False)

    op.create_table(
        "partner_changes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("partner_id", sa.Integer(), nullable=False),
        sa.Column("valid_from", sa.Date(), nullable=False),
        sa.Column("values", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("applied_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["partner_id"], ["partners.id"], name=op.f("fk_partner_changes_partner_id_partners")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_partner_changes")),
        sa.UniqueConstraint("partner_id", "valid_from", name=op.f("uq_partner_changes_partner_id_valid_from")),
    )
    op.create_table(
        "passkey_challenges",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("challenge_hash", sa.String(length=64), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=True),
        sa.Column("jti", sa.String(length=43), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["customer_id"],
            ["customers.id"],
            name=op.f("fk_passkey_challenges_customer_id_customers"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passkey_challenges")),
        sa.UniqueConstraint("challenge_hash", name=op.f("uq_passkey_challenges_challenge_hash")),
    )
    op.create_index(op.f("ix_passkey_challenges_created_at"), "passkey_challenges", ["created_at"], unique=False)
    op.create_index(op.f("ix_passkey_challenges_customer_id"), "passkey_challenges", ["customer_id"], unique=False)

    op.create_table(
        "passkeys",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("rp_id", sa.String(length=253), nullable=False),
        sa.Column("credential_id", sa.String(length=1364), nullable=False),
        sa.Column("public_key", sa.String(length=2000), nullable=False),
        sa.Column("sign_count", sa.BigInteger(), nullable=False),
        sa.Column("transports", sa.JSON(), nullable=False),
        sa.Column("device", sa.String(length=60), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_passkeys_customer_id_customers"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passkeys")),
        sa.UniqueConstraint("credential_id", name=op.f("uq_passkeys_credential_id")),
        sa.UniqueConstraint("public_id", name=op.f("uq_passkeys_public_id")),
    )
    op.create_index(op.f("ix_passkeys_customer_id"), "passkeys", ["customer_id"], unique=False)

    op.create_table(
        "passwords",
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("password_hash", sa.String(length=200), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_passwords_customer_id_customers"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("customer_id", name=op.f("pk_passwords")),
    )
    op.create_table(
        "phone_links",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("link_hash", sa.String(length=64), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("jti", sa.String(length=43), nullable=False),
        sa.Column("draft", sa.String(length=16), nullable=False),
        sa.Column("field", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_phone_links_customer_id_customers"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_phone_links")),
        sa.UniqueConstraint("link_hash", name=op.f("uq_phone_links_link_hash")),
    )
    op.create_index("ix_phone_links_customer_id_draft", "phone_links", ["customer_id", "draft"], unique=False)
    op.create_index(op.f("ix_phone_links_expires_at"), "phone_links", ["expires_at"], unique=False)

    op.create_table(
        "privacy_events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("actor", sa.String(length=40), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=True),
        sa.Column("counts", sa.JSON(), nullable=False),
        sa.Column("happened_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_privacy_events_customer_id_customers")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_privacy_events")),
    )
    op.create_index(op.f("ix_privacy_events_customer_id"), "privacy_events", ["customer_id"], unique=False)
    op.create_index(op.f("ix_privacy_events_happened_at"), "privacy_events", ["happened_at"], unique=False)

    op.create_table(
        "product_pictures",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(length=40), nullable=False),
        sa.Column("external_id", sa.String(length=100), nullable=False),
        sa.Column("product_id", sa.Integer(), nullable=True),
        sa.Column("picture_id", sa.Integer(), nullable=False),
        sa.Column("url", sa.String(length=500), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["picture_id"], ["pictures.id"], name=op.f("fk_product_pictures_picture_id_pictures")),
        sa.ForeignKeyConstraint(["product_id"], ["products.id"], name=op.f("fk_product_pictures_product_id_products")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_product_pictures")),
        sa.UniqueConstraint("product_id", name=op.f("uq_product_pictures_product_id")),
        sa.UniqueConstraint("source", "external_id", name=op.f("uq_product_pictures_source_external_id")),
    )
    op.create_index(op.f("ix_product_pictures_picture_id"), "product_pictures", ["picture_id"], unique=False)

    op.create_table(
        "recall_items",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("recall_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("number", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(
            ["recall_id"], ["recalls.id"], name=op.f("fk_recall_items_recall_id_recalls"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_recall_items")),
        sa.UniqueConstraint("recall_id", "kind", "number", name=op.f("uq_recall_items_recall_id_kind_number")),
    )
    op.create_index("ix_recall_items_kind_number", "recall_items", ["kind", "number"], unique=False)

    op.create_table(
        "recall_notices",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("recall_id", sa.Integer(), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("acknowledged_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("remedy", sa.String(length=40), nullable=True),
        sa.Column("chosen_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_recall_notices_customer_id_customers")
        ),
        sa.ForeignKeyConstraint(["recall_id"], ["recalls.id"], name=op.f("fk_recall_notices_recall_id_recalls")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_recall_notices")),
        sa.UniqueConstraint("public_id", name=op.f("uq_recall_notices_public_id")),
        sa.UniqueConstraint("recall_id", "customer_id", name=op.f("uq_recall_notices_recall_id_customer_id")),
    )
    op.create_index(op.f("ix_recall_notices_customer_id"), "recall_notices", ["customer_id"], unique=False)

    op.create_table(
        "refund_batches",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("made_by", sa.Integer(), nullable=True),
        sa.Column("way", sa.String(length=40), nullable=False),
        sa.Column("exported_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["made_by"], ["staff.id"], name=op.f("fk_refund_batches_made_by_staff")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_refund_batches")),
        sa.UniqueConstraint("public_id", name=op.f("uq_refund_batches_public_id")),
    )
    op.create_index(op.f("ix_refund_batches_exported_at"), "refund_batches", ["exported_at"], unique=False)

    op.create_table(
        "returns",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("reference", sa.String(length=20), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("status", sa.String(length=40), nullable=False),
        sa.Column("order_number", sa.String(length=20), nullable=False),
        sa.Column("reason", sa.String(length=40), nullable=True),
        sa.Column("reason_text", sa.String(length=4000), nullable=False),
        sa.Column("state", sa.String(length=40), nullable=True),
        sa.Column("mileage", sa.String(length=20), nullable=False),
        sa.Column("battery", sa.String(length=40), nullable=True),
        sa.Column("method", sa.String(length=40), nullable=False),
        sa.Column("store_id", sa.Integer(), nullable=True),
        sa.Column("pickup_day", sa.Date(), nullable=True),
        sa.Column("pickup_window", sa.String(length=40), nullable=True),
        sa.Column("address", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("phone", sa.String(length=20), nullable=False),
        sa.Column("remarks", sa.String(length=1000), nullable=False),
        sa.Column("exchange_type", sa.String(length=40), nullable=True),
        sa.Column("product", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("settlement", sa.JSON(), nullable=False),
        sa.Column("refund_amount", sa.BigInteger(), nullable=True),
        sa.Column("refunded_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("statement", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("draft_key", sa.String(length=64), nullable=True),
        sa.Column("confirm_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("answer_days", sa.Integer(), nullable=False),
        sa.Column("urgent", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["customer_id"], ["customers.id"], name=op.f("fk_returns_customer_id_customers")),
        sa.ForeignKeyConstraint(["store_id"], ["partners.id"], name=op.f("fk_returns_store_id_partners")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_returns")),
        sa.UniqueConstraint("public_id", name=op.f("uq_returns_public_id")),
        sa.UniqueConstraint("reference", name=op.f("uq_returns_reference")),
    )
    op.create_index("ix_returns_customer_id_created_at", "returns", ["customer_id", "created_at"], unique=False)
    op.create_index("ix_returns_status_confirm_until", "returns", ["status", "confirm_until"], unique=False)
    op.create_index("uq_returns_draft_key", "returns", ["draft_key"], unique=True)

    op.create_table(
        "sessions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("jti", sa.String(length=43), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("order_number", sa.String(length=20), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("staff_id", sa.Integer(), nullable=True),
        sa.Column("mode", sa.String(length=40), nullable=True),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_sessions_customer_id_customers"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["staff_id"], ["staff.id"], name=op.f("fk_sessions_staff_id_staff"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
        sa.UniqueConstraint("jti", name=op.f("uq_sessions_jti")),
    )
    op.create_index(op.f("ix_sessions_customer_id"), "sessions", ["customer_id"], unique=False)
    op.create_index(op.f("ix_sessions_expires_at"), "sessions", ["expires_at"], unique=False)
    op.create_index(op.f("ix_sessions_staff_id"), "sessions", ["staff_id"], unique=False)

    op.create_table(
        "staff_sessions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("staff_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["staff_id"], ["staff.id"], name=op.f("fk_staff_sessions_staff_id_staff"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_staff_sessions")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_staff_sessions_token_hash")),
    )
    op.create_index(op.f("ix_staff_sessions_expires_at"), "staff_sessions", ["expires_at"], unique=False)
    op.create_index(op.f("ix_staff_sessions_staff_id"), "staff_sessions", ["staff_id"], unique=False)

    op.create_table(
        "staff_stores",
        sa.Column("staff_id", sa.Integer(), nullable=False),
        sa.Column("partner_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["partner_id"], ["partners.id"], name=op.f("fk_staff_stores_partner_id_partners"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["staff_id"], ["staff.id"], name=op.f("fk_staff_stores_staff_id_staff"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("staff_id", "partner_id", name=op.f("pk_staff_stores")),
    )
    op.create_table(
        "text_messages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=True),
        sa.Column("template", sa.String(length=40), nullable=False),
        sa.Column("locale", sa.String(length=2), nullable=False),
        sa.Column("phone", sa.String(length=20), nullable=False),
        sa.Column("subject", sa.String(length=60), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("dropped_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_text_messages_customer_id_customers"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_text_messages")),
    )
    op.create_index(op.f("ix_text_messages_created_at"), "text_messages", ["created_at"], unique=False)
    op.create_index(op.f("ix_text_messages_customer_id"), "text_messages", ["customer_id"], unique=False)
    op.create_index("ix_text_messages_subject", "text_messages", ["subject"], unique=False)

    op.create_table(
        "webhook_deliveries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("webhook_id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(length=40), nullable=False),
        sa.Column("event", sa.String(length=60), nullable=False),
        sa.Column("type", sa.String(length=60), nullable=False),
        sa.Column("subject", sa.String(length=60), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("first_tried_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("delivered_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["webhook_id"], ["webhooks.id"], name=op.f("fk_webhook_deliveries_webhook_id_webhooks"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_deliveries")),
        sa.UniqueConstraint("message_id", name=op.f("uq_webhook_deliveries_message_id")),
        sa.UniqueConstraint("webhook_id", "event", name=op.f("uq_webhook_deliveries_webhook_id_event")),
    )
    op.create_index(op.f("ix_webhook_deliveries_created_at"), "webhook_deliveries", ["created_at"], unique=False)
    op.create_index("ix_webhook_deliveries_log", "webhook_deliveries", ["webhook_id", "created_at", "id"], unique=False)
    op.create_index(
        "ix_webhook_deliveries_order", "webhook_deliveries", ["webhook_id", "subject", "state", "id"], unique=False
    )

    op.create_table(
        "case_events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("case_id", sa.Integer(), nullable=False),
        sa.Column("type", sa.String(length=40), nullable=False),
        sa.Column("staff_id", sa.Integer(), nullable=True),
        sa.Column("by_customer", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(length=40), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.Column("happened_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["cases.id"], name=op.f("fk_case_events_case_id_cases"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["staff_id"], ["staff.id"], name=op.f("fk_case_events_staff_id_staff")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_case_events")),
    )
    op.create_index("ix_case_events_case_id", "case_events", ["case_id", "id"], unique=False)

    op.create_table(
        "case_messages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("case_id", sa.Integer(), nullable=False),
        sa.Column("staff_id", sa.Integer(), nullable=True),
        sa.Column("by_customer", sa.Boolean(), nullable=False),
        sa.Column("author", sa.String(length=60), nullable=False),
        sa.Column("store", sa.String(length=120), nullable=False),
        sa.Column("text", sa.String(length=4000), nullable=False),
        sa.Column("asks", sa.String(length=40), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("template", sa.String(length=40), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("mailed", sa.Boolean(), nullable=False),
        sa.Column("texted", sa.Boolean(), nullable=False),
        sa.Column("mail_id", sa.Integer(), nullable=True),
        sa.Column("text_message_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["case_id"], ["cases.id"], name=op.f("fk_case_messages_case_id_cases"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["mail_id"], ["outbox_mails.id"], name=op.f("fk_case_messages_mail_id_outbox_mails"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(["staff_id"], ["staff.id"], name=op.f("fk_case_messages_staff_id_staff")),
        sa.ForeignKeyConstraint(
            ["text_message_id"],
            ["text_messages.id"],
            name=op.f("fk_case_messages_text_message_id_text_messages"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_case_messages")),
        sa.UniqueConstraint("key", name=op.f("uq_case_messages_key")),
        sa.UniqueConstraint("public_id", name=op.f("uq_case_messages_public_id")),
    )
    op.create_index("ix_case_messages_case_id", "case_messages", ["case_id", "id"], unique=False)
    op.create_index(op.f("ix_case_messages_mail_id"), "case_messages", ["mail_id"], unique=False)
    op.create_index(op.f("ix_case_messages_text_message_id"), "case_messages", ["text_message_id"], unique=False)

    op.create_table(
        "case_notes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("case_id", sa.Integer(), nullable=False),
        sa.Column("staff_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(length=4000), nullable=False),
        sa.Column("written_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["cases.id"], name=op.f("fk_case_notes_case_id_cases"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["staff_id"], ["staff.id"], name=op.f("fk_case_notes_staff_id_staff")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_case_notes")),
    )
    op.create_index("ix_case_notes_case_id", "case_notes", ["case_id", "id"], unique=False)

    op.create_table(
        "case_presence",
        sa.Column("case_id", sa.Integer(), nullable=False),
        sa.Column("staff_id", sa.Integer(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["cases.id"], name=op.f("fk_case_presence_case_id_cases"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["staff_id"], ["staff.id"], name=op.f("fk_case_presence_staff_id_staff"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("case_id", "staff_id", name=op.f("pk_case_presence")),
    )
    op.create_table(
        "confirmation_links",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("link_hash", sa.String(length=64), nullable=False),
        sa.Column("purpose", sa.String(length=40), nullable=False),
        sa.Column("subject", sa.Integer(), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("recipient", sa.String(length=254), nullable=False),
        sa.Column("mail_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_confirmation_links_customer_id_customers")
        ),
        sa.ForeignKeyConstraint(
            ["mail_id"],
            ["outbox_mails.id"],
            name=op.f("fk_confirmation_links_mail_id_outbox_mails"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_confirmation_links")),
        sa.UniqueConstraint("link_hash", name=op.f("uq_confirmation_links_link_hash")),
    )
    op.create_index(op.f("ix_confirmation_links_customer_id"), "confirmation_links", ["customer_id"], unique=False)
    op.create_index(op.f("ix_confirmation_links_expires_at"), "confirmation_links", ["expires_at"], unique=False)
    op.create_index(op.f("ix_confirmation_links_mail_id"), "confirmation_links", ["mail_id"], unique=False)
    op.create_index("ix_confirmation_links_purpose_subject", "confirmation_links", ["purpose", "subject"], unique=False)

    op.create_table(
        "date_changes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reference", sa.String(length=20), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("order_id", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=40), nullable=False),
        sa.Column("country_code", sa.String(length=40), nullable=False),
        sa.Column("original_day", sa.Date(), nullable=False),
        sa.Column("new_day", sa.Date(), nullable=False),
        sa.Column("from_time", sa.String(length=5), nullable=False),
        sa.Column("until_time", sa.String(length=5), nullable=False),
        sa.Column("link_expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("holds_place", sa.Boolean(), nullable=False),
        sa.Column("note", sa.String(length=500), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("confirmed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["customer_id"], ["customers.id"], name=op.f("fk_date_changes_customer_id_customers")),
        sa.ForeignKeyConstraint(["order_id"], ["orders.id"], name=op.f("fk_date_changes_order_id_orders")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_date_changes")),
        sa.UniqueConstraint("reference", name=op.f("uq_date_changes_reference")),
    )
    op.create_index(op.f("ix_date_changes_customer_id"), "date_changes", ["customer_id"], unique=False)
    op.create_index("ix_date_changes_order_id", "date_changes", ["order_id", "id"], unique=False)
    op.create_index(
        "uq_date_changes_pending",
        "date_changes",
        ["order_id"],
        unique=True,
        sqlite_where=sa.text("status IN ('waiting_for_customer', 'waiting_for_retailer')"),
        postgresql_where=sa.text("status IN ('waiting_for_customer', 'waiting_for_retailer')"),
    )

    op.create_table(
        "import_differences",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("imported_id", sa.Integer(), nullable=False),
        sa.Column("field", sa.String(length=60), nullable=False),
        sa.Column("shop_value", sa.String(length=500), nullable=False),
        sa.Column("portal_value", sa.String(length=500), nullable=False),
        sa.Column("found_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kept", sa.String(length=40), nullable=True),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["imported_id"],
            ["imported.id"],
            name=op.f("fk_import_differences_imported_id_imported"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_import_differences")),
        sa.UniqueConstraint("imported_id", "field", name=op.f("uq_import_differences_imported_id_field")),
    )
    op.create_table(
        "invoices",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.String(length=20), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("order_id", sa.Integer(), nullable=False),
        sa.Column("invoice_date", sa.Date(), nullable=False),
        sa.Column("expire_date", sa.Date(), nullable=False),
        sa.Column("status", sa.String(length=40), nullable=False),
        sa.Column("subtotal", sa.BigInteger(), nullable=False),
        sa.Column("discount", sa.BigInteger(), nullable=False),
        sa.Column("shipping_costs", sa.BigInteger(), nullable=False),
        sa.Column("service_costs", sa.BigInteger(), nullable=False),
        sa.Column("insurance_costs", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("paid", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["customer_id"], ["customers.id"], name=op.f("fk_invoices_customer_id_customers")),
        sa.ForeignKeyConstraint(["order_id"], ["orders.id"], name=op.f("fk_invoices_order_id_orders")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invoices")),
        sa.UniqueConstraint("number", name=op.f("uq_invoices_number")),
        sa.UniqueConstraint("public_id", name=op.f("uq_invoices_public_id")),
    )
    op.create_index("ix_invoices_customer_id_invoice_date", "invoices", ["customer_id", "invoice_date"], unique=False)
    op.create_index(op.f("ix_invoices_order_id"), "invoices", ["order_id"], unique=False)

    op.create_table(
        "order_addresses",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("order_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=180), nullable=False),
        sa.Column("street", sa.String(length=60), nullable=False),
        sa.Column("house_number", sa.String(length=10), nullable=False),
        sa.Column("house_number_addon", sa.String(length=60), nullable=False),
        sa.Column("post_code", sa.String(length=10), nullable=False),
        sa.Column("city", sa.String(length=60), nullable=False),
        sa.Column("country_code", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(["order_id"], ["orders.id"], name=op.f("fk_order_addresses_order_id_orders")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_order_addresses")),
        sa.UniqueConstraint("order_id", "role", name=op.f("uq_order_addresses_order_id_role")),
    )
    op.create_table(
        "order_lines",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("order_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("name_en", sa.String(length=120), nullable=False),
        sa.Column("sku", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("item_color", sa.String(length=60), nullable=False),
        sa.Column("item_color_en", sa.String(length=60), nullable=False),
        sa.Column("frame_size", sa.String(length=20), nullable=False),
        sa.Column("battery", sa.String(length=60), nullable=False),
        sa.Column("bundle", sa.String(length=120), nullable=True),
        sa.Column("bundle_en", sa.String(length=120), nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.Column("unit_price", sa.BigInteger(), nullable=False),
        sa.Column("price", sa.BigInteger(), nullable=False),
        sa.Column("service_costs", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("insurance_costs", sa.BigInteger(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["order_id"], ["orders.id"], name=op.f("fk_order_lines_order_id_orders")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_order_lines")),
        sa.UniqueConstraint("order_id", "position", name=op.f("uq_order_lines_order_id_position")),
    )
    op.create_table(
        "refund_accounts",
        sa.Column("return_id", sa.Integer(), nullable=False),
        sa.Column("holder", sa.String(length=70), nullable=False),
        sa.Column("iban", sa.String(length=34), nullable=False),
        sa.Column("entered_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["return_id"], ["returns.id"], name=op.f("fk_refund_accounts_return_id_returns"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("return_id", name=op.f("pk_refund_accounts")),
    )
    op.create_table(
        "refund_payments",
        sa.Column("return_id", sa.Integer(), nullable=False),
        sa.Column("batch_id", sa.Integer(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["batch_id"], ["refund_batches.id"], name=op.f("fk_refund_payments_batch_id_refund_batches")
        ),
        sa.ForeignKeyConstraint(["return_id"], ["returns.id"], name=op.f("fk_refund_payments_return_id_returns")),
        sa.PrimaryKeyConstraint("return_id", name=op.f("pk_refund_payments")),
    )
    op.create_index(op.f("ix_refund_payments_batch_id"), "refund_payments", ["batch_id"], unique=False)

    op.create_table(
        "return_events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("return_id", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=40), nullable=False),
        sa.Column("note", sa.String(length=1000), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["return_id"], ["returns.id"], name=op.f("fk_return_events_return_id_returns")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_return_events")),
    )
    op.create_index(op.f("ix_return_events_return_id"), "return_events", ["return_id"], unique=False)

    op.create_table(
        "shipments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("order_id", sa.Integer(), nullable=False),
        sa.Column("carrier", sa.String(length=60), nullable=False),
        sa.Column("tracking_code", sa.String(length=60), nullable=False),
        sa.Column("tracking_url", sa.String(length=500), nullable=False),
        sa.Column("shipped_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("delivered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("status", sa.String(length=40), nullable=True),
        sa.Column("scheduled_day", sa.Date(), nullable=True),
        sa.Column("scheduled_from", sa.String(length=5), server_default=sa.text("''"), nullable=False),
        sa.Column("scheduled_until", sa.String(length=5), server_default=sa.text("''"), nullable=False),
        sa.ForeignKeyConstraint(["order_id"], ["orders.id"], name=op.f("fk_shipments_order_id_orders")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shipments")),
    )
    op.create_index(op.f("ix_shipments_order_id"), "shipments", ["order_id"], unique=False)

    op.create_table(
        "uploads",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("staff_id", sa.Integer(), nullable=True),
        sa.Column("shared", sa.Boolean(), nullable=False),
        sa.Column("phone_link_id", sa.Integer(), nullable=True),
        sa.Column("draft", sa.String(length=64), nullable=False),
        sa.Column("field", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("stored_size", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("media_type", sa.String(length=60), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("has_preview", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(length=40), nullable=False),
        sa.Column("request_key", sa.String(length=64), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["customer_id"], ["customers.id"], name=op.f("fk_uploads_customer_id_customers")),
        sa.ForeignKeyConstraint(
            ["phone_link_id"],
            ["phone_links.id"],
            name=op.f("fk_uploads_phone_link_id_phone_links"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(["staff_id"], ["staff.id"], name=op.f("fk_uploads_staff_id_staff")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_uploads")),
        sa.UniqueConstraint("key", name=op.f("uq_uploads_key")),
        sa.UniqueConstraint("public_id", name=op.f("uq_uploads_public_id")),
    )
    op.create_index("ix_uploads_customer_id_draft", "uploads", ["customer_id", "draft"], unique=False)
    op.create_index(op.f("ix_uploads_phone_link_id"), "uploads", ["phone_link_id"], unique=False)
    op.create_index(op.f("ix_uploads_request_key"), "uploads", ["request_key"], unique=False)
    op.create_index(op.f("ix_uploads_staff_id"), "uploads", ["staff_id"], unique=False)
    op.create_index("ix_uploads_state_expires_at", "uploads", ["state", "expires_at"], unique=False)

    op.create_table(
        "webhook_attempts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("delivery_id", sa.Integer(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("milliseconds", sa.Integer(), nullable=False),
        sa.Column("answer", sa.String(length=500), nullable=False),
        sa.Column("tried_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["delivery_id"],
            ["webhook_deliveries.id"],
            name=op.f("fk_webhook_attempts_delivery_id_webhook_deliveries"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_attempts")),
    )
    op.create_index(op.f("ix_webhook_attempts_delivery_id"), "webhook_attempts", ["delivery_id"], unique=False)

    op.create_table(
        "withdrawal_declarations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reference", sa.String(length=20), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("order_number", sa.String(length=20), nullable=False),
        sa.Column("items", sa.JSON(), nullable=False),
        sa.Column("name", sa.String(length=180), nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=40), nullable=False),
        sa.Column("return_id", sa.Integer(), nullable=True),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_withdrawal_declarations_customer_id_customers")
        ),
        sa.ForeignKeyConstraint(
            ["return_id"], ["returns.id"], name=op.f("fk_withdrawal_declarations_return_id_returns")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_withdrawal_declarations")),
        sa.UniqueConstraint("reference", name=op.f("uq_withdrawal_declarations_reference")),
    )
    op.create_index(
        "ix_withdrawal_declarations_customer_id_order_number",
        "withdrawal_declarations",
        ["customer_id", "order_number"],
        unique=False,
    )
    op.create_index("uq_withdrawal_declarations_key", "withdrawal_declarations", ["key"], unique=True)

    op.create_table(
        "bikes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=16), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("order_id", sa.Integer(), nullable=False),
        sa.Column("order_line_id", sa.Integer(), nullable=True),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("name_en", sa.String(length=120), nullable=False),
        sa.Column("brand", sa.String(length=60), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("color", sa.String(length=60), nullable=False),
        sa.Column("color_en", sa.String(length=60), nullable=False),
        sa.Column("color_code", sa.String(length=7), nullable=False),
        sa.Column("size", sa.String(length=20), nullable=False),
        sa.Column("frame_number", sa.String(length=20), nullable=True),
        sa.Column("engine_brand", sa.String(length=60), nullable=False),
        sa.Column("engine_system", sa.String(length=60), nullable=False),
        sa.Column("battery_number", sa.String(length=40), nullable=False),
        sa.Column("battery_passport", sa.String(length=500), nullable=False),
        sa.Column("imei_number", sa.String(length=15), nullable=False),
        sa.Column("key_number_1", sa.String(length=20), nullable=False),
        sa.Column("key_number_2", sa.String(length=20), nullable=False),
        sa.Column("key_number_3", sa.String(length=20), nullable=False),
        sa.Column("service_card", sa.String(length=40), nullable=False),
        sa.Column("service_package", sa.String(length=40), nullable=True),
        sa.Column("insurance", sa.String(length=60), nullable=False),
        sa.Column("policy_number", sa.String(length=40), nullable=False),
        sa.Column("insurance_start", sa.Date(), nullable=True),
        sa.Column("mileage", sa.Integer(), nullable=True),
        sa.Column("mileage_at", sa.Date(), nullable=True),
        sa.Column("pin_code", sa.String(length=10), nullable=True),
        sa.Column("delivered_on", sa.Date(), nullable=True),
        sa.Column("warranty_until", sa.Date(), nullable=True),
        sa.ForeignKeyConstraint(["customer_id"], ["customers.id"], name=op.f("fk_bikes_customer_id_customers")),
        sa.ForeignKeyConstraint(["order_id"], ["orders.id"], name=op.f("fk_bikes_order_id_orders")),
        sa.ForeignKeyConstraint(["order_line_id"], ["order_lines.id"], name=op.f("fk_bikes_order_line_id_order_lines")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bikes")),
        sa.UniqueConstraint("public_id", name=op.f("uq_bikes_public_id")),
    )
    op.create_index(op.f("ix_bikes_customer_id"), "bikes", ["customer_id"], unique=False)
    op.create_index(op.f("ix_bikes_frame_number"), "bikes", ["frame_number"], unique=False)
    op.create_index("ix_bikes_order_id_customer_id", "bikes", ["order_id", "customer_id", "id"], unique=False)
    op.create_index(op.f("ix_bikes_order_line_id"), "bikes", ["order_line_id"], unique=False)

    op.create_table(
        "delivery_events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("order_id", sa.Integer(), nullable=False),
        sa.Column("shipment_id", sa.Integer(), nullable=True),
        sa.Column("status", sa.String(length=40), nullable=False),
        sa.Column("note", sa.String(length=500), nullable=False),
        sa.Column("key", sa.String(length=100), nullable=True),
        sa.Column("happened_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["order_id"], ["orders.id"], name=op.f("fk_delivery_events_order_id_orders"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["shipment_id"], ["shipments.id"], name=op.f("fk_delivery_events_shipment_id_shipments"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_delivery_events")),
    )
    op.create_index("ix_delivery_events_order_id", "delivery_events", ["order_id", "id"], unique=False)
    op.create_index("uq_delivery_events_key", "delivery_events", ["key"], unique=True)

    op.create_table(
        "invoice_documents",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(length=40), nullable=False),
        sa.Column("external_id", sa.String(length=100), nullable=False),
        sa.Column("invoice_id", sa.Integer(), nullable=True),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("url", sa.String(length=500), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["invoice_id"], ["invoices.id"], name=op.f("fk_invoice_documents_invoice_id_invoices")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invoice_documents")),
        sa.UniqueConstraint("invoice_id", name=op.f("uq_invoice_documents_invoice_id")),
        sa.UniqueConstraint("key", name=op.f("uq_invoice_documents_key")),
        sa.UniqueConstraint("source", "external_id", name=op.f("uq_invoice_documents_source_external_id")),
    )
    op.create_table(
        "invoice_lines",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("invoice_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("name_en", sa.String(length=120), nullable=False),
        sa.Column("item_color", sa.String(length=60), nullable=False),
        sa.Column("item_color_en", sa.String(length=60), nullable=False),
        sa.Column("frame_size", sa.String(length=20), nullable=False),
        sa.Column("battery", sa.String(length=60), nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.Column("unit_price", sa.BigInteger(), nullable=False),
        sa.Column("price", sa.BigInteger(), nullable=False),
        sa.Column("vat_rate", sa.Numeric(precision=5, scale=2), nullable=False),
        sa.ForeignKeyConstraint(["invoice_id"], ["invoices.id"], name=op.f("fk_invoice_lines_invoice_id_invoices")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invoice_lines")),
        sa.UniqueConstraint("invoice_id", "position", name=op.f("uq_invoice_lines_invoice_id_position")),
    )
    op.create_table(
        "return_units",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("return_id", sa.Integer(), nullable=False),
        sa.Column("order_line_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("paid", sa.BigInteger(), nullable=False),
        sa.Column("package", sa.BigInteger(), nullable=False),
        sa.Column("insurance", sa.BigInteger(), nullable=False),
        sa.Column("released_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("received", sa.Boolean(), nullable=False),
        sa.Column("condition", sa.String(length=40), nullable=True),
        sa.Column("decision", sa.String(length=40), nullable=True),
        sa.Column("inspection_note", sa.String(length=300), nullable=False),
        sa.ForeignKeyConstraint(
            ["order_line_id"], ["order_lines.id"], name=op.f("fk_return_units_order_line_id_order_lines")
        ),
        sa.ForeignKeyConstraint(["return_id"], ["returns.id"], name=op.f("fk_return_units_return_id_returns")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_return_units")),
        sa.UniqueConstraint(
            "return_id", "order_line_id", "number", name=op.f("uq_return_units_return_id_order_line_id_number")
        ),
    )
    op.create_index(op.f("ix_return_units_order_line_id"), "return_units", ["order_line_id"], unique=False)
    op.create_index(
        "uq_return_units_held",
        "return_units",
        ["order_line_id", "number"],
        unique=True,
        sqlite_where=sa.text("released_at IS NULL"),
        postgresql_where=sa.text("released_at IS NULL"),
    )

    op.create_table(
        "shipment_lines",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("shipment_id", sa.Integer(), nullable=False),
        sa.Column("order_line_id", sa.Integer(), nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["order_line_id"], ["order_lines.id"], name=op.f("fk_shipment_lines_order_line_id_order_lines")
        ),
        sa.ForeignKeyConstraint(
            ["shipment_id"], ["shipments.id"], name=op.f("fk_shipment_lines_shipment_id_shipments")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shipment_lines")),
        sa.UniqueConstraint("shipment_id", "order_line_id", name=op.f("uq_shipment_lines_shipment_id_order_line_id")),
    )
    op.create_index(op.f("ix_shipment_lines_order_line_id"), "shipment_lines", ["order_line_id"], unique=False)

    op.create_table(
        "insurance_requests",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reference", sa.String(length=20), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("bike_id", sa.Integer(), nullable=False),
        sa.Column("insurer", sa.String(length=40), nullable=True),
        sa.Column("type", sa.String(length=40), nullable=False),
        sa.Column("premium", sa.BigInteger(), nullable=True),
        sa.Column("document_id", sa.String(length=20), nullable=False),
        sa.Column("key_number", sa.String(length=20), nullable=False),
        sa.Column("iban", sa.String(length=34), nullable=False),
        sa.Column("status", sa.String(length=40), nullable=False),
        sa.Column("waits_for_link", sa.Boolean(), nullable=False),
        sa.Column("link_expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("policy_number", sa.String(length=40), nullable=False),
        sa.Column("starts_on", sa.Date(), nullable=True),
        sa.Column("note", sa.String(length=500), nullable=False),
        sa.Column("answer_days", sa.Integer(), nullable=False),
        sa.Column("draft_key", sa.String(length=64), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["bike_id"], ["bikes.id"], name=op.f("fk_insurance_requests_bike_id_bikes")),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_insurance_requests_customer_id_customers")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_insurance_requests")),
        sa.UniqueConstraint("reference", name=op.f("uq_insurance_requests_reference")),
    )
    op.create_index(op.f("ix_insurance_requests_bike_id"), "insurance_requests", ["bike_id"], unique=False)
    op.create_index("ix_insurance_requests_customer_id", "insurance_requests", ["customer_id", "id"], unique=False)
    op.create_index("uq_insurance_requests_draft_key", "insurance_requests", ["draft_key"], unique=True)
    op.create_index(
        "uq_insurance_requests_open",
        "insurance_requests",
        ["bike_id"],
        unique=True,
        sqlite_where=sa.text("status IN ('created', 'waiting_for_input')"),
        postgresql_where=sa.text("status IN ('created', 'waiting_for_input')"),
    )

    op.create_table(
        "mileages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("bike_id", sa.Integer(), nullable=False),
        sa.Column("km", sa.BigInteger(), nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["bike_id"], ["bikes.id"], name=op.f("fk_mileages_bike_id_bikes")),
        sa.ForeignKeyConstraint(["customer_id"], ["customers.id"], name=op.f("fk_mileages_customer_id_customers")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mileages")),
    )
    op.create_index("ix_mileages_bike_id", "mileages", ["bike_id", "id"], unique=False)
    op.create_index(op.f("ix_mileages_customer_id"), "mileages", ["customer_id"], unique=False)

    op.create_table(
        "package_orders",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reference", sa.String(length=20), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("bike_id", sa.Integer(), nullable=False),
        sa.Column("package", sa.String(length=40), nullable=False),
        sa.Column("monthly", sa.BigInteger(), nullable=False),
        sa.Column("draft_key", sa.String(length=64), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["bike_id"], ["bikes.id"], name=op.f("fk_package_orders_bike_id_bikes")),
        sa.ForeignKeyConstraint(
            ["customer_id"], ["customers.id"], name=op.f("fk_package_orders_customer_id_customers")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_package_orders")),
        sa.UniqueConstraint("reference", name=op.f("uq_package_orders_reference")),
    )
    op.create_index(op.f("ix_package_orders_bike_id"), "package_orders", ["bike_id"], unique=False)
    op.create_index(op.f("ix_package_orders_customer_id"), "package_orders", ["customer_id"], unique=False)
    op.create_index("uq_package_orders_draft_key", "package_orders", ["draft_key"], unique=True)

    op.create_table(
        "requests",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reference", sa.String(length=20), nullable=False),
        sa.Column("customer_id", sa.Integer(), nullable=False),
        sa.Column("bike_id", sa.Integer(), nullable=False),
        sa.Column("partner_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("status", sa.String(length=40), nullable=False),
        sa.Column("title", sa.String(length=120), nullable=False),
        sa.Column("description", sa.String(length=4000), nullable=False),
        sa.Column("planned_date", sa.Date(), nullable=True),
        sa.Column("details", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("draft_key", sa.String(length=64), nullable=True),
        sa.Column("under_warranty", sa.Boolean(), server_default=sa.text("(false)"), nullable=False),
        sa.Column("warranty_until", sa.Date(), nullable=True),
        sa.Column("answer_days", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["bike_id"], ["bikes.id"], name=op.f("fk_requests_bike_id_bikes")),
        sa.ForeignKeyConstraint(["customer_id"], ["customers.id"], name=op.f("fk_requests_customer_id_customers")),
        sa.ForeignKeyConstraint(["partner_id"], ["partners.id"], name=op.f("fk_requests_partner_id_partners")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_requests")),
        sa.UniqueConstraint("reference", name=op.f("uq_requests_reference")),
    )
    op.create_index(op.f("ix_requests_bike_id"), "requests", ["bike_id"], unique=False)
    op.create_index("ix_requests_customer_id_created_at", "requests", ["customer_id", "created_at"], unique=False)
    op.create_index("uq_requests_draft_key", "requests", ["draft_key"], unique=True)
    op.create_index(
        "uq_requests_open_bike",
        "requests",
        ["bike_id"],
        unique=True,
        sqlite_where=sa.text("(status NOT IN ('cancelled', 'completed', 'done'))"),
        postgresql_where=sa.text("(status NOT IN ('cancelled', 'completed', 'done'))"),
    )

    op.create_table(
        "work_order_events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("request_id", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=40), nullable=False),
        sa.Column("actor", sa.String(length=40), nullable=False),
        sa.Column("note", sa.String(length=500), nullable=False),
        sa.Column("planned_date", sa.Date(), nullable=True),
        sa.Column("happened_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["request_id"], ["requests.id"], name=op.f("fk_work_order_events_request_id_requests"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_work_order_events")),
    )
    op.create_index("ix_work_order_events_request_id", "work_order_events", ["request_id", "id"], unique=False)


def downgrade() -> None:
    for table in (
        "work_order_events",
        "requests",
        "package_orders",
        "mileages",
        "insurance_requests",
        "shipment_lines",
        "return_units",
        "invoice_lines",
        "invoice_documents",
        "delivery_events",
        "bikes",
        "withdrawal_declarations",
        "webhook_attempts",
        "uploads",
        "shipments",
        "return_events",
        "refund_payments",
        "refund_accounts",
        "order_lines",
        "order_addresses",
        "invoices",
        "import_differences",
        "date_changes",
        "confirmation_links",
        "case_presence",
        "case_notes",
        "case_messages",
        "case_events",
        "webhook_deliveries",
        "text_messages",
        "staff_stores",
        "staff_sessions",
        "sessions",
        "returns",
        "refund_batches",
        "recall_notices",
        "recall_items",
        "product_pictures",
        "privacy_events",
        "phone_links",
        "passwords",
        "passkeys",
        "passkey_challenges",
        "partner_changes",
        "outbox_mails",
        "orders",
        "login_challenges",
        "imported",
        "import_runs",
        "erasure_codes",
        "email_changes",
        "drafts",
        "data_exports",
        "customer_visits",
        "contract_ends",
        "changes",
        "cases",
        "case_views",
        "audit",
        "webhooks",
        "staff_sign_ons",
        "staff",
        "shop_terms",
        "service_products",
        "recalls",
        "products",
        "pictures",
        "partners",
        "package_terms",
        "message_templates",
        "limit_windows",
        "jobs",
        "insurance_tariffs",
        "insurance_products",
        "insurance_documents",
        "import_waiting",
        "import_rejected",
        "import_documents",
        "idempotency_keys",
        "delivery_places",
        "delivery_days",
        "customers",
    ):
        op.drop_table(table)
