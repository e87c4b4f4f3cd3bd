"""Drawings of bikes and accessories."""
