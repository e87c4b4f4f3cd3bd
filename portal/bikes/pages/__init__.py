"""Pages of bikes: the list, and the bike and pin code steps of flows."""
