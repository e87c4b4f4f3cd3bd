"""Pages that show several subjects together: the dashboard, one order, one bike; and which actions are open there."""
