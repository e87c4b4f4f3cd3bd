"""Questions that the flows of returns share (part-2 §2)."""
