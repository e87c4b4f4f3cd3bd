"""Staff pages of what goes out: webhooks with their log, and files for finance and insurers."""
