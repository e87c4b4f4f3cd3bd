"""Pages of the service package flow, and their state."""
