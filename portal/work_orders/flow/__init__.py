"""The declarations of repair, service and claim."""
