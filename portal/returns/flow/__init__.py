"""The four return flows: which items, why, in what state, and how they come back."""
