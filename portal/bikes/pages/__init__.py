"""The list of bikes, and the bike step of flows."""
