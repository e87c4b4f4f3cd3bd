"""What the audit records has a text for staff."""

from __future__ import annotations

from portal.vocabulary.audit import AUDIT_LABELS, AuditAction


def test_every_action_has_a_text_of_its_own() -> None:
    assert set(AUDIT_LABELS) == set(AuditAction)
    assert len(set(AUDIT_LABELS.values())) == len(AuditAction)
