"""Pictures on pages."""
